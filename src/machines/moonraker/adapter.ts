// Klipper through Moonraker's WebSocket: what each message adds to memory.
import type { Reading } from '../../farm/print-rules/print.model';
import { type Instant, msBetween } from '../../values/instant';
import {
  type Adapter,
  type AdapterOutput,
  type Ask,
  MAX_WAIT_MS,
  type MachineMessage,
  runs,
  withReadings,
} from '../machine-adapter';
import { isOff, memberAt, numberIn } from '../message-values';
import { addPosition } from './feeding';
import { type Job, jobOf, jobsOf, planOfMetadata, recordReading } from './history';
import { isOfEarlierPrint, replaceTracked, reportHistory, trackPrint, whileAway } from './prints';
import { NO_STATUS, objectsFor, type Status, withDelta } from './status';
import { emptyMemory, type Memory, type Tracked } from './tracked-print';

/** The time before the last contact that the history is asked for: a print of then may have ended since. */
const HISTORY_BACK_SEC = 3600;
/** Of a clock that is further off, as of a host without a battery, the times of earlier starts say nothing. */
const MAX_BEHIND_MS = 26 * 3_600_000;
const LIST: Ask = { source: 'printer.objects.list', parameters: {} };

export const moonraker: Adapter<Memory> = {
  open: ({ lastContactAt }, now) => withReadings(emptyMemory(now, lastContactAt), [], [LIST]),
  hear(memory, message, now) {
    const heard = remember(memory, message, now);
    return heard === null ? withReadings(memory) : addReadings(heard, now);
  },
};

/** What a message adds to memory; null when it cannot be understood. */
function remember(
  memory: Memory,
  { source, body, parameters, failed }: MachineMessage,
  now: Instant,
): AdapterOutput<Memory> | null {
  const given = (members: Partial<Memory>, ...asks: Ask[]) => withReadings({ ...memory, ...members }, [], asks);
  const first = Array.isArray(body) ? body[0] : undefined;
  const away = {
    status: null,
    rested: null,
    positions: {},
    awaySince: memory.awaySince ?? now,
    print: memory.print === null ? null : { ...memory.print, wasCutOff: true },
  };
  switch (source) {
    case 'printer.objects.list': {
      const objects = objectsFor(memberAt(body, 'objects'));
      const subscribe = { source: 'printer.objects.subscribe', parameters: { objects } };
      const history = askHistory(memory.lastContactAt ?? memory.openedAt, 0);
      return given({ isAsked: true }, subscribe, ...(memory.isAsked ? [] : [history]));
    }
    case 'printer.objects.subscribe': {
      if (failed) return given(away);
      const status = withDelta(NO_STATUS, memberAt(body, 'status'));
      return status === null ? null : given({ status, awaySince: null });
    }
    case 'notify_status_update': {
      const status = memory.status === null ? null : withDelta(memory.status, first);
      return status === null ? null : given({ status });
    }
    case 'notify_klippy_ready':
      return given({}, LIST);
    case 'notify_klippy_disconnected':
      return given(away);
    case 'notify_klippy_shutdown':
      return memory.status === null ? null : given({ status: { ...memory.status, klippy: 'shutdown' } });
    case 'server.history.list': {
      if (failed) return given({ hasHistory: false });
      const records = jobsOf(body);
      if (memory.isOpen && records !== null) return withReadings(memory, recoverRecords(memory, records, now));
      return records === null ? null : given({ records, hasHistory: true, job: records.at(-1) ?? memory.job });
    }
    case 'notify_history_changed':
      return rememberJob(memory, first, now);
    case 'server.files.metadata': {
      const filename = memberAt(parameters, 'filename');
      if (typeof filename !== 'string') return null;
      return given({ metadata: { filename, plan: failed ? null : planOfMetadata(body) } });
    }
    // The heartbeat: the time of a wait may be over.
    case 'notify_proc_stat_update':
      return compareClock(memory, memberAt(first, 'moonraker_stats', 'time'), now);
    default:
      return null;
  }
}

/** @param clockOffMs Moonraker compares it with times of its own clock */
function askHistory(contactAt: Instant, clockOffMs: number): Ask {
  const since = (Date.parse(contactAt) + clockOffMs) / 1000 - HISTORY_BACK_SEC;
  return { source: 'server.history.list', parameters: { since, limit: 1000, order: 'desc' } };
}

/** A clock that is hours behind ours: its rows of the time before this connection were older than what was asked for. */
function compareClock(memory: Memory, time: unknown, now: Instant): AdapterOutput<Memory> {
  const clockOffMs = numberIn(time) * 1000 - Date.parse(now);
  const isBehind = clockOffMs >= -MAX_BEHIND_MS && clockOffMs < 0 && isOff(clockOffMs);
  if (!isBehind || memory.isAskedByItsClock || memory.lastContactAt === null) return withReadings(memory);
  const asks = [askHistory(memory.lastContactAt, clockOffMs)];
  return withReadings({ ...memory, clockOffMs, isAskedByItsClock: true }, [], asks);
}

/** The prints that are surely over, and not the one that is followed. */
const recoverRecords = ({ print, clockOffMs }: Memory, records: readonly Job[], now: Instant): Reading[] =>
  records
    .filter(({ outcome, externalId }) => outcome !== null && externalId !== print?.externalId)
    .map((one) => recordReading(one, now, clockOffMs));

/** A row of the history as it begins or ends, by which the machine's clock is seen. */
function rememberJob(memory: Memory, change: unknown, now: Instant): AdapterOutput<Memory> | null {
  const job = jobOf(memberAt(change, 'job'));
  const action = memberAt(change, 'action');
  if (job === null || (action !== 'added' && action !== 'finished')) return null;
  const sec = action === 'added' ? job.startedSec : job.endedSec;
  const clockOffMs = sec === null ? memory.clockOffMs : sec * 1000 - Date.parse(now);
  const next = { ...memory, job, clockOffMs };
  if (action === 'finished' && isOfEarlierPrint(memory, job)) return withReadings(replaceTracked(next, now), []);
  if (action === 'added') return withReadings(next);
  // The end of a print that is followed is reported with print_stats; the end of any other one only here.
  const print = finishTracked(memory.print, job);
  const previous = finishTracked(memory.previous, job);
  const isOther = memory.isOpen && print === memory.print && previous === memory.previous;
  return withReadings({ ...next, print, previous }, isOther ? [recordReading(job, now, clockOffMs)] : []);
}

function finishTracked(print: Tracked | null, job: Job): Tracked | null {
  if (!runs(print) || print.filename !== job.filename || print.idBefore === job.externalId) return print;
  if ((print.externalId ?? job.externalId) !== job.externalId) return print;
  return { ...print, externalId: job.externalId, finishedRow: job };
}

/** The print that runs knows more of its tools than the status says. */
const updatePositions = (memory: Memory, status: Status): Memory => ({
  ...memory,
  positions: runs(memory.print) ? memory.print.feeding.positions : addPosition(memory.positions, status),
});

function addReadings({ memory, readings, asks }: AdapterOutput<Memory>, now: Instant): AdapterOutput<Memory> {
  if (memory.status === null) {
    const away = memory.awaySince === null ? withReadings(memory) : whileAway(memory, now);
    return withReadings(away.memory, [...readings, ...away.readings], asks);
  }
  const waitsForHistory = memory.hasHistory === null && msBetween(memory.openedAt, now) < MAX_WAIT_MS;
  if (!memory.isOpen && waitsForHistory) return withReadings(memory, readings, asks);
  const opened = memory.isOpen ? withReadings(memory) : reportHistory(memory, now);
  const tracked = trackPrint(opened.memory, now);
  return withReadings(
    updatePositions(tracked.memory, memory.status),
    [...readings, ...opened.readings, ...tracked.readings],
    [...asks, ...tracked.asks],
  );
}
