// Decides what each message of Moonraker's WebSocket adds to memory.
import type { Reading } from '../../farm/print-rules/print.model';
import { type Instant, msBetween } from '../../values/instant';
import {
  type Adapter,
  type AdapterOutput,
  type Ask,
  isUnfinished,
  MAX_WAIT_MS,
  type MachineMessage,
  withReadings,
} from '../machine-adapter';
import { isClockOff, memberAt, toNumber } from '../message-values';
import { buildRecordReading, type Job, readJob, readJobs, readPlan } from './history';
import { isEarlier, openWithHistory, replacePrint, trackAway, trackPrint } from './prints';
import { withPosition } from './slots';
import { findUsedAlone, rememberSpools, reportSpools, STATUS, waitsForProgram } from './spools';
import { interpret, listObjects, mergeDelta, NO_STATUS, type Status } from './status';
import { emptyMemory, type Memory, type Tracked } from './tracked-print';

/** The history is requested from this long before the last contact on, because a print from that time may have ended since. */
const HISTORY_BACK_SEC = 3600;
/** If a clock is further behind, as on a host without a clock battery, the times of earlier starts mean nothing. */
const MAX_BEHIND_MS = 26 * 3_600_000;
const LIST: Ask = { source: 'printer.objects.list', parameters: {} };

export const moonraker: Adapter<Memory> = {
  start: ({ lastContactAt }, now) => withReadings(emptyMemory(now, lastContactAt), [], [STATUS, LIST]),
  receive(before, message, now) {
    const { spools, asks } = rememberSpools(before.spools, message, now);
    const memory = spools === before.spools ? before : { ...before, spools };
    const remembered = remember(memory, message, now);
    // An answer about Spoolman may end the wait for it.
    const output = remembered ?? (memory === before ? null : withReadings(memory));
    const evaluated = output === null ? withReadings(memory) : evaluateMemory(output, now);
    return withSpools({ ...evaluated, asks: [...evaluated.asks, ...asks] }, now);
  },
};

/** Reports the spools, once the state of the printer is known. */
function withSpools(output: AdapterOutput<Memory>, now: Instant): AdapterOutput<Memory> {
  const { memory } = output;
  const { status, spools } = memory;
  const isKnown = status !== null || memory.awaySince !== null;
  if (!isKnown || waitsForHistory(memory, now) || waitsForProgram(spools, now)) return output;
  const state = status === null ? null : interpret(status).state;
  const isPrinting = status === null ? isUnfinished(memory.print) : state === 'printing' || state === 'paused';
  // A macro at the start of a print chooses the spool after the print has started, but before it uses anything.
  const usesNothingSince = isUnfinished(memory.print) && Number(status?.mm ?? 0) === 0 ? memory.print.startedAt : null;
  const reported = reportSpools(spools, { isPrinting, usesNothingSince }, now);
  if (reported.report === undefined) return output;
  return { ...output, memory: { ...memory, spools: reported.spools }, spools: reported.report };
}

const waitsForHistory = ({ hasHistory, openedAt }: Memory, now: Instant) =>
  hasHistory === null && msBetween(openedAt, now) < MAX_WAIT_MS;

/** Adds a message to memory. Returns `null` if the adapter does not understand the message. */
function remember(
  memory: Memory,
  { source, body, parameters, failed }: MachineMessage,
  now: Instant,
): AdapterOutput<Memory> | null {
  const remembered = (members: Partial<Memory>, ...asks: Ask[]) => withReadings({ ...memory, ...members }, [], asks);
  const first = Array.isArray(body) ? body[0] : undefined;
  const away = {
    status: null,
    idleStatus: null,
    positions: {},
    awaySince: memory.awaySince ?? now,
    print: memory.print === null ? null : { ...memory.print, wasCutOff: true },
  };
  switch (source) {
    case 'printer.objects.list': {
      const objects = listObjects(memberAt(body, 'objects'));
      const subscribe = { source: 'printer.objects.subscribe', parameters: { objects } };
      const history = requestHistory(memory.lastContactAt ?? memory.openedAt, 0);
      return remembered({ hasRequestedHistory: true }, subscribe, ...(memory.hasRequestedHistory ? [] : [history]));
    }
    case 'printer.objects.subscribe': {
      if (failed) return remembered(away);
      const status = mergeDelta(NO_STATUS, memberAt(body, 'status'));
      return status === null ? null : remembered({ status, awaySince: null });
    }
    case 'notify_status_update': {
      const status = memory.status === null ? null : mergeDelta(memory.status, first);
      return status === null ? null : remembered({ status });
    }
    case 'notify_klippy_ready':
      return remembered({}, LIST);
    case 'notify_klippy_disconnected':
      return remembered(away);
    case 'notify_klippy_shutdown':
      return memory.status === null ? null : remembered({ status: { ...memory.status, klippy: 'shutdown' } });
    case 'server.history.list': {
      if (failed) return remembered({ hasHistory: false });
      const records = readJobs(body);
      if (memory.hasReportedHistory && records !== null)
        return withReadings(memory, findRecovered(memory, records, now));
      if (records === null) return null;
      const usedAlone = findUsedAlone(records, memory.lastContactAt, now, memory.clockOffMs);
      const spools = { ...memory.spools, usedAlone };
      return remembered({ records, hasHistory: true, job: records.at(-1) ?? memory.job, spools });
    }
    case 'notify_history_changed':
      return rememberJob(memory, first, now);
    case 'server.files.metadata': {
      const filename = memberAt(parameters, 'filename');
      if (typeof filename !== 'string') return null;
      return remembered({ metadata: { filename, plan: failed ? null : readPlan(body) } });
    }
    // This message is the clock of the adapter: a wait may have ended.
    case 'notify_proc_stat_update':
      return receiveClock(memory, memberAt(first, 'moonraker_stats', 'time'), now);
    default:
      return null;
  }
}

/** Requests the history since a time. @param clockOffMs converts the time, because Moonraker compares it with its own clock */
function requestHistory(contactAt: Instant, clockOffMs: number): Ask {
  const since = (Date.parse(contactAt) + clockOffMs) / 1000 - HISTORY_BACK_SEC;
  return { source: 'server.history.list', parameters: { since, limit: 1000, order: 'desc' } };
}

/** Requests the history again if Moonraker's clock is hours behind ours: by that clock, its latest rows are older than the time of the first request. */
function receiveClock(memory: Memory, time: unknown, now: Instant): AdapterOutput<Memory> {
  const clockOffMs = toNumber(time) * 1000 - Date.parse(now);
  const isBehind = clockOffMs >= -MAX_BEHIND_MS && clockOffMs < 0 && isClockOff(clockOffMs);
  if (!isBehind || memory.hasCorrectedRequest || memory.lastContactAt === null) return withReadings(memory);
  const asks = [requestHistory(memory.lastContactAt, clockOffMs)];
  return withReadings({ ...memory, clockOffMs, hasCorrectedRequest: true }, [], asks);
}

/** Finds the rows of prints that have ended, except the print that the adapter follows. */
const findRecovered = ({ print, clockOffMs }: Memory, records: readonly Job[], now: Instant): Reading[] =>
  records
    .filter(({ outcome, externalId }) => outcome !== null && externalId !== print?.externalId)
    .map((job) => buildRecordReading(job, now, clockOffMs));

/** Remembers a row of the history when its print starts or ends, and learns the machine's clock from the row. */
function rememberJob(memory: Memory, change: unknown, now: Instant): AdapterOutput<Memory> | null {
  const job = readJob(memberAt(change, 'job'));
  const action = memberAt(change, 'action');
  if (job === null || (action !== 'added' && action !== 'finished')) return null;
  const sec = action === 'added' ? job.startedSec : job.endedSec;
  const clockOffMs = sec === null ? memory.clockOffMs : sec * 1000 - Date.parse(now);
  const next = { ...memory, job, clockOffMs };
  if (action === 'finished' && isEarlier(memory, job)) return withReadings(replacePrint(next, now), []);
  if (action === 'added') return withReadings(next);
  // print_stats reports the end of the print that the adapter follows. The end of any other print is reported only here.
  const print = withFinishedJob(memory.print, job);
  const previous = withFinishedJob(memory.previous, job);
  const isOtherPrint = memory.hasReportedHistory && print === memory.print && previous === memory.previous;
  return withReadings({ ...next, print, previous }, isOtherPrint ? [buildRecordReading(job, now, clockOffMs)] : []);
}

function withFinishedJob(print: Tracked | null, job: Job): Tracked | null {
  if (!isUnfinished(print) || print.filename !== job.filename || print.idBefore === job.externalId) return print;
  if ((print.externalId ?? job.externalId) !== job.externalId) return print;
  return { ...print, externalId: job.externalId, record: job };
}

/** Remembers the positions of the tools. A running print knows more positions than a single status has. */
const rememberPositions = (memory: Memory, status: Status): Memory => ({
  ...memory,
  positions: isUnfinished(memory.print) ? memory.print.feedingState.positions : withPosition(memory.positions, status),
});

function evaluateMemory({ memory, readings, asks }: AdapterOutput<Memory>, now: Instant): AdapterOutput<Memory> {
  if (memory.status === null) {
    const away = memory.awaySince === null ? withReadings(memory) : trackAway(memory, now);
    return withReadings(away.memory, [...readings, ...away.readings], asks);
  }
  const waits = waitsForHistory(memory, now) || waitsForProgram(memory.spools, now);
  if (!memory.hasReportedHistory && waits) return withReadings(memory, readings, asks);
  const opened = memory.hasReportedHistory ? withReadings(memory) : openWithHistory(memory, now);
  const tracked = trackPrint(opened.memory, now);
  return withReadings(
    rememberPositions(tracked.memory, memory.status),
    [...readings, ...opened.readings, ...tracked.readings],
    [...asks, ...tracked.asks],
  );
}
