// The filter of the list of jobs, as the address writes it.
import type { JobRowFragment, PrintJobFilter, PrintJobOrder } from '../../generated/web-operations';
import { beginOf, dayAfter } from '../parts/days';

export const ORDERS: Record<string, string> = {
  '': 'Newest first',
  CREATED_AT_ASC: 'Oldest first',
  COMPLETED_AT_DESC: 'Latest completed first',
} satisfies { [order in PrintJobOrder | '']?: string };

export const SOURCES = { MANUAL: 'By hand', MQTT: 'MQTT', PRINTER_API: 'Printer' };

/** Values of the address go to the gateway as they are: its refusals name their faults. */
export function filterOf(of: (name: string) => string): PrintJobFilter {
  const given = {
    search: of('search'),
    status: of('status').split(',').filter(Boolean),
    printerId: of('printer'),
    spoolId: of('spool'),
    dataSource: of('source'),
    createdFrom: beginOf(of('from')) ?? '',
    createdTo: lastOf(of('to')),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value.length > 0));
}

/** Whether a job fits a filter still, by the members that a change may alter. */
export function fits({ printName, status, printer, spool }: JobRowFragment, filter: PrintJobFilter): boolean {
  return (
    printName.toLowerCase().includes((filter.search ?? '').toLowerCase()) &&
    (filter.status == null || filter.status.includes(status)) &&
    (filter.printerId == null || filter.printerId === printer?.id) &&
    (filter.spoolId == null || filter.spoolId === spool?.id)
  );
}

/** The last instant of a day. */
function lastOf(day: string): string {
  const end = beginOf(day) && beginOf(dayAfter(day));
  return end ? new Date(Date.parse(end) - 1).toISOString() : '';
}
