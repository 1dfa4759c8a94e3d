// What a reading means for the prints of its device: begin, continuation, end, sightings and checkpoint, as decisions.
import type { PrintFacts } from '../../kind-facts';
import { before, type Instant } from '../../values/instant';
import {
  endsBoth,
  findEndedDuplicate,
  findEndedPrint,
  findResumedPrint,
  hasProgress,
  isSamePrint,
  makeUnusedId,
} from './continuation';
import { continueCourse } from './course';
import { correctEndedPrint, correctFutureTimes, decideEnding, UNRESOLVED } from './ending-and-clocks';
import { fedSlots, isBackupSlot } from './fed-slots';
import {
  type Decision,
  type End,
  type EndedPrint,
  type FollowedPrint,
  NO_FIGURES,
  type PlanReading,
  type PrintReading,
  type Reading,
  type RunningPrint,
  type SightingKind,
} from './print.model';

/** A running print is written at most so often while nothing but its figures changes. */
const CHECKPOINT_MS = 30_000;
/** Records reach back so far before the last contact. */
const RECORDS_BACK_MS = 3_600_000;

/** What the database has of the device. */
export interface DeviceHistory {
  running: FollowedPrint | null;
  /** The prints that are over: the latest ones, the last one last, and the one whose external id the reading names. */
  ended: readonly EndedPrint[];
  /** null: this is the first contact. It records no print that is over. */
  lastContactAt: Instant | null;
  /** No print from before is recorded; null: not known. */
  addedAt: Instant | null;
  machine: PrintFacts;
}

export interface Evaluation {
  running: FollowedPrint | null;
  decisions: Decision[];
}

/** The rules. A reading without news gives no decision, so a replay changes nothing. */
export function evaluate(stored: DeviceHistory, reading: Reading): Evaluation {
  if (reading.kind === 'PLAN') return { running: stored.running, decisions: [amend(reading)] };
  const { at, print } = reading;
  if (print === 'PRINT_UNKNOWN') return { running: stored.running, decisions: [] };
  const heard = print === 'NO_PRINT' ? null : print;
  const history = {
    ...stored,
    ended: stored.ended.map((one) => correctEndedPrint(one, at)),
    running: stored.running && correctFutureTimes(stored.running, heard, at),
  };
  if (print === 'NO_PRINT') return endWithoutEvent(history.running, at);
  if (print.end !== null) {
    const closed = closePrint(history, print, print.end, at);
    const isMerged = closed.decisions[0]?.do === 'MERGE';
    if (reading.kind === 'RECORD' || closed.running === null || isMerged) return closed;
    return followedBy(closed, endWithoutEvent(closed.running, at));
  }
  const { running } = history;
  if (running !== null && isSamePrint(running, print, at)) return continuePrint(history, running, print, at);
  // "The old one becomes UNRESOLVED … and a new one begins."
  return followedBy(endWithoutEvent(running, at), beginPrint(history, print, at, running === null));
}

/** The printer was not heard of for longer than its kind allows. */
export function printerSilent(running: FollowedPrint, at: Instant): Evaluation {
  if (running.lost) return { running, decisions: [] };
  const lost = { ...running, lost: true, savedAt: at };
  return { running: lost, decisions: [save(lost), sightingOf('LOST', at, 'The printer is not heard of any more')] };
}

/** @param rested whether no print ran before */
function beginPrint(
  { ended, lastContactAt, machine }: DeviceHistory,
  heard: PrintReading,
  at: Instant,
  rested: boolean,
): Evaluation {
  const earlier =
    findEndedPrint(ended, heard, at) ??
    (rested ? findResumedPrint(ended, heard, heard.startedAt ?? lastContactAt, at) : undefined);
  // It is over for good, and keeps the outcome that a person or the machine gave it.
  if (earlier !== undefined && earlier.outcome !== 'UNRESOLVED') return { running: null, decisions: [] };
  const print = mergeReading(newPrint(heard, at, machine), heard, at);
  if (earlier !== undefined) {
    const running = { ...print, externalId: earlier.externalId ?? print.externalId };
    return {
      running,
      decisions: [
        { do: 'REOPEN', id: earlier.id, print: rowOf(running) },
        sightingOf('BACK', at, 'The printer shows it again'),
      ],
    };
  }
  const running = { ...print, externalId: chooseRowId(heard, at, ended) };
  const text = running.startedAtEstimated || running.startedAt === null ? 'It was running already' : 'It began';
  return {
    running,
    decisions: [{ do: 'BEGIN', print: rowOf(running) }, sightingOf('STARTED', running.startedAt ?? at, text)],
  };
}

function continuePrint({ ended }: DeviceHistory, running: FollowedPrint, heard: PrintReading, at: Instant): Evaluation {
  const resumed = hasProgress(running) ? undefined : findResumedPrint(ended, heard, running.startedAt, at);
  const duplicate = findEndedDuplicate(running, heard, ended, at) ?? resumed;
  if (duplicate !== undefined) return merge(duplicate, mergeReading(running, heard, at), at);
  const next = mergeReading({ ...running, externalId: running.externalId ?? chooseRowId(heard, at, ended) }, heard, at);
  const sightings: Decision[] = [];
  if (running.lost) sightings.push(sightingOf('BACK', at, 'The printer is heard of again'));
  if (next.paused !== running.paused) {
    sightings.push(next.paused ? sightingOf('PAUSED', at, 'It paused') : sightingOf('RESUMED', at, 'It goes on'));
  }
  const fed = fedSlots(running);
  const added = fedSlots(next).find((slot) => !fed.includes(slot));
  // The first slot of a print is no change.
  if (added !== undefined && (fed.length > 0 || isBackupSlot(next, added)))
    sightings.push(sightingOf('SLOT_CHANGED', at, `Slot ${added} feeds`));
  const due = Date.parse(at) - Date.parse(running.savedAt) >= CHECKPOINT_MS;
  if (!due && sightings.length === 0 && factsAsText(next) === factsAsText(running))
    return { running: next, decisions: [] };
  const saved = { ...next, savedAt: at };
  return { running: saved, decisions: [save(saved), ...sightings] };
}

/** Two rows turn out to be one print. */
function merge(duplicate: EndedPrint, heard: FollowedPrint, at: Instant): Evaluation {
  const print = { ...heard, externalId: duplicate.externalId ?? heard.externalId };
  return {
    running: duplicate.outcome === 'UNRESOLVED' ? print : null,
    decisions: [
      { do: 'MERGE', id: duplicate.id, outcome: duplicate.outcome, print: rowOf(print) },
      sightingOf('BACK', at, 'The printer shows that it is one print: there were two records of it'),
    ],
  };
}

/** Closes a print that has ended: the running print, an UNRESOLVED print, or a print that has no row yet. */
function closePrint(history: DeviceHistory, heard: PrintReading, end: End, at: Instant): Evaluation {
  const { running, lastContactAt, addedAt, ended, machine } = history;
  const duplicate = running === null ? undefined : findEndedDuplicate(running, heard, ended, at);
  const isIts =
    running !== null &&
    (duplicate === undefined ? isSamePrint(running, heard, at) : endsBoth(running, heard, duplicate, at));
  if (isIts) {
    const externalId = running.externalId ?? chooseRowId(heard, at, ended);
    // An end that is not reported is computed from the last contact before this one (latestEnd).
    const print = { ...mergeReading({ ...running, externalId }, heard, at), seenAt: running.seenAt };
    // Its end is evaluated behind it.
    if (duplicate !== undefined) return merge(duplicate, { ...print, ordinal: running.ordinal }, at);
    const ending = decideEnding(print, end, at, running.ordinal === heard.ordinal, heard.counter);
    return {
      running: null,
      decisions: [
        { do: 'END', print: rowOf(print), ending },
        sightingOf('ENDED', ending.at ?? at, outcomeSentence(ending)),
      ],
    };
  }
  const nothing = { running, decisions: [] };
  const print = mergeReading(newPrint(heard, at, machine), heard, at);
  const ending = decideEnding(print, end, at, false, heard.counter);
  const earlier = findEndedPrint(ended, heard, at);
  if (earlier !== undefined) {
    if (earlier.outcome !== 'UNRESOLVED' || earlier.externalId === null || end.outcome === null) return nothing;
    return {
      running,
      decisions: [
        { do: 'RESOLVE', id: earlier.id, print: rowOf(print), ending },
        sightingOf('RESOLVED', at, `The printer reported later: ${outcomeSentence(ending)}`),
      ],
    };
  }
  // Only a print with an id can be distinguished from prints that were recorded before.
  if (lastContactAt === null || heard.externalId === null || heard.startedAt === null) return nothing;
  if (heard.startedAt < (addedAt ?? heard.startedAt) || heard.startedAt < before(lastContactAt, RECORDS_BACK_MS))
    return nothing;
  return {
    running,
    decisions: [
      { do: 'RECORD', print: rowOf(print), ending },
      sightingOf('ENDED', ending.at ?? at, outcomeSentence(ending)),
    ],
  };
}

function endWithoutEvent(running: FollowedPrint | null, at: Instant): Evaluation {
  if (running === null) return { running: null, decisions: [] };
  return {
    running: null,
    decisions: [
      { do: 'END', print: rowOf(running), ending: UNRESOLVED },
      sightingOf('ENDED', at, 'Its end was not seen, and the printer cannot report it'),
    ],
  };
}

const followedBy = (first: Evaluation, second: Evaluation): Evaluation => ({
  running: second.running,
  decisions: [...first.decisions, ...second.decisions],
});

const newPrint = (heard: PrintReading, at: Instant, machine: PrintFacts): FollowedPrint => ({
  externalId: heard.externalId,
  name: heard.name ?? 'Unnamed print',
  filePath: heard.filePath,
  startedAt: heard.startedAt,
  startedAtEstimated: heard.startedAtEstimated,
  plan: null,
  paused: heard.paused,
  lost: false,
  seenAt: at,
  ...NO_FIGURES,
  measured: [],
  course: null,
  machine,
  ordinal: heard.ordinal,
  feeding: null,
  savedAt: at,
});

/** Some machines set layer and progress to 0 when a print is cancelled, so the last values above 0 stay. */
function mergeReading(print: FollowedPrint, heard: PrintReading, at: Instant): FollowedPrint {
  const progressed = isAbove0(heard.progress);
  const measured = heard.measured.some(({ mm }) => isAbove0(mm)) || print.measured.length === 0;
  const next = {
    ...print,
    ordinal: heard.ordinal > 0 ? heard.ordinal : print.ordinal,
    feeding: heard.feeding ?? print.feeding,
    plan: heard.plan ?? print.plan,
    paused: heard.end === null ? heard.paused : print.paused,
    lost: false,
    seenAt: at,
    counter: heard.counter ?? print.counter,
    progress: progressed ? heard.progress : print.progress,
    progressBasis: progressed ? heard.progressBasis : print.progressBasis,
    remainingSec: heard.end === null ? heard.remainingSec : print.remainingSec,
    // A counter that starts again says less than was printed.
    layer: isAbove0(heard.layer) ? Math.max(heard.layer as number, print.layer ?? 0) : print.layer,
    layers: heard.layers ?? print.layers,
    measured: measured ? heard.measured : print.measured,
  };
  return { ...next, course: continueCourse(print, next, heard, at) };
}

/** The id under which a print gets its row. */
const chooseRowId = ({ externalId }: PrintReading, at: Instant, ended: readonly EndedPrint[]) =>
  externalId === null ? null : makeUnusedId(externalId, at, ended);

const isAbove0 = (value: string | number | null) => Number(value) > 0;

/** The members of a print whose change is written at once. */
function factsAsText({ externalId, plan, course, paused, lost }: FollowedPrint): string {
  const begins = (course?.stretches ?? []).flatMap(({ slot, from }) => (slot === null ? [] : [slot, from.at]));
  // From one change of the slot to the next one, the fed amount is known behind a gap.
  return JSON.stringify([externalId, plan, begins, course?.measure?.slot ?? null, paused, lost]);
}

function rowOf({ ordinal, feeding, savedAt, ...row }: FollowedPrint): RunningPrint {
  return row;
}

/** Which prints have no amounts, the rows know. */
const amend = ({ filePath, plan, since }: PlanReading): Decision => ({ do: 'AMEND', filePath, plan, since });

const save = (print: FollowedPrint): Decision => ({ do: 'SAVE', print: rowOf(print) });

const sightingOf = (kind: SightingKind, at: Instant, text: string): Decision => ({ do: 'SIGHTING', kind, at, text });

const OUTCOME_SENTENCES = {
  COMPLETED: 'Completed',
  CANCELLED: 'Cancelled',
  FAILED: 'Failed',
  UNRESOLVED: 'Ended, not known how',
};

const outcomeSentence = ({ outcome, reason }: { outcome: keyof typeof OUTCOME_SENTENCES; reason: string | null }) =>
  reason === null ? OUTCOME_SENTENCES[outcome] : `${OUTCOME_SENTENCES[outcome]}: ${reason}`;
