// Decides what a print waits for and why, and how certain the amounts of its job are.
import { calculateBookedFilament, type UsingPrint } from '../print-rules/amounts';
import { startOfPrint } from '../print-rules/loaded-spools';
import { findNeededSlots } from '../print-rules/needed-slots';
import type { ObservedFilament, PrintOutcome, RunningPrint } from '../print-rules/print.model';

interface Waiting {
  outcome: PrintOutcome;
  jobId: string | null;
  slotsWithoutSpool: readonly string[] | null;
  ignoredAt: string | null;
}

/** What a print waits for. `LACKS_SPOOL` in observed-print.rows.ts has the same rule in SQL. */
export const findWait = ({ outcome, jobId, slotsWithoutSpool, ignoredAt }: Waiting) =>
  decideWait({ outcome, lacksSpool: jobId === null || slotsWithoutSpool !== null, isIgnored: ignoredAt !== null });

/** A print that is not booked waits for nothing. */
export function decideWait(print: {
  outcome: string;
  lacksSpool: boolean;
  isIgnored: boolean;
}): 'SPOOL' | 'OUTCOME' | null {
  if (print.isIgnored) return null;
  if (print.outcome === 'UNRESOLVED') return 'OUTCOME';
  return print.lacksSpool ? 'SPOOL' : null;
}

/** The spools in a printer, and whether the printer is archived. */
export interface LoadedSpools {
  isArchived: boolean;
  /** By slot. */
  spools: Record<string, { serial: string; isArchived: boolean; loadedAt: string }>;
}

type WaitingPrint = UsingPrint &
  Pick<RunningPrint, 'startedAt'> &
  Pick<Waiting, 'slotsWithoutSpool'> & { createdAt: string };

/** Why a print waits for its outcome, as a sentence for users. */
export const OUTCOME_REASON = 'The printer did not report how this print ended. Enter its outcome.';

/**
 * Why a print waits for its spool, as a sentence for users. Every print that waits has a reason.
 * @param known by slot, the spools with which the slots started to feed
 * @param areSlotsKnown whether it is known which slots feed the print
 */
export function explainWait(
  print: WaitingPrint,
  { isArchived, spools }: LoadedSpools,
  known: Record<string, string>,
  areSlotsKnown: boolean,
): string {
  if (isArchived) return 'The printer is archived and gets no jobs. Restore the printer, then choose the spool.';
  const slots = print.slotsWithoutSpool ?? findNeededSlots(print);
  const archived = slots.find((slot) => spools[slot]?.isArchived);
  if (archived !== undefined)
    return `Spool ${spools[archived]?.serial} in ${archived} is archived. Choose another spool, or restore this spool and choose it.`;
  if (print.slotsWithoutSpool !== null)
    return `The print was also fed from ${slots.join(', ')}. Choose the spool to add its filament to the job.`;
  if (slots.length > 1) {
    const toChoose = listSlotsToChoose(print, known);
    const which = toChoose.length === slots.length ? 'each slot' : toChoose.join(', ');
    return `The print uses ${slots.join(', ')}. Choose the spool of ${which}.`;
  }
  return explainWaitForSlot(print, slots[0] as string, spools, areSlotsKnown);
}

function explainWaitForSlot(
  print: WaitingPrint,
  slot: string,
  spools: LoadedSpools['spools'],
  areSlotsKnown: boolean,
): string {
  const present = spools[slot];
  if (!areSlotsKnown && Object.keys(spools).length > 1)
    return 'Several spools are loaded, and neither the file nor the printer names the slot that feeds. Choose the spool.';
  if (present === undefined) return `No spool was in ${slot} when the print started. Choose the spool of this print.`;
  if (Date.parse(present.loadedAt) > Date.parse(startOfPrint(print)))
    return (
      `Spool ${present.serial} was loaded into ${slot} after the print had started. ` +
      'Choose the spool with which the print started, or correct the time at which this spool was loaded.'
    );
  return `The job of this print was not created. Choose the spool of ${slot}.`;
}

/** The slots whose spools a user must choose: the slots without a known spool, or all slots if each spool is known. */
export function listSlotsToChoose(
  print: UsingPrint & Pick<Waiting, 'slotsWithoutSpool'>,
  known: Readonly<Record<string, string>>,
): readonly string[] {
  const slots = print.slotsWithoutSpool ?? findNeededSlots(print);
  const missing = slots.filter((slot) => !Object.hasOwn(known, slot));
  return missing.length > 0 ? missing : slots;
}

/** The least certain basis first. */
const CERTAINTY: readonly ObservedFilament['basis'][] = ['UNKNOWN', 'ESTIMATED', 'PLANNED', 'MEASURED'];

/** The least certain basis of the amounts of a print's job. */
export function findLeastCertainBasis(print: UsingPrint): ObservedFilament['basis'] {
  const bases = calculateBookedFilament(print).map(({ basis }) => basis);
  return CERTAINTY.find((basis) => bases.includes(basis)) ?? 'UNKNOWN';
}
