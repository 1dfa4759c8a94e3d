// Which slots fed a print, by its course, its plan and what its machine names.
import Decimal from 'decimal.js';
import type { RunningPrint, Segment } from './print.model';

type Planned = Pick<RunningPrint, 'plan' | 'machine'>;
export type FedPrint = Planned & Pick<RunningPrint, 'course'>;

const plannedSlotNames = ({ plan }: Pick<RunningPrint, 'plan'>) => plan?.slots.map(({ slot }) => slot) ?? [];

/** Whether the machine has said which slots feed the print, so that another one is the backup slot of one of them. */
const isMapped = (print: Planned) => !print.machine.toolsAreSlicerSlots && plannedSlotNames(print).length > 0;

export const isPlanned = (print: Planned, slot: string | null) =>
  isMapped(print) && slot !== null && plannedSlotNames(print).includes(slot);

/** Whether it is a backup slot: the machine did not announce it, and it feeds in place of one that was announced. */
export const isBackupSlot = (print: Planned, slot: string | null) =>
  slot !== null && isMapped(print) && !isPlanned(print, slot);

/** A slot that is reported once, while neither the layer nor the length moves, has fed nothing, unless the print is of that slot. */
export function hasFed(print: FedPrint, segment: Segment): boolean {
  const { slot, from, to, mm } = segment;
  if (mm !== null) return Number(mm) > 0;
  if (slot === null || isPlanned(print, slot) || from.layer !== to.layer || from.layer === null) return true;
  const reported = print.course?.stretches.filter((one) => one.slot !== null) ?? [];
  return reported.find((one) => one.slot === slot) !== segment || (!isMapped(print) && reported[0] === segment);
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
export function usedSlotsOf(print: FedPrint): string[] {
  const announced = announcedSlotsOf(print);
  return announced.length > 0 ? announced : [print.machine.firstSlot];
}

export const announcedSlotsOf = (print: FedPrint): string[] => {
  const backupSlots = fedSlots(print).filter((slot) => isBackupSlot(print, slot));
  return [...seenSlotsOf(print), ...backupSlots];
};

/** Without backup slots. */
export function seenSlotsOf(print: FedPrint): string[] {
  const named = plannedSlotNames(print);
  const fed = fedSlots(print).filter((slot) => !isBackupSlot(print, slot));
  if (fed.length === 0) return named.length < 2 ? (findChosenSlot(print) ?? named) : named;
  if (named.length < 2) return fed;
  return usesOtherTools(print)
    ? [...named.filter((slot) => fed.includes(slot)), ...unplannedFedSlots(print)]
    : [...new Set([...named, ...fed])];
}

/** Something was fed, and the machine did not report from which slot: the slot that it names as chosen counts more than that of a file. */
function findChosenSlot({ course }: FedPrint): string[] | null {
  const slot = course?.measure?.slot ?? null;
  return slot !== null && sumMeasured(course?.stretches ?? []).gt(0) ? [slot] : null;
}

/** Whether the printer takes other tools than the file names: then a name alone says nothing. */
export const usesOtherTools = (print: FedPrint): boolean =>
  plannedSlotNames(print).length > 1 && unplannedFedSlots(print).length > 0;

/** The slots that feed, and that neither the file nor the machine names. */
export const unplannedFedSlots = (print: FedPrint): string[] =>
  fedSlots(print).filter((slot) => !plannedSlotNames(print).includes(slot) && !isBackupSlot(print, slot));

/** Of each segment the slot of the plan that it fed for; null where the slot is not reported. Without a map each slot feeds for itself. */
export function findPlannedSlots(print: FedPrint): (string | null)[] {
  const stretches = print.course?.stretches ?? [];
  const named = plannedSlotNames(print);
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
export function findPlannedSlot(print: FedPrint, slot: string): string {
  const at = print.course?.stretches.findIndex((one) => one.slot === slot) ?? -1;
  return (isBackupSlot(print, slot) ? findPlannedSlots(print)[at] : null) ?? slot;
}

/** Whether the machine has reported which slot feeds. */
export const hasReportedSlot = ({ course }: Pick<RunningPrint, 'course'>): boolean =>
  course?.stretches.some(({ slot }) => slot !== null) ?? false;

/** All that was measured. */
export const sumMeasured = (stretches: readonly Segment[]): Decimal =>
  Decimal.sum(0, ...stretches.map(({ mm }) => mm ?? 0));
