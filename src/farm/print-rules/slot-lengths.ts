// Calculates how many millimetres each slot of a measuring machine fed from one reading to the next.
import Decimal from 'decimal.js';
import { sumMeasured } from './fed-slots';
import {
  type FollowedPrint,
  type OdometerPoint,
  type PrintReading,
  type RunningPrint,
  segmentsOf,
} from './print.model';

/** What a slot fed from one reading to the next. */
export interface SlotLength {
  /** `null` if nobody knows which slot fed. */
  slot: string | null;
  mm: string;
  /** Whether the gateway was connected while the slot fed. */
  isObserved: boolean;
}

/**
 * The lengths since the last reading, with the chosen slot last. `null` if the machine does not measure.
 * @param before the print before this reading
 * @param print the print with this reading, except for its course
 */
export function calculateSlotLengths(
  before: FollowedPrint,
  print: RunningPrint,
  { feeding, ordinal }: PrintReading,
): SlotLength[] | null {
  const odometer = before.course?.measure ?? null;
  const known = sumMeasured(segmentsOf(before));
  if (feeding === null) {
    const [only, ...others] = print.measured;
    if (only === undefined || only.mm === null || others.length > 0 || odometer !== null) return null;
    return [{ slot: null, mm: new Decimal(only.mm).minus(known).toFixed(), isObserved: false }];
  }
  const last = before.ordinal === ordinal ? before.feeding : null;
  if (last !== null && odometer !== null) {
    const slots = Object.keys(feeding.bySlot);
    const lengths = slots.map((slot) => ({
      slot,
      mm: subtract(feeding.bySlot[slot] ?? '0', last.bySlot[slot] ?? '0'),
      isObserved: true,
    }));
    const unassigned = { slot: null, mm: subtract(feeding.unassigned, last.unassigned), isObserved: true };
    return sortChosenLast([...lengths, unassigned], feeding.now.slot);
  }
  // Between the last connection and this one, the odometer grew by this gap.
  const gap = new Decimal(feeding.start.mm).minus(known);
  const unassigned = odometer === null ? gap : calculateUnassigned(gap, odometer, feeding.start, false);
  const lengths = Object.entries(feeding.bySlot).map(([slot, mm]) => ({ slot, mm, isObserved: true }));
  return [
    { slot: feeding.start.slot, mm: gap.minus(unassigned).toFixed(), isObserved: false },
    { slot: null, mm: unassigned.toFixed(), isObserved: false },
    ...sortChosenLast([...lengths, { slot: null, mm: feeding.unassigned, isObserved: true }], feeding.now.slot),
  ];
}

const sortChosenLast = (lengths: readonly SlotLength[], chosen: string | null) =>
  lengths.toSorted((a, b) => Number(a.slot === chosen) - Number(b.slot === chosen));

/** The binary floats of a machine differ by less than this. */
const SAME_MARK_MM = 0.01;

/** Each tool pulls back its own filament. A filament unit pulls it back through the extruder that all its slots share. */
export const isToolSlot = (slot: string) => slot.startsWith('tool:');

/**
 * How much of a length belongs to no known slot. The slot is known if it is chosen at both ends of the length. The mark then shows how
 * much of the length other slots fed in between.
 * @param isObserved whether the length lies between two messages of one connection; otherwise only the mark can show the slot
 */
export function calculateUnassigned(
  length: Decimal,
  from: OdometerPoint,
  to: OdometerPoint,
  isObserved: boolean,
): Decimal {
  if (to.slot === null || to.slot !== from.slot) return length;
  if (from.mark === null || to.mark === null) return isObserved ? new Decimal(0) : length;
  const grown = to.mark - from.mark;
  if (grown >= SAME_MARK_MM) return length.gt(0) ? Decimal.min(length, new Decimal(grown).toDecimalPlaces(4)) : length;
  if (isObserved) return new Decimal(0);
  // An extruder that moved in a pause hides what other slots fed.
  const isCertain = grown > -SAME_MARK_MM && (length.gte(0) || isToolSlot(to.slot));
  return isCertain ? new Decimal(0) : length;
}

const subtract = (a: string, b: string) => new Decimal(a).minus(b).toFixed();
