// What was in the slots of a printer while they fed a print.
import { CLOCKS_DIFFER_MS } from '../../values/evidence';
import { after, earliestOf, type Instant, latestOf } from '../../values/instant';
import { type FedPrint, hasFed, hasNamedSlot } from './course';
import type { SpoolChange } from './division';
import type { RunningPrint } from './print.model';

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
type LoadedPrint = FedPrint &
  Pick<RunningPrint, 'startedAt'> & {
    createdAt: Instant;
    /** Null: it runs. */
    endedAt: Instant | null;
  };

export const beginOfPrint = ({ startedAt, createdAt }: Pick<LoadedPrint, 'startedAt' | 'createdAt'>): Instant =>
  startedAt ?? createdAt;

/**
 * The clock of a machine may be behind ours. What was put in before the gateway heard of the print was there when it began, unless
 * it is heard of much later.
 */
function latestBeginOf(print: LoadedPrint): Instant {
  const begin = beginOfPrint(print);
  const heard = latestOf([begin, earliestOf([print.createdAt, after(begin, CLOCKS_DIFFER_MS)])]);
  return print.endedAt === null ? heard : latestOf([begin, earliestOf([heard, print.endedAt])]);
}

/**
 * The spools by slot with which the slots began to feed, of several the first. One that has not fed yet will feed from what is in it now.
 * @param spans the oldest first
 */
export function firstSpoolsOf(print: LoadedPrint, spans: readonly SlotSpan[]): Map<string, string> {
  const spools = new Map<string, string>();
  for (const slot of new Set(spans.map((one) => one.slot))) {
    const own = spans.filter((one) => one.slot === slot);
    const [since, until] = beganToFeed(print, slot);
    const found =
      since === null
        ? own.findLast(({ to }) => to === null)
        : own.find(({ from, to }) => (from === null || from <= until) && (to === null || to > since));
    if (found !== undefined) spools.set(slot, found.spoolId);
  }
  return spools;
}

/** From when to when it may have begun; null: it has not fed yet. */
function beganToFeed(print: LoadedPrint, slot: string): [since: Instant | null, until: Instant] {
  const [begin, latest] = [beginOfPrint(print), latestBeginOf(print)];
  const stretches = print.course?.stretches ?? [];
  const first = stretches.find((one) => (one.slot === slot || one.slot === null) && hasFed(print, one));
  if (first === undefined) return [hasNamedSlot(print) && print.endedAt === null ? null : begin, latest];
  const since = latestOf([begin, first.from.at]);
  return since <= latest ? [begin, latest] : [since, since];
}

/**
 * The spools that came into slots while the print ran. The same spool put in again is not a change.
 * @param first the spools by slot with which the slots began, as far as they are known @param spans the oldest first
 */
export function spoolChangesOf(
  print: LoadedPrint,
  first: Readonly<Record<string, string>>,
  spans: readonly SlotSpan[],
): SpoolChange[] {
  const changes: SpoolChange[] = [];
  for (const [slot, spoolId] of Object.entries(first)) {
    let before: string | null = null;
    let present = spoolId;
    for (const { from, spoolId: next } of spans.filter((span) => span.slot === slot)) {
      const isIn = from !== null && from > beginOfPrint(print) && (print.endedAt === null || from <= print.endedAt);
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
export function emptyTimes(
  { endedAt }: Pick<LoadedPrint, 'endedAt'>,
  spans: readonly SlotSpan[],
): { slot: string; from: Instant; to: Instant | null }[] {
  return spans.flatMap(({ slot, to }, at) => {
    if (to === null || (endedAt !== null && to >= endedAt)) return [];
    const next = spans.find((one, place) => place > at && one.slot === slot)?.from ?? null;
    return next !== null && next <= to ? [] : [{ slot, from: to, to: next ?? endedAt }];
  });
}
