// Decides which job a printer prints now: the state that its machine reports takes precedence over the status of jobs.
import type { FarmPrintersQuery } from '../../generated/web-operations';
import { isBusy, type PrinterState } from '../printers/live-states';

export type Printer = FarmPrintersQuery['printers']['nodes'][number];
type Job = Printer['jobs']['nodes'][number];

interface CurrentJob {
  job: Job | undefined;
  /** A job with the status "printing" although the machine prints something else, or nothing. */
  stale: Job | undefined;
}

/** If the machine sends no data, or its print is not recorded yet, the newest job is assumed to be the one that it prints. */
export function findCurrentJob({ jobs: { nodes } }: Pick<Printer, 'jobs'>, state: PrinterState | null): CurrentJob {
  const isIdle = state !== null && !state.stale && (state.activity === 'IDLE' || state.activity === 'FINISHED');
  const print = state !== null && isBusy(state) ? state.print : null;
  if (!isIdle && print === null) return { job: nodes[0], stale: undefined };
  const job = isIdle ? undefined : nodes.find(({ observedPrint }) => observedPrint?.id === print?.id);
  return { job, stale: nodes.find((candidate) => candidate !== job) };
}
