// The rows of print jobs on the dashboard, with a button for each status that the gateway would accept.
import type { FarmOverviewQuery, PrintJobStatus } from '../generated/web-operations.js';
import { element, timeElement } from './elements.js';

export type Job = FarmOverviewQuery['printJobs']['nodes'][number];

/** In the order of the filter. */
export const STATUS_NAMES: Record<PrintJobStatus, string> = {
  QUEUED: 'Queued',
  PRINTING: 'Printing',
  COMPLETED: 'Completed',
  CANCELLED: 'Cancelled',
  FAILED: 'Failed',
};

export function jobRow(job: Job, change: (job: Job, status: PrintJobStatus, button: HTMLButtonElement) => void) {
  const spool = job.spool === null ? 'unknown' : `${job.spool.spoolSerial} (${job.spool.material.name})`;
  const buttons = job.allowedTransitions
    .filter((status) => status !== job.status)
    .map((status) => {
      const name = STATUS_NAMES[status];
      const button = element('button', { type: 'button', 'aria-label': `Change ${job.printName} to ${name}` }, name);
      button.addEventListener('click', () => change(job, status, button));
      return button;
    });
  return element(
    'tr',
    { 'data-job': job.id },
    element('th', { scope: 'row' }, job.printName || 'unnamed'),
    element('td', {}, element('span', { class: `state ${job.status.toLowerCase()}` }, STATUS_NAMES[job.status])),
    element('td', {}, job.printer?.name ?? 'unknown'),
    element('td', {}, spool),
    element('td', { class: 'number' }, job.gramsDerived),
    element('td', { class: 'number' }, job.costPerPrint),
    element('td', {}, timeElement(job.createdAt)),
    element('td', { class: 'buttons' }, ...buttons),
  );
}
