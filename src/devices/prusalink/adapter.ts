// PrusaLink's answers to polls: the status names the job by its id, the job names its file.
import {
  type Activity,
  type End,
  type Plan,
  type PrintReading,
  type Reading,
  untold,
} from '../../print-rules/readings';
import { type Instant, later, msBetween } from '../../values/instant';
import { type Adapter, type Heard, MAX_WAIT_MS, type Message } from '../adapter';
import { at, gramsOf, messageOf, mmOf, nameOf, partOf, pathOf, secondsOf, wholeOf, wholeSeconds } from '../bounds';

const STATES = ['IDLE', 'BUSY', 'PRINTING', 'PAUSED', 'FINISHED', 'STOPPED', 'ERROR', 'ATTENTION', 'READY'] as const;
type State = (typeof STATES)[number];

interface Status {
  state: State;
  /** 16 bits on Buddy boards; 0 is an id. null: no job is named. */
  id: number | null;
  progress: string | null;
  remainingSec: number | null;
  printingSec: number | null;
  message: string | null;
}

interface Job {
  id: number;
  name: string | null;
  path: string | null;
  plan: Plan | null;
}

interface Tracked {
  id: number;
  firstAt: Instant;
  isTold: boolean;
  isOver: boolean;
  /** The printer was in ERROR, and has not printed since. */
  fault: string | null;
  last: PrintReading;
}

interface Memory {
  /** The id of the print that ran at the last contact. */
  ranBefore: string | null;
  status: Status | null;
  job: Job | null;
  /** `/api/v1/job` had nothing for this id. */
  unnamed: number | null;
  print: Tracked | null;
  sawIdle: boolean;
  /** Whether a job was named that did not run at the last contact: an end without an id is not that of the earlier one. */
  sawOther: boolean;
}

export const prusalink: Adapter<Memory> = {
  open: ({ externalId }) =>
    told({
      // Behind `~` stands when an id was used again.
      ranBefore: externalId?.split('~')[0] ?? null,
      ...{ status: null, job: null, unnamed: null, print: null, sawIdle: false, sawOther: false },
    }),
  hear(memory, message, now) {
    const noted = note(memory, message);
    return noted === null ? { memory, readings: [], asks: [] } : follow(noted, now);
  },
};

function note(memory: Memory, { source, body, failed }: Message): Memory | null {
  if (source === '/api/v1/status') {
    const status = failed ? null : statusOf(body);
    return status === null ? null : { ...memory, status };
  }
  if (source !== '/api/v1/job' || memory.status === null) return null;
  // 204: it has no job any more.
  const job = failed ? null : jobOf(body);
  return job === null ? { ...memory, unnamed: memory.status.id } : { ...memory, job };
}

function statusOf(body: unknown): Status | null {
  const state = STATES.find((name) => name === at(body, 'printer', 'state'));
  if (state === undefined) return null;
  const job = at(body, 'job');
  const printer = at(body, 'printer', 'status_printer');
  return {
    state,
    id: wholeOf(at(job, 'id'), Number.MAX_SAFE_INTEGER),
    progress: partOf(at(job, 'progress'), 100),
    remainingSec: wholeSeconds(at(job, 'time_remaining')),
    printingSec: secondsOf(at(job, 'time_printing')),
    message: at(printer, 'ok') === false ? messageOf(at(printer, 'message')) : null,
  };
}

function jobOf(body: unknown): Job | null {
  const id = wholeOf(at(body, 'id'), Number.MAX_SAFE_INTEGER);
  const file = at(body, 'file');
  const name = nameOf(at(file, 'display_name')) ?? nameOf(at(file, 'name'));
  if (id === null || name === null) return null;
  const folder = pathOf(at(file, 'path'));
  return { id, name, path: pathOf(folder === null ? name : `${folder}/${name}`), plan: planOf(at(file, 'meta')) };
}

/** Only the Raspberry tells of the slicer's amounts, as a number or a list of them by tool. */
function planOf(meta: unknown): Plan | null {
  const grams = amountsOf(at(meta, 'filament used [g]'), gramsOf);
  const mm = amountsOf(at(meta, 'filament used [mm]'), mmOf);
  const slots = Array.from({ length: Math.max(grams.length, mm.length) }, (_, tool) => ({
    slot: `tool:${tool}`,
    mm: mm[tool] ?? null,
    grams: grams[tool] ?? null,
  })).filter((slot) => Number(slot.mm) > 0 || Number(slot.grams) > 0);
  return slots.length === 0 ? null : { seconds: null, slots };
}

function amountsOf(value: unknown, read: (value: unknown) => string | null): (string | null)[] {
  const parts = typeof value === 'string' ? value.split(',', 64).map((part) => part.trim()) : [value];
  return parts.map(read);
}

function follow(memory: Memory, now: Instant): Heard<Memory> {
  const { status, print } = memory;
  if (status === null) return { memory, readings: [], asks: [] };
  const { id, state } = status;
  // A question before the print, or a job that heats: it begins with PRINTING.
  const isPrinting = state === 'PRINTING' || state === 'PAUSED';
  const isBusy = state === 'BUSY' || state === 'ATTENTION' || state === 'ERROR';
  if (id !== null && (isPrinting || (isBusy && (print?.id === id || memory.ranBefore === String(id))))) {
    return run(memory, status, id, now);
  }
  if (id !== null && id !== print?.id && print !== null && !print.isOver) {
    return end(memory, status, print, replaced(print), now);
  }
  // Without a job, these say nothing of the print.
  if (state === 'BUSY' || state === 'ATTENTION') {
    return told({ ...memory, sawOther: memory.sawOther || id !== null }, stateOf(status, 'UNTOLD', now));
  }
  if (state === 'ERROR') {
    const marked = print === null ? null : { ...print, fault: status.message ?? 'The printer reported an error' };
    return told({ ...memory, print: marked }, stateOf(status, 'UNTOLD', now));
  }
  const idle = { ...memory, sawIdle: true };
  if (print !== null && !print.isOver) {
    const isShown = (state === 'FINISHED' || state === 'STOPPED') && (id === null || id === print.id);
    return end(idle, status, print, isShown ? SHOWN[state] : replaced(print), now);
  }
  // They stay until the plate is cleared: the end of a print that ran before this connection.
  if ((state === 'FINISHED' || state === 'STOPPED') && print === null && !memory.sawIdle && !memory.sawOther) {
    const last = {
      ...untold(1),
      externalId: id === null ? null : String(id),
      end: { ...ending(SHOWN[state], null), estimated: true },
    };
    return told(idle, stateOf(status, last, now), stateOf(status, 'NONE', now));
  }
  return told(idle, stateOf(status, 'NONE', now));
}

type Outcome = Pick<End, 'outcome' | 'reason'>;

const SHOWN: Record<'FINISHED' | 'STOPPED', Outcome> = {
  FINISHED: { outcome: 'COMPLETED', reason: null },
  STOPPED: { outcome: 'CANCELLED', reason: null },
};

/** It is not shown any more. Only an ERROR that was seen says how it ended. */
const replaced = ({ fault }: Tracked): Outcome => ({ outcome: fault === null ? null : 'FAILED', reason: fault });

const ending = (outcome: Outcome, at: Instant | null): End => ({ ...outcome, at, estimated: false });

function run(memory: Memory, status: Status, id: number, now: Instant): Heard<Memory> {
  const { print, job } = memory;
  const goesOn = print?.id === id && !print.isOver;
  // A job that ended is still named for a moment; its id is used again only after all others.
  if (print?.id === id && print.isOver) return told(memory, stateOf(status, 'NONE', now));
  const tracked = goesOn ? print : began(memory, status, id, now);
  const isNamed = job?.id === id;
  const last = readingOf(tracked, status, isNamed ? job : null);
  const isPrinting = status.state === 'PRINTING' || status.state === 'PAUSED';
  const fault = isPrinting
    ? null
    : status.state === 'ERROR'
      ? (status.message ?? 'The printer reported an error')
      : tracked.fault;
  const waits = !isNamed && memory.unnamed !== id && msBetween(tracked.firstAt, now) < MAX_WAIT_MS;
  const isTold = tracked.isTold || !waits;
  const ended =
    goesOn || print === null || print.isOver ? [] : endingOf(print, status, ending(replaced(print), null), now);
  return {
    memory: { ...memory, sawIdle: false, print: { ...tracked, fault, last, isTold } },
    readings: [...ended, stateOf(status, isTold ? last : 'UNTOLD', now)],
    asks: goesOn || isNamed ? [] : [{ source: '/api/v1/job', parameters: {} }],
  };
}

function began(memory: Memory, status: Status, id: number, now: Instant): Tracked {
  const wasSeen = memory.sawIdle || memory.print !== null;
  const ordinal = (memory.print?.last.ordinal ?? 0) + 1;
  return {
    id,
    firstAt: now,
    isTold: false,
    isOver: false,
    fault: null,
    last: {
      ...untold(ordinal),
      externalId: String(id),
      name: `Job ${id}`,
      startedAt: later(now, -(status.printingSec ?? 0)),
      startedAtEstimated: !wasSeen,
    },
  };
}

function readingOf({ last }: Tracked, status: Status, job: Job | null): PrintReading {
  return {
    ...last,
    name: job?.name ?? last.name,
    filePath: job?.path ?? last.filePath,
    plan: job?.plan ?? last.plan,
    paused: status.state === 'PAUSED' || status.state === 'ATTENTION',
    counter: status.printingSec === null ? last.counter : { seconds: status.printingSec, countsPauses: false },
    progress: status.progress ?? last.progress,
    // Of the time that the file says by M73.
    progressBasis: 'TIME',
    remainingSec: status.remainingSec,
  };
}

function end(memory: Memory, status: Status, print: Tracked, outcome: Outcome, now: Instant): Heard<Memory> {
  const at = outcome.outcome === null ? null : now;
  const readings = endingOf(print, status, ending(outcome, at), now);
  return told({ ...memory, print: { ...print, isOver: true } }, ...readings, stateOf(status, 'NONE', now));
}

/** Tells of a print that is over; first of its start when nothing was told of it yet. */
function endingOf({ isTold, last }: Tracked, status: Status, end: End, now: Instant): Reading[] {
  const began = isTold ? [] : [stateOf({ ...status, state: 'PRINTING' }, last, now)];
  return [...began, stateOf(status, { ...last, end }, now)];
}

const told = (memory: Memory, ...readings: Reading[]): Heard<Memory> => ({ memory, readings, asks: [] });

const ACTIVITIES: Record<State, Activity> = {
  IDLE: 'IDLE',
  READY: 'IDLE',
  BUSY: 'PREPARING',
  PRINTING: 'PRINTING',
  PAUSED: 'PAUSED',
  FINISHED: 'FINISHED',
  STOPPED: 'IDLE',
  ERROR: 'ERROR',
  ATTENTION: 'PAUSED',
};

function stateOf({ state, message }: Status, print: PrintReading | 'NONE' | 'UNTOLD', now: Instant): Reading {
  return { kind: 'STATE', at: now, activity: ACTIVITIES[state], message, print };
}
