// OctoPrint's push socket: its flags say that it prints, its events say how a print begins and ends.

import type { Activity, End, Plan, PrintReading, Reading } from '../../print-rules/readings';
import { type Instant, msBetween } from '../../values/instant';
import { type Adapter, type Heard, MAX_WAIT_MS, type Message } from '../adapter';
import { at, instantOf, numberIn } from '../bounds';
import { askFor, FILES, isToAsk, latePlanOf, type Unplanned } from './late-plan';
import { began, goOn, isUnsure, type Tracked, WINDOW_MS } from './tracked';
import {
  type Current,
  counterOf,
  currentOf,
  type Event,
  eventOf,
  type LastPrint,
  lastPrintOf,
  printNamed,
} from './words';

/** So long behind PrintStarted, flags that were held back may still tell of what was before it. */
const HELD_BACK_MS = 1000;

interface Memory {
  openedAt: Instant;
  lastContactAt: Instant | null;
  /** Whose statistics are waited for: the file of a print that ran at the last contact. */
  asked: string | null;
  lastPrint: LastPrint | null;
  /** The file of the print that ran at the last contact. */
  ranPath: string | null;
  isOpen: boolean;
  /** Whether this connection has shown the printer at rest. */
  sawIdle: boolean;
  clockOffMs: number | null;
  current: Current | null;
  /** When PrintStarted was heard; null behind the next event. */
  startedAt: Instant | null;
  print: Tracked | null;
  unplanned: Unplanned | null;
}

export const octoprint: Adapter<Memory> = {
  open: ({ lastContactAt, filePath, unplanned }, now) => ({
    memory: {
      ...{ openedAt: now, lastContactAt, asked: filePath, lastPrint: null, ranPath: filePath },
      ...{ isOpen: false, sawIdle: false, clockOffMs: null, current: null, startedAt: null, print: null },
      unplanned: unplanned === undefined ? null : { ...unplanned, askedAt: null },
    },
    readings: [],
    asks: filePath === null ? [] : [askFor(filePath)],
  }),
  hear(memory, message, now) {
    return asking(note(memory, message, now) ?? { memory, readings: [], asks: [] }, now);
  },
};

/** The clock of the machine is known with its first state. */
function asking(heard: Heard<Memory>, now: Instant): Heard<Memory> {
  const { isOpen, unplanned } = heard.memory;
  if (!isOpen || unplanned === null || !isToAsk(unplanned, now)) return heard;
  return {
    ...heard,
    memory: { ...heard.memory, unplanned: { ...unplanned, askedAt: now } },
    asks: [...heard.asks, askFor(unplanned.filePath)],
  };
}

function note(memory: Memory, message: Message, now: Instant): Heard<Memory> | null {
  const { source, body } = message;
  if (source === FILES) return hearFile(memory, message, now);
  if (source !== 'push') return null;
  const event = eventOf(at(body, 'event'));
  if (event !== null) return hearEvent({ ...memory, startedAt: null }, event, now);
  const said = at(body, 'current') ?? at(body, 'history');
  const current = currentOf(said);
  if (current === null || isHeldBack(memory, current, now)) return null;
  const serverSec = numberIn(at(said, 'serverTime'));
  const clockOffMs = Number.isFinite(serverSec) ? serverSec * 1000 - Date.parse(now) : memory.clockOffMs;
  return follow({ ...memory, current, clockOffMs }, now);
}

const isPlain = ({ isRunning, isPaused, isResuming, isEnding }: Current) =>
  isRunning && !isPaused && !isResuming && !isEnding;

const isHeldBack = ({ startedAt }: Memory, current: Current, now: Instant) =>
  startedAt !== null && !isPlain(current) && msBetween(startedAt, now) < HELD_BACK_MS;

function hearFile(memory: Memory, message: Message, now: Instant): Heard<Memory> {
  const path = at(message.parameters, 'path');
  const late = latePlanOf(message, now, memory.clockOffMs);
  const isSettled = late.length > 0 && memory.unplanned?.filePath === path;
  const known = { ...memory, unplanned: isSettled ? null : memory.unplanned };
  if (path !== memory.asked || memory.asked === null) return told(known, late);
  const lastPrint = message.failed ? null : lastPrintOf(message.body, path);
  const followed = follow({ ...known, asked: null, lastPrint }, now);
  return { ...followed, readings: [...followed.readings, ...late] };
}

/** What the statistics of a file say of a print that ended since the last contact. */
function lastEnd({ lastPrint: last, lastContactAt, clockOffMs }: Memory, now: Instant): Reading[] {
  const date = last === null ? null : instantOf(last.date, now, clockOffMs);
  if (last === null || date === null || lastContactAt === null || date <= lastContactAt) return [];
  const end: End = {
    outcome: last.success ? 'COMPLETED' : null,
    at: date,
    estimated: false,
    reason: last.success ? null : 'OctoPrint noted that it did not succeed, not whether it was cancelled or failed',
  };
  const print = { ...printNamed(0, last.path, last.name), counter: counterOf(last.printSec), plan: last.plan, end };
  return [{ kind: 'RECORD', at: now, print }];
}

function follow(memory: Memory, now: Instant): Heard<Memory> {
  const { current } = memory;
  const waits = !memory.isOpen && memory.asked !== null && msBetween(memory.openedAt, now) < MAX_WAIT_MS;
  if (current === null || waits) return told(memory, []);
  const open = { ...memory, isOpen: true };
  if (memory.isOpen) return current.isRunning ? run(open, current, now) : rest(open, current, now);
  const missed = lastEnd(memory, now);
  const { lastPrint } = memory;
  const late = missed.length > 0 && lastPrint !== null ? withoutPlan(lastPrint.path, lastPrint, now) : null;
  const first = { ...open, unplanned: late ?? memory.unplanned };
  const shown = current.isRunning ? run(first, current, now) : rest(first, current, now);
  return { ...shown, readings: [...missed, ...shown.readings] };
}

/** @param filePath null: it is no file of OctoPrint */
const withoutPlan = (filePath: string | null, { plan }: { plan: Plan | null }, endedAt: Instant): Unplanned | null =>
  filePath === null || plan !== null ? null : { filePath, endedAt, askedAt: null };

function rest(memory: Memory, current: Current, now: Instant): Heard<Memory> {
  const { print } = memory;
  const idle = { ...memory, sawIdle: true };
  if (print !== null && !print.isOver) return leave(idle, current, print, now);
  // The file of the last print stays selected at 100 %. It tells of a print that ran before this connection.
  if (print === null && !memory.sawIdle && current.isComplete && current.path !== null) {
    const last = {
      ...printNamed(1, current.path, current.name),
      ...current.facts,
      counter: counterOf(current.printSec),
    };
    const date = memory.lastPrint?.path === current.path ? memory.lastPrint.date : null;
    const endedAt = instantOf(date, now, memory.clockOffMs);
    const end: End = { outcome: 'COMPLETED', at: endedAt, estimated: endedAt === null, reason: null };
    const unplanned = memory.unplanned ?? withoutPlan(current.isLocal ? current.path : null, last, endedAt ?? now);
    return told({ ...idle, unplanned }, [stateOf(current, { ...last, end }, now), stateOf(current, 'NONE', now)]);
  }
  return told(idle, [stateOf(current, 'NONE', now)]);
}

function run(memory: Memory, current: Current, now: Instant): Heard<Memory> {
  const { print } = memory;
  const path = current.path ?? print?.path ?? null;
  if (path === null) return told(memory, [stateOf(current, 'UNTOLD', now)]);
  const isSame = print !== null && print.path === path;
  // It is winding down: the flags say running for a moment after the event of its end.
  if (isSame && print.isOver && !memory.sawIdle) return told(memory, [stateOf(current, 'NONE', now)]);
  const wasSeen = memory.sawIdle || print !== null;
  // A print from the card that has gone on a moment ago still tells the time with its pause.
  const isHeld = !wasSeen && !current.isLocal;
  const isKnown = memory.ranPath === path;
  // Only PrintStarted says that the same file begins anew.
  const goesOn = isSame && !print.isOver;
  const { name, isLocal, printSec } = current;
  const isAnnounced = !wasSeen && Number(printSec) * 1000 >= WINDOW_MS;
  const tracked = goesOn
    ? print
    : began(
        { ordinal: nextOrdinal(memory), path, name, isLocal, printSec, wasSeen, isAnnounced, isHeld, isKnown },
        now,
      );
  const next = goOn(tracked, current, now);
  const shown = stateOf(current, next.isHeld || isUnsure(next, current) ? 'UNTOLD' : next.last, now);
  const running = { ...memory, sawIdle: false, print: next };
  if (goesOn || print === null || print.isOver) return told(running, [shown]);
  const ended = over(memory, print, lost(print, current, now), current, now);
  return told({ ...running, unplanned: ended.memory.unplanned }, [...ended.readings, shown]);
}

const nextOrdinal = ({ print }: Memory) => (print?.last.ordinal ?? 0) + 1;

/** It is said that a print is over. The event that says how is waited for. */
function leave(memory: Memory, current: Current, print: Tracked, now: Instant): Heard<Memory> {
  const goneSince = print.goneSince ?? now;
  // No event comes of a pause in which OctoPrint loses its printer.
  const isCut = print.pause === 'PAUSED' && (current.isError || current.isOffline);
  if (!isCut && msBetween(goneSince, now) < WINDOW_MS) {
    return told({ ...memory, print: { ...print, goneSince } }, [stateOf(current, 'UNTOLD', now)]);
  }
  const ended = over(memory, print, lost(print, current, now), current, now);
  return { ...ended, readings: [...ended.readings, stateOf(current, 'NONE', now)] };
}

/** No event told how it ended. */
function lost({ wasCancelling, fault, isLocal, goneSince }: Tracked, current: Current, now: Instant): End {
  const at = goneSince ?? now;
  if (fault !== null) return endOf('FAILED', at, fault);
  if (wasCancelling) return endOf('CANCELLED', at);
  // OctoPrint lost its printer in a pause. It goes on with no file of its own; what is on the card may go on.
  return isLocal && (current.isError || current.isOffline)
    ? endOf('FAILED', at, current.error ?? CLOSED)
    : endOf(null, at);
}

const CLOSED = 'The connection to the printer was closed';

const endOf = (outcome: End['outcome'], at: Instant, reason: string | null = null): End => ({
  ...{ outcome, at, reason },
  estimated: false,
});

function over(memory: Memory, print: Tracked, end: End, current: Current, now: Instant): Heard<Memory> {
  const { path, isLocal, last } = print;
  const unplanned = withoutPlan(isLocal ? path : null, last, now);
  return told({ ...memory, unplanned, print: { ...print, isOver: true } }, [stateOf(current, { ...last, end }, now)]);
}

function hearEvent(memory: Memory, event: Event, now: Instant): Heard<Memory> {
  const { type, path, reason, error, isByUser } = event;
  if (type === 'PrintStarted') return hearStart(memory, event, now);
  if (type === 'MetadataAnalysisFinished') {
    return { memory, readings: [], asks: path === null || !event.isLocal ? [] : [askFor(path)] };
  }
  const { print } = memory;
  if (print === null || print.isOver || (path !== null && path !== print.path)) return told(memory, []);
  const changed = (members: Partial<Tracked>) => told({ ...memory, print: { ...print, ...members } }, []);
  const ended = (end: End) => over(memory, print, end, { ...(memory.current ?? NOTHING), isRunning: false }, now);
  switch (type) {
    case 'PrintPaused':
      return changed({ pause: 'PAUSED', runningSince: null });
    case 'PrintResumed':
      return changed({ pause: 'RESUMED', runningSince: null });
    case 'PrintDone':
      return ended(endOf('COMPLETED', now));
    case 'PrintCancelling':
      return changed({ wasCancelling: true, fault: print.fault ?? error });
    case 'PrintCancelled': {
      const fault = print.fault ?? error;
      const cancelled = { ...print, fault, wasCancelling: true, goneSince: print.goneSince ?? now };
      // PrinterReset may come behind one that nobody asked for, and PrintFailed does: they are the same end.
      return isByUser || fault !== null ? ended(lost(cancelled, NOTHING, now)) : changed(cancelled);
    }
    case 'PrinterReset':
      return event.isIdle ? told(memory, []) : changed({ fault: print.fault ?? 'The printer was reset' });
    case 'PrintFailed': {
      const isCancel = reason === 'cancelled' || (reason === null && print.wasCancelling);
      if (isCancel) return ended(lost({ ...print, wasCancelling: true, fault: print.fault ?? error }, NOTHING, now));
      return ended(endOf('FAILED', now, print.fault ?? error ?? CLOSED));
    }
  }
}

function hearStart(memory: Memory, { path, name, isLocal, isByUser }: Event, now: Instant): Heard<Memory> {
  const { print } = memory;
  const current = memory.current ?? NOTHING;
  if (path === null || !memory.isOpen) return told(memory, []);
  // Of one that is held nothing was told: it is this one.
  const isRunning = print !== null && !print.isOver && (print.isAnnounced || !print.isHeld);
  // The flags have told of it already.
  if (isRunning && print.path === path && !print.isAnnounced && print.pause === 'NONE') {
    return told({ ...memory, startedAt: now, print: { ...print, isAnnounced: true } }, []);
  }
  // The printer goes on with a file of its own card, and nobody told OctoPrint: it takes that for a start.
  if (isRunning && print.path === path && print.pause !== 'NONE' && !isLocal && !isByUser) {
    return told({ ...memory, print: { ...print, pause: 'RESUMED', runningSince: null } }, []);
  }
  // Only out of a pause may a print be begun anew.
  const end = isRunning && print.pause !== 'NONE' ? endOf('CANCELLED', now) : null;
  const before = isRunning ? over(memory, print, end ?? lost(print, current, now), current, now) : told(memory, []);
  const ordinal = nextOrdinal(memory);
  const begin = { ordinal, path, name, isLocal, printSec: 0, wasSeen: true, isAnnounced: true };
  const tracked = began({ ...begin, isHeld: false, isKnown: false }, now);
  const state = stateOf({ ...current, isRunning: true, isPaused: false, isError: false }, tracked.last, now);
  // Flags from before the event do not end it.
  return told({ ...before.memory, sawIdle: false, current: null, startedAt: now, print: tracked }, [
    ...before.readings,
    state,
  ]);
}

const NOTHING = currentOf({ state: { flags: { operational: true } } }) as Current;

const told = (memory: Memory, readings: Reading[]): Heard<Memory> => ({ memory, readings, asks: [] });

function stateOf(current: Current, print: PrintReading | 'NONE' | 'UNTOLD', now: Instant): Reading {
  return { kind: 'STATE', at: now, activity: activityOf(current), message: current.message, print };
}

function activityOf({ isRunning, isPaused, isTransfer, isError, isOffline, isComplete }: Current): Activity {
  if (isRunning) return isPaused ? 'PAUSED' : 'PRINTING';
  if (isTransfer) return 'PREPARING';
  return isError ? 'ERROR' : isOffline ? 'OFFLINE' : isComplete ? 'FINISHED' : 'IDLE';
}
