// The one divider: an amount among the slots that fed a filament one after the other, and among the spools of one slot.
import Decimal from 'decimal.js';
import type { Instant } from '../../values/instant';
import { MAX_PARTS } from '../print-jobs/print-job.limits';
import { fileShareOf, hasNamedSlot, plannedSlotOf } from './course';
import {
  amountAt,
  type Border,
  borderAt,
  type Divisible,
  endLayer,
  type Layered,
  type Piece,
  piecesOfFilament,
  printsAllLayers,
  toItsEnd,
  type Whole,
} from './pieces';
import type { ObservedFilament, PrintOutcome } from './print.model';
import type { SlotLayer } from './sliced-plan';

/** Of one filament. A machine may invent changes: beyond so many the smallest neighbours are one. */
const MAX_OF_FILAMENT = 16;

/** From then on the spool is in the slot. */
export interface SpoolChange {
  slot: string;
  at: Instant;
  spoolId: string;
}

/** The amounts of the slots of the plan, each divided among the slots that fed it one after the other. */
export function byFilament(
  filament: ObservedFilament[],
  print: Layered,
  outcome: PrintOutcome,
  table: readonly SlotLayer[] | null,
): ObservedFilament[] {
  const end = endLayer(print, outcome);
  return filament.flatMap((one) => {
    const pieces = toLast(piecesOfFilament(print, one.slot, end), end, outcome);
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
    const parts = divided(one, borders, end).map((part, at) => ({ ...part, slot: (runs[at] as Piece).slot }));
    return atMost(parts, MAX_OF_FILAMENT);
  });
}

/** What goes on is of the last slot. */
function toLast(pieces: readonly Piece[], end: number | null, outcome: PrintOutcome): Piece[] {
  const last = pieces.at(-1);
  if (last === undefined || end === null || !printsAllLayers(outcome)) return [...pieces];
  return [...pieces.slice(0, -1), { ...last, end: Math.max(last.end, end) }];
}

/**
 * The amounts of a print, each divided among the spools that were in its slot while it fed. A slot that is divided already
 * stays so.
 * @param first the spools by slot with which the slots began @param changes the oldest first
 */
export function bySpools(
  filament: readonly ObservedFilament[],
  print: Divisible,
  first: Readonly<Record<string, string>>,
  changes: readonly SpoolChange[],
  table: readonly SlotLayer[] | null,
): ObservedFilament[] {
  const most = Math.max(1, Math.min(MAX_OF_FILAMENT, Math.floor(MAX_PARTS / filament.length)));
  return filament.flatMap((one) => {
    const own = changes.filter(({ slot }) => slot === one.slot);
    const isDivided = filament.some(({ slot, spoolId }) => slot === one.slot && spoolId !== undefined);
    if (own.length === 0 || isDivided) return [one];
    const whole = wholeOf(one, filament, print);
    const borders = own.map(({ at, spoolId }) => ({ spoolId, ...borderAt(at, whole, table) }));
    return parted(one, borders, first[one.slot] as string, whole, most);
  });
}

/** The slots that went on to feed when their spool was taken out, and no other one was put in. @param empty from when to when */
export function fedWithout(
  filament: readonly ObservedFilament[],
  print: Divisible,
  empty: readonly { slot: string; from: Instant; to: Instant | null }[],
  table: readonly SlotLayer[] | null,
): string[] {
  const slots = empty.filter(({ slot, from, to }) =>
    filament.some((one) => {
      if (one.slot !== slot || isEmpty(one)) return false;
      const whole = wholeOf(one, filament, print);
      const [begin, end] = [from, to].map((at) => (at === null ? new Decimal(1) : borderAt(at, whole, table).share));
      return begin != null && end?.gt(begin) === true;
    }),
  );
  return [...new Set(slots.map(({ slot }) => slot))];
}

function wholeOf(one: ObservedFilament, filament: readonly ObservedFilament[], print: Divisible): Whole {
  const { outcome, endedAt } = print;
  const end = endLayer(print, outcome);
  const known = toItsEnd(print);
  const slotOfPlan = plannedSlotOf(known, one.slot);
  const [from, to] = [one.fromLayer == null ? 0 : one.fromLayer - 1, one.toLayer ?? end];
  const all = piecesOfFilament(known, slotOfPlan, end);
  const own = all.filter(
    ({ slot, begin, end: last }) =>
      slot === one.slot && (one.fromLayer == null || (last > from && begin < (to ?? last))),
  );
  const pieces =
    own.some(({ stretch }) => stretch.slot !== null) || !hasNamedSlot(known) ? own : unseen(known, one.slot);
  const file = printsAllLayers(outcome) ? '1' : fileShareOf(print);
  const openShare = openShareOf(one, filament, pieces, endedAt === null);
  return { pieces, filament: slotOfPlan, mm: one.mm, openShare, from, to, file, isOver: endedAt !== null };
}

/** A slot that was not seen will feed yet. Where the machine measures nothing, it may have fed whenever another one did. */
function unseen({ course, endedAt }: Divisible, slot: string): Piece[] {
  if (course === null || course.measure !== null || endedAt === null) return [];
  return course.stretches.map((stretch) => ({
    slot,
    stretch: { ...stretch, slot: null },
    begin: stretch.from.layer ?? 0,
    end: stretch.to.layer ?? 0,
  }));
}

/** While it runs, what no slot is known to have fed is shared as the amounts are; else as it is shared in them. */
function openShareOf(
  { mm, slot }: ObservedFilament,
  filament: readonly ObservedFilament[],
  pieces: readonly Piece[],
  runs: boolean,
): Decimal {
  const lengthOf = (isOpen: boolean) =>
    Decimal.sum(
      0,
      ...pieces.filter(({ stretch }) => (stretch.slot === null) === isOpen).map(({ stretch }) => stretch.mm ?? 0),
    );
  const open = lengthOf(true);
  const whole = Decimal.sum(0, ...filament.map((one) => one.mm ?? 0));
  if (mm === null || !open.gt(0) || filament.every((one) => one.slot === slot)) return new Decimal(1);
  if (runs) return whole.isZero() ? new Decimal(1) : new Decimal(mm).div(whole);
  return Decimal.max(0, Decimal.min(new Decimal(mm).minus(lengthOf(false)).div(open), 1));
}

/** The last part takes the rest, so that the parts add up to the whole. Where no share is known, the parts are equal. */
function divided(
  whole: ObservedFilament,
  borders: readonly Border[],
  end: number | null,
  begin = 0,
): ObservedFilament[] {
  if (borders.length === 0) return [whole];
  const isMeasured = whole.basis === 'MEASURED' && borders.every(({ isExact }) => isExact);
  const isUnknown = whole.basis === 'UNKNOWN';
  const basis = isUnknown ? 'UNKNOWN' : isMeasured ? 'MEASURED' : 'ESTIMATED';
  const shares = sharesOf(borders);
  const cut = (amount: string | null, decimals: number) => {
    let before = new Decimal(0);
    return shares.map((share) => {
      if (amount === null) return null;
      const until = share.eq(1) ? new Decimal(amount) : share.times(amount).toDecimalPlaces(decimals);
      const part = Decimal.max(until.minus(before), 0);
      before = Decimal.max(until, before);
      return part.toFixed();
    });
  };
  // A measure has 4 decimals.
  const [lengths, weights] = [cut(whole.mm, isMeasured ? 4 : 2), cut(whole.grams, 2)];
  return shares.map((_, at) => {
    const from = at === 0 ? begin : (borders[at - 1]?.layer ?? null);
    const to = at === borders.length ? end : (borders[at]?.layer ?? null);
    const isKnown = from !== null && to !== null && to > from;
    return {
      ...whole,
      mm: lengths[at] ?? null,
      grams: weights[at] ?? null,
      basis,
      fromLayer: isKnown ? from + 1 : null,
      toLayer: isKnown ? to : null,
    };
  });
}

const sharesOf = (borders: readonly Border[]) => [
  ...borders.map(({ share }, at) => share ?? new Decimal(at + 1).div(borders.length + 1)),
  new Decimal(1),
];

/** A spool that printed nothing, or that followed on itself, has no part. Beyond so many parts the smallest go to the spool before. */
function parted(
  one: ObservedFilament,
  all: readonly (Border & { spoolId: string })[],
  first: string,
  { from, to }: Whole,
  most: number,
): ObservedFilament[] {
  let borders = [...all];
  let spools = [first, ...all.map(({ spoolId }) => spoolId)];
  for (;;) {
    const parts = divided(one, borders, to, from);
    const shares = sharesOf(borders);
    const isVoid = (part: ObservedFilament, at: number) =>
      isEmpty(part) || (isUnknown(part) && shares[at]?.lte(shares[at - 1] ?? 0)) || spools[at] === spools[at - 1];
    const empty = parts.length > 1 ? parts.findIndex(isVoid) : -1;
    const surplus = empty < 0 && parts.length > most ? smallestOf(parts) : empty;
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

const isUnknown = ({ mm, grams }: ObservedFilament) => mm === null && grams === null;

const isEmpty = ({ mm, grams }: ObservedFilament) =>
  mm !== null ? Number(mm) === 0 : grams !== null && Number(grams) === 0;

/** Never the first one. */
function smallestOf(parts: readonly ObservedFilament[]): number {
  const amounts = parts.map(({ mm, grams }) => Number(mm ?? grams ?? 0));
  return amounts.indexOf(Math.min(...amounts.slice(1)), 1);
}

/**
 * Beyond so many parts the smallest neighbours become one, and the greater of the two says its spool.
 * @param parts each behind the one before it, as far as they are of one filament
 */
export function atMost(parts: readonly ObservedFilament[], most: number): ObservedFilament[] {
  const kept = [...parts];
  const sizeOf = sizesIn(parts);
  while (kept.length > most) {
    const pairs = kept.slice(1).map((next, at) => {
      const before = kept[at] as ObservedFilament;
      return { at, isOne: isOneFilament(before, next), size: sizeOf(before).plus(sizeOf(next)) };
    });
    const own = pairs.filter(({ isOne }) => isOne);
    const [first, ...others] = own.length > 0 ? own : pairs;
    if (first === undefined) break;
    const { at } = others.reduce((least, one) => (one.size.lt(least.size) ? one : least), first);
    const [before, next] = kept.slice(at, at + 2) as [ObservedFilament, ObservedFilament];
    const greater = sizeOf(next).gt(sizeOf(before)) ? next : before;
    kept.splice(at, 2, joined(before, next, greater));
  }
  return kept;
}

export const forOneJob = (parts: readonly ObservedFilament[]) => atMost(parts, MAX_PARTS);

const layersOf = ({ fromLayer, toLayer }: ObservedFilament) =>
  fromLayer == null || toLayer == null ? null : toLayer - fromLayer + 1;

/** In millimetres where all have them, else in grams, else in layers. */
function sizesIn(parts: readonly ObservedFilament[]): (part: ObservedFilament) => Decimal {
  const measures = [({ mm }: ObservedFilament) => mm, ({ grams }: ObservedFilament) => grams, layersOf];
  const measure = measures.find((one) => parts.every((part) => one(part) !== null));
  return (part) => new Decimal(measure?.(part) ?? 1);
}

function isOneFilament(before: ObservedFilament, next: ObservedFilament): boolean {
  if (before.slot === next.slot) return true;
  return before.toLayer != null && next.fromLayer === before.toLayer + 1;
}

function joined(before: ObservedFilament, next: ObservedFilament, greater: ObservedFilament): ObservedFilament {
  const sum = (one: string | null, other: string | null) =>
    one === null || other === null ? (one ?? other) : Decimal.sum(one, other).toFixed();
  const isLess = before.basis === 'UNKNOWN' || next.basis === 'UNKNOWN' ? 'UNKNOWN' : 'ESTIMATED';
  return {
    ...greater,
    mm: sum(before.mm, next.mm),
    grams: sum(before.grams, next.grams),
    basis: before.basis === next.basis ? before.basis : isLess,
    fromLayer: before.fromLayer ?? null,
    toLayer: next.toLayer ?? null,
  };
}
