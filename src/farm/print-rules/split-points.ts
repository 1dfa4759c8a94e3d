// Finds where in the amount of a slot a moment lies: by measured length, by layers, or by the share of the file.
import Decimal from 'decimal.js';
import { findEarliest, findLatest, type Instant, msBetween } from '../../values/instant';
import type { SplitPoint } from './division';
import { sumMeasured } from './fed-slots';
import {
  calculateAmountAt,
  type LayeredPrint,
  type LayeredSegment,
  lastLayerOf,
  printsAllLayers,
} from './layered-segments';
import { type Moment, type PrintOutcome, type RunningPrint, type Segment, segmentsOf } from './print.model';
import { createUnobservedPause, fileShareOf } from './segments';
import type { SlotLayer } from './sliced-plan';

/** The amount of a slot that is to be divided at moments. */
export interface DivisibleAmount {
  segments: readonly LayeredSegment[];
  plannedSlot: string;
  mm: string | null;
  /** The share of this amount in the length that belongs to no known slot. */
  unassignedShare: Decimal;
  /** The last layer before the amount. */
  layerBefore: number;
  lastLayer: number | null;
  /** The share of the file that is printed at the end of the amount. */
  fileShareAtEnd: string | null;
  /** Whether the print has ended, so that nothing is printed after the segments. */
  hasEnded: boolean;
}

/** Where in an amount a moment lies. */
export function findSplitPoint(at: Instant, amount: DivisibleAmount, table: readonly SlotLayer[] | null): SplitPoint {
  const { segments, hasEnded, layerBefore, lastLayer } = amount;
  const started = segments.filter(({ segment }) => segment.from.at < at);
  if (started.length === 0) return { layer: layerBefore, share: new Decimal(0), isExact: true };
  const layer = started.reduce<number | null>(
    (highest, layered) => chooseHigherLayer(highest, estimateLayerAt(at, layered)),
    null,
  );
  const inside = Math.max(layerBefore, Math.min(layer ?? layerBefore, lastLayer ?? layer ?? layerBefore));
  const point = { layer: layer === null ? null : inside, isExact: false };
  const measured = splitByLength(at, amount);
  if (measured !== null) return { ...point, ...measured };
  const isAfterAll = segments.every(({ segment }) => segment.to.at <= at);
  if (isAfterAll && hasEnded) return { ...point, share: new Decimal(1) };
  const isLayerKnown = layer !== null && lastLayer !== null;
  return {
    ...point,
    share: isLayerKnown ? calculateShareByLayers(inside, amount, table) : calculateShareByFile(at, amount, started),
  };
}

const chooseHigherLayer = (a: number | null, b: number | null) =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);

function estimateLayerAt(at: Instant, { segment, layerBefore, lastLayer }: LayeredSegment): number | null {
  const { from, to } = segment;
  if (to.layer === null) return null;
  const start = from.layer ?? layerBefore;
  const layer = new Decimal(start).plus(calculateShareBefore(at, segment).times(to.layer - start));
  return Math.max(layerBefore, Math.min(layer.round().toNumber(), lastLayer));
}

/** The share of a segment that lies before a moment. */
function calculateShareBefore(at: Instant, { from, to, isUnheardPause }: Segment): Decimal {
  if (at >= to.at) return new Decimal(1);
  return at <= from.at || isUnheardPause
    ? new Decimal(0)
    : new Decimal(msBetween(from.at, at)).div(msBetween(from.at, to.at));
}

/** `null` if a segment of the amount was not measured. */
function splitByLength(
  at: Instant,
  { segments, mm, unassignedShare }: DivisibleAmount,
): Pick<SplitPoint, 'share' | 'isExact'> | null {
  if (mm === null || segments.length === 0 || segments.some(({ segment }) => segment.mm === null)) return null;
  const lengths = segments.map(({ segment }) =>
    (segment.slot === null ? unassignedShare : new Decimal(1)).times(segment.mm as string),
  );
  const sum = Decimal.sum(...lengths);
  if (!sum.gt(0)) return null;
  const before = lengths.map((length, index) =>
    calculateShareBefore(at, (segments[index] as LayeredSegment).segment).times(length),
  );
  const isInsideSegment = segments.some(
    ({ segment: { from, to } }, place) => at > from.at && at < to.at && !lengths[place]?.isZero(),
  );
  return { share: calculateLimitedShare(Decimal.sum(...before), Decimal.max(sum, mm)), isExact: !isInsideSegment };
}

function calculateShareByLayers(
  layer: number,
  { segments, plannedSlot, layerBefore, lastLayer }: DivisibleAmount,
  table: readonly SlotLayer[] | null,
): Decimal {
  const amountAt = (atLayer: number) => calculateAmountAt(atLayer, segments, plannedSlot, table);
  const before = amountAt(layerBefore);
  return calculateLimitedShare(amountAt(layer).minus(before), amountAt(lastLayer as number).minus(before));
}

function calculateShareByFile(
  at: Instant,
  { fileShareAtEnd, layerBefore }: DivisibleAmount,
  started: readonly LayeredSegment[],
): Decimal | null {
  const { segment } = started.at(-1) as LayeredSegment;
  if (fileShareAtEnd === null || layerBefore > 0 || Number(fileShareAtEnd) === 0 || segment.to.file === null)
    return null;
  const start = new Decimal(segment.from.file ?? 0);
  const grown = calculateShareBefore(at, segment).times(new Decimal(segment.to.file).minus(start));
  return calculateLimitedShare(start.plus(grown), fileShareAtEnd);
}

const calculateLimitedShare = (part: Decimal, whole: Decimal.Value): Decimal =>
  new Decimal(whole).isZero() ? new Decimal(1) : Decimal.max(0, Decimal.min(part.div(whole), 1));

/** A print whose amounts are to be divided. */
export type DivisiblePrint = LayeredPrint &
  Pick<RunningPrint, 'measured' | 'progress' | 'progressBasis' | 'paused' | 'seenAt'> & {
    outcome: PrintOutcome;
    /** `null` while the print is running, or if its end is unknown. */
    endedAt: Instant | null;
  };

/** Adds a segment for the filament between the last contact and the end of the print. */
export function extendToEnd<Print extends DivisiblePrint>(print: Print): Print {
  const { course, endedAt, measured, outcome, paused, seenAt } = print;
  const segments = segmentsOf(print);
  const last = segments.at(-1);
  if (course === null || last === undefined || endedAt === null) return print;
  if (endedAt <= last.to.at) {
    // The machine reported the end some time after the print had ended.
    const to = { ...last.to, at: findLatest([last.from.at, endedAt]) };
    return { ...print, course: { ...course, stretches: segments.with(-1, { ...last, to }) } };
  }
  const to: Moment = {
    at: endedAt,
    layer: lastLayerOf(print, outcome),
    file: printsAllLayers(outcome) ? '1' : fileShareOf(print),
  };
  const later = Decimal.max(new Decimal(measured[0]?.mm ?? 0).minus(sumMeasured(segments)), 0);
  const length = { slot: null, mm: last.mm === null ? null : later.toFixed() };
  const pausedAt = findLatest([last.to.at, findEarliest([seenAt, endedAt])]);
  const added = paused
    ? createUnobservedPause(length, { ...last.to, at: pausedAt }, to)
    : { ...length, from: last.to, to };
  return { ...print, course: { ...course, stretches: [...segments, added] } };
}
