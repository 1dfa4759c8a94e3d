// Decides which slots fed a print, from its course, its plan and what its machine reports.
import Decimal from 'decimal.js';
import { type RunningPrint, type Segment, segmentsOf } from './print.model';

type PlannedPrint = Pick<RunningPrint, 'plan' | 'machine'>;
export type FedPrint = PlannedPrint & Pick<RunningPrint, 'course'>;

const listPlannedSlots = ({ plan }: Pick<RunningPrint, 'plan'>) => plan?.slots.map(({ slot }) => slot) ?? [];

/** Whether the machine has reported which slots feed the print. Any other slot is then the backup of one of these. */
const isMapped = (print: PlannedPrint) => !print.machine.toolsAreSlicerSlots && listPlannedSlots(print).length > 0;

export const isPlanned = (print: PlannedPrint, slot: string | null) =>
  isMapped(print) && slot !== null && listPlannedSlots(print).includes(slot);

/** Whether this is a backup slot: the machine did not announce it, and it feeds in place of a slot that was announced. */
export const isBackupSlot = (print: PlannedPrint, slot: string | null) =>
  slot !== null && isMapped(print) && !isPlanned(print, slot);

/**
 * Whether a slot fed in a segment. A slot that is reported once, while neither the layer nor the length moves, has fed nothing, unless
 * the plan of the print names the slot.
 */
export function hasFed(print: FedPrint, segment: Segment): boolean {
  const { slot, from, to, mm } = segment;
  if (mm !== null) return Number(mm) > 0;
  if (slot === null || isPlanned(print, slot) || from.layer !== to.layer || from.layer === null) return true;
  const reported = segmentsOf(print).filter((candidate) => candidate.slot !== null);
  return (
    reported.find((candidate) => candidate.slot === slot) !== segment || (!isMapped(print) && reported[0] === segment)
  );
}

/** The slots that have fed the print so far, in the order in which they started. */
export function listFedSlots(print: FedPrint): string[] {
  const segmentsThatFed = segmentsOf(print).filter((segment) => hasFed(print, segment));
  return [...new Set(segmentsThatFed.flatMap(({ slot }) => slot ?? []))];
}

/**
 * The slots that a print uses, according to its plan and its machine. If the plan has a single amount, it belongs to the slots that were
 * seen feeding: slicers and machines name the first slot if they know of no other.
 */
export function listUsedSlots(print: FedPrint): string[] {
  const announced = listAnnouncedSlots(print);
  return announced.length > 0 ? announced : [print.machine.firstSlot];
}

export const listAnnouncedSlots = (print: FedPrint): string[] => {
  const backupSlots = listFedSlots(print).filter((slot) => isBackupSlot(print, slot));
  return [...listSeenSlots(print), ...backupSlots];
};

/** The slots that a print uses, without backup slots. */
export function listSeenSlots(print: FedPrint): string[] {
  const planned = listPlannedSlots(print);
  const fedSlots = listFedSlots(print).filter((slot) => !isBackupSlot(print, slot));
  if (fedSlots.length === 0) return planned.length < 2 ? (findChosenSlot(print) ?? planned) : planned;
  if (planned.length < 2) return fedSlots;
  return usesOtherTools(print)
    ? [...planned.filter((slot) => fedSlots.includes(slot)), ...listUnplannedFedSlots(print)]
    : [...new Set([...planned, ...fedSlots])];
}

/**
 * The chosen slot, if something was measured and no segment names the slot. The slot that the machine reports as chosen counts more than
 * the slot that the file names.
 */
function findChosenSlot(print: FedPrint): string[] | null {
  const slot = print.course?.measure?.slot ?? null;
  return slot !== null && sumMeasured(segmentsOf(print)).gt(0) ? [slot] : null;
}

/** Whether the printer uses other tools than the file names. The plan alone then proves nothing about a slot. */
export const usesOtherTools = (print: FedPrint): boolean =>
  listPlannedSlots(print).length > 1 && listUnplannedFedSlots(print).length > 0;

/** The slots that fed although neither the file nor the machine announced them. */
export const listUnplannedFedSlots = (print: FedPrint): string[] =>
  listFedSlots(print).filter((slot) => !listPlannedSlots(print).includes(slot) && !isBackupSlot(print, slot));

/**
 * For each segment, the slot of the plan that it fed for. `null` if the slot of the segment is unknown. Without a mapping, each slot
 * feeds for itself.
 */
export function findPlannedSlots(print: FedPrint): (string | null)[] {
  const planned = listPlannedSlots(print);
  /** By slot of the plan, the slot that feeds for it at the moment. */
  const feeding = new Map(planned.map((slot) => [slot, slot]));
  let lastPlannedSlot = planned.length === 1 ? (planned[0] ?? null) : null;
  return segmentsOf(print).map(({ slot }) => {
    if (slot === null) return null;
    const known = isBackupSlot(print, slot) ? [...feeding].find(([, present]) => present === slot)?.[0] : slot;
    const plannedSlot = known ?? lastPlannedSlot ?? slot;
    feeding.set(plannedSlot, slot);
    lastPlannedSlot = plannedSlot;
    return plannedSlot;
  });
}

/** The slot of the plan that a backup slot replaced. Any other slot feeds for itself. */
export function findPlannedSlot(print: FedPrint, slot: string): string {
  const at = segmentsOf(print).findIndex((segment) => segment.slot === slot);
  return (isBackupSlot(print, slot) ? findPlannedSlots(print)[at] : null) ?? slot;
}

/** Whether the machine has reported which slot feeds. */
export const hasReportedSlot = (print: Pick<RunningPrint, 'course'>): boolean =>
  segmentsOf(print).some(({ slot }) => slot !== null);

/** The length of all segments together. */
export const sumMeasured = (segments: readonly Segment[]): Decimal =>
  Decimal.sum(0, ...segments.map(({ mm }) => mm ?? 0));
