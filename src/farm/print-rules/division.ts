// The one divider: an amount by shares or at borders, so that the parts add up to it, and parts that are too many.
import Decimal from 'decimal.js';
import { MAX_PARTS } from '../print-jobs/print-job.limits';
import type { ObservedFilament } from './print.model';

/** The last part gets what rounding left, so the parts add up to the total. None of an amount that is not known. */
export function divideByShares(total: string | null, shares: readonly Decimal[]): string[] {
  if (total === null) return [];
  const sum = Decimal.sum(...shares);
  let rest = new Decimal(total);
  return shares.map((share, at) => {
    const one = at === shares.length - 1 ? rest : share.div(sum).times(total).toDecimalPlaces(2, Decimal.ROUND_DOWN);
    rest = rest.minus(one);
    return one.toFixed();
  });
}

/** How amounts divide among slots is not reported: the parts are equal, and their sum is right. */
export function divideEqually(amounts: ObservedFilament[], slots: readonly string[]): ObservedFilament[] {
  const [only, ...others] = amounts;
  const [slot, ...more] = slots;
  if (only === undefined || slot === undefined) return amounts;
  if (others.length + more.length === 0) return [{ ...only, slot }];
  const equal = slots.map(() => new Decimal(1));
  const basis = amounts.some((one) => one.basis === 'UNKNOWN') ? 'UNKNOWN' : 'ESTIMATED';
  const lengths = divideByShares(sumIfAllKnown(amounts.map(({ mm }) => mm)), equal);
  const weights = divideByShares(sumIfAllKnown(amounts.map(({ grams }) => grams)), equal);
  return slots.map((one, at) => ({ slot: one, mm: lengths[at] ?? null, grams: weights[at] ?? null, basis }));
}

/** Null where one of them is not known. */
export const sumIfAllKnown = (amounts: readonly (string | null)[]): string | null =>
  amounts.includes(null) ? null : Decimal.sum(0, ...(amounts as string[])).toFixed();

/** Where in an amount one part ends and the next one begins. */
export interface SplitPoint {
  layer: number | null;
  share: Decimal | null;
  /** Whether the machine measured it. */
  isExact: boolean;
}

/** The last part takes the rest, so that the parts add up to the whole. Where no share is known, the parts are equal. */
export function splitAtPoints(
  whole: ObservedFilament,
  borders: readonly SplitPoint[],
  end: number | null,
  begin = 0,
): ObservedFilament[] {
  if (borders.length === 0) return [whole];
  const isMeasured = whole.basis === 'MEASURED' && borders.every(({ isExact }) => isExact);
  const isUnknown = whole.basis === 'UNKNOWN';
  const basis = isUnknown ? 'UNKNOWN' : isMeasured ? 'MEASURED' : 'ESTIMATED';
  const shares = cumulativeShares(borders);
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

/** How much of the amount is before the end of each part. */
export const cumulativeShares = (borders: readonly SplitPoint[]) => [
  ...borders.map(({ share }, at) => share ?? new Decimal(at + 1).div(borders.length + 1)),
  new Decimal(1),
];

export const isEmptyAmount = ({ mm, grams }: ObservedFilament) =>
  mm !== null ? Number(mm) === 0 : grams !== null && Number(grams) === 0;

/**
 * Beyond so many parts the smallest neighbours become one, and the greater of the two says its spool.
 * @param parts each behind the one before it, as far as they are of one filament
 */
export function limitParts(parts: readonly ObservedFilament[], most: number): ObservedFilament[] {
  const kept = [...parts];
  const sizeOf = chooseSize(parts);
  while (kept.length > most) {
    const pairs = kept.slice(1).map((next, at) => {
      const before = kept[at] as ObservedFilament;
      return { at, isOne: isSameFilament(before, next), size: sizeOf(before).plus(sizeOf(next)) };
    });
    const own = pairs.filter(({ isOne }) => isOne);
    const [first, ...others] = own.length > 0 ? own : pairs;
    if (first === undefined) break;
    const { at } = others.reduce((least, one) => (one.size.lt(least.size) ? one : least), first);
    const [before, next] = kept.slice(at, at + 2) as [ObservedFilament, ObservedFilament];
    const greater = sizeOf(next).gt(sizeOf(before)) ? next : before;
    kept.splice(at, 2, joinParts(before, next, greater));
  }
  return kept;
}

/** As many as a job may have. */
export const limitJobParts = (parts: readonly ObservedFilament[]) => limitParts(parts, MAX_PARTS);

const layersOf = ({ fromLayer, toLayer }: ObservedFilament) =>
  fromLayer == null || toLayer == null ? null : toLayer - fromLayer + 1;

/** In millimetres where all have them, else in grams, else in layers. */
function chooseSize(parts: readonly ObservedFilament[]): (part: ObservedFilament) => Decimal {
  const measures = [({ mm }: ObservedFilament) => mm, ({ grams }: ObservedFilament) => grams, layersOf];
  const measure = measures.find((one) => parts.every((part) => one(part) !== null));
  return (part) => new Decimal(measure?.(part) ?? 1);
}

function isSameFilament(before: ObservedFilament, next: ObservedFilament): boolean {
  if (before.slot === next.slot) return true;
  return before.toLayer != null && next.fromLayer === before.toLayer + 1;
}

function joinParts(before: ObservedFilament, next: ObservedFilament, greater: ObservedFilament): ObservedFilament {
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
