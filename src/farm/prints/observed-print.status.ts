// What a print waits for, and how the amounts of its job are known.
import { calculateBookedFilament, neededSlots, type UsingPrint } from '../print-rules/amounts';
import { startOfPrint } from '../print-rules/loaded-spools';
import type { ObservedFilament, PrintOutcome, RunningPrint } from '../print-rules/print.model';

interface Waiting {
  outcome: PrintOutcome;
  jobId: string | null;
  lacking: readonly string[] | null;
  ignoredAt: string | null;
}

/** LACKS_SPOOL of observed-print.rows.ts has it in SQL. */
export const findWait = ({ outcome, jobId, lacking, ignoredAt }: Waiting) =>
  decideWait({ outcome, lacksSpool: jobId === null || lacking !== null, isIgnored: ignoredAt !== null });

/** An ignored print waits for nothing. */
export function decideWait(print: {
  outcome: string;
  lacksSpool: boolean;
  isIgnored: boolean;
}): 'SPOOL' | 'OUTCOME' | null {
  if (print.isIgnored) return null;
  if (print.outcome === 'UNRESOLVED') return 'OUTCOME';
  return print.lacksSpool ? 'SPOOL' : null;
}

/** What stands between a printer and new jobs. */
export interface LoadedSpools {
  isArchived: boolean;
  /** By the slots that they are in. */
  spools: Record<string, { serial: string; isArchived: boolean; loadedAt: string }>;
}

type WaitingPrint = UsingPrint & Pick<RunningPrint, 'startedAt'> & Pick<Waiting, 'lacking'> & { createdAt: string };

/** Why a print waits for its outcome, for people. */
export const OUTCOME_REASON = 'The printer did not report how this print ended: enter its outcome.';

/**
 * Why a print waits for its spool, for people. Every print that waits has a reason.
 * @param known the spools by slot with which its slots began to feed @param isSlotKnown whether it is known which slots feed it
 */
export function explainWait(
  print: WaitingPrint,
  { isArchived, spools }: LoadedSpools,
  known: Record<string, string>,
  isSlotKnown: boolean,
): string {
  if (isArchived) return 'Its printer is archived and gets no jobs: use the printer again, and then choose the spool.';
  const slots = print.lacking ?? neededSlots(print);
  const archived = slots.find((slot) => spools[slot]?.isArchived);
  if (archived !== undefined)
    return `Spool ${spools[archived]?.serial} in ${archived} is archived: choose another one, or use it again and choose it.`;
  if (print.lacking !== null)
    return `It was fed from ${slots.join(', ')} too: choose the spool, so that its job has it.`;
  if (slots.length > 1) {
    const asked = slotsToChoose(print, known);
    return `It uses ${slots.join(', ')}: choose the spool of ${asked.length === slots.length ? 'each' : asked.join(', ')}.`;
  }
  return explainWaitForSlot(print, slots[0] as string, spools, isSlotKnown);
}

function explainWaitForSlot(
  print: WaitingPrint,
  slot: string,
  spools: LoadedSpools['spools'],
  isSlotKnown: boolean,
): string {
  const present = spools[slot];
  if (!isSlotKnown && Object.keys(spools).length > 1)
    return 'Several spools are loaded, and neither the file nor the printer names the slot that feeds: choose the spool.';
  if (present === undefined) return `No spool was in ${slot} when the print started: choose the spool of this print.`;
  if (Date.parse(present.loadedAt) > Date.parse(startOfPrint(print)))
    return (
      `Spool ${present.serial} was put into ${slot} when the print had begun. Choose the spool that it began with, ` +
      'or say when that spool was put in.'
    );
  return `Its job was not created: choose the spool of ${slot}.`;
}

/** The slots whose spools a person is to choose: those of which none is known, and all where each is known. */
export function slotsToChoose(
  print: UsingPrint & Pick<Waiting, 'lacking'>,
  known: Readonly<Record<string, string>>,
): readonly string[] {
  const slots = print.lacking ?? neededSlots(print);
  const missing = slots.filter((slot) => !Object.hasOwn(known, slot));
  return missing.length > 0 ? missing : slots;
}

/** The least certain first. */
const CERTAINTY: readonly ObservedFilament['basis'][] = ['UNKNOWN', 'ESTIMATED', 'PLANNED', 'MEASURED'];

/** How the amounts of its job are known. */
export function basisOf(print: UsingPrint): ObservedFilament['basis'] {
  const bases = calculateBookedFilament(print).map(({ basis }) => basis);
  return CERTAINTY.find((basis) => bases.includes(basis)) ?? 'UNKNOWN';
}
