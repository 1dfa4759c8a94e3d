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

/** Where a machine is not heard, and for a print that is not recorded yet, the newest job is what it prints. */
export function jobNow({ jobs: { nodes } }: Pick<Printer, 'jobs'>, state: PrinterState | null): JobNow {
  const isOver = state !== null && !state.stale && (state.activity === 'IDLE' || state.activity === 'FINISHED');
  const print = state !== null && isBusy(state) ? state.print : null;
  if (!isOver && print === null) return { job: nodes[0], stale: undefined };
  const job = isOver ? undefined : nodes.find(({ observedPrint }) => observedPrint?.id === print?.id);
  return { job, stale: nodes.find((one) => one !== job) };
}
