// What a printer of the farm does now: what its machine says counts, and its job where that is what the machine prints.
import type { FarmPrintersQuery } from '../../generated/web-operations';
import type { PrinterState } from '../printers/live-states';

export type Printer = FarmPrintersQuery['printers']['nodes'][number];
type Job = Printer['jobs']['nodes'][number];

const BUSY: readonly PrinterState['activity'][] = ['PREPARING', 'PRINTING', 'PAUSED'];
export const isBusy = ({ activity }: PrinterState): boolean => BUSY.includes(activity);

interface JobNow {
  job: Job | undefined;
  /** A job that is marked as printing, though the machine prints something else, or nothing. */
  stale: Job | undefined;
}

export function jobNow({ jobs }: Printer, state: PrinterState | null): JobNow {
  const job = jobs.nodes[0];
  if (job === undefined || state === null) return { job, stale: undefined };
  const isOther = isBusy(state)
    ? state.print !== null && job.observedPrint?.id !== state.print.id
    : !state.stale && (state.activity === 'IDLE' || state.activity === 'FINISHED');
  return isOther ? { job: undefined, stale: job } : { job, stale: undefined };
}
