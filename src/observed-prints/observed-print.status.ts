// What a print waits for, its filament by slot, and how the amounts of its job are known.
import { consumption } from './consumption';
import type { ObservedFilament, PrintOutcome, RunningPrint } from './observed-print.model';

interface Waiting {
  outcome: PrintOutcome;
  jobId: string | null;
  ignoredAt: string | null;
}

/** An ignored print waits for nothing. */
export function waitOf({ outcome, jobId, ignoredAt }: Waiting): 'SPOOL' | 'OUTCOME' | null {
  if (ignoredAt !== null) return null;
  if (outcome === 'UNRESOLVED') return 'OUTCOME';
  return jobId === null ? 'SPOOL' : null;
}

interface Used
  extends Pick<RunningPrint, 'plan' | 'slots' | 'measured' | 'progress' | 'progressBasis' | 'layer' | 'layers'> {
  outcome: PrintOutcome;
  filament: ObservedFilament[] | null;
  /** Of its machine. */
  kind: string | null;
}

/** What it used, or what it will have used as far as is known. */
export const filamentOf = (print: Used): ObservedFilament[] => print.filament ?? consumption(print, print.outcome);

/** The filament in the job of a print. A running print has the planned amounts there: the measured amounts are still below what it will use. */
export const bookedFilamentOf = (print: Used): ObservedFilament[] =>
  filamentOf(print.outcome === 'RUNNING' && print.plan !== null ? { ...print, measured: [] } : print);

/** The least certain first. */
const CERTAINTY: readonly ObservedFilament['basis'][] = ['UNKNOWN', 'ESTIMATED', 'PLANNED', 'MEASURED'];

/**
 * How the amounts of a job are known.
 * @param print that the job was made of
 */
export function basisOf(
  job: { updatedAt: string },
  print: (Used & { jobUpdatedAt: string | null }) | null,
): ObservedFilament['basis'] {
  // Who changes a job by hand wins.
  if (print === null || print.jobUpdatedAt !== job.updatedAt) return 'MANUAL';
  const bases = bookedFilamentOf(print).map(({ basis }) => basis);
  return CERTAINTY.find((basis) => bases.includes(basis)) ?? 'UNKNOWN';
}
