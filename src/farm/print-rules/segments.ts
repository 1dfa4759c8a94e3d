// Decides how the segments of a print grow, and which of them are joined when there are too many.
import Decimal from 'decimal.js';
import type { Instant } from '../../values/instant';
import type { Moment, RunningPrint, Segment } from './print.model';
import type { SlotLength } from './slot-lengths';

/**
 * A tool changer changes its tool thousands of times in a print. Beyond this number, the two segments of one slot with the shortest
 * time between them become one segment.
 */
export const MAX_SEGMENTS = 64;

/** The share of the file that was printed. A share of the time says nothing about filament. */
export const fileShareOf = ({ progress, progressBasis }: Pick<RunningPrint, 'progress' | 'progressBasis'>) =>
  progressBasis === null || progressBasis === 'TIME' ? null : progress;

export const momentOf = (print: RunningPrint, at: Instant): Moment => ({
  at,
  layer: print.layer,
  file: fileShareOf(print),
});

/** The moment at which a print started. */
export const startMomentOf = ({ startedAt }: RunningPrint, at: Instant): Moment => ({
  at: startedAt ?? at,
  layer: 0,
  file: '0',
});

/** The segment between a pause and the next reading of the print, while no gateway was connected. */
export const createUnobservedPause = (
  { slot, mm }: Pick<Segment, 'slot' | 'mm'>,
  from: Moment,
  to: Moment,
): Segment => ({
  slot,
  from,
  to,
  mm,
  isUnheardPause: true,
});

/**
 * An empty segment that marks where the print continues after a pause. What the chosen slot feeds next starts here and does not lengthen
 * the segment before the pause. If another slot feeds first, the segment of that slot replaces the mark.
 */
export const createResumeMark = (slot: string | null, at: Moment): Segment => ({ slot, from: at, to: at, mm: '0' });

const isResumeMark = ({ from, to, mm }: Segment) => mm === '0' && from.at === to.at;

/**
 * Adds a length to the last segment, or as a new segment.
 * @param since the earliest moment at which a new segment may have started
 * @param isPaused a pause does not move the end of a segment
 */
export function growSegment(
  segments: Segment[],
  { slot, mm }: SlotLength,
  since: Moment,
  now: Moment,
  isPaused: boolean,
): Segment[] {
  if (Number(mm) === 0) return segments;
  const last = segments.at(-1);
  const isLast = last?.slot === slot;
  // Filament that is pulled back starts no new segment, and neither does filament that is fed after the pause was reported.
  const at = isLast ? segments.length - 1 : segments.findLastIndex((segment) => segment.slot === slot);
  const latest = segments[at];
  if (latest !== undefined && (isLast || isPaused || Number(mm) < 0)) {
    const isEndMoved = isLast && !isPaused && Number(mm) > 0;
    return segments.with(at, { ...latest, mm: addLengths(latest.mm ?? '0', mm), to: isEndMoved ? now : latest.to });
  }
  const isMarked = last !== undefined && isResumeMark(last);
  return [...(isMarked ? segments.slice(0, -1) : segments), { slot, from: since, to: now, mm }];
}

/** Joins segments until there are at most `MAX_SEGMENTS`. */
export function limitSegments(segments: Segment[]): Segment[] {
  if (segments.length <= MAX_SEGMENTS) return segments;
  let shortest: { at: number; nextAt: number; ms: number } | null = null;
  // The last segment is still growing, so it is not joined.
  for (const [at, { slot, to }] of segments.slice(0, -1).entries()) {
    const nextAt = segments.findIndex((segment, index) => index > at && segment.slot === slot);
    const next = segments[nextAt];
    if (next === undefined || nextAt === segments.length - 1) continue;
    const ms = Date.parse(next.from.at) - Date.parse(to.at);
    if (shortest === null || ms < shortest.ms) shortest = { at, nextAt, ms };
  }
  const [last, added] = segments.slice(-2) as [Segment, Segment];
  // No printer has this many slots, so this never happens in practice. The last segment then includes the new one.
  if (shortest === null) return limitSegments([...segments.slice(0, -2), joinSegments(last, added)]);
  const { at, nextAt } = shortest;
  const joinedSegment = joinSegments(segments[at] as Segment, segments[nextAt] as Segment);
  return limitSegments(segments.with(at, joinedSegment).toSpliced(nextAt, 1));
}

const joinSegments = ({ slot, from, ...segment }: Segment, next: Segment): Segment => ({
  slot,
  from,
  to: next.to,
  mm: segment.mm === null || next.mm === null ? null : addLengths(segment.mm, next.mm),
});

const addLengths = (a: string, b: string) => new Decimal(a).plus(b).toFixed();
