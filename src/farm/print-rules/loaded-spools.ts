// The spools that were in the slots of a printer while they fed a print, and how the filament of a slot divides among them.
import Decimal from 'decimal.js';
import { after, CLOCKS_DIFFER_MS, earliestOf, type Instant, latestOf } from '../../values/instant';
import { MAX_PARTS } from '../print-jobs/print-job.limits';
import { fileShareOf } from './course';
import { cumulativeShares, isEmptyAmount, type SplitPoint, splitAtPoints } from './division';
import { type FedPrint, findPlannedSlot, hasFed, hasReportedSlot } from './fed-slots';
import {
  type DivisibleAmount,
  type DivisiblePrint,
  extendToEnd,
  findLayeredSegments,
  findSplitPoint,
  type LayeredSegment,
  lastLayerOf,
  MAX_PARTS_OF_SLOT,
  printsAllLayers,
} from './pieces';
import type { ObservedFilament, RunningPrint } from './print.model';
import type { SlotLayer } from './sliced-plan';

/** That a spool was in a slot. */
export interface PastLoad {
  slot: string;
  spoolId: string;
  /** Null: the begin is not known. */
  from: Instant | null;
  /** Null: it is in it, or its end is not known. */
  to: Instant | null;
}

/** A print of which something is asked. */
type LoadedPrint = FedPrint &
  Pick<RunningPrint, 'startedAt'> & {
    createdAt: Instant;
    /** Null: it runs. */
    endedAt: Instant | null;
  };

export const startOfPrint = ({ startedAt, createdAt }: Pick<LoadedPrint, 'startedAt' | 'createdAt'>): Instant =>
  startedAt ?? createdAt;

/**
 * The clock of a machine may be behind ours. What was put in before the gateway heard of the print was there when it began, unless
 * it is heard of much later.
 */
function latestPossibleStart(print: LoadedPrint): Instant {
  const begin = startOfPrint(print);
  const heard = latestOf([begin, earliestOf([print.createdAt, after(begin, CLOCKS_DIFFER_MS)])]);
  return print.endedAt === null ? heard : latestOf([begin, earliestOf([heard, print.endedAt])]);
}

/**
 * The spools by slot with which the slots began to feed, of several the first. One that has not fed yet will feed from what is in it now.
 * @param loads the oldest first
 */
export function chooseFirstSpools(print: LoadedPrint, loads: readonly PastLoad[]): Map<string, string> {
  const spools = new Map<string, string>();
  for (const slot of new Set(loads.map((one) => one.slot))) {
    const own = loads.filter((one) => one.slot === slot);
    const [since, until] = findFeedingStart(print, slot);
    const found =
      since === null
        ? own.findLast(({ to }) => to === null)
        : own.find(({ from, to }) => (from === null || from <= until) && (to === null || to > since));
    if (found !== undefined) spools.set(slot, found.spoolId);
  }
  return spools;
}

/** From when to when it may have begun; null: it has not fed yet. */
function findFeedingStart(print: LoadedPrint, slot: string): [since: Instant | null, until: Instant] {
  const [begin, latest] = [startOfPrint(print), latestPossibleStart(print)];
  const stretches = print.course?.stretches ?? [];
  const first = stretches.find((one) => (one.slot === slot || one.slot === null) && hasFed(print, one));
  if (first === undefined) return [hasReportedSlot(print) && print.endedAt === null ? null : begin, latest];
  const since = latestOf([begin, first.from.at]);
  return since <= latest ? [begin, latest] : [since, since];
}

/** From then on the spool is in the slot. */
interface SpoolChange {
  slot: string;
  at: Instant;
  spoolId: string;
}

/**
 * The spools that came into slots while the print ran. The same spool put in again is not a change.
 * @param first the spools by slot with which the slots began, as far as they are known @param loads the oldest first
 */
export function findSpoolChanges(
  print: LoadedPrint,
  first: Readonly<Record<string, string>>,
  loads: readonly PastLoad[],
): SpoolChange[] {
  const changes: SpoolChange[] = [];
  for (const [slot, spoolId] of Object.entries(first)) {
    let before: string | null = null;
    let present = spoolId;
    for (const { from, spoolId: next } of loads.filter((load) => load.slot === slot)) {
      const isIn = from !== null && from > startOfPrint(print) && (print.endedAt === null || from <= print.endedAt);
      if (isIn && next !== present && next !== before) {
        changes.push({ slot, at: from, spoolId: next });
        present = next;
      }
      before = next;
    }
  }
  return changes;
}

/** When nothing was in a slot from which a spool had been taken out; to null: to now. */
export function findEmptyTimes(
  { endedAt }: Pick<LoadedPrint, 'endedAt'>,
  loads: readonly PastLoad[],
): { slot: string; from: Instant; to: Instant | null }[] {
  return loads.flatMap(({ slot, to }, at) => {
    if (to === null || (endedAt !== null && to >= endedAt)) return [];
    const next = loads.find((one, place) => place > at && one.slot === slot)?.from ?? null;
    return next !== null && next <= to ? [] : [{ slot, from: to, to: next ?? endedAt }];
  });
}

/**
 * The amounts of a print, each divided among the spools that were in its slot while it fed. A slot that is divided already
 * stays so.
 * @param first the spools by slot with which the slots began @param changes the oldest first
 */
export function divideBySpools(
  filament: readonly ObservedFilament[],
  print: DivisiblePrint,
  first: Readonly<Record<string, string>>,
  changes: readonly SpoolChange[],
  table: readonly SlotLayer[] | null,
): ObservedFilament[] {
  const most = Math.max(1, Math.min(MAX_PARTS_OF_SLOT, Math.floor(MAX_PARTS / filament.length)));
  return filament.flatMap((one) => {
    const own = changes.filter(({ slot }) => slot === one.slot);
    const isDivided = filament.some(({ slot, spoolId }) => slot === one.slot && spoolId !== undefined);
    if (own.length === 0 || isDivided) return [one];
    const whole = describeAmount(one, filament, print);
    const borders = own.map(({ at, spoolId }) => ({ spoolId, ...findSplitPoint(at, whole, table) }));
    return divideAmount(one, borders, first[one.slot] as string, whole, most);
  });
}

/** A spool that printed nothing, or that followed on itself, has no part. Beyond so many parts the smallest go to the spool before. */
function divideAmount(
  one: ObservedFilament,
  all: readonly (SplitPoint & { spoolId: string })[],
  first: string,
  { startLayer: from, lastLayer: to }: DivisibleAmount,
  most: number,
): ObservedFilament[] {
  let borders = [...all];
  let spools = [first, ...all.map(({ spoolId }) => spoolId)];
  for (;;) {
    const parts = splitAtPoints(one, borders, to, from);
    const shares = cumulativeShares(borders);
    const isVoid = (part: ObservedFilament, at: number) =>
      isEmptyAmount(part) ||
      (isUnknownAmount(part) && shares[at]?.lte(shares[at - 1] ?? 0)) ||
      spools[at] === spools[at - 1];
    const empty = parts.length > 1 ? parts.findIndex(isVoid) : -1;
    const surplus = empty < 0 && parts.length > most ? findSmallestPart(parts) : empty;
    if (surplus < 0) {
      if (parts.length === 1 && spools[0] !== first) return [{ ...one, spoolId: spools[0] as string }];
      return parts.map((part, at) =>
        spools[at] === first && at === 0 ? part : { ...part, spoolId: spools[at] as string },
      );
    }
    // Without filament before the first border there is no part; without filament behind a border the part is of the spool before it.
    borders = borders.toSpliced(Math.max(0, surplus - 1), 1);
    spools = spools.toSpliced(surplus, 1);
  }
}

const isUnknownAmount = ({ mm, grams }: ObservedFilament) => mm === null && grams === null;

/** Never the first one. */
function findSmallestPart(parts: readonly ObservedFilament[]): number {
  const amounts = parts.map(({ mm, grams }) => Number(mm ?? grams ?? 0));
  return amounts.indexOf(Math.min(...amounts.slice(1)), 1);
}

/** The slots that went on to feed when their spool was taken out, and no other one was put in. @param empty from when to when */
export function findSlotsFedWithoutSpool(
  filament: readonly ObservedFilament[],
  print: DivisiblePrint,
  empty: readonly { slot: string; from: Instant; to: Instant | null }[],
  table: readonly SlotLayer[] | null,
): string[] {
  const slots = empty.filter(({ slot, from, to }) =>
    filament.some((one) => {
      if (one.slot !== slot || isEmptyAmount(one)) return false;
      const whole = describeAmount(one, filament, print);
      const [begin, end] = [from, to].map((at) =>
        at === null ? new Decimal(1) : findSplitPoint(at, whole, table).share,
      );
      return begin != null && end?.gt(begin) === true;
    }),
  );
  return [...new Set(slots.map(({ slot }) => slot))];
}

function describeAmount(
  one: ObservedFilament,
  filament: readonly ObservedFilament[],
  print: DivisiblePrint,
): DivisibleAmount {
  const { outcome, endedAt } = print;
  const end = lastLayerOf(print, outcome);
  const known = extendToEnd(print);
  const plannedSlot = findPlannedSlot(known, one.slot);
  const [from, to] = [one.fromLayer == null ? 0 : one.fromLayer - 1, one.toLayer ?? end];
  const all = findLayeredSegments(known, plannedSlot, end);
  const own = all.filter(
    ({ slot, startLayer: begin, lastLayer: last }) =>
      slot === one.slot && (one.fromLayer == null || (last > from && begin < (to ?? last))),
  );
  const segments =
    own.some(({ segment }) => segment.slot !== null) || !hasReportedSlot(known)
      ? own
      : segmentsOfUnseenSlot(known, one.slot);
  const fileShareAtEnd = printsAllLayers(outcome) ? '1' : fileShareOf(print);
  const unassignedShare = calculateUnassignedShare(one, filament, segments, endedAt === null);
  return {
    segments,
    plannedSlot,
    mm: one.mm,
    unassignedShare,
    startLayer: from,
    lastLayer: to,
    fileShareAtEnd,
    isOver: endedAt !== null,
  };
}

/** A slot that was not seen will feed yet. Where the machine measures nothing, it may have fed whenever another one did. */
function segmentsOfUnseenSlot({ course, endedAt }: DivisiblePrint, slot: string): LayeredSegment[] {
  if (course === null || course.measure !== null || endedAt === null) return [];
  return course.stretches.map((segment) => ({
    slot,
    segment: { ...segment, slot: null },
    startLayer: segment.from.layer ?? 0,
    lastLayer: segment.to.layer ?? 0,
  }));
}

/** While it runs, what no slot is known to have fed is shared as the amounts are; else as it is shared in them. */
function calculateUnassignedShare(
  { mm, slot }: ObservedFilament,
  filament: readonly ObservedFilament[],
  segments: readonly LayeredSegment[],
  runs: boolean,
): Decimal {
  const lengthOf = (isOpen: boolean) =>
    Decimal.sum(
      0,
      ...segments.filter(({ segment }) => (segment.slot === null) === isOpen).map(({ segment }) => segment.mm ?? 0),
    );
  const open = lengthOf(true);
  const whole = Decimal.sum(0, ...filament.map((one) => one.mm ?? 0));
  if (mm === null || !open.gt(0) || filament.every((one) => one.slot === slot)) return new Decimal(1);
  if (runs) return whole.isZero() ? new Decimal(1) : new Decimal(mm).div(whole);
  return Decimal.max(0, Decimal.min(new Decimal(mm).minus(lengthOf(false)).div(open), 1));
}
