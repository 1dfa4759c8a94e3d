// The pieces of one slot of the plan in the course of a print: how its amount divides among the slots of the printer that fed it one after
// the other, and where in it a moment was.
import Decimal from 'decimal.js';
import { earliestOf, type Instant, latestOf, msBetween } from '../../values/instant';
import { fileShareOf, unheardPause } from './course';
import { atBorders, atMost, type Border } from './division';
import { type FedPrint, hasFed, isBackupSlot, measuredIn, plannedSlotsOf } from './fed-slots';
import type { Moment, ObservedFilament, PrintOutcome, RunningPrint, Stretch } from './print.model';
import type { SlotLayer } from './sliced-plan';

export type Layered = FedPrint & Pick<RunningPrint, 'layer' | 'layers'>;

/** What was fed for a slot of the plan in one stretch. Each layer is of the piece that began to print it. */
export interface Piece {
  slot: string;
  stretch: Stretch;
  /** The layers behind this one, to the other one. */
  begin: number;
  end: number;
}

/** While it runs, and while its end is not known, it will have printed all layers. */
export const printsAllLayers = (outcome: PrintOutcome) => outcome !== 'CANCELLED' && outcome !== 'FAILED';

export const endLayer = ({ layer, layers }: Pick<RunningPrint, 'layer' | 'layers'>, outcome: PrintOutcome) =>
  printsAllLayers(outcome) ? (layers ?? layer) : layer;

/** @param end the last layer */
export function piecesOf(print: FedPrint, plannedSlot: string, end: number | null): Piece[] {
  const plannedSlots = plannedSlotsOf(print);
  const seen = new Set<string | null>([plannedSlot]);
  let [slot, layer] = [plannedSlot, 0];
  return (print.course?.stretches ?? []).flatMap((stretch, at) => {
    const isOther = plannedSlots[at] !== null && plannedSlots[at] !== plannedSlot;
    if (isOther || (stretch.slot !== null && stretch.mm === null && !hasFed(print, stretch))) return [];
    slot = stretch.slot ?? slot;
    // A backup slot is heard of in the layer that the slot before it still fed.
    const isBehind = !seen.has(stretch.slot) && (stretch.slot === null || isBackupSlot(print, slot));
    if (stretch.slot !== null) seen.add(slot);
    const from = (stretch.from.layer ?? layer + 1) - (isBehind ? 0 : 1);
    const begin = notBeyond(Math.max(layer, from), end);
    layer = notBeyond(Math.max(begin, stretch.to.layer ?? begin), end);
    return [{ slot, stretch, begin, end: layer }];
  });
}

const notBeyond = (layer: number, end: number | null) => Math.min(layer, end ?? layer);

/** How much of a slot of the plan was printed at the end of a layer, by the table of the plan, else by its layers. */
function amountAt(
  layer: number,
  pieces: readonly Piece[],
  plannedSlot: string,
  table: readonly SlotLayer[] | null,
): Decimal {
  if (table !== null) return usedAtLayer(layer, plannedSlot, table);
  return Decimal.sum(0, ...pieces.map(({ begin, end }) => Math.max(0, Math.min(layer, end) - begin)));
}

/** What the table says at the end of the layer, between two of its points by their distance. */
export function usedAtLayer(layer: number, slot: string, layers: readonly SlotLayer[]): Decimal {
  const nothing = { layer: 0, mm: '0' };
  const points = layers.map((point) => ({ layer: point.layer, mm: point.mm[slot] ?? '0' }));
  const from = points.findLast((point) => point.layer <= layer) ?? nothing;
  const to = points.find((point) => point.layer > layer) ?? from;
  const way = to.layer === from.layer ? new Decimal(0) : new Decimal(layer - from.layer).div(to.layer - from.layer);
  return way.times(new Decimal(to.mm).minus(from.mm)).plus(from.mm);
}

/** Of one slot. A machine may invent changes: beyond so many the smallest neighbours are one. */
export const MAX_OF_SLOT = 16;

/** The amounts of the slots of the plan, each divided among the slots that fed it one after the other. */
export function byFedSlots(
  filament: ObservedFilament[],
  print: Layered,
  outcome: PrintOutcome,
  table: readonly SlotLayer[] | null,
): ObservedFilament[] {
  const end = endLayer(print, outcome);
  return filament.flatMap((one) => {
    const pieces = toLast(piecesOf(print, one.slot, end), end, outcome);
    // One slot after the other, each to its last layer.
    const runs = pieces.filter(({ slot }, at) => slot !== pieces[at + 1]?.slot);
    const [first, ...others] = runs;
    if (first === undefined) return [one];
    if (others.length === 0) return [{ ...one, slot: first.slot }];
    const all = end === null ? new Decimal(0) : amountAt(end, pieces, one.slot, table);
    const borders = runs.slice(0, -1).map(({ end: layer }) => {
      const share = all.isZero() ? null : Decimal.min(amountAt(layer, pieces, one.slot, table).div(all), 1);
      return { layer, share, isExact: false };
    });
    const parts = atBorders(one, borders, end).map((part, at) => ({ ...part, slot: (runs[at] as Piece).slot }));
    return atMost(parts, MAX_OF_SLOT);
  });
}

/** What goes on is of the last slot. */
function toLast(pieces: readonly Piece[], end: number | null, outcome: PrintOutcome): Piece[] {
  const last = pieces.at(-1);
  if (last === undefined || end === null || !printsAllLayers(outcome)) return [...pieces];
  return [...pieces.slice(0, -1), { ...last, end: Math.max(last.end, end) }];
}

/** An amount in which moments are looked for. */
export interface Whole {
  pieces: readonly Piece[];
  plannedSlot: string;
  mm: string | null;
  /** How much of what no slot is known to have fed is of this one. */
  openShare: Decimal;
  /** The layers of the amount: behind the first one, to the last one. */
  from: number;
  to: number | null;
  /** The share of the file at its end. */
  file: string | null;
  /** Whether nothing is printed behind its pieces. */
  isOver: boolean;
}

/** Where in an amount a moment was: by its millimetres, else by the layers that it was printed in, else by the share of the file. */
export function borderAt(at: Instant, whole: Whole, table: readonly SlotLayer[] | null): Border {
  const { pieces, isOver } = whole;
  const begun = pieces.filter(({ stretch }) => stretch.from.at < at);
  const layer = begun.reduce<number | null>((most, one) => laterOf(most, layerAt(at, one)), null);
  const inside = Math.max(whole.from, Math.min(layer ?? whole.from, whole.to ?? layer ?? whole.from));
  if (begun.length === 0) return { layer: whole.from, share: new Decimal(0), isExact: true };
  const border = { layer: layer === null ? null : inside, isExact: false };
  const measured = lengthAt(at, whole);
  if (measured !== null) return { ...border, ...measured };
  const isBehind = pieces.every(({ stretch }) => stretch.to.at <= at);
  if (isBehind && isOver) return { ...border, share: new Decimal(1) };
  return {
    ...border,
    share: layer === null || whole.to === null ? fileAt(at, whole, begun) : byLayers(inside, whole, table),
  };
}

const laterOf = (one: number | null, other: number | null) =>
  one === null || other === null ? (one ?? other) : Math.max(one, other);

function layerAt(at: Instant, { stretch, begin, end }: Piece): number | null {
  const { from, to } = stretch;
  if (to.layer === null) return null;
  const layer = new Decimal(from.layer ?? begin).plus(partAt(at, stretch).times(to.layer - (from.layer ?? begin)));
  return Math.max(begin, Math.min(layer.round().toNumber(), end));
}

/** How much of a stretch lies before a moment. */
function partAt(at: Instant, { from, to, isUnheardPause }: Stretch): Decimal {
  if (at >= to.at) return new Decimal(1);
  return at <= from.at || isUnheardPause
    ? new Decimal(0)
    : new Decimal(msBetween(from.at, at)).div(msBetween(from.at, to.at));
}

/** Null where a piece of it was not measured. */
function lengthAt(at: Instant, { pieces, mm, openShare }: Whole): Pick<Border, 'share' | 'isExact'> | null {
  if (mm === null || pieces.length === 0 || pieces.some(({ stretch }) => stretch.mm === null)) return null;
  const lengths = pieces.map(({ stretch }) =>
    (stretch.slot === null ? openShare : new Decimal(1)).times(stretch.mm as string),
  );
  const sum = Decimal.sum(...lengths);
  if (!sum.gt(0)) return null;
  const gone = Decimal.sum(...lengths.map((one, place) => partAt(at, (pieces[place] as Piece).stretch).times(one)));
  const isInside = pieces.some(
    ({ stretch: { from, to } }, place) => at > from.at && at < to.at && !lengths[place]?.isZero(),
  );
  return { share: shareOf(gone, Decimal.max(sum, mm)), isExact: !isInside };
}

function byLayers(
  layer: number,
  { pieces, plannedSlot, from, to }: Whole,
  table: readonly SlotLayer[] | null,
): Decimal {
  const amount = (one: number) => amountAt(one, pieces, plannedSlot, table);
  const begin = amount(from);
  return shareOf(amount(layer).minus(begin), amount(to as number).minus(begin));
}

function fileAt(at: Instant, { file, from }: Whole, begun: readonly Piece[]): Decimal | null {
  const { stretch } = begun.at(-1) as Piece;
  if (file === null || from > 0 || Number(file) === 0 || stretch.to.file === null) return null;
  const begin = new Decimal(stretch.from.file ?? 0);
  return shareOf(begin.plus(partAt(at, stretch).times(new Decimal(stretch.to.file).minus(begin))), file);
}

const shareOf = (part: Decimal, whole: Decimal.Value): Decimal =>
  new Decimal(whole).isZero() ? new Decimal(1) : Decimal.max(0, Decimal.min(part.div(whole), 1));

/** A print of which something is asked. */
export type Divisible = Layered &
  Pick<RunningPrint, 'measured' | 'progress' | 'progressBasis' | 'paused' | 'seenAt'> & {
    outcome: PrintOutcome;
    /** Null: it runs, or its end is not known. */
    endedAt: Instant | null;
  };

/** With the filament between the last contact and the end, which was not heard. */
export function toItsEnd<Print extends Divisible>(print: Print): Print {
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
    layer: endLayer(print, outcome),
    file: printsAllLayers(outcome) ? '1' : fileShareOf(print),
  };
  const later = Decimal.max(new Decimal(measured[0]?.mm ?? 0).minus(measuredIn(course.stretches)), 0);
  const length = { slot: null, mm: last.mm === null ? null : later.toFixed() };
  const pausedAt = latestOf([last.to.at, earliestOf([seenAt, endedAt])]);
  const unheard = paused ? unheardPause(length, { ...last.to, at: pausedAt }, to) : { ...length, from: last.to, to };
  return { ...print, course: { ...course, stretches: [...course.stretches, unheard] } };
}
