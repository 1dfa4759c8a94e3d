// Which spools fed a print: what was in its slots while they fed it, and how an amount is divided among spools of one slot.
import Decimal from 'decimal.js';
import { CLOCKS_DIFFER_MS } from '../../values/evidence';
import { after, earliestOf, type Instant, latestOf, msBetween } from '../../values/instant';
import { MAX_PARTS } from './limits';
import type { SlotLayer } from './plan-completion';
import type { ObservedFilament, RunningPrint } from './print.model';
import { type Border, divided, endLayer, fileShareOf, MAX_SEGMENTS, plannedSlotOf, shareAt } from './segments';

/** That a spool was in a slot. */
export interface SlotSpan {
  slot: string;
  spoolId: string;
  /** Null: the begin is not known. */
  from: Instant | null;
  /** Null: it is in it, or its end is not known. */
  to: Instant | null;
}

/** A print of which something is asked. */
type FedPrint = Pick<RunningPrint, 'startedAt' | 'course'> & {
  createdAt: Instant;
  /** Null: it runs. */
  endedAt: Instant | null;
};

export const beginOf = ({ startedAt, createdAt }: Pick<FedPrint, 'startedAt' | 'createdAt'>): Instant =>
  startedAt ?? createdAt;

/**
 * The clock of a machine may be behind ours. What was put in before the gateway heard of the print was there when it began, unless
 * it is heard of much later.
 */
function latestBeginOf(print: FedPrint): Instant {
  const begin = beginOf(print);
  const heard = latestOf([begin, earliestOf([print.createdAt, after(begin, CLOCKS_DIFFER_MS)])]);
  return print.endedAt === null ? heard : latestOf([begin, earliestOf([heard, print.endedAt])]);
}

/** The spools by slot that were there from one instant to the other; of several the first. @param spans the oldest first */
function spoolsBetween(spans: readonly SlotSpan[], since: Instant, until: Instant): Map<string, string> {
  const spools = new Map<string, string>();
  for (const { slot, spoolId, from, to } of spans) {
    const isThere = (from === null || from <= until) && (to === null || to > since);
    if (isThere && !spools.has(slot)) spools.set(slot, spoolId);
  }
  return spools;
}

/** The spools by slot that were there then. @param spans the oldest first */
export const spoolsAt = (spans: readonly SlotSpan[], at: Instant) => spoolsBetween(spans, at, at);

/**
 * The spools by slot with which the slots began to feed: when the print began, and those that stand in for another slot since then.
 * @param spans the oldest first
 */
export function firstSpoolsOf(print: FedPrint, spans: readonly SlotSpan[]): Map<string, string> {
  const spools = spoolsBetween(spans, beginOf(print), latestBeginOf(print));
  for (const [slot, at] of standInTimesOf(print)) {
    const spoolId = spoolsAt(spans, at).get(slot);
    if (spoolId === undefined) spools.delete(slot);
    else spools.set(slot, spoolId);
  }
  return spools;
}

const standInTimesOf = ({ course }: Pick<FedPrint, 'course'>) =>
  new Map((course?.segments ?? []).flatMap(({ slot, at }) => (at === undefined ? [] : [[slot, at] as const])));

/** From then on the spool is in the slot. */
export interface SpoolChange {
  slot: string;
  at: Instant;
  spoolId: string;
}

/**
 * The spools that came into slots while these fed. The same one in again is no change.
 * @param first the spools by slot with which the slots began, as far as they are known @param spans the oldest first
 */
export function changesOf(
  print: FedPrint,
  first: Readonly<Record<string, string>>,
  spans: readonly SlotSpan[],
): SpoolChange[] {
  const times = standInTimesOf(print);
  const begin = beginOf(print);
  const changes: SpoolChange[] = [];
  for (const [slot, spoolId] of Object.entries(first)) {
    let before: string | null = null;
    let present = spoolId;
    const since = times.get(slot) ?? begin;
    for (const { from, spoolId: next } of spans.filter((span) => span.slot === slot)) {
      const isIn = from !== null && from > since && (print.endedAt === null || from <= print.endedAt);
      if (isIn && next !== present && next !== before) {
        changes.push({ slot, at: from, spoolId: next });
        present = next;
      }
      before = next;
    }
  }
  return changes;
}

/** What was last known of a print: its end, or the last contact. */
interface Point {
  at: Instant;
  layer: number | null;
  mm: string | null;
  /** The share of the file. */
  file?: string | null;
}

type Divisible = FedPrint &
  Pick<RunningPrint, 'layer' | 'layers' | 'measured' | 'seenAt' | 'progress' | 'progressBasis'>;

/**
 * The amounts of a print, each divided among the spools that were in its slot one after the other. A slot that is divided already
 * stays so.
 * @param isWhole whether the amounts are those of all layers
 */
export function bySpools(
  filament: readonly ObservedFilament[],
  print: Divisible,
  isWhole: boolean,
  first: Readonly<Record<string, string>>,
  changes: readonly SpoolChange[],
  table: readonly SlotLayer[] | null,
): ObservedFilament[] {
  const end = endLayer(print, isWhole);
  const most = Math.max(1, Math.min(MAX_SEGMENTS, Math.floor(MAX_PARTS / filament.length)));
  const isOnly = filament.length === 1 && print.measured.length === 1;
  return filament.flatMap((one) => {
    const own = changes.filter(({ slot }) => slot === one.slot);
    const isDivided = filament.some(({ slot, spoolId }) => slot === one.slot && spoolId !== undefined);
    if (own.length === 0 || isDivided) return [one];
    const mm = isOnly ? one.mm : null;
    const file = fileShareOf(print);
    const last =
      print.endedAt === null
        ? { at: print.seenAt, layer: print.layer, mm: print.measured[0]?.mm ?? null, file }
        : { at: print.endedAt, layer: end, mm, file: isWhole ? '1' : file };
    const window = { from: one.fromLayer == null ? 0 : one.fromLayer - 1, to: one.toLayer ?? end };
    const share = (layer: number) => shareAt(layer, plannedSlotOf(print, one.slot), end, table);
    const borders = own.map(({ at, spoolId }) => ({
      spoolId,
      ...borderAt(at, print, last, { ...window, share, mm }),
    }));
    return parted(one, borders, first[one.slot] as string, window, most);
  });
}

interface Window {
  from: number;
  to: number | null;
}

/** Where in an amount a moment was: by its millimetres, else by the layers that it was printed in, else by the share of the file. */
function borderAt(
  at: Instant,
  print: Divisible,
  last: Point,
  { from, to, share, mm: total }: Window & { share: (layer: number) => Decimal | null; mm: string | null },
): Border {
  const { layer, mm, file, isExact } = figuresAt(at, print, last);
  const within = layer === null ? null : Math.max(from, Math.min(layer, to ?? layer));
  if (mm !== null && total !== null && Number(total) > 0) return { layer: within, share: partOf(mm, total), isExact };
  const [begin, border, end] = [from, within, to].map((one) => (one === null ? null : share(one)));
  if (begin != null && border != null && end != null)
    return { layer: within, share: partOf(border.minus(begin), end.minus(begin)), isExact: false };
  const isKnown = file !== null && from === 0 && Number(last.file) > 0;
  return { layer: within, share: isKnown ? partOf(file, last.file as string) : null, isExact: false };
}

const partOf = (part: Decimal.Value, whole: Decimal.Value): Decimal =>
  new Decimal(whole).isZero() ? new Decimal(1) : Decimal.max(0, Decimal.min(new Decimal(part).div(whole), 1));

/** As they were told in a pause; between two known moments by a line. */
function figuresAt(at: Instant, print: FedPrint, last: Point): Required<Omit<Point, 'at'>> & { isExact: boolean } {
  const { pauses, segments } = print.course ?? { pauses: [], segments: [] };
  const pause = pauses.find(({ from, to }) => from <= at && (to === null || at <= to));
  if (pause !== undefined) return { ...pause, file: pause.file ?? null, isExact: true };
  const points: Point[] = [
    { at: beginOf(print), layer: 0, mm: '0', file: '0' },
    ...pauses.flatMap(({ from, to, ...figures }) => [from, to ?? from].map((time) => ({ ...figures, at: time }))),
    ...segments.flatMap(({ at: time, layer }) => (time === undefined ? [] : [{ at: time, layer, mm: null }])),
    last,
  ].toSorted((one, other) => Number(one.at > other.at) - Number(one.at < other.at));
  const of = (member: 'layer' | 'mm' | 'file') =>
    last[member] == null
      ? null
      : onLine(
          at,
          points.map((point) => [point.at, point[member] ?? null]),
        );
  const figures = { mm: of('mm')?.toFixed() ?? null, file: of('file')?.toFixed() ?? null };
  return { ...figures, layer: of('layer')?.round().toNumber() ?? null, isExact: false };
}

/** @param points by time; null where nothing is known */
function onLine(at: Instant, points: readonly [Instant, number | string | null][]): Decimal | null {
  const known = points.flatMap(([time, value]) => (value === null ? [] : [[time, new Decimal(value)] as const]));
  const before = known.findLast(([time]) => time <= at) ?? known[0];
  const behind = known.find(([time]) => time > at) ?? before;
  if (before === undefined || behind === undefined) return null;
  const whole = msBetween(before[0], behind[0]);
  return whole <= 0 ? before[1] : behind[1].minus(before[1]).times(msBetween(before[0], at)).div(whole).plus(before[1]);
}

/** What printed nothing, or followed on itself, is no part; beyond so many parts the smallest ones go to the spools before them. */
function parted(
  one: ObservedFilament,
  all: readonly (Border & { spoolId: string })[],
  first: string,
  { from, to }: Window,
  most: number,
): ObservedFilament[] {
  let borders = [...all];
  for (;;) {
    const parts = divided(one, borders, to, from);
    const spools = [first, ...borders.map(({ spoolId }) => spoolId)];
    const isVoid = (part: ObservedFilament, at: number) => isEmpty(part) || spools[at] === spools[at - 1];
    const empty = parts.findIndex((part, at) => at > 0 && isVoid(part, at));
    const surplus = empty < 0 && parts.length > most ? smallestOf(parts) : empty;
    if (surplus < 0) return parts.map((part, at) => ({ ...part, ...(at > 0 && { spoolId: spools[at] as string }) }));
    borders = borders.toSpliced(surplus - 1, 1);
  }
}

const isEmpty = ({ mm, grams }: ObservedFilament) =>
  mm !== null ? Number(mm) === 0 : grams !== null && Number(grams) === 0;

/** Never the first one. */
function smallestOf(parts: readonly ObservedFilament[]): number {
  const amounts = parts.map(({ mm, grams }) => Number(mm ?? grams ?? 0));
  return amounts.indexOf(Math.min(...amounts.slice(1)), 1);
}
