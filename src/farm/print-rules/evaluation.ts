// Decides what a reading means for the prints of its device: start, continuation, end, sightings and checkpoint.
import type { PrintFacts } from '../../kind-facts';
import { type Instant, subtractMs } from '../../values/instant';
import { correctEndedPrint, correctFutureTimes } from './clock-correction';
import {
  endsBoth,
  findEndedDuplicate,
  findEndedPrint,
  findResumedPrint,
  hasProgress,
  isSamePrint,
  makeUnusedId,
} from './continuation';
import type { Decision } from './decision';
import { decideEnding, UNRESOLVED } from './ending';
import { isBackupSlot, listFedSlots } from './fed-slots';
import { mergeReading, rowOf, serializeFacts, startFollowing } from './followed-print';
import type { End, EndedPrint, FollowedPrint, PlanReading, PrintReading, Reading, SightingKind } from './print.model';

/** While only the figures of a running print change, its checkpoint is saved at most once in this time. */
const CHECKPOINT_MS = 30_000;
/** Records of the machine's history count if they started at most this long before the last contact. */
const RECORDS_BACK_MS = 3_600_000;

/** The stored prints of the device, and what is known about the device. */
export interface DeviceHistory {
  running: FollowedPrint | null;
  /** The latest ended prints, the newest one last, and the ended print that has the external id of the reading. */
  ended: readonly EndedPrint[];
  /** `null` at the first contact, which records no ended print. */
  lastContactAt: Instant | null;
  /** No print that started before this time is recorded. `null` if the time is unknown. */
  addedAt: Instant | null;
  machine: PrintFacts;
}

export interface Evaluation {
  running: FollowedPrint | null;
  decisions: Decision[];
}

/** Evaluates a reading. A reading without changes leads to no decision, so repeating it changes nothing. */
export function evaluate(stored: DeviceHistory, reading: Reading): Evaluation {
  if (reading.kind === 'PLAN') return { running: stored.running, decisions: [amendDecision(reading)] };
  const { at, print } = reading;
  if (print === 'PRINT_UNKNOWN') return { running: stored.running, decisions: [] };
  const shown = print === 'NO_PRINT' ? null : print;
  const history = {
    ...stored,
    ended: stored.ended.map((ended) => correctEndedPrint(ended, at)),
    running: stored.running && correctFutureTimes(stored.running, shown, at),
  };
  if (shown === null) return endUnseen(history.running, at);
  if (shown.end !== null) {
    const closed = closePrint(history, shown, shown.end, at);
    const isMerged = closed.decisions[0]?.do === 'MERGE';
    if (reading.kind === 'RECORD' || closed.running === null || isMerged) return closed;
    return combineEvaluations(closed, endUnseen(closed.running, at));
  }
  const { running } = history;
  if (running !== null && isSamePrint(running, shown, at)) return continuePrint(history, running, shown, at);
  // The machine shows another print. The end of the running print was not seen.
  return combineEvaluations(endUnseen(running, at), beginPrint(history, shown, at, running === null));
}

/** Decides what follows when a printer has been silent for longer than its kind allows. */
export function evaluateSilence(running: FollowedPrint, at: Instant): Evaluation {
  if (running.lost) return { running, decisions: [] };
  const lost = { ...running, lost: true, savedAt: at };
  return {
    running: lost,
    decisions: [saveDecision(lost), sightingDecision('LOST', at, 'Lost contact with the printer')],
  };
}

/** @param wasIdle whether no print was running before */
function beginPrint(
  { ended, lastContactAt, machine }: DeviceHistory,
  reading: PrintReading,
  at: Instant,
  wasIdle: boolean,
): Evaluation {
  const earlier =
    findEndedPrint(ended, reading, at) ??
    (wasIdle ? findResumedPrint(ended, reading, reading.startedAt ?? lastContactAt, at) : undefined);
  // The earlier print has ended, and keeps the outcome that a user or the machine gave it.
  if (earlier !== undefined && earlier.outcome !== 'UNRESOLVED') return { running: null, decisions: [] };
  const print = startFollowing(reading, at, machine);
  if (earlier !== undefined) {
    const running = { ...print, externalId: earlier.externalId ?? print.externalId };
    return {
      running,
      decisions: [
        { do: 'REOPEN', id: earlier.id, print: rowOf(running) },
        sightingDecision('BACK', at, 'The printer shows the print again'),
      ],
    };
  }
  const running = { ...print, externalId: chooseRowId(reading, at, ended) };
  const text = running.startedAtEstimated || running.startedAt === null ? 'Was already printing' : 'The print started';
  return {
    running,
    decisions: [{ do: 'BEGIN', print: rowOf(running) }, sightingDecision('STARTED', running.startedAt ?? at, text)],
  };
}

function continuePrint(
  { ended }: DeviceHistory,
  running: FollowedPrint,
  reading: PrintReading,
  at: Instant,
): Evaluation {
  const resumed = hasProgress(running) ? undefined : findResumedPrint(ended, reading, running.startedAt, at);
  const duplicate = findEndedDuplicate(running, reading, ended, at) ?? resumed;
  if (duplicate !== undefined) return mergeDuplicate(duplicate, mergeReading(running, reading, at), at);
  const externalId = running.externalId ?? chooseRowId(reading, at, ended);
  const next = mergeReading({ ...running, externalId }, reading, at);
  const sightings: Decision[] = [];
  if (running.lost) sightings.push(sightingDecision('BACK', at, 'The printer is back'));
  if (next.paused !== running.paused) {
    const paused = sightingDecision('PAUSED', at, 'The print paused');
    sightings.push(next.paused ? paused : sightingDecision('RESUMED', at, 'The print continues'));
  }
  const fedBefore = listFedSlots(running);
  const addedSlot = listFedSlots(next).find((slot) => !fedBefore.includes(slot));
  // The first slot of a print is no change, unless it is a backup slot.
  if (addedSlot !== undefined && (fedBefore.length > 0 || isBackupSlot(next, addedSlot)))
    sightings.push(sightingDecision('SLOT_CHANGED', at, `Slot ${addedSlot} feeds`));
  const isDue = Date.parse(at) - Date.parse(running.savedAt) >= CHECKPOINT_MS;
  if (!isDue && sightings.length === 0 && serializeFacts(next) === serializeFacts(running))
    return { running: next, decisions: [] };
  const saved = { ...next, savedAt: at };
  return { running: saved, decisions: [saveDecision(saved), ...sightings] };
}

/** Two rows belong to one print. */
function mergeDuplicate(duplicate: EndedPrint, running: FollowedPrint, at: Instant): Evaluation {
  const print = { ...running, externalId: duplicate.externalId ?? running.externalId };
  return {
    running: duplicate.outcome === 'UNRESOLVED' ? print : null,
    decisions: [
      { do: 'MERGE', id: duplicate.id, outcome: duplicate.outcome, print: rowOf(print) },
      sightingDecision('BACK', at, 'Two records of one print were merged'),
    ],
  };
}

/** Closes a print that has ended: the running print, an UNRESOLVED print, or a print that has no row yet. */
function closePrint(history: DeviceHistory, reading: PrintReading, end: End, at: Instant): Evaluation {
  const { running, lastContactAt, addedAt, ended, machine } = history;
  const duplicate = running === null ? undefined : findEndedDuplicate(running, reading, ended, at);
  const endsRunning =
    running !== null &&
    (duplicate === undefined ? isSamePrint(running, reading, at) : endsBoth(running, reading, duplicate, at));
  if (endsRunning) {
    const externalId = running.externalId ?? chooseRowId(reading, at, ended);
    // If the machine does not report the time of the end, the end is estimated from the last contact before this one.
    const print = { ...mergeReading({ ...running, externalId }, reading, at), seenAt: running.seenAt };
    // The follower evaluates the reading again after the merge, and then the print ends.
    if (duplicate !== undefined) return mergeDuplicate(duplicate, { ...print, ordinal: running.ordinal }, at);
    const ending = decideEnding(print, end, at, running.ordinal === reading.ordinal, reading.counter);
    return {
      running: null,
      decisions: [
        { do: 'END', print: rowOf(print), ending },
        sightingDecision('ENDED', ending.at ?? at, describeOutcome(ending)),
      ],
    };
  }
  const unchanged = { running, decisions: [] };
  const print = startFollowing(reading, at, machine);
  const ending = decideEnding(print, end, at, false, reading.counter);
  const earlier = findEndedPrint(ended, reading, at);
  if (earlier !== undefined) {
    if (earlier.outcome !== 'UNRESOLVED' || earlier.externalId === null || end.outcome === null) return unchanged;
    return {
      running,
      decisions: [
        { do: 'RESOLVE', id: earlier.id, print: rowOf(print), ending },
        sightingDecision('RESOLVED', at, `The printer reported later: ${describeOutcome(ending)}`),
      ],
    };
  }
  // Without an id, nobody can recognise whether the print was recorded before.
  if (lastContactAt === null || reading.externalId === null || reading.startedAt === null) return unchanged;
  if (reading.startedAt < (addedAt ?? reading.startedAt)) return unchanged;
  if (reading.startedAt < subtractMs(lastContactAt, RECORDS_BACK_MS)) return unchanged;
  return {
    running,
    decisions: [
      { do: 'RECORD', print: rowOf(print), ending },
      sightingDecision('ENDED', ending.at ?? at, describeOutcome(ending)),
    ],
  };
}

/** Ends a running print that the machine no longer shows, although the machine did not report its end. */
function endUnseen(running: FollowedPrint | null, at: Instant): Evaluation {
  if (running === null) return { running: null, decisions: [] };
  return {
    running: null,
    decisions: [
      { do: 'END', print: rowOf(running), ending: UNRESOLVED },
      sightingDecision('ENDED', at, 'Nobody saw the end of the print, and the printer does not report how it ended'),
    ],
  };
}

const combineEvaluations = (first: Evaluation, second: Evaluation): Evaluation => ({
  running: second.running,
  decisions: [...first.decisions, ...second.decisions],
});

/** The id under which a print gets its row. */
const chooseRowId = ({ externalId }: PrintReading, at: Instant, ended: readonly EndedPrint[]) =>
  externalId === null ? null : makeUnusedId(externalId, at, ended);

/** The decision names no prints, because only their rows show which of them have no amounts yet. */
const amendDecision = ({ filePath, plan, since }: PlanReading): Decision => ({ do: 'AMEND', filePath, plan, since });

const saveDecision = (print: FollowedPrint): Decision => ({ do: 'SAVE', print: rowOf(print) });

const sightingDecision = (kind: SightingKind, at: Instant, text: string): Decision => ({
  do: 'SIGHTING',
  kind,
  at,
  text,
});

const OUTCOME_SENTENCES = {
  COMPLETED: 'Completed',
  CANCELLED: 'Cancelled',
  FAILED: 'Failed',
  UNRESOLVED: 'Ended, outcome unknown',
};

const describeOutcome = ({ outcome, reason }: { outcome: keyof typeof OUTCOME_SENTENCES; reason: string | null }) =>
  reason === null ? OUTCOME_SENTENCES[outcome] : `${OUTCOME_SENTENCES[outcome]}: ${reason}`;
