// Decides what each message of OctoPrint's push socket adds to memory.
import { type Instant, msBetween } from '../../values/instant';
import { type Adapter, type AdapterOutput, type MachineMessage, withReadings } from '../machine-adapter';
import { memberAt, toNumber } from '../message-values';
import { askAboutFile, FILES, isTimeToAsk, readLatePlan } from './late-plan';
import { receiveEvent } from './octoprint-events';
import { type Memory, trackPrint } from './prints';
import { type Current, readCurrent, readEvent, readLastPrint } from './status';

/** For this time after PrintStarted, delayed flags may still describe the time before it. */
const DELAYED_FLAGS_MS = 1000;

export const octoprint: Adapter<Memory> = {
  start: ({ lastContactAt, filePath, unplanned }, now) =>
    withReadings(
      {
        openedAt: now,
        lastContactAt,
        askedPath: filePath,
        lastPrint: null,
        ranPath: filePath,
        knowsState: false,
        sawIdle: false,
        clockOffMs: null,
        current: null,
        startedAt: null,
        print: null,
        unplanned: unplanned === undefined ? null : { ...unplanned, askedAt: null },
      },
      [],
      filePath === null ? [] : [askAboutFile(filePath)],
    ),
  receive: (memory, message, now) => askForPlan(handleMessage(memory, message, now) ?? withReadings(memory), now),
};

/** Asks for the amounts of an ended print, once the first state has shown the machine's clock. */
function askForPlan(output: AdapterOutput<Memory>, now: Instant): AdapterOutput<Memory> {
  const { knowsState, unplanned } = output.memory;
  if (!knowsState || unplanned === null || !isTimeToAsk(unplanned, now)) return output;
  const memory = { ...output.memory, unplanned: { ...unplanned, askedAt: now } };
  return withReadings(memory, output.readings, [...output.asks, askAboutFile(unplanned.filePath)]);
}

function handleMessage(memory: Memory, message: MachineMessage, now: Instant): AdapterOutput<Memory> | null {
  const { source, body } = message;
  if (source === FILES) return receiveFile(memory, message, now);
  if (source !== 'push') return null;
  const event = readEvent(memberAt(body, 'event'));
  if (event !== null) return receiveEvent({ ...memory, startedAt: null }, event, now);
  const state = memberAt(body, 'current') ?? memberAt(body, 'history');
  const current = readCurrent(state);
  if (current === null || isDelayed(memory, current, now)) return null;
  const serverSec = toNumber(memberAt(state, 'serverTime'));
  const clockOffMs = Number.isFinite(serverSec) ? serverSec * 1000 - Date.parse(now) : memory.clockOffMs;
  return trackPrint({ ...memory, current, clockOffMs }, now);
}

const isPlainlyPrinting = ({ isRunning, isPaused, isResuming, isEnding }: Current) =>
  isRunning && !isPaused && !isResuming && !isEnding;

const isDelayed = ({ startedAt }: Memory, current: Current, now: Instant) =>
  startedAt !== null && !isPlainlyPrinting(current) && msBetween(startedAt, now) < DELAYED_FLAGS_MS;

function receiveFile(memory: Memory, message: MachineMessage, now: Instant): AdapterOutput<Memory> {
  const path = memberAt(message.parameters, 'path');
  const late = readLatePlan(message, now, memory.clockOffMs);
  const isSettled = late.length > 0 && memory.unplanned?.filePath === path;
  const next = { ...memory, unplanned: isSettled ? null : memory.unplanned };
  if (path !== memory.askedPath || memory.askedPath === null) return withReadings(next, late);
  const lastPrint = message.failed ? null : readLastPrint(message.body, path);
  const tracked = trackPrint({ ...next, askedPath: null, lastPrint }, now);
  return { ...tracked, readings: [...tracked.readings, ...late] };
}
