// Decides which slot fed a print at which time: how each reading extends the course, and how the courses of two rows of one print combine.
import Decimal from 'decimal.js';
import type { Instant } from '../../values/instant';
import { isPlanned, sumMeasured } from './fed-slots';
import {
  type Course,
  type FollowedPrint,
  type Moment,
  type PrintReading,
  type RunningPrint,
  type Segment,
  segmentsOf,
} from './print.model';
import {
  createResumeMark,
  createUnobservedPause,
  growSegment,
  limitSegments,
  momentOf,
  startMomentOf,
} from './segments';
import { calculateSlotLengths } from './slot-lengths';

/**
 * The course of a print with a new reading.
 * @param before the print before this reading
 * @param print the print with this reading, except for its course
 */
export function continueCourse(
  before: FollowedPrint,
  print: RunningPrint,
  reading: PrintReading,
  at: Instant,
): Course | null {
  const lengths = calculateSlotLengths(before, print, reading);
  const now = momentOf(print, reading.end?.at ?? at);
  if (lengths === null) {
    // At the end of a print, a machine may show the filament that it is loading.
    if (reading.end !== null || print.measured.length > 0) return before.course;
    return { stretches: continueUnmeasured(before, print, reading.slot, now), measure: null };
  }
  const since = before.course === null ? startMomentOf(print, at) : momentOf(before, before.seenAt);
  const isResumed = before.paused && !print.paused;
  const isPaused = before.paused && print.paused;
  const known = segmentsOf(before);
  const fedInPause = isPauseUnobserved(before)
    ? lengths.filter(({ isObserved, mm }) => !isObserved && Number(mm) > 0)
    : [];
  const segments = [...known, ...fedInPause.map((length) => createUnobservedPause(length, since, now))];
  const isMarked = (isResumed && known.length > 0) || fedInPause.length > 0;
  const marked = isMarked ? [...segments, createResumeMark(reading.feeding?.now.slot ?? null, now)] : segments;
  const grown = lengths
    .filter((length) => !fedInPause.includes(length))
    .reduce(
      (grown, length) => limitSegments(growSegment(grown, length, isMarked ? now : since, now, isPaused)),
      marked,
    );
  return { stretches: limitSegments(grown), measure: reading.feeding?.now ?? null };
}

/** Whether the print was paused at the last contact, and this connection has not reported the print yet. */
const isPauseUnobserved = (print: FollowedPrint): boolean =>
  print.ordinal === null && print.paused && segmentsOf(print).length > 0;

/**
 * The segments of a machine that does not measure.
 * @param slot the slot that feeds; `null` if it is unknown
 */
function continueUnmeasured(before: FollowedPrint, print: RunningPrint, slot: string | null, now: Moment): Segment[] {
  const segments = [...segmentsOf(before)];
  const last = segments.at(-1);
  const isAfterPause = before.paused && !print.paused;
  const next = { slot, from: now, to: now, mm: null };
  if (last === undefined) {
    const unobserved = { slot: null, from: startMomentOf(print, now.at), to: now, mm: null };
    return slot === null || (now.layer ?? 0) <= 1 ? [slot === null ? unobserved : next] : [unobserved, next];
  }
  const hasProgressed = last.to.layer !== now.layer || last.to.file !== now.file;
  if (isPauseUnobserved(before) && hasProgressed && (slot === null || slot === last.slot)) {
    const pause = createUnobservedPause({ slot: last.slot, mm: null }, { ...last.to, at: before.seenAt }, now);
    return limitSegments([...segments, pause, { ...next, slot: last.slot }]);
  }
  if (before.paused && print.paused) return segments;
  const extended = segments.with(-1, { ...last, to: now });
  const isGap = before.ordinal === null && (now.layer ?? 0) - (last.to.layer ?? 0) > 1;
  if (isGap && slot !== null && (print.plan?.slots.length ?? 0) > 1)
    return limitSegments([...segments, { slot: null, from: last.to, to: now, mm: null }, next]);
  if (slot === null || slot === last.slot)
    return isAfterPause ? limitSegments([...segments, { ...next, slot: last.slot }]) : extended;
  // Nothing is fed before the first layer.
  if (segments.length === 1 && last.slot === null && (last.to.layer ?? 0) < 1) {
    const unobserved = { ...last, to: now };
    return (now.layer ?? 0) <= 1 ? [next] : [unobserved, next];
  }
  const previous = segments.at(-2);
  const isKnown = isPlanned(print, last.slot) || segments.slice(0, -1).some((segment) => segment.slot === last.slot);
  // A slot that is reported only briefly within one layer, and that the print does not use otherwise, fed nothing.
  const isBlip = previous?.slot === slot && last.from.layer === now.layer && !isKnown;
  if (isBlip && !isAfterPause) return [...segments.slice(0, -2), { ...previous, to: now }];
  return limitSegments([...(isAfterPause ? segments : extended), next]);
}

/**
 * The course of one print that has two rows.
 * @param now the course of the later row. This course starts with the later row, so the first value of its odometer includes what the
 * earlier row measured.
 */
export function combineCourses(
  { course: before, paused, seenAt }: Pick<RunningPrint, 'course' | 'paused' | 'seenAt'>,
  now: Course | null,
): Course | null {
  if (before === null || now === null) return now ?? before;
  const earlier = segmentsOf({ course: before });
  const last = earlier.at(-1);
  const [first, ...others] = segmentsOf({ course: now });
  if (last === undefined || first === undefined) return first === undefined ? before : now;
  const isMeasured = first.mm !== null;
  const unobserved = first.slot === null ? first : { slot: null, from: last.to, to: first.from, mm: '0' };
  const mm = isMeasured ? new Decimal(unobserved.mm ?? '0').minus(sumMeasured(earlier)).toFixed() : null;
  const gap = paused
    ? createUnobservedPause({ slot: null, mm }, { ...last.to, at: seenAt }, unobserved.to)
    : { slot: null, mm, from: last.to, to: unobserved.to };
  const later = first.slot === null ? others : [first, ...others];
  const isGapEmpty = isMeasured ? Number(gap.mm) === 0 : first.slot !== null;
  return { stretches: limitSegments([...earlier, ...(isGapEmpty ? [] : [gap]), ...later]), measure: now.measure };
}
