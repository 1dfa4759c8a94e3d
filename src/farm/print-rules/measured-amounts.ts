// Divides the length that a machine measured among the slots that fed it.
import Decimal from 'decimal.js';
import { compareSlots } from '../../values/slot';
import { divideByShares } from './division';
import { sumMeasured } from './fed-slots';
import { type RunningPrint, segmentsOf } from './print.model';
import { isToolSlot } from './slot-lengths';

export interface SlotMeasurement {
  amounts: { slot: string; mm: string }[];
  /** Whether the slot of every millimetre is known. */
  isComplete: boolean;
}

interface KnownLength {
  slot: string;
  mm: Decimal;
}

interface SlotShare {
  slot: string;
  share: Decimal;
}

/**
 * The millimetres by slot of a machine that reports which slot it measures. A length whose slot is unknown is divided so that the sums by
 * slot come as near as possible to the shares of the plan. Without a plan by slot, it is divided in the ratio of the known lengths. `null` if
 * the machine does not measure by slot, or if nothing is known about the slots.
 * @param total the odometer of the machine, which may have grown since the last segment
 * @param planned shares in millimetres or in grams; `null` if the plan has no amounts by slot
 */
export function divideMeasured(
  course: RunningPrint['course'],
  total: string | null,
  planned: readonly SlotShare[] | null,
): SlotMeasurement | null {
  if (!course?.measure) return null;
  const segments = segmentsOf({ course });
  const sumOf = (slot: string | null) => sumMeasured(segments.filter((segment) => segment.slot === slot));
  const reported = [...new Set(segments.flatMap(({ slot }) => slot ?? []))].map((slot) => ({ slot, mm: sumOf(slot) }));
  const known = reported.filter(({ mm }) => mm.gt(0));
  const unassignedInSegments = sumOf(null);
  const afterLastSegment =
    total === null ? new Decimal(0) : Decimal.max(new Decimal(total).minus(sumMeasured(segments)), 0);
  const isComplete = afterLastSegment.plus(unassignedInSegments).isZero();
  // If a slot pulled back more than it was seen to feed, it had fed the difference before.
  const pulledBack = reported.map(({ mm }) => Decimal.min(mm, 0));
  const unassigned = Decimal.sum(afterLastSegment, unassignedInSegments, ...pulledBack);
  // A filament unit pulled back more than the gateway saw fed. Nobody knows which slot fed the difference.
  if (unassigned.lt(0) && known.some(({ slot }) => !isToolSlot(slot))) return null;
  const shares =
    planned === null
      ? known.map(({ slot, mm }) => ({ slot, share: mm }))
      : calculateMissingShares(known, unassigned, planned);
  if (shares.length === 0) return null;
  const assigned = unassigned.gt(0)
    ? divideByShares(
        unassigned.toFixed(),
        shares.map(({ share }) => share),
      )
    : [];
  // A slot of the plan that fed nothing has 0 mm.
  const bySlot = new Map((planned ?? []).map(({ slot }) => [slot, new Decimal(0)]));
  for (const { slot, mm } of known) bySlot.set(slot, mm);
  for (const [at, { slot }] of shares.entries())
    bySlot.set(slot, (bySlot.get(slot) ?? new Decimal(0)).plus(assigned[at] ?? 0));
  const slots = [...bySlot.keys()].sort(compareSlots);
  return { isComplete, amounts: slots.map((slot) => ({ slot, mm: (bySlot.get(slot) as Decimal).toFixed() })) };
}

/** What each slot of the plan still needs to reach its share of the whole length. */
function calculateMissingShares(
  known: readonly KnownLength[],
  unassigned: Decimal,
  planned: readonly SlotShare[],
): readonly SlotShare[] {
  const whole = Decimal.sum(unassigned, ...known.map(({ mm }) => mm));
  const sum = Decimal.sum(...planned.map(({ share }) => share));
  const missing = planned.map(({ slot, share }) => {
    const knownLength = known.find((length) => length.slot === slot)?.mm ?? 0;
    return { slot, share: Decimal.max(share.times(whole).div(sum).minus(knownLength), 0) };
  });
  const aboveZero = missing.filter(({ share }) => share.gt(0));
  return aboveZero.length > 0 ? aboveZero : planned;
}
