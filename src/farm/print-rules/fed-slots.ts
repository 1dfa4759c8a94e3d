// Which slots fed a print, by its course, its plan and what its machine names.
import Decimal from 'decimal.js';
import type { RunningPrint, Stretch } from './print.model';

type Planned = Pick<RunningPrint, 'plan' | 'machine'>;
export type FedPrint = Planned & Pick<RunningPrint, 'course'>;

const namesOf = ({ plan }: Pick<RunningPrint, 'plan'>) => plan?.slots.map(({ slot }) => slot) ?? [];

/** Whether the machine has said which slots feed the print, so that another one is the backup slot of one of them. */
const isMapped = (print: Planned) => !print.machine.toolsAreSlicerSlots && namesOf(print).length > 0;

export const isPlanned = (print: Planned, slot: string | null) =>
  isMapped(print) && slot !== null && namesOf(print).includes(slot);

/** Whether it is a backup slot: the machine did not announce it, and it feeds in place of one that was announced. */
export const isBackupSlot = (print: Planned, slot: string | null) =>
  slot !== null && isMapped(print) && !isPlanned(print, slot);

/** A slot that is reported once, while neither the layer nor the length moves, has fed nothing, unless the print is of that slot. */
export function hasFed(print: FedPrint, stretch: Stretch): boolean {
  const { slot, from, to, mm } = stretch;
  if (mm !== null) return Number(mm) > 0;
  if (slot === null || isPlanned(print, slot) || from.layer !== to.layer || from.layer === null) return true;
  const reported = print.course?.stretches.filter((one) => one.slot !== null) ?? [];
  return reported.find((one) => one.slot === slot) !== stretch || (!isMapped(print) && reported[0] === stretch);
}

/** The slots that have fed it so far, the first one first. */
export function fedSlots(print: FedPrint): string[] {
  const stretches = print.course?.stretches ?? [];
  return [...new Set(stretches.filter((one) => hasFed(print, one)).flatMap(({ slot }) => slot ?? []))];
}

/**
 * The slots that a print uses, as far as its plan or its machine says. One amount is that of the slots that were seen feeding,
 * whatever slot its file names: slicers and machines name the first one when they know of no other.
 */
export function slotsOf(print: FedPrint): string[] {
  const announced = announcedSlotsOf(print);
  return announced.length > 0 ? announced : [print.machine.firstSlot];
}

export const announcedSlotsOf = (print: FedPrint): string[] => {
  const backupSlots = fedSlots(print).filter((slot) => isBackupSlot(print, slot));
  return [...seenSlotsOf(print), ...backupSlots];
};

/** Without backup slots. */
export function seenSlotsOf(print: FedPrint): string[] {
  const named = namesOf(print);
  const fed = fedSlots(print).filter((slot) => !isBackupSlot(print, slot));
  if (fed.length === 0) return named.length < 2 ? (chosenSlotOf(print) ?? named) : named;
  if (named.length < 2) return fed;
  return areOthers(print)
    ? [...named.filter((slot) => fed.includes(slot)), ...strangersOf(print)]
    : [...new Set([...named, ...fed])];
}

/** Something was fed, and the machine did not report from which slot: the slot that it names as chosen counts more than that of a file. */
function chosenSlotOf({ course }: FedPrint): string[] | null {
  const slot = course?.measure?.slot ?? null;
  return slot !== null && measuredIn(course?.stretches ?? []).gt(0) ? [slot] : null;
}

/** Whether the printer takes other tools than the file names: then a name alone says nothing. */
export const areOthers = (print: FedPrint): boolean => namesOf(print).length > 1 && strangersOf(print).length > 0;

/** The slots that feed, and that neither the file nor the machine names. */
export const strangersOf = (print: FedPrint): string[] =>
  fedSlots(print).filter((slot) => !namesOf(print).includes(slot) && !isBackupSlot(print, slot));

/** Of each stretch the slot of the plan that it fed for; null where the slot is not reported. Without a map each slot feeds for itself. */
export function plannedSlotsOf(print: FedPrint): (string | null)[] {
  const stretches = print.course?.stretches ?? [];
  const named = namesOf(print);
  const feeding = new Map(named.map((slot) => [slot, slot]));
  let before = named.length === 1 ? (named[0] ?? null) : null;
  return stretches.map(({ slot }) => {
    if (slot === null) return null;
    const known = isBackupSlot(print, slot) ? [...feeding].find(([, present]) => present === slot)?.[0] : slot;
    const plannedSlot = known ?? before ?? slot;
    feeding.set(plannedSlot, slot);
    before = plannedSlot;
    return plannedSlot;
  });
}

/** The slot of the plan that a slot replaced; the slot itself where it replaced no other one. */
export function plannedSlotOf(print: FedPrint, slot: string): string {
  const at = print.course?.stretches.findIndex((one) => one.slot === slot) ?? -1;
  return (isBackupSlot(print, slot) ? plannedSlotsOf(print)[at] : null) ?? slot;
}

/** Whether the machine has reported which slot feeds. */
export const hasNamedSlot = ({ course }: Pick<RunningPrint, 'course'>): boolean =>
  course?.stretches.some(({ slot }) => slot !== null) ?? false;

/** All that was measured. */
export const measuredIn = (stretches: readonly Stretch[]): Decimal =>
  Decimal.sum(0, ...stretches.map(({ mm }) => mm ?? 0));
