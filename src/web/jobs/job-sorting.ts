// Decides how the headings of the list of jobs sort the list.
import type { PrintJobOrder } from '../../generated/web-operations';
import type { Sorting } from '../parts/data-table';

/** The orders of the headings, in the sequence of repeated clicks. After the last order the list has its default order. */
const ORDERS_OF_HEADS: Record<string, PrintJobOrder[]> = {
  Status: ['STATUS_ASC', 'STATUS_DESC'],
  Printer: ['PRINTER_ASC', 'PRINTER_DESC'],
  Spool: ['SPOOL_ASC', 'SPOOL_DESC'],
  Ended: ['COMPLETED_AT_DESC'],
  Recorded: ['RECORDED_ASC', 'RECORDED_DESC'],
};

/** How the headings sort the list, if its order is in the address. */
export function createJobSorting(order: string, setOrder: (order: string) => void): Sorting {
  const [sortedHead] = Object.entries(ORDERS_OF_HEADS).find(([, orders]) => orders.some((one) => one === order)) ?? [];
  return {
    sortableHeads: Object.keys(ORDERS_OF_HEADS),
    sortedHead,
    isDescending: order.endsWith('_DESC'),
    toggle(head) {
      const orders: string[] = ORDERS_OF_HEADS[head] ?? [];
      setOrder(orders[orders.indexOf(order) + 1] ?? '');
    },
  };
}
