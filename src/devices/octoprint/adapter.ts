// OctoPrint's push socket: its flags say that it prints, its events say how a print ended.

import type { Activity, End, PrintReading, Reading } from '../../observed-prints/readings';
import type { Instant } from '../../values/instant';
import { baseNameOf } from '../../values/text';
import { type Adapter, type Heard, MAX_WAIT_MS, type Message } from '../adapter';
import { at, instantOf, later, msBetween, nameOf, numberIn, pathOf } from '../bounds';
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

/** A cancel sends PrintCancelled and then PrintFailed; an event may come after the flags. */
const CANCEL_WINDOW_MS = 2000;

interface Tracked {
  isOver: boolean;
  path: string;
  printSec: number;
  /** Since when the flags say that it is over, without an event. */
  goneSince: Instant | null;
  wasCancelling: boolean;
  last: PrintReading;
}

interface Memory {
  openedAt: Instant | null;
  lastContactAt: Instant | null;
  /** Whose statistics are waited for: the file of a print that ran at the last contact. */
  asked: string | null;
  lastPrint: LastPrint | null;
  isOpen: boolean;
  /** Whether this connection has shown the printer at rest. */
  sawIdle: boolean;
  clockOffMs: number | null;
  current: Current | null;
  print: Tracked | null;
}

const START: Memory = {
  openedAt: null,
  lastContactAt: null,
  asked: null,
  lastPrint: null,
  isOpen: false,
  sawIdle: false,
  clockOffMs: null,
  current: null,
  print: null,
};

const FILES = '/api/files/local/';

export const octoprint: Adapter<Memory> = {
  start: START,
  hear(memory, message, now) {
    return note(memory, message, now) ?? { memory, readings: [], asks: [] };
  },
};

function note(memory: Memory, message: Message, now: Instant): Heard<Memory> | null {
  const { source, body, parameters, failed } = message;
  if (source === 'opened') return opened(body, now);
  if (memory.openedAt === null) return null;
  if (source === FILES) {
    const path = at(parameters, 'path');
    if (path !== memory.asked || memory.asked === null) return null;
    return follow({ ...memory, asked: null, lastPrint: failed ? null : lastPrintOf(body, path) }, now);
  }
  if (source !== 'push') return null;
  const event = eventOf(at(body, 'event'));
  if (event !== null) return hearEvent(memory, event, now);
  const said = at(body, 'current') ?? at(body, 'history');
  const current = currentOf(said);
  if (current === null) return null;
  const serverSec = numberIn(at(said, 'serverTime'));
  const clockOffMs = Number.isFinite(serverSec) ? serverSec * 1000 - Date.parse(now) : memory.clockOffMs;
  return follow({ ...memory, current, clockOffMs }, now);
}

function opened(body: unknown, now: Instant): Heard<Memory> {
  const last = Date.parse(String(at(body, 'lastContactAt')));
  const asked = pathOf(at(body, 'filePath'));
  const lastContactAt = Number.isNaN(last) ? null : new Date(last).toISOString();
  const asks = asked === null ? [] : [{ source: FILES, parameters: { path: asked } }];
  return { memory: { ...START, openedAt: now, lastContactAt, asked }, readings: [], asks };
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
  const waits = !memory.isOpen && memory.asked !== null && msBetween(memory.openedAt as Instant, now) < MAX_WAIT_MS;
  if (current === null || waits) return { memory, readings: [], asks: [] };
  const open = { ...memory, isOpen: true };
  const shown = current.isRunning ? run(open, current, now) : rest(open, current, now);
  // The clock of the machine is known with its first state.
  return memory.isOpen ? shown : { ...shown, readings: [...lastEnd(memory, now), ...shown.readings] };
}

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
    return told(idle, [stateOf(current, { ...last, end }, now), stateOf(current, 'NONE', now)]);
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
  const printSec = current.printSec ?? 0;
  // A print whose clock is set back is another one.
  const goesOn = isSame && !print.isOver && printSec >= print.printSec - CANCEL_WINDOW_MS / 1000;
  const tracked = goesOn ? print : began(memory, path, current.name, printSec, now);
  const last = readingOf(tracked, current);
  const ended = goesOn || print === null || print.isOver ? [] : [lost(current, print, now)];
  const next: Tracked = {
    ...tracked,
    printSec: Math.max(printSec, tracked.printSec),
    goneSince: null,
    wasCancelling: tracked.wasCancelling || current.isCancelling,
    last,
  };
  return told({ ...memory, sawIdle: false, print: next }, [...ended, stateOf(current, last, now)]);
}

function began(memory: Memory, path: string, name: string | null, printSec: number, now: Instant): Tracked {
  const wasSeen = memory.sawIdle || memory.print !== null;
  return {
    isOver: false,
    path,
    printSec: 0,
    goneSince: null,
    wasCancelling: false,
    last: {
      ...printNamed((memory.print?.last.ordinal ?? 0) + 1, path, name ?? nameOf(baseNameOf(path))),
      startedAt: wasSeen ? now : later(now, -printSec),
      startedAtEstimated: !wasSeen,
    },
  };
}

/** What falls to nothing when a print is cancelled stays as it was. */
function readingOf({ last }: Tracked, { facts, printSec, isPaused, name }: Current): PrintReading {
  const progressed = Number(facts.progress) > 0;
  return {
    ...last,
    name: last.name ?? name,
    progress: progressed ? facts.progress : last.progress,
    progressBasis: progressed ? 'FILE' : last.progressBasis,
    remainingSec: facts.remainingSec,
    plan: facts.plan ?? last.plan,
    counter: counterOf(printSec) ?? last.counter,
    paused: isPaused,
  };
}

/** The flags say that a print is over. Its event is waited for, which says how. */
function leave(memory: Memory, current: Current, print: Tracked, now: Instant): Heard<Memory> {
  const goneSince = print.goneSince ?? now;
  if (msBetween(goneSince, now) < CANCEL_WINDOW_MS) {
    return told({ ...memory, print: { ...print, goneSince } }, [stateOf(current, 'UNTOLD', now)]);
  }
  const over = { ...print, isOver: true };
  return told({ ...memory, print: over }, [lost(current, print, now), stateOf(current, 'NONE', now)]);
}

/** No event told how it ended. */
function lost(current: Current, { wasCancelling, last }: Tracked, now: Instant): Reading {
  const outcome = wasCancelling ? 'CANCELLED' : null;
  return stateOf(current, { ...last, end: { outcome, at: now, estimated: false, reason: null } }, now);
}

function hearEvent(memory: Memory, event: Event, now: Instant): Heard<Memory> {
  const { print, current } = memory;
  const isOurs = print !== null && (event.path === null || event.path === print.path);
  if (event.type === 'PrintStarted') {
    // The flags may have told of it already.
    if (event.path === null || !memory.isOpen || (isOurs && !print.isOver)) return told(memory, []);
    const tracked = began({ ...memory, sawIdle: true }, event.path, event.name, 0, now);
    const ended = print === null || print.isOver ? [] : [lost(current ?? NOTHING, print, now)];
    const state = stateOf({ ...(current ?? NOTHING), isRunning: true, isError: false }, tracked.last, now);
    // Flags from before the event do not end it.
    return told({ ...memory, sawIdle: false, current: null, print: tracked }, [...ended, state]);
  }
  const outcome = OUTCOMES[event.type];
  // PrintFailed behind PrintCancelled is the same end.
  if (outcome === undefined || !isOurs || print.isOver) return told(memory, []);
  const isCancel = event.type === 'PrintFailed' && (event.reason === 'cancelled' || print.wasCancelling);
  const end: End = {
    outcome: isCancel ? 'CANCELLED' : outcome,
    at: now,
    estimated: false,
    reason: outcome === 'FAILED' && !isCancel ? (event.error ?? event.reason) : null,
  };
  const state = stateOf({ ...(current ?? NOTHING), isRunning: false }, { ...print.last, end }, now);
  return told({ ...memory, print: { ...print, isOver: true } }, [state]);
}

const OUTCOMES: Partial<Record<Event['type'], 'COMPLETED' | 'CANCELLED' | 'FAILED'>> = {
  PrintDone: 'COMPLETED',
  PrintCancelled: 'CANCELLED',
  PrintFailed: 'FAILED',
};

const NOTHING = currentOf({ state: { flags: { operational: true } } }) as Current;

const told = (memory: Memory, readings: Reading[]): Heard<Memory> => ({ memory, readings, asks: [] });

function stateOf(current: Current, print: PrintReading | 'NONE' | 'UNTOLD', now: Instant): Reading {
  return { kind: 'STATE', at: now, activity: activityOf(current), message: current.message, print };
}

function activityOf({ isRunning, isPaused, isError, isComplete }: Current): Activity {
  if (isRunning) return isPaused ? 'PAUSED' : 'PRINTING';
  return isError ? 'ERROR' : isComplete ? 'FINISHED' : 'IDLE';
}
