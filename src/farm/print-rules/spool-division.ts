// Divides the filament of a slot among the spools that were in the slot one after the other.
import Decimal from 'decimal.js';
import { MAX_PARTS } from '../print-jobs/print-job.limits';
import { calculateCumulativeShares, isEmptyAmount, type SplitPoint, splitAtPoints } from './division';
import { findPlannedSlot, hasReportedSlot } from './fed-slots';
import {
  findLayeredSegments,
  type LayeredSegment,
  lastLayerOf,
  MAX_PARTS_OF_SLOT,
  printsAllLayers,
} from './layered-segments';
import type { EmptyTime, SpoolChange } from './loaded-spools';
import { type ObservedFilament, segmentsOf } from './print.model';
import { fileShareOf } from './segments';
import type { SlotLayer } from './sliced-plan';
import { type DivisibleAmount, type DivisiblePrint, extendToEnd, findSplitPoint } from './split-points';

/**
 * The amounts of a print, each divided among the spools that were in its slot while it fed. A slot that is divided already stays so.
 * @param first by slot, the spool with which the slot started
 * @param changes the oldest change first
 */
export function divideBySpools(
  filament: readonly ObservedFilament[],
  print: DivisiblePrint,
  first: Readonly<Record<string, string>>,
  changes: readonly SpoolChange[],
  table: readonly SlotLayer[] | null,
): ObservedFilament[] {
  const maxParts = Math.max(1, Math.min(MAX_PARTS_OF_SLOT, Math.floor(MAX_PARTS / filament.length)));
  return filament.flatMap((amount) => {
    const changesOfSlot = changes.filter(({ slot }) => slot === amount.slot);
    const isDivided = filament.some(({ slot, spoolId }) => slot === amount.slot && spoolId !== undefined);
    if (changesOfSlot.length === 0 || isDivided) return [amount];
    const divisible = describeAmount(amount, filament, print);
    const points = changesOfSlot.map(({ at, spoolId }) => ({ spoolId, ...findSplitPoint(at, divisible, table) }));
    return divideAmount(amount, points, first[amount.slot] as string, divisible, maxParts);
  });
}

/**
 * Divides the amount of a slot at the changes of its spool. A spool that printed nothing gets no part, and neither does a spool that replaced
 * itself. If there are more than `maxParts` parts, the smallest parts go to the previous spool.
 */
function divideAmount(
  amount: ObservedFilament,
  changes: readonly (SplitPoint & { spoolId: string })[],
  first: string,
  { layerBefore, lastLayer }: DivisibleAmount,
  maxParts: number,
): ObservedFilament[] {
  let points = [...changes];
  let spools = [first, ...changes.map(({ spoolId }) => spoolId)];
  for (;;) {
    const parts = splitAtPoints(amount, points, lastLayer, layerBefore);
    const shares = calculateCumulativeShares(points);
    const isVoid = (part: ObservedFilament, at: number) =>
      isEmptyAmount(part) ||
      (isUnknownAmount(part) && shares[at]?.lte(shares[at - 1] ?? 0)) ||
      spools[at] === spools[at - 1];
    const empty = parts.length > 1 ? parts.findIndex(isVoid) : -1;
    const surplus = empty < 0 && parts.length > maxParts ? findSmallestPart(parts) : empty;
    if (surplus < 0) {
      if (parts.length === 1 && spools[0] !== first) return [{ ...amount, spoolId: spools[0] as string }];
      return parts.map((part, at) =>
        spools[at] === first && at === 0 ? part : { ...part, spoolId: spools[at] as string },
      );
    }
    // A first part without filament is removed. Any other part without filament goes to the previous spool.
    points = points.toSpliced(Math.max(0, surplus - 1), 1);
    spools = spools.toSpliced(surplus, 1);
  }
}

const isUnknownAmount = ({ mm, grams }: ObservedFilament) => mm === null && grams === null;

/** The position of the smallest part, which is never the first part. */
function findSmallestPart(parts: readonly ObservedFilament[]): number {
  const amounts = parts.map(({ mm, grams }) => Number(mm ?? grams ?? 0));
  return amounts.indexOf(Math.min(...amounts.slice(1)), 1);
}

/** The slots that continued to feed after their spool was taken out and before another spool was loaded. */
export function findSlotsFedWithoutSpool(
  filament: readonly ObservedFilament[],
  print: DivisiblePrint,
  emptyTimes: readonly EmptyTime[],
  table: readonly SlotLayer[] | null,
): string[] {
  const timesWithFeeding = emptyTimes.filter(({ slot, from, to }) =>
    filament.some((amount) => {
      if (amount.slot !== slot || isEmptyAmount(amount)) return false;
      const divisible = describeAmount(amount, filament, print);
      const [start, end] = [from, to].map((at) =>
        at === null ? new Decimal(1) : findSplitPoint(at, divisible, table).share,
      );
      return start != null && end?.gt(start) === true;
    }),
  );
  return [...new Set(timesWithFeeding.map(({ slot }) => slot))];
}

function describeAmount(
  amount: ObservedFilament,
  filament: readonly ObservedFilament[],
  print: DivisiblePrint,
): DivisibleAmount {
  const { outcome, endedAt } = print;
  const end = lastLayerOf(print, outcome);
  const extended = extendToEnd(print);
  const plannedSlot = findPlannedSlot(extended, amount.slot);
  const [layerBefore, lastLayer] = [amount.fromLayer == null ? 0 : amount.fromLayer - 1, amount.toLayer ?? end];
  const isInLayers = (layered: LayeredSegment) =>
    amount.fromLayer == null ||
    (layered.lastLayer > layerBefore && layered.layerBefore < (lastLayer ?? layered.lastLayer));
  const segmentsOfSlot = findLayeredSegments(extended, plannedSlot, end).filter(
    (one) => one.slot === amount.slot && isInLayers(one),
  );
  const isSeen = segmentsOfSlot.some(({ segment }) => segment.slot !== null) || !hasReportedSlot(extended);
  const segments = isSeen ? segmentsOfSlot : buildSegmentsOfUnseenSlot(extended, amount.slot);
  return {
    segments,
    plannedSlot,
    mm: amount.mm,
    unassignedShare: calculateUnassignedShare(amount, filament, segments, endedAt === null),
    layerBefore,
    lastLayer,
    fileShareAtEnd: printsAllLayers(outcome) ? '1' : fileShareOf(print),
    hasEnded: endedAt !== null,
  };
}

/**
 * While the print is running, a slot that nobody saw feeding has no segments, because it will still feed. After the end, if the machine does
 * not measure, the slot may have fed at any time at which another slot did, so it gets the segments of all slots.
 */
function buildSegmentsOfUnseenSlot(print: DivisiblePrint, slot: string): LayeredSegment[] {
  if (print.course === null || print.course.measure !== null || print.endedAt === null) return [];
  return segmentsOf(print).map((segment) => ({
    slot,
    segment: { ...segment, slot: null },
    layerBefore: segment.from.layer ?? 0,
    lastLayer: segment.to.layer ?? 0,
  }));
}

/**
 * The share of this amount in the length that belongs to no known slot. While the print is running, that length is shared like the
 * amounts. After the end, the amounts already include their shares.
 */
function calculateUnassignedShare(
  { mm, slot }: ObservedFilament,
  filament: readonly ObservedFilament[],
  segments: readonly LayeredSegment[],
  isRunning: boolean,
): Decimal {
  const sumLengths = (isUnassigned: boolean) =>
    Decimal.sum(
      0,
      ...segments
        .filter(({ segment }) => (segment.slot === null) === isUnassigned)
        .map(({ segment }) => segment.mm ?? 0),
    );
  const unassigned = sumLengths(true);
  const whole = Decimal.sum(0, ...filament.map((amount) => amount.mm ?? 0));
  if (mm === null || !unassigned.gt(0) || filament.every((amount) => amount.slot === slot)) return new Decimal(1);
  if (isRunning) return whole.isZero() ? new Decimal(1) : new Decimal(mm).div(whole);
  return Decimal.max(0, Decimal.min(new Decimal(mm).minus(sumLengths(false)).div(unassigned), 1));
}
