// Divides an amount by shares or at split points, so that the parts add up to the amount, and joins parts if there are too many.
import Decimal from 'decimal.js';
import { MAX_PARTS } from '../print-jobs/print-job.limits';
import type { ObservedFilament } from './print.model';

/** Divides an amount by shares. The last part takes what rounding left. An unknown amount has no parts. */
export function divideByShares(total: string | null, shares: readonly Decimal[]): string[] {
  if (total === null) return [];
  const sum = Decimal.sum(...shares);
  let left = new Decimal(total);
  return shares.map((share, at) => {
    const part = at === shares.length - 1 ? left : share.div(sum).times(total).toDecimalPlaces(2, Decimal.ROUND_DOWN);
    left = left.minus(part);
    return part.toFixed();
  });
}

/** Gives each slot an equal part of all amounts, because no machine reported which slot used how much. The sum stays right. */
export function divideEqually(amounts: ObservedFilament[], slots: readonly string[]): ObservedFilament[] {
  const [only, ...others] = amounts;
  const [slot, ...more] = slots;
  if (only === undefined || slot === undefined) return amounts;
  if (others.length + more.length === 0) return [{ ...only, slot }];
  const equal = slots.map(() => new Decimal(1));
  const basis = amounts.some((amount) => amount.basis === 'UNKNOWN') ? 'UNKNOWN' : 'ESTIMATED';
  const lengths = divideByShares(sumIfAllKnown(amounts.map(({ mm }) => mm)), equal);
  const weights = divideByShares(sumIfAllKnown(amounts.map(({ grams }) => grams)), equal);
  return slots.map((name, at) => ({ slot: name, mm: lengths[at] ?? null, grams: weights[at] ?? null, basis }));
}

/** `null` if one of the amounts is unknown. */
export const sumIfAllKnown = (amounts: readonly (string | null)[]): string | null =>
  amounts.includes(null) ? null : Decimal.sum(0, ...(amounts as string[])).toFixed();

/** Where in an amount one part ends and the next part starts. */
export interface SplitPoint {
  layer: number | null;
  /** The share of the amount before the point. `null` if it is unknown. */
  share: Decimal | null;
  /** Whether the machine measured the share. */
  isExact: boolean;
}

/**
 * Divides an amount at points. The last part takes what is left, so that the parts add up to the amount. If no share is known, the parts
 * are equal.
 * @param lastLayer the last layer of the amount
 * @param layerBefore the last layer before the amount
 */
export function splitAtPoints(
  amount: ObservedFilament,
  points: readonly SplitPoint[],
  lastLayer: number | null,
  layerBefore = 0,
): ObservedFilament[] {
  if (points.length === 0) return [amount];
  const isMeasured = amount.basis === 'MEASURED' && points.every(({ isExact }) => isExact);
  const basis = amount.basis === 'UNKNOWN' ? 'UNKNOWN' : isMeasured ? 'MEASURED' : 'ESTIMATED';
  const shares = calculateCumulativeShares(points);
  const split = (total: string | null, decimals: number) => {
    let before = new Decimal(0);
    return shares.map((share) => {
      if (total === null) return null;
      const until = share.eq(1) ? new Decimal(total) : share.times(total).toDecimalPlaces(decimals);
      const part = Decimal.max(until.minus(before), 0);
      before = Decimal.max(until, before);
      return part.toFixed();
    });
  };
  // A measured length has 4 decimals.
  const [lengths, weights] = [split(amount.mm, isMeasured ? 4 : 2), split(amount.grams, 2)];
  return shares.map((_, at) => {
    const from = at === 0 ? layerBefore : (points[at - 1]?.layer ?? null);
    const to = at === points.length ? lastLayer : (points[at]?.layer ?? null);
    const areLayersKnown = from !== null && to !== null && to > from;
    return {
      ...amount,
      mm: lengths[at] ?? null,
      grams: weights[at] ?? null,
      basis,
      fromLayer: areLayersKnown ? from + 1 : null,
      toLayer: areLayersKnown ? to : null,
    };
  });
}

/** For each part, the share of the amount before the end of the part. */
export const calculateCumulativeShares = (points: readonly SplitPoint[]) => [
  ...points.map(({ share }, at) => share ?? new Decimal(at + 1).div(points.length + 1)),
  new Decimal(1),
];

export const isEmptyAmount = ({ mm, grams }: ObservedFilament) =>
  mm !== null ? Number(mm) === 0 : grams !== null && Number(grams) === 0;

/**
 * Joins the smallest neighbours until there are at most `maxParts` parts. The joined part keeps the spool of the larger neighbour.
 * @param parts the parts of each filament in the order in which they were printed
 */
export function limitParts(parts: readonly ObservedFilament[], maxParts: number): ObservedFilament[] {
  const kept = [...parts];
  const sizeOf = chooseSize(parts);
  while (kept.length > maxParts) {
    const pairs = kept.slice(1).map((next, at) => {
      const before = kept[at] as ObservedFilament;
      return { at, isSame: isSameFilament(before, next), size: sizeOf(before).plus(sizeOf(next)) };
    });
    const pairsOfOneFilament = pairs.filter(({ isSame }) => isSame);
    const [first, ...others] = pairsOfOneFilament.length > 0 ? pairsOfOneFilament : pairs;
    if (first === undefined) break;
    const { at } = others.reduce((smallest, pair) => (pair.size.lt(smallest.size) ? pair : smallest), first);
    const [before, next] = kept.slice(at, at + 2) as [ObservedFilament, ObservedFilament];
    const larger = sizeOf(next).gt(sizeOf(before)) ? next : before;
    kept.splice(at, 2, joinParts(before, next, larger));
  }
  return kept;
}

/** Joins parts until there are as many as a job may have. */
export const limitJobParts = (parts: readonly ObservedFilament[]) => limitParts(parts, MAX_PARTS);

const countLayers = ({ fromLayer, toLayer }: ObservedFilament) =>
  fromLayer == null || toLayer == null ? null : toLayer - fromLayer + 1;

/** How the sizes of parts are compared: in millimetres if all parts have them, or else in grams, or else in layers. */
function chooseSize(parts: readonly ObservedFilament[]): (part: ObservedFilament) => Decimal {
  const units = [({ mm }: ObservedFilament) => mm, ({ grams }: ObservedFilament) => grams, countLayers];
  const readSharedSize = units.find((readSize) => parts.every((part) => readSize(part) !== null));
  return (part) => new Decimal(readSharedSize?.(part) ?? 1);
}

function isSameFilament(before: ObservedFilament, next: ObservedFilament): boolean {
  if (before.slot === next.slot) return true;
  return before.toLayer != null && next.fromLayer === before.toLayer + 1;
}

function joinParts(before: ObservedFilament, next: ObservedFilament, larger: ObservedFilament): ObservedFilament {
  const sum = (a: string | null, b: string | null) =>
    a === null || b === null ? (a ?? b) : Decimal.sum(a, b).toFixed();
  const lessCertain = before.basis === 'UNKNOWN' || next.basis === 'UNKNOWN' ? 'UNKNOWN' : 'ESTIMATED';
  return {
    ...larger,
    mm: sum(before.mm, next.mm),
    grams: sum(before.grams, next.grams),
    basis: before.basis === next.basis ? before.basis : lessCertain,
    fromLayer: before.fromLayer ?? null,
    toLayer: next.toLayer ?? null,
  };
}
