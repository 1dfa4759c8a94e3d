// Decides which note the gateway writes into a job about its amounts, and recognizes the notes that it wrote before.
import type { JobAmounts } from './job-amounts.service';

/** Do not change this text without adding the old one to `AMOUNT_UNKNOWN_NOTES`: the gateway removes the note by its exact text. */
export const AMOUNT_UNKNOWN = 'The printer did not report how much filament this print used.';

const createNotBookedNote = (slots: string) =>
  `The filament of ${slots} is not in this job, because its spool is unknown.`;

const createFedWithoutSpoolNote = (slots: string) =>
  `The spool of ${slots} was taken out while the slot continued to feed. What the slot fed since then counts for that spool. ` +
  'Enter which spool was loaded, and when, or split this job.';

/** Jobs of the first release have these notes, so the gateway recognizes them as its own. */
const AMOUNT_UNKNOWN_NOTES = [AMOUNT_UNKNOWN, 'The printer did not tell how much filament this print used.'];
const FORMER_NOT_BOOKED = 'The filament of .+ is not in this job, because its spool is not known.';
const FORMER_FED_WITHOUT_SPOOL =
  'The spool of .+ was taken out while the slot went on to feed: what it fed since then counts for that spool. ' +
  'Say which one was put in, and when, or divide this job.';

const NOTES_ON_SLOTS = new RegExp(
  `^(?:${createNotBookedNote('.+')}|${FORMER_NOT_BOOKED})? ?(?:${createFedWithoutSpoolNote('.+')}|${FORMER_FED_WITHOUT_SPOOL})?$`,
);

/** Whether the notes are the gateway's notes about slots without a spool. */
export const isNoteOnSlots = (notes: string | null) => notes !== null && notes !== '' && NOTES_ON_SLOTS.test(notes);

/**
 * The notes of a job with these amounts. What a user noted stays.
 * @param notes the present notes of the job
 */
export function chooseNotes(
  { isKnown, unbookedSlots, slotsFedWithoutSpool }: JobAmounts,
  notes: string | null,
): string | null {
  // Amounts that are reported late replace the gateway's notes.
  const isAmountUnknown = notes !== null && AMOUNT_UNKNOWN_NOTES.includes(notes);
  const isReplaceable = isNoteOnSlots(notes) || (isKnown && isAmountUnknown);
  if (notes !== null && !isReplaceable) return notes;
  const onSlots = [
    ...(unbookedSlots.length > 0 ? [createNotBookedNote(unbookedSlots.join(', '))] : []),
    ...(slotsFedWithoutSpool.length > 0 ? [createFedWithoutSpoolNote(slotsFedWithoutSpool.join(', '))] : []),
  ];
  return onSlots.length > 0 ? onSlots.join(' ') : isKnown ? null : AMOUNT_UNKNOWN;
}
