// The segments of one slot of the plan in the course of a print: how its amount divides among the slots of the printer that fed it one after
// the other, and where in it a moment was.
import Decimal from 'decimal.js';
import { earliestOf, type Instant, latestOf, msBetween } from '../../values/instant';
import { fileShareOf, unobservedPause } from './course';
import { limitParts, type SplitPoint, splitAtPoints } from './division';
import { type FedPrint, findPlannedSlots, hasFed, isBackupSlot, sumMeasured } from './fed-slots';
import type { Moment, ObservedFilament, PrintOutcome, RunningPrint, Segment } from './print.model';
import type { SlotLayer } from './sliced-plan';

export type Layered = FedPrint & Pick<RunningPrint, 'layer' | 'layers'>;

/** What was fed for a slot of the plan in one segment. Each layer is of the piece that began to print it. */
export interface LayeredSegment {
  slot: string;
  segment: Segment;
  /** The layers behind this one, to the other one. */
  startLayer: number;
  lastLayer: number;
}

/** While it runs, and while its end is not known, it will have printed all layers. */
export const printsAllLayers = (outcome: PrintOutcome) => outcome !== 'CANCELLED' && outcome !== 'FAILED';

export const lastLayerOf = ({ layer, layers }: Pick<RunningPrint, 'layer' | 'layers'>, outcome: PrintOutcome) =>
  printsAllLayers(outcome) ? (layers ?? layer) : layer;

/** @param end the last layer */
export function findLayeredSegments(print: FedPrint, plannedSlot: string, end: number | null): LayeredSegment[] {
  const plannedSlots = findPlannedSlots(print);
  const seen = new Set<string | null>([plannedSlot]);
  let [slot, layer] = [plannedSlot, 0];
  return (print.course?.stretches ?? []).flatMap((segment, at) => {
    const isOther = plannedSlots[at] !== null && plannedSlots[at] !== plannedSlot;
    if (isOther || (segment.slot !== null && segment.mm === null && !hasFed(print, segment))) return [];
    slot = segment.slot ?? slot;
    // A backup slot is heard of in the layer that the slot before it still fed.
    const isBehind = !seen.has(segment.slot) && (segment.slot === null || isBackupSlot(print, slot));
    if (segment.slot !== null) seen.add(slot);
    const from = (segment.from.layer ?? layer + 1) - (isBehind ? 0 : 1);
    const begin = limitLayer(Math.max(layer, from), end);
    layer = limitLayer(Math.max(begin, segment.to.layer ?? begin), end);
    return [{ slot, segment, startLayer: begin, lastLayer: layer }];
  });
}

const limitLayer = (layer: number, end: number | null) => Math.min(layer, end ?? layer);

/** How much of a slot of the plan was printed at the end of a layer, by the table of the plan, else by its layers. */
function calculateAmountAt(
  layer: number,
  segments: readonly LayeredSegment[],
  plannedSlot: string,
  table: readonly SlotLayer[] | null,
): Decimal {
  if (table !== null) return calculateUsedAtLayer(layer, plannedSlot, table);
  return Decimal.sum(
    0,
    ...segments.map(({ startLayer: begin, lastLayer: end }) => Math.max(0, Math.min(layer, end) - begin)),
  );
}

/** What the table says at the end of the layer, between two of its points by their distance. */
export function calculateUsedAtLayer(layer: number, slot: string, layers: readonly SlotLayer[]): Decimal {
  const nothing = { layer: 0, mm: '0' };
  const points = layers.map((point) => ({ layer: point.layer, mm: point.mm[slot] ?? '0' }));
  const from = points.findLast((point) => point.layer <= layer) ?? nothing;
  const to = points.find((point) => point.layer > layer) ?? from;
  const way = to.layer === from.layer ? new Decimal(0) : new Decimal(layer - from.layer).div(to.layer - from.layer);
  return way.times(new Decimal(to.mm).minus(from.mm)).plus(from.mm);
}

/** Of one slot. A machine may invent changes: beyond so many the smallest neighbours are one. */
export const MAX_PARTS_OF_SLOT = 16;

/** The amounts of the slots of the plan, each divided among the slots that fed it one after the other. */
export function divideByFedSlots(
  filament: ObservedFilament[],
  print: Layered,
  outcome: PrintOutcome,
  table: readonly SlotLayer[] | null,
): ObservedFilament[] {
  const end = lastLayerOf(print, outcome);
  return filament.flatMap((one) => {
    const segments = extendToLastLayer(findLayeredSegments(print, one.slot, end), end, outcome);
    // One slot after the other, each to its last layer.
    const runs = segments.filter(({ slot }, at) => slot !== segments[at + 1]?.slot);
    const [first, ...others] = runs;
    if (first === undefined) return [one];
    if (others.length === 0) return [{ ...one, slot: first.slot }];
    const all = end === null ? new Decimal(0) : calculateAmountAt(end, segments, one.slot, table);
    const borders = runs.slice(0, -1).map(({ lastLayer: layer }) => {
      const share = all.isZero() ? null : Decimal.min(calculateAmountAt(layer, segments, one.slot, table).div(all), 1);
      return { layer, share, isExact: false };
    });
    const parts = splitAtPoints(one, borders, end).map((part, at) => ({
      ...part,
      slot: (runs[at] as LayeredSegment).slot,
    }));
    return limitParts(parts, MAX_PARTS_OF_SLOT);
  });
}

/** What goes on is of the last slot. */
function extendToLastLayer(
  segments: readonly LayeredSegment[],
  end: number | null,
  outcome: PrintOutcome,
): LayeredSegment[] {
  const last = segments.at(-1);
  if (last === undefined || end === null || !printsAllLayers(outcome)) return [...segments];
  return [...segments.slice(0, -1), { ...last, lastLayer: Math.max(last.lastLayer, end) }];
}

/** An amount in which moments are looked for. */
export interface DivisibleAmount {
  segments: readonly LayeredSegment[];
  plannedSlot: string;
  mm: string | null;
  /** How much of what no slot is known to have fed is of this one. */
  unassignedShare: Decimal;
  /** The layers of the amount: behind the first one, to the last one. */
  startLayer: number;
  lastLayer: number | null;
  /** The share of the file at its end. */
  fileShareAtEnd: string | null;
  /** Whether nothing is printed behind its segments. */
  isOver: boolean;
}

/** Where in an amount a moment was: by its millimetres, else by the layers that it was printed in, else by the share of the file. */
export function findSplitPoint(at: Instant, whole: DivisibleAmount, table: readonly SlotLayer[] | null): SplitPoint {
  const { segments, isOver } = whole;
  const begun = segments.filter(({ segment }) => segment.from.at < at);
  const layer = begun.reduce<number | null>((most, one) => higherLayer(most, estimateLayerAt(at, one)), null);
  const inside = Math.max(
    whole.startLayer,
    Math.min(layer ?? whole.startLayer, whole.lastLayer ?? layer ?? whole.startLayer),
  );
  if (begun.length === 0) return { layer: whole.startLayer, share: new Decimal(0), isExact: true };
  const border = { layer: layer === null ? null : inside, isExact: false };
  const measured = splitByLength(at, whole);
  if (measured !== null) return { ...border, ...measured };
  const isBehind = segments.every(({ segment }) => segment.to.at <= at);
  if (isBehind && isOver) return { ...border, share: new Decimal(1) };
  return {
    ...border,
    share:
      layer === null || whole.lastLayer === null ? shareByFile(at, whole, begun) : shareByLayers(inside, whole, table),
  };
}

const higherLayer = (one: number | null, other: number | null) =>
  one === null || other === null ? (one ?? other) : Math.max(one, other);

function estimateLayerAt(at: Instant, { segment, startLayer: begin, lastLayer: end }: LayeredSegment): number | null {
  const { from, to } = segment;
  if (to.layer === null) return null;
  const layer = new Decimal(from.layer ?? begin).plus(shareBefore(at, segment).times(to.layer - (from.layer ?? begin)));
  return Math.max(begin, Math.min(layer.round().toNumber(), end));
}

/** How much of a segment lies before a moment. */
function shareBefore(at: Instant, { from, to, isUnheardPause }: Segment): Decimal {
  if (at >= to.at) return new Decimal(1);
  return at <= from.at || isUnheardPause
    ? new Decimal(0)
    : new Decimal(msBetween(from.at, at)).div(msBetween(from.at, to.at));
}

/** Null where a piece of it was not measured. */
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
  const gone = Decimal.sum(
    ...lengths.map((one, place) => shareBefore(at, (segments[place] as LayeredSegment).segment).times(one)),
  );
  const isInside = segments.some(
    ({ segment: { from, to } }, place) => at > from.at && at < to.at && !lengths[place]?.isZero(),
  );
  return { share: limitedShare(gone, Decimal.max(sum, mm)), isExact: !isInside };
}

function shareByLayers(
  layer: number,
  { segments, plannedSlot, startLayer: from, lastLayer: to }: DivisibleAmount,
  table: readonly SlotLayer[] | null,
): Decimal {
  const amount = (one: number) => calculateAmountAt(one, segments, plannedSlot, table);
  const begin = amount(from);
  return limitedShare(amount(layer).minus(begin), amount(to as number).minus(begin));
}

function shareByFile(
  at: Instant,
  { fileShareAtEnd, startLayer: from }: DivisibleAmount,
  begun: readonly LayeredSegment[],
): Decimal | null {
  const { segment } = begun.at(-1) as LayeredSegment;
  if (fileShareAtEnd === null || from > 0 || Number(fileShareAtEnd) === 0 || segment.to.file === null) return null;
  const begin = new Decimal(segment.from.file ?? 0);
  return limitedShare(
    begin.plus(shareBefore(at, segment).times(new Decimal(segment.to.file).minus(begin))),
    fileShareAtEnd,
  );
}

const limitedShare = (part: Decimal, whole: Decimal.Value): Decimal =>
  new Decimal(whole).isZero() ? new Decimal(1) : Decimal.max(0, Decimal.min(part.div(whole), 1));

/** A print of which something is asked. */
export type DivisiblePrint = Layered &
  Pick<RunningPrint, 'measured' | 'progress' | 'progressBasis' | 'paused' | 'seenAt'> & {
    outcome: PrintOutcome;
    /** Null: it runs, or its end is not known. */
    endedAt: Instant | null;
  };

/** With the filament between the last contact and the end, which was not heard. */
export function extendToEnd<Print extends DivisiblePrint>(print: Print): Print {
  const { course, endedAt, measured, outcome, paused, seenAt } = print;
  const last = course?.stretches.at(-1);
  if (course === null || last === undefined || endedAt === null) return print;
  if (endedAt <= last.to.at) {
    // It was over before it was heard of.
    const to = { ...last.to, at: latestOf([last.from.at, endedAt]) };
    return { ...print, course: { ...course, stretches: course.stretches.with(-1, { ...last, to }) } };
  }
  const to: Moment = {
    at: endedAt,
    layer: lastLayerOf(print, outcome),
    file: printsAllLayers(outcome) ? '1' : fileShareOf(print),
  };
  const later = Decimal.max(new Decimal(measured[0]?.mm ?? 0).minus(sumMeasured(course.stretches)), 0);
  const length = { slot: null, mm: last.mm === null ? null : later.toFixed() };
  const pausedAt = latestOf([last.to.at, earliestOf([seenAt, endedAt])]);
  const unheard = paused ? unobservedPause(length, { ...last.to, at: pausedAt }, to) : { ...length, from: last.to, to };
  return { ...print, course: { ...course, stretches: [...course.stretches, unheard] } };
}
