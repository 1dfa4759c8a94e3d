// Decides which slots of a print need a spool, and for which of them the job of the print has none.
import { calculateBookedFilament, type UsingPrint } from './amounts';
import { listUsedSlots } from './fed-slots';
import type { Amount, ObservedFilament } from './print.model';

/** Whether a slot was used. An unknown amount counts as used. */
export const isUsed = ({ mm, grams, basis }: Omit<Amount, 'slot'> & { basis: string }) =>
  basis === 'UNKNOWN' || Number(mm) > 0 || Number(grams) > 0;

const findUsedSlots = (filament: readonly ObservedFilament[]) => [
  ...new Set(filament.filter(isUsed).map(({ slot }) => slot)),
];

/** The slots that need a spool. After the end of the print, a slot that fed nothing needs no spool. */
export function findNeededSlots(print: UsingPrint): string[] {
  const used = findUsedSlots(print.filament ?? []);
  return used.length > 0 ? used : listUsedSlots(print);
}

/** The used slots that have none of these spools. Their filament is in no job. */
export const findUnbookedSlots = (spools: Readonly<Record<string, string>>, filament: readonly ObservedFilament[]) =>
  findUsedSlots(filament).filter((slot) => !Object.hasOwn(spools, slot));

type BookedPrint = UsingPrint & { spools: Record<string, string> | null };

/** The slots that the print uses and for which its job has no spool. `null` if there are none. */
export function findSlotsWithoutSpool(print: BookedPrint): string[] | null {
  const slots = findUnbookedSlots(print.spools ?? {}, calculateBookedFilament(print));
  return slots.length > 0 ? slots : null;
}

/** Whether the slots have changed for which the job of the print needs a spool: another slot fed, or a slot did not feed after all. */
export const haveSlotsChanged = (print: BookedPrint & { slotsWithoutSpool: readonly string[] | null }): boolean =>
  print.spools !== null && JSON.stringify(findSlotsWithoutSpool(print)) !== JSON.stringify(print.slotsWithoutSpool);
