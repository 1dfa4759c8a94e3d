// The filter of the list of jobs, as the address writes it.
import type { JobRowFragment, PrintJobFilter, PrintJobOrder } from '../../generated/web-operations';
import { beginOfDay, dayAfter } from '../parts/days';

export const ORDERS: Record<string, string> = {
  '': 'Newest first',
  CREATED_AT_ASC: 'Oldest first',
  COMPLETED_AT_DESC: 'Last finished first',
} satisfies { [order in PrintJobOrder | '']?: string };

export const SOURCES = { MANUAL: 'Entered by hand', MQTT: 'MQTT', PRINTER_API: 'Printer' };

/** Values of the address go to the gateway as they are: its refusals name their faults. */
export function filterOf(of: (name: string) => string): PrintJobFilter {
  const given = {
    search: of('search'),
    status: of('status').split(',').filter(Boolean),
    printerId: of('printer'),
    spoolId: of('spool'),
    dataSource: of('source'),
    createdFrom: beginOfDay(of('from')) ?? '',
    createdTo: lastOf(of('to')),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value.length > 0));
}

/** Whether a job fits a filter still, by the members that a change may alter. */
export function fits({ printName, status, printer, parts }: JobRowFragment, filter: PrintJobFilter): boolean {
  return (
    mayContain(printName, filter.search ?? '') &&
    (filter.status == null || filter.status.includes(status)) &&
    (filter.printerId == null || filter.printerId.toLowerCase() === printer?.id) &&
    (filter.spoolId == null || parts.some(({ spool }) => spool?.id === filter.spoolId?.toLowerCase()))
  );
}

/** The case of other letters than those of ASCII depends on the gateway's database: a text with them may contain anything. */
function mayContain(text: string, part: string): boolean {
  const isKnown = /^\p{ASCII}*$/u.test(text + part);
  return !isKnown || text.toLowerCase().includes(part.toLowerCase());
}

/** The last instant of a day. */
function lastOf(day: string): string {
  const end = beginOfDay(day) && beginOfDay(dayAfter(day));
  return end ? new Date(Date.parse(end) - 1).toISOString() : '';
}
