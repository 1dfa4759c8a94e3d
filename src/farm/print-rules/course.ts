// The course of a print: how its stretches grow one after the other, as its machine reports them, and how two courses of one print join.
import Decimal from 'decimal.js';
import type { Instant } from '../../values/instant';
import { isPlanned, sumMeasured } from './fed-slots';
import type { Course, FollowedPrint, Moment, OdometerPoint, PrintReading, RunningPrint, Segment } from './print.model';

/** A tool changer changes its tool thousands of times: beyond so many, those of one slot with the shortest rest between are one. */
export const MAX_SEGMENTS = 64;

/** What a slot fed from one reading to the next. */
interface SlotLength {
  slot: string | null;
  mm: string;
  /** Whether the connection was there while it was fed. */
  isObserved: boolean;
}

/** @param before as it was known @param print as it is with what is heard now, but for its course */
export function continueCourse(
  before: FollowedPrint,
  print: RunningPrint,
  heard: PrintReading,
  at: Instant,
): Course | null {
  const lengths = calculateSlotLengths(before, print, heard);
  const now = momentOf(print, heard.end?.at ?? at);
  if (lengths === null) {
    // At its end a machine may show what it loads then.
    if (heard.end !== null || print.measured.length > 0) return before.course;
    return { stretches: continueUnmeasured(before, print, heard.slot, now), measure: null };
  }
  const since = before.course === null ? startMoment(print, at) : momentOf(before, before.seenAt);
  const isResumed = before.paused && !print.paused;
  const isPaused = before.paused && print.paused;
  const known = before.course?.stretches ?? [];
  const unheard = isPauseUnobserved(before)
    ? lengths.filter(({ isObserved, mm }) => !isObserved && Number(mm) > 0)
    : [];
  const all = [...known, ...unheard.map((length) => unobservedPause(length, since, now))];
  const isMarked = (isResumed && known.length > 0) || unheard.length > 0;
  const marked = isMarked ? [...all, resumeMark(heard.feeding?.now.slot ?? null, now)] : all;
  const stretches = lengths
    .filter((length) => !unheard.includes(length))
    .reduce((all, length) => limitSegments(growSegment(all, length, isMarked ? now : since, now, isPaused)), marked);
  return { stretches: limitSegments(stretches), measure: heard.feeding?.now ?? null };
}

/** Whether the print was paused when it was last heard of, and nothing was heard of it since the connection opened. */
const isPauseUnobserved = ({ ordinal, paused, course }: FollowedPrint): boolean =>
  ordinal === null && paused && course !== null && course.stretches.length > 0;

/** What was fed between a pause and the next reading of the print, while no gateway listened. */
export const unobservedPause = ({ slot, mm }: Pick<Segment, 'slot' | 'mm'>, from: Moment, to: Moment): Segment => ({
  slot,
  from,
  to,
  mm,
  isUnheardPause: true,
});

/**
 * Where the print goes on behind a pause: an empty stretch of the slot that is chosen then. What the slot feeds next begins here, and does
 * not lengthen the stretch before the pause. Where another slot feeds first, its own stretch replaces the mark.
 */
const resumeMark = (slot: string | null, at: Moment): Segment => ({ slot, from: at, to: at, mm: '0' });

const isResumeMark = ({ from, to, mm }: Segment) => mm === '0' && from.at === to.at;

/** A share of the time says nothing of filament. */
export const fileShareOf = ({ progress, progressBasis }: Pick<RunningPrint, 'progress' | 'progressBasis'>) =>
  progressBasis === null || progressBasis === 'TIME' ? null : progress;

const momentOf = (print: RunningPrint, at: Instant): Moment => ({ at, layer: print.layer, file: fileShareOf(print) });

const startMoment = ({ startedAt }: RunningPrint, at: Instant): Moment => ({
  at: startedAt ?? at,
  layer: 0,
  file: '0',
});

/** By the machine's measure; null: it has none. The slot that is chosen now comes last. */
function calculateSlotLengths(
  before: FollowedPrint,
  print: RunningPrint,
  { feeding, ordinal }: PrintReading,
): SlotLength[] | null {
  const { course } = before;
  const known = sumMeasured(course?.stretches ?? []);
  if (feeding === null) {
    const [only, ...others] = print.measured;
    if (only === undefined || only.mm === null || others.length > 0 || course?.measure) return null;
    return [{ slot: null, mm: new Decimal(only.mm).minus(known).toFixed(), isObserved: false }];
  }
  const last = before.ordinal === ordinal ? before.feeding : null;
  if (last !== null && course?.measure) {
    const slots = Object.keys(feeding.bySlot);
    const grown = slots.map((slot) => ({
      slot,
      mm: subtract(feeding.bySlot[slot] ?? '0', last.bySlot[slot] ?? '0'),
      isObserved: true,
    }));
    return chosenLast(
      [...grown, { slot: null, mm: subtract(feeding.unassigned, last.unassigned), isObserved: true }],
      feeding.now.slot,
    );
  }
  const gap = new Decimal(feeding.start.mm).minus(known);
  const open = course?.measure ? calculateUnassigned(gap, course.measure, feeding.start, false) : gap;
  const grown = Object.entries(feeding.bySlot).map(([slot, mm]) => ({ slot, mm, isObserved: true }));
  return [
    { slot: feeding.start.slot, mm: gap.minus(open).toFixed(), isObserved: false },
    { slot: null, mm: open.toFixed(), isObserved: false },
    ...chosenLast([...grown, { slot: null, mm: feeding.unassigned, isObserved: true }], feeding.now.slot),
  ];
}

/** Binary floats of a machine differ by less. */
const SAME_MARK_MM = 0.01;

/** A tool takes its own filament back. A unit takes one back through the extruder that the others share. */
export const isToolSlot = (slot: string) => slot.startsWith('tool:');

/**
 * How much of a length no slot is known to have fed. The slot is known when it is chosen before and behind it, and the mark says how
 * much of it other slots fed.
 * @param isObserved from one message to the next one; else what nobody heard needs the mark
 */
export function calculateUnassigned(
  length: Decimal,
  from: OdometerPoint,
  to: OdometerPoint,
  isObserved: boolean,
): Decimal {
  if (to.slot === null || to.slot !== from.slot) return length;
  if (from.mark === null || to.mark === null) return isObserved ? new Decimal(0) : length;
  const apart = to.mark - from.mark;
  if (apart >= SAME_MARK_MM) return length.gt(0) ? Decimal.min(length, new Decimal(apart).toDecimalPlaces(4)) : length;
  if (isObserved) return new Decimal(0);
  // An extruder that moved in a pause hides what others fed.
  const isSure = apart > -SAME_MARK_MM && (length.gte(0) || isToolSlot(to.slot));
  return isSure ? new Decimal(0) : length;
}

const chosenLast = (lengths: readonly SlotLength[], chosen: string | null) =>
  lengths.toSorted((one, other) => Number(one.slot === chosen) - Number(other.slot === chosen));

/** @param since from then on it may have fed @param isPaused the moments of a pause are no part of a stretch */
function growSegment(
  all: Segment[],
  { slot, mm }: SlotLength,
  since: Moment,
  now: Moment,
  isPaused: boolean,
): Segment[] {
  if (Number(mm) === 0) return all;
  const last = all.at(-1);
  const isLast = last?.slot === slot;
  // Filament that is taken back is not of a new stretch. Neither is filament that is fed after the pause was reported.
  const at = isLast ? all.length - 1 : all.findLastIndex((one) => one.slot === slot);
  const own = all[at];
  if (own !== undefined && (isLast || isPaused || Number(mm) < 0)) {
    const isMoved = isLast && !isPaused && Number(mm) > 0;
    return all.with(at, { ...own, mm: add(own.mm ?? '0', mm), to: isMoved ? now : own.to });
  }
  const isMarked = last !== undefined && isResumeMark(last);
  return [...(isMarked ? all.slice(0, -1) : all), { slot, from: since, to: now, mm }];
}

/** Of a machine that measures nothing. @param slot that feeds; null: it is not known */
function continueUnmeasured(before: FollowedPrint, print: RunningPrint, slot: string | null, now: Moment): Segment[] {
  const all = before.course?.stretches ?? [];
  const last = all.at(-1);
  const isBehindPause = before.paused && !print.paused;
  const next = { slot, from: now, to: now, mm: null };
  if (last === undefined) {
    const unheard = { slot: null, from: startMoment(print, now.at), to: now, mm: null };
    return slot === null || (now.layer ?? 0) <= 1 ? [slot === null ? unheard : next] : [unheard, next];
  }
  const isMoved = last.to.layer !== now.layer || last.to.file !== now.file;
  if (isPauseUnobserved(before) && isMoved && (slot === null || slot === last.slot)) {
    const unheard = unobservedPause({ slot: last.slot, mm: null }, { ...last.to, at: before.seenAt }, now);
    return limitSegments([...all, unheard, { ...next, slot: last.slot }]);
  }
  if (before.paused && print.paused) return all;
  const on = all.with(-1, { ...last, to: now });
  const isGap = before.ordinal === null && (now.layer ?? 0) - (last.to.layer ?? 0) > 1;
  if (isGap && slot !== null && (print.plan?.slots.length ?? 0) > 1)
    return limitSegments([...all, { slot: null, from: last.to, to: now, mm: null }, next]);
  if (slot === null || slot === last.slot)
    return isBehindPause ? limitSegments([...all, { ...next, slot: last.slot }]) : on;
  // Until the first layer nothing is fed.
  if (all.length === 1 && last.slot === null && (last.to.layer ?? 0) < 1) {
    const unheard = { ...last, to: now };
    return (now.layer ?? 0) <= 1 ? [next] : [unheard, next];
  }
  const former = all.at(-2);
  const isKnown = isPlanned(print, last.slot) || all.slice(0, -1).some((one) => one.slot === last.slot);
  const isBlip = former?.slot === slot && last.from.layer === now.layer && !isKnown;
  if (isBlip && !isBehindPause) return [...all.slice(0, -2), { ...former, to: now }];
  return limitSegments([...(isBehindPause ? all : on), next]);
}

function limitSegments(all: Segment[]): Segment[] {
  if (all.length <= MAX_SEGMENTS) return all;
  let shortest: { at: number; behind: number; ms: number } | null = null;
  // The last one goes on.
  for (const [at, { slot, to }] of all.slice(0, -1).entries()) {
    const behind = all.findIndex((one, place) => place > at && one.slot === slot);
    const next = all[behind];
    if (next === undefined || behind === all.length - 1) continue;
    const ms = Date.parse(next.from.at) - Date.parse(to.at);
    if (shortest === null || ms < shortest.ms) shortest = { at, behind, ms };
  }
  const [last, added] = all.slice(-2) as [Segment, Segment];
  // So many slots no printer has: the last one takes the rest.
  if (shortest === null) return limitSegments([...all.slice(0, -2), joinSegments(last, added)]);
  const { at, behind } = shortest;
  return limitSegments(all.with(at, joinSegments(all[at] as Segment, all[behind] as Segment)).toSpliced(behind, 1));
}

const joinSegments = ({ slot, from, ...one }: Segment, next: Segment): Segment => ({
  slot,
  from,
  to: next.to,
  mm: one.mm === null || next.mm === null ? null : add(one.mm, next.mm),
});

/** Two rows of one print. @param now knows nothing of the time before: what its measure showed first is of both */
export function combineCourses(
  { course: before, paused, seenAt }: Pick<RunningPrint, 'course' | 'paused' | 'seenAt'>,
  now: Course | null,
): Course | null {
  if (before === null || now === null) return now ?? before;
  const last = before.stretches.at(-1);
  const [first, ...others] = now.stretches;
  if (last === undefined || first === undefined) return first === undefined ? before : now;
  const known = sumMeasured(before.stretches).toFixed();
  const isMeasured = first.mm !== null;
  const unheard = first.slot === null ? first : { slot: null, from: last.to, to: first.from, mm: '0' };
  const length = { slot: null, mm: isMeasured ? subtract(unheard.mm ?? '0', known) : null };
  const gap = paused
    ? unobservedPause(length, { ...last.to, at: seenAt }, unheard.to)
    : { ...length, from: last.to, to: unheard.to };
  const rest = first.slot === null ? others : [first, ...others];
  const isNothing = isMeasured ? Number(gap.mm) === 0 : first.slot !== null;
  const all = [...before.stretches, ...(isNothing ? [] : [gap]), ...rest];
  return { stretches: limitSegments(all), measure: now.measure };
}

const add = (one: string, other: string) => new Decimal(one).plus(other).toFixed();
const subtract = (one: string, other: string) => new Decimal(one).minus(other).toFixed();
