// What OctoPrint's push messages and file answers say, read member by member.
import { type Plan, type PrintReading, untold } from '../../observed-prints/readings';
import { at, messageOf, mmOf, nameOf, numberIn, partOf, pathOf, secondsOf, wholeSeconds } from '../bounds';

/** What `current` and `history` say of the job. `state.text` may hold an exception, so only the flags count. */
export interface Current {
  isRunning: boolean;
  isPaused: boolean;
  isCancelling: boolean;
  isError: boolean;
  isConnected: boolean;
  message: string | null;
  path: string | null;
  name: string | null;
  printSec: number | null;
  isComplete: boolean;
  facts: Pick<PrintReading, 'progress' | 'progressBasis' | 'remainingSec' | 'plan'>;
}

const RUNNING = ['printing', 'paused', 'pausing', 'resuming', 'finishing', 'cancelling'];

/** null: it has no flags. */
export function currentOf(body: unknown): Current | null {
  const flags = at(body, 'state', 'flags');
  if (typeof at(flags, 'operational') !== 'boolean' && typeof at(flags, 'printing') !== 'boolean') return null;
  const is = (...names: string[]) => names.some((name) => at(flags, name) === true);
  const path = pathOf(at(body, 'job', 'file', 'path')) ?? pathOf(at(body, 'job', 'file', 'name'));
  const completion = partOf(at(body, 'progress', 'completion'), 100);
  return {
    isRunning: is(...RUNNING),
    isPaused: is('paused', 'pausing'),
    isCancelling: is('cancelling'),
    isError: is('error', 'closedOrError'),
    isConnected: !is('closedOrError'),
    message: is('error') ? messageOf(at(body, 'state', 'error')) : null,
    path,
    name: nameOf(at(body, 'job', 'file', 'display')) ?? nameOf(at(body, 'job', 'file', 'name')),
    printSec: secondsOf(at(body, 'progress', 'printTime')),
    isComplete: completion === '1',
    facts: {
      progress: completion,
      progressBasis: completion === null ? null : 'FILE',
      remainingSec: wholeSeconds(at(body, 'progress', 'printTimeLeft')),
      plan: planOf(at(body, 'job')),
    },
  };
}

/** The analysis of the file; null for some 20 s after its upload. */
function planOf(job: unknown): Plan | null {
  const filament = at(job, 'filament');
  const tools = typeof filament === 'object' && filament !== null ? Object.keys(filament).slice(0, 64) : [];
  const slots = tools.flatMap((tool) => {
    const [, number] = /^tool(\d{1,2})$/.exec(tool) ?? [];
    const mm = mmOf(at(filament, tool, 'length'));
    return number === undefined || mm === null || Number(mm) === 0
      ? []
      : [{ slot: `tool:${Number(number)}`, mm, grams: null }];
  });
  const single = mmOf(at(filament, 'length'));
  if (single !== null && Number(single) > 0) slots.push({ slot: 'tool:0', mm: single, grams: null });
  return slots.length === 0 ? null : { seconds: wholeSeconds(at(job, 'estimatedPrintTime')), slots };
}

const EVENTS = ['PrintStarted', 'PrintPaused', 'PrintResumed', 'PrintDone', 'PrintCancelled', 'PrintFailed'] as const;

export interface Event {
  type: (typeof EVENTS)[number];
  path: string | null;
  name: string | null;
  /** Of PrintFailed: "cancelled" or "error". */
  reason: string | null;
  error: string | null;
}

export function eventOf(body: unknown): Event | null {
  const type = EVENTS.find((name) => name === at(body, 'type'));
  const payload = at(body, 'payload');
  if (type === undefined || typeof payload !== 'object' || payload === null) return null;
  return {
    type,
    path: pathOf(at(payload, 'path')) ?? pathOf(at(payload, 'name')),
    name: nameOf(at(payload, 'name')),
    reason: messageOf(at(payload, 'reason')),
    error: messageOf(at(payload, 'error')),
  };
}

/** The statistics of a file: how its last print ended. */
export interface LastPrint {
  path: string;
  name: string | null;
  /** Unix seconds. */
  date: number | null;
  success: boolean;
  printSec: number | null;
  plan: Plan | null;
}

export function lastPrintOf(body: unknown, path: unknown): LastPrint | null {
  const success = at(body, 'prints', 'last', 'success');
  if (typeof path !== 'string' || typeof success !== 'boolean') return null;
  const told = at(body, 'prints', 'last', 'date');
  const date = typeof told === 'string' ? Number.NaN : numberIn(told);
  return {
    path,
    name: nameOf(at(body, 'display')) ?? nameOf(at(body, 'name')),
    date: Number.isFinite(date) ? date : null,
    success,
    printSec: secondsOf(at(body, 'prints', 'last', 'printTime')),
    plan: planOf(at(body, 'gcodeAnalysis')),
  };
}

export const counterOf = (printSec: number | null) =>
  printSec === null ? null : { seconds: printSec, countsPauses: false };

export const printNamed = (ordinal: number, path: string | null, name: string | null): PrintReading => ({
  ...untold(ordinal),
  filePath: path,
  name,
});
