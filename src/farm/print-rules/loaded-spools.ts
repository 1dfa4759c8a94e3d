// Decides which spool was in each slot of a printer when the slot started to feed a print, and which spools came in later.
import { addMs, CLOCKS_DIFFER_MS, findEarliest, findLatest, type Instant } from '../../values/instant';
import { type FedPrint, hasFed, hasReportedSlot } from './fed-slots';
import { type RunningPrint, segmentsOf } from './print.model';

/** A time in which a spool was in a slot. */
export interface PastLoad {
  slot: string;
  spoolId: string;
  /** `null` if the start is unknown. */
  from: Instant | null;
  /** `null` if the spool is still in the slot, or if the end is unknown. */
  to: Instant | null;
}

type LoadedPrint = FedPrint &
  Pick<RunningPrint, 'startedAt'> & {
    createdAt: Instant;
    /** `null` while the print is running. */
    endedAt: Instant | null;
  };

export const startOfPrint = ({ startedAt, createdAt }: Pick<LoadedPrint, 'startedAt' | 'createdAt'>): Instant =>
  startedAt ?? createdAt;

/**
 * The latest time at which the print can have started by the gateway's clock, because the clock of a machine may be behind. A spool that was
 * loaded before the gateway first saw the print counts as loaded at the start, unless the gateway saw the print much later.
 */
function estimateLatestStart(print: LoadedPrint): Instant {
  const start = startOfPrint(print);
  const firstSeen = findLatest([start, findEarliest([print.createdAt, addMs(start, CLOCKS_DIFFER_MS)])]);
  return print.endedAt === null ? firstSeen : findLatest([start, findEarliest([firstSeen, print.endedAt])]);
}

/**
 * By slot, the spool with which the slot started to feed; of several possible spools, the first one. A slot that has not fed yet gets the
 * spool that is in it now.
 * @param loads the oldest load first
 */
export function chooseFirstSpools(print: LoadedPrint, loads: readonly PastLoad[]): Map<string, string> {
  const spools = new Map<string, string>();
  for (const slot of new Set(loads.map((load) => load.slot))) {
    const loadsOfSlot = loads.filter((load) => load.slot === slot);
    const [since, until] = findFeedingStart(print, slot);
    const found =
      since === null
        ? loadsOfSlot.findLast(({ to }) => to === null)
        : loadsOfSlot.find(({ from, to }) => (from === null || from <= until) && (to === null || to > since));
    if (found !== undefined) spools.set(slot, found.spoolId);
  }
  return spools;
}

/** The earliest and the latest time at which a slot can have started to feed. The earliest is `null` if the slot has not fed yet. */
function findFeedingStart(print: LoadedPrint, slot: string): [since: Instant | null, until: Instant] {
  const [start, latest] = [startOfPrint(print), estimateLatestStart(print)];
  const first = segmentsOf(print).find(
    (segment) => (segment.slot === slot || segment.slot === null) && hasFed(print, segment),
  );
  if (first === undefined) return [hasReportedSlot(print) && print.endedAt === null ? null : start, latest];
  const since = findLatest([start, first.from.at]);
  return since <= latest ? [start, latest] : [since, since];
}

/** From this time on, another spool is in the slot. */
export interface SpoolChange {
  slot: string;
  at: Instant;
  spoolId: string;
}

/**
 * The spools that came into slots while the print was running. Loading the same spool again is not a change.
 * @param first by slot, the spool with which the slot started, if it is known
 * @param loads the oldest load first
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
      const isDuringPrint =
        from !== null && from > startOfPrint(print) && (print.endedAt === null || from <= print.endedAt);
      if (isDuringPrint && next !== present && next !== before) {
        changes.push({ slot, at: from, spoolId: next });
        present = next;
      }
      before = next;
    }
  }
  return changes;
}

/** A time in which no spool was in a slot. `to` is `null` if the slot is still empty. */
export interface EmptyTime {
  slot: string;
  from: Instant;
  to: Instant | null;
}

/** The times in which a slot was empty because its spool had been taken out. */
export function findEmptyTimes({ endedAt }: Pick<LoadedPrint, 'endedAt'>, loads: readonly PastLoad[]): EmptyTime[] {
  return loads.flatMap(({ slot, to }, at) => {
    if (to === null || (endedAt !== null && to >= endedAt)) return [];
    const next = loads.find((load, index) => index > at && load.slot === slot)?.from ?? null;
    return next !== null && next <= to ? [] : [{ slot, from: to, to: next ?? endedAt }];
  });
}
