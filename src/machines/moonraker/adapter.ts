// Turns the messages of Klipper, through Moonraker's WebSocket, into readings: decides what each message adds to memory.
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

/** The history is read from this long before the last contact, because a print of that time may have ended since. */
const HISTORY_BACK_SEC = 3600;
/** If a clock is further behind, for example on a host without a battery, the times of earlier starts are worthless. */
const MAX_BEHIND_MS = 26 * 3_600_000;
const LIST: Ask = { source: 'printer.objects.list', parameters: {} };

export const moonraker: Adapter<Memory> = {
  open: ({ lastContactAt }, now) => withReadings(emptyMemory(now, lastContactAt), [], [LIST]),
  hear(memory, message, now) {
    const remembered = remember(memory, message, now);
    return remembered === null ? withReadings(memory) : addReadings(remembered, now);
  },
};

/** What a message adds to memory. `null` if the message cannot be understood. */
function remember(
  memory: Memory,
  { source, body, parameters, failed }: MachineMessage,
  now: Instant,
): AdapterOutput<Memory> | null {
  const withMembers = (members: Partial<Memory>, ...asks: Ask[]) => withReadings({ ...memory, ...members }, [], asks);
  const first = Array.isArray(body) ? body[0] : undefined;
  const away = {
    status: null,
    idleStatus: null,
    positions: {},
    awaySince: memory.awaySince ?? now,
    print: memory.print === null ? null : { ...memory.print, wasInterrupted: true },
  };
  switch (source) {
    case 'printer.objects.list': {
      const objects = objectsFor(memberAt(body, 'objects'));
      const subscribe = { source: 'printer.objects.subscribe', parameters: { objects } };
      const history = askHistory(memory.lastContactAt ?? memory.openedAt, 0);
      return withMembers({ isAsked: true }, subscribe, ...(memory.isAsked ? [] : [history]));
    }
    case 'printer.objects.subscribe': {
      if (failed) return withMembers(away);
      const status = withDelta(NO_STATUS, memberAt(body, 'status'));
      return status === null ? null : withMembers({ status, awaySince: null });
    }
    case 'notify_status_update': {
      const status = memory.status === null ? null : withDelta(memory.status, first);
      return status === null ? null : withMembers({ status });
    }
    case 'notify_klippy_ready':
      return withMembers({}, LIST);
    case 'notify_klippy_disconnected':
      return withMembers(away);
    case 'notify_klippy_shutdown':
      return memory.status === null ? null : withMembers({ status: { ...memory.status, klippy: 'shutdown' } });
    case 'server.history.list': {
      if (failed) return withMembers({ hasHistory: false });
      const records = jobsOf(body);
      if (memory.isOpen && records !== null) return withReadings(memory, recoverRecords(memory, records, now));
      return records === null ? null : withMembers({ records, hasHistory: true, job: records.at(-1) ?? memory.job });
    }
    case 'notify_history_changed':
      return rememberJob(memory, first, now);
    case 'server.files.metadata': {
      const filename = memberAt(parameters, 'filename');
      if (typeof filename !== 'string') return null;
      return withMembers({ metadata: { filename, plan: failed ? null : planOfMetadata(body) } });
    }
    // This message is the heartbeat: a wait may be over by now.
    case 'notify_proc_stat_update':
      return compareClock(memory, memberAt(first, 'moonraker_stats', 'time'), now);
    default:
      return null;
  }
}

/** @param clockOffMs how far Moonraker's clock is ahead, because Moonraker compares the time with its own clock */
function askHistory(contactAt: Instant, clockOffMs: number): Ask {
  const since = (Date.parse(contactAt) + clockOffMs) / 1000 - HISTORY_BACK_SEC;
  return { source: 'server.history.list', parameters: { since, limit: 1000, order: 'desc' } };
}

/** Asks for the history again if the machine's clock is hours behind: its rows looked older than the time that was asked for. */
function compareClock(memory: Memory, time: unknown, now: Instant): AdapterOutput<Memory> {
  const clockOffMs = numberIn(time) * 1000 - Date.parse(now);
  const isBehind = clockOffMs >= -MAX_BEHIND_MS && clockOffMs < 0 && isOff(clockOffMs);
  if (!isBehind || memory.isAskedByItsClock || memory.lastContactAt === null) return withReadings(memory);
  const asks = [askHistory(memory.lastContactAt, clockOffMs)];
  return withReadings({ ...memory, clockOffMs, isAskedByItsClock: true }, [], asks);
}

/** Reports the prints that have certainly ended, except for the tracked print. */
const recoverRecords = ({ print, clockOffMs }: Memory, records: readonly Job[], now: Instant): Reading[] =>
  records
    .filter(({ outcome, externalId }) => outcome !== null && externalId !== print?.externalId)
    .map((record) => recordReading(record, now, clockOffMs));

/** Remembers a history row that was added or finished. Its time shows how far the machine's clock is off. */
function rememberJob(memory: Memory, change: unknown, now: Instant): AdapterOutput<Memory> | null {
  const job = jobOf(memberAt(change, 'job'));
  const action = memberAt(change, 'action');
  if (job === null || (action !== 'added' && action !== 'finished')) return null;
  const sec = action === 'added' ? job.startedSec : job.endedSec;
  const clockOffMs = sec === null ? memory.clockOffMs : sec * 1000 - Date.parse(now);
  const next = { ...memory, job, clockOffMs };
  if (action === 'finished' && isOfEarlierPrint(memory, job)) return withReadings(replaceTracked(next, now), []);
  if (action === 'added') return withReadings(next);
  // The end of the tracked print is reported with print_stats. The end of any other print is reported only here.
  const print = finishTracked(memory.print, job);
  const previous = finishTracked(memory.previous, job);
  const isOfOtherPrint = memory.isOpen && print === memory.print && previous === memory.previous;
  return withReadings({ ...next, print, previous }, isOfOtherPrint ? [recordReading(job, now, clockOffMs)] : []);
}

function finishTracked(print: Tracked | null, job: Job): Tracked | null {
  if (!runs(print) || print.filename !== job.filename || print.idBefore === job.externalId) return print;
  if ((print.externalId ?? job.externalId) !== job.externalId) return print;
  return { ...print, externalId: job.externalId, finishedRow: job };
}

/** A running print knows more about the positions of its tools than the status does. */
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
