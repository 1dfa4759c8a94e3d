// OctoPrint by its push socket: what each message adds to memory.
import { type Instant, msBetween } from '../../values/instant';
import { type Adapter, type AdapterOutput, type MachineMessage, withReadings } from '../machine-adapter';
import { memberAt, numberIn } from '../message-values';
import { askFor, FILES, isToAsk, latePlanOf } from './late-plan';
import { hearEvent } from './octoprint-events';
import { type Memory, trackPrint } from './prints';
import { type Current, currentOf, eventOf, lastPrintOf } from './status';

/** For so long after PrintStarted, delayed flags may still describe the time before it. */
const HELD_BACK_MS = 1000;

export const octoprint: Adapter<Memory> = {
  open: ({ lastContactAt, filePath, unplanned }, now) =>
    withReadings(
      {
        openedAt: now,
        lastContactAt,
        asked: filePath,
        lastPrint: null,
        ranPath: filePath,
        isOpen: false,
        sawIdle: false,
        clockOffMs: null,
        current: null,
        startedAt: null,
        print: null,
        unplanned: unplanned === undefined ? null : { ...unplanned, askedAt: null },
      },
      [],
      filePath === null ? [] : [askFor(filePath)],
    ),
  hear: (memory, message, now) => askForPlan(readingsOf(memory, message, now) ?? withReadings(memory), now),
};

/** The clock of the machine is known with its first state. */
function askForPlan(heard: AdapterOutput<Memory>, now: Instant): AdapterOutput<Memory> {
  const { isOpen, unplanned } = heard.memory;
  if (!isOpen || unplanned === null || !isToAsk(unplanned, now)) return heard;
  const memory = { ...heard.memory, unplanned: { ...unplanned, askedAt: now } };
  return withReadings(memory, heard.readings, [...heard.asks, askFor(unplanned.filePath)]);
}

function readingsOf(memory: Memory, message: MachineMessage, now: Instant): AdapterOutput<Memory> | null {
  const { source, body } = message;
  if (source === FILES) return hearFile(memory, message, now);
  if (source !== 'push') return null;
  const event = eventOf(memberAt(body, 'event'));
  if (event !== null) return hearEvent({ ...memory, startedAt: null }, event, now);
  const said = memberAt(body, 'current') ?? memberAt(body, 'history');
  const current = currentOf(said);
  if (current === null || isHeldBack(memory, current, now)) return null;
  const serverSec = numberIn(memberAt(said, 'serverTime'));
  const clockOffMs = Number.isFinite(serverSec) ? serverSec * 1000 - Date.parse(now) : memory.clockOffMs;
  return trackPrint({ ...memory, current, clockOffMs }, now);
}

const isPlain = ({ isRunning, isPaused, isResuming, isEnding }: Current) =>
  isRunning && !isPaused && !isResuming && !isEnding;

const isHeldBack = ({ startedAt }: Memory, current: Current, now: Instant) =>
  startedAt !== null && !isPlain(current) && msBetween(startedAt, now) < HELD_BACK_MS;

function hearFile(memory: Memory, message: MachineMessage, now: Instant): AdapterOutput<Memory> {
  const path = memberAt(message.parameters, 'path');
  const late = latePlanOf(message, now, memory.clockOffMs);
  const isSettled = late.length > 0 && memory.unplanned?.filePath === path;
  const known = { ...memory, unplanned: isSettled ? null : memory.unplanned };
  if (path !== memory.asked || memory.asked === null) return withReadings(known, late);
  const lastPrint = message.failed ? null : lastPrintOf(message.body, path);
  const tracked = trackPrint({ ...known, asked: null, lastPrint }, now);
  return { ...tracked, readings: [...tracked.readings, ...late] };
}
