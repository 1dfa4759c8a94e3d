// Converts the address of the jobs page into a filter, and decides whether a job matches it.
import type { JobRowFragment, PrintJobFilter, PrintJobOrder, PrintJobRecording } from '../../generated/web-operations';
import { addDays, startOfDay } from '../parts/days';

export const ORDERS: Record<string, string> = {
  '': 'Newest first',
  CREATED_AT_ASC: 'Oldest first',
  COMPLETED_AT_DESC: 'Last finished first',
  STATUS_ASC: 'Status, waiting first',
  STATUS_DESC: 'Status, failed first',
  PRINTER_ASC: 'Printer, A to Z',
  PRINTER_DESC: 'Printer, Z to A',
  SPOOL_ASC: 'Spool, A to Z',
  SPOOL_DESC: 'Spool, Z to A',
  RECORDED_ASC: 'Least recorded first',
  RECORDED_DESC: 'Most recorded first',
} satisfies { [order in PrintJobOrder | '']?: string };

export const RECORDINGS: Record<PrintJobRecording, string> = {
  COMPLETE: 'Fully',
  PARTIAL: 'Partly',
  NONE: 'Not at all',
  PRELIMINARY: 'Preliminary (last day)',
};

export const SOURCES = { MANUAL: 'Entered by hand', MQTT: 'MQTT', PRINTER_API: 'Printer' };

/** Values of the address are sent unchanged, because the gateway reports their faults. */
export function toJobFilter(getFilter: (name: string) => string): PrintJobFilter {
  const values = {
    search: getFilter('search'),
    status: getFilter('status').split(',').filter(Boolean),
    printerId: getFilter('printer'),
    spoolId: getFilter('spool'),
    dataSource: getFilter('source'),
    createdFrom: startOfDay(getFilter('from')) ?? '',
    createdTo: endOfDay(getFilter('to')),
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value.length > 0));
}

/** The recordings of the address. Undefined for all jobs. */
export function toRecording(getFilter: (name: string) => string): { recording?: PrintJobRecording[] } {
  const recording = getFilter('recorded').split(',').filter(Boolean) as PrintJobRecording[];
  return recording.length === 0 ? {} : { recording };
}

/** Whether a job still matches a filter after a change. Only members that can change are compared. */
export function matchesFilter({ printName, status, printer, parts }: JobRowFragment, filter: PrintJobFilter): boolean {
  return (
    mayContain(printName, filter.search ?? '') &&
    (filter.status == null || filter.status.includes(status)) &&
    (filter.printerId == null || filter.printerId.toLowerCase() === printer?.id) &&
    (filter.spoolId == null || parts.some(({ spool }) => spool?.id === filter.spoolId?.toLowerCase()))
  );
}

/** Upper and lower case of letters outside ASCII depend on the gateway's database, so a text with such letters may always match. */
function mayContain(text: string, part: string): boolean {
  const isKnown = /^\p{ASCII}*$/u.test(text + part);
  return !isKnown || text.toLowerCase().includes(part.toLowerCase());
}

/** The last millisecond of a day as an instant; '' if the text is not a day. */
function endOfDay(day: string): string {
  const end = startOfDay(day) && startOfDay(addDays(day));
  return end ? new Date(Date.parse(end) - 1).toISOString() : '';
}
