// Follows print_stats from print to print, with the history for ids and for ends that print_stats does not show.

import {
  type Activity,
  COUNTER_SLACK_SEC,
  type End,
  type PrintReading,
  type Reading,
  untold,
} from '../../print-rules/readings';
import { CLOCKS_DIFFER_MS } from '../../values/evidence';
import { type Instant, later, msBetween } from '../../values/instant';
import { baseNameOf } from '../../values/text';
import { type Heard, MAX_WAIT_MS } from '../adapter';
import { instantOf, isOff, nameOf, partBy, sumOf } from '../bounds';
import { type Job, recordOf, recordReading } from './history';
import type { Fed, Memory, Tracked } from './memory';
import type { Status } from './status';

/** Moonraker connects again within seconds when only Klipper's socket was lost. A Klipper that is away for longer has lost its print. */
const KLIPPY_AWAY_MS = 30_000;
const TOLERANCE_SEC = CLOCKS_DIFFER_MS / 1000;

type Told = Omit<Heard<Memory>, 'asks'>;

/** print_stats as it is to be understood. */
interface Shown {
  status: Status;
  state: Status['state'];
  reason: string | null;
}

/** Klipper is away. When it does not come back, its history says what it knows of the print. */
export function tellAway(memory: Memory, now: Instant): Told {
  const state = (print: PrintReading | 'UNTOLD'): Reading => ({
    kind: 'STATE',
    at: now,
    activity: 'ERROR',
    message: 'Klipper is not connected',
    print,
  });
  const { job, print, awaySince } = memory;
  if (msBetween(awaySince as Instant, now) < KLIPPY_AWAY_MS) return { memory, readings: [state('UNTOLD')] };
  if (print?.isTold && !print.isOver && job?.outcome != null && job.externalId === print.externalId) {
    const { end } = recordOf(job, now, memory.clockOffMs);
    const over = { ...print, isOver: true };
    return { memory: { ...memory, print: over }, readings: [state({ ...print.last, end }), state('UNTOLD')] };
  }
  const sure = memory.isOpen ? [] : memory.records.filter(({ outcome }) => outcome !== null);
  const told = sure.map((one) => recordReading(one, now, memory.clockOffMs));
  return {
    memory: { ...memory, records: [], isOpen: memory.isOpen || told.length > 0 },
    readings: [...told, state('UNTOLD')],
  };
}

/** The first look of a connection: all records but the one of the print that is shown. */
export function open(memory: Memory, now: Instant): Told {
  const { status, job, records } = memory;
  const shown = understood(status as Status);
  const isShown = job !== null && showsJob(shown, job, now, memory.clockOffMs);
  const offMs = ((job?.startedSec ?? 0) + (shown.status.totalSec ?? 0)) * 1000 - Date.parse(now);
  const clockOffMs = isShown && job.isRunning ? offMs : memory.clockOffMs;
  const others = records.filter((one) => !one.isRunning && !(isShown && one.externalId === job.externalId));
  return {
    memory: { ...memory, records: [], isOpen: true, clockOffMs },
    readings: others.map((one) => recordReading(one, now, clockOffMs)),
  };
}

export function follow(memory: Memory, now: Instant): Heard<Memory> {
  const shown = understood(memory.status as Status);
  const { state, status } = shown;
  if (state === 'printing' || state === 'paused') {
    // Without a file, nothing can be said of the print yet.
    return status.filename === null ? stand(memory, shown, 'UNTOLD', now) : run(memory, shown, status.filename, now);
  }
  if (state === null) return stand(memory, shown, 'UNTOLD', now);
  const { print, isIdle } = memory;
  const idle = { ...memory, isIdle: true };
  if (print !== null && !print.isOver) return finish(idle, print, shown, now);
  // It ended before this connection, and is still shown.
  if (print === null && !isIdle && state !== 'standby') return showEnded(idle, shown, now);
  return stand(idle, shown, 'NONE', now);
}

/** Whatever print_stats says, no print survives that Klipper shuts down. */
function understood(status: Status): Shown {
  const isDown = status.klippy === 'shutdown' || status.klippy === 'error';
  return isDown && (status.state === 'printing' || status.state === 'paused')
    ? { status, state: 'error', reason: status.klippyMessage ?? 'Klipper shut down' }
    : { status, state: status.state, reason: status.state === 'error' ? status.message : null };
}

function run(memory: Memory, shown: Shown, filename: string, now: Instant): Heard<Memory> {
  const total = shown.status.totalSec ?? 0;
  const { print } = memory;
  const isSameFile = print !== null && !memory.isIdle && print.filename === filename;
  // Klipper's clock may be set back by a little. Many steps add up to nothing, since the greatest value stays.
  const goesOn = isSameFile && total > print.totalSec - COUNTER_SLACK_SEC;
  if (goesOn && print.isOver) return stand(memory, shown, 'NONE', now);
  const tracked = goesOn
    ? { ...print, totalSec: Math.max(total, print.totalSec), fed: feeding(print.fed, shown.status) }
    : tracking(memory, filename, total, now);
  const previous = goesOn || print === null || print.isOver ? memory.previous : print;
  // A file may be another one under the same name by now.
  const metadata = goesOn ? memory.metadata : null;
  const isAnswered = metadata?.filename === filename;
  const known = { ...identified(memory, tracked, now) };
  known.last = printOf(known, shown, isAnswered ? metadata.plan : null);
  const next = { ...memory, metadata, previous, print: known, isIdle: false };
  const asks = goesOn ? [] : [{ source: 'server.files.metadata', parameters: { filename } }];
  // The row of the history is made just after the start.
  const isMissing = !isAnswered || (memory.hasHistory === true && known.externalId === null && wasSeen(known));
  if (!known.isTold && isMissing && msBetween(known.firstAt, now) < MAX_WAIT_MS) {
    return { ...stand(next, shown, 'UNTOLD', now), asks };
  }
  const ended = previous === null ? [] : endingOfPrevious(memory, previous, shown, now);
  const told = { ...next, previous: null, print: { ...known, isTold: true } };
  return { memory: told, readings: [...ended, stateOf(shown, known.last, now)], asks };
}

/** Whether a row that ended counted further than the print that is followed by its id: they are two prints. */
export function isEarlier({ print, status }: Memory, job: Job): boolean {
  if (print === null || print.isOver || print.externalId !== job.externalId) return false;
  return status?.state === 'printing' && (status.totalSec ?? 0) < job.totalSec - 2;
}

/** Another print of the same file runs than the one that was followed. */
export function replaced(memory: Memory, now: Instant): Memory {
  const { print, job, status } = memory;
  if (print === null) return memory;
  const next = tracking(memory, print.filename, status?.totalSec ?? 0, now);
  return { ...memory, previous: { ...print, record: job }, print: next };
}

const wasSeen = (print: Tracked) => !print.startedAtEstimated;

/** A begin is seen when another state, or another print, was heard before it in this connection. */
function tracking(memory: Memory, filename: string, total: number, now: Instant): Tracked {
  const ordinal = (memory.print?.ordinal ?? 0) + 1;
  return {
    ordinal,
    filename,
    externalId: null,
    idBefore: memory.print?.externalId ?? null,
    record: null,
    startedAt: later(now, -total),
    startedAtEstimated: !memory.isIdle && memory.print === null,
    firstAt: now,
    totalSec: total,
    fed: { mm: Number(memory.status?.mm ?? 0), chosen: memory.status?.slot ?? null, slot: null },
    isTold: false,
    isOver: false,
    wasCutOff: false,
    last: untold(ordinal),
  };
}

/** What came while another extruder was chosen is nobody's: a message may tell both at once. */
function feeding(fed: Fed, { mm, slot, hasOneExtruder }: Status): Fed {
  const used = Math.max(fed.mm, Number(mm ?? 0));
  const isSeen = used > fed.mm && slot !== null && slot === fed.chosen && !(hasOneExtruder && slot === 'tool:0');
  return { mm: used, chosen: slot, slot: isSeen ? slot : fed.slot };
}

/** Gives a print the id of its row; one that was found running, its start too. */
function identified(memory: Memory, print: Tracked, now: Instant): Tracked {
  const { job, clockOffMs } = memory;
  if (print.externalId !== null || job === null || job.externalId === print.idBefore) return print;
  if (wasSeen(print))
    return job.isRunning && job.filename === print.filename ? { ...print, externalId: job.externalId } : print;
  if (!showsJob(understood(memory.status as Status), job, now, clockOffMs)) return print;
  const told = isOff(clockOffMs) ? null : instantOf(job.startedSec, now, null);
  const begin = told === null ? {} : { startedAt: told, startedAtEstimated: false };
  return { ...print, externalId: job.externalId, ...begin };
}

/** A print that is not shown any more. */
function finish(memory: Memory, print: Tracked, shown: Shown, now: Instant): Heard<Memory> {
  const { state, status, reason } = shown;
  // After "standby", print_stats is empty.
  const shownLast = { ...print, fed: feeding(print.fed, status) };
  const last = state === 'standby' ? print.last : printOf(shownLast, shown, print.last.plan ?? planFor(memory, print));
  const named = identified(memory, print, now);
  const over: Tracked = { ...named, isOver: true, last: { ...last, externalId: named.externalId } };
  const end: End =
    state === 'standby'
      ? endByHistory(memory, print, !print.wasCutOff, now)
      : { outcome: OUTCOMES[state as keyof typeof OUTCOMES], at: now, estimated: false, reason };
  const before = memory.previous === null ? [] : endingOfPrevious(memory, memory.previous, shown, now);
  const ended = [...before, ...endingOf(over, shown, end, now)];
  return {
    memory: { ...memory, previous: null, print: over },
    readings: [...ended, stateOf({ status, state, reason }, 'NONE', now)],
    asks: [],
  };
}

const OUTCOMES = { complete: 'COMPLETED', cancelled: 'CANCELLED', error: 'FAILED' } as const;

const planFor = (memory: Memory, print: Tracked) =>
  memory.metadata?.filename === print.filename ? memory.metadata.plan : null;

/** Tells of a print that is over; first of its start when nothing was told of it yet. */
function endingOf(print: Tracked, shown: Shown, end: End, now: Instant): Reading[] {
  const began = print.isTold ? [] : [stateOf({ ...shown, state: 'printing', reason: null }, print.last, now)];
  return [...began, stateOf(shown, { ...print.last, end }, now)];
}

/** print_stats is already that of the next print, so the amounts are those of the row. */
function endingOfPrevious(memory: Memory, print: Tracked, shown: Shown, now: Instant): Reading[] {
  const { record, last } = print;
  const measured = record === null ? [] : recordOf(record, now, memory.clockOffMs).measured;
  const ended = measured.length === 0 ? print : { ...print, last: { ...last, measured } };
  return endingOf(ended, shown, endByHistory(memory, print, false, now), now);
}

/**
 * What the history says of a print whose end print_stats did not show.
 * @param isCancel it left for "standby" while Klipper was there, which Moonraker itself understands as a cancel
 */
function endByHistory({ job, clockOffMs }: Memory, print: Tracked, isCancel: boolean, now: Instant): End {
  const record = print.record ?? (job?.externalId === print.externalId ? job : null);
  if (record?.outcome != null) return { ...recordOf(record, now, clockOffMs).end, at: now };
  return { outcome: isCancel ? 'CANCELLED' : null, at: isCancel ? now : null, estimated: false, reason: null };
}

function showEnded(memory: Memory, shown: Shown, now: Instant): Heard<Memory> {
  const { job, clockOffMs } = memory;
  const isShown = job !== null && showsJob(shown, job, now, clockOffMs);
  const record = isShown ? recordOf(job, now, clockOffMs) : untold(0);
  const filename = shown.status.filename ?? '';
  const print: Tracked = {
    ...tracking(memory, filename, shown.status.totalSec ?? 0, now),
    externalId: record.externalId,
    startedAt: record.startedAt,
    startedAtEstimated: record.startedAtEstimated,
    isTold: true,
    isOver: true,
  };
  print.last = printOf(print, shown, record.plan);
  const outcome = OUTCOMES[shown.state as keyof typeof OUTCOMES];
  const end = { outcome, at: record.end?.at ?? null, estimated: false, reason: shown.reason };
  return {
    memory: { ...memory, print },
    readings: [stateOf(shown, { ...print.last, end }, now), stateOf(shown, 'NONE', now)],
    asks: [],
  };
}

/**
 * Whether a row of the history is the print that print_stats shows, which has no id of its own. Moonraker makes no row for
 * a print that it finds running when it starts.
 */
function showsJob({ status, state }: Shown, job: Job, now: Instant, clockOffMs: number | null): boolean {
  if (status.filename !== job.filename || state === 'standby') return false;
  const isRunning = state === 'printing' || state === 'paused';
  if (job.isRunning) return true;
  const total = status.totalSec ?? 0;
  const nowSec = (Date.parse(now) + (isOff(clockOffMs) ? (clockOffMs as number) : 0)) / 1000;
  if (isRunning) return job.mayGoOn && Math.abs(nowSec - total - job.startedSec) <= TOLERANCE_SEC;
  if (job.outcome === 'COMPLETED' || job.outcome === 'CANCELLED')
    return Math.abs(job.totalSec - total) <= COUNTER_SLACK_SEC;
  return job.totalSec <= total + COUNTER_SLACK_SEC && job.startedSec + total <= nowSec + TOLERANCE_SEC;
}

function printOf(print: Tracked, { status, state }: Shown, plan: PrintReading['plan']): PrintReading {
  const planned = sumOf(plan?.slots.map(({ mm }) => mm) ?? []);
  const byFilament = planned === null ? null : partBy(status.mm, planned);
  const seconds = plan?.seconds ?? null;
  return {
    ordinal: print.ordinal,
    externalId: print.externalId,
    name: nameOf(baseNameOf(print.filename)),
    filePath: print.filename,
    startedAt: print.startedAt,
    startedAtEstimated: print.startedAtEstimated,
    paused: state === 'paused',
    counter: { seconds: status.totalSec ?? 0, countsPauses: true },
    progress: byFilament ?? status.progress,
    progressBasis: byFilament !== null ? 'FILAMENT' : status.progress === null ? null : 'FILE',
    remainingSec: seconds === null ? null : Math.max(0, Math.round(seconds - (status.printSec ?? 0))),
    layer: status.layer,
    layers: status.layers,
    slot: print.fed.slot,
    measured: status.mm === null ? [] : [{ slot: 'tool:0', mm: status.mm, grams: null }],
    plan,
    end: null,
  };
}

const stand = (memory: Memory, shown: Shown, print: 'NONE' | 'UNTOLD', now: Instant): Heard<Memory> => ({
  memory,
  readings: [stateOf(shown, print, now)],
  asks: [],
});

const ACTIVITIES: Record<NonNullable<Status['state']>, Activity> = {
  standby: 'IDLE',
  printing: 'PRINTING',
  paused: 'PAUSED',
  complete: 'FINISHED',
  cancelled: 'IDLE',
  error: 'ERROR',
};

function stateOf({ status, state, reason }: Shown, print: PrintReading | 'NONE' | 'UNTOLD', now: Instant): Reading {
  // Nothing was extruded yet.
  const isPreparing = state === 'printing' && !((status.printSec ?? 0) > 0);
  const activity = isPreparing ? 'PREPARING' : state === null ? 'UNKNOWN' : ACTIVITIES[state];
  return { kind: 'STATE', at: now, activity, message: reason ?? status.display, print };
}
