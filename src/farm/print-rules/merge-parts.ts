// Parts beyond what a job may have: the smallest neighbours become one, and the greater of the two says its spool.
import Decimal from 'decimal.js';
import { MAX_PARTS } from '../print-jobs/print-job.limits';
import type { ObservedFilament } from './print.model';

/** @param parts each behind the one before it, as far as they are of one filament */
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
