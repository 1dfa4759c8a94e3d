// Reads the push messages and file answers of OctoPrint, member by member: flags, texts and events.
import type { Activity, FilamentPlan, PrintReading } from '../../farm/print-rules/print.model';
import { buildToolPlan, createEmptyReading } from '../machine-adapter';
import {
  memberAt,
  readMessage,
  readMillimetres,
  readName,
  readPath,
  readSeconds,
  readShare,
  readWholeSeconds,
  toNumber,
} from '../message-values';

/** The flags of a running print. */
const RUNNING = ['printing', 'paused', 'pausing', 'resuming', 'finishing', 'cancelling'];

/** The state text of a transfer to the printer's card. No flag distinguishes a transfer from a print. */
const TRANSFER = /^(Starting to send|Sending|Transferring) file to SD$/;

/** Marlin's messages when it stops a printer. After other errors, such as a lost cable, the printer is only offline: it may be switched off. */
const HALT = /thermal|heating failed|m(?:in|ax) ?temp|halted|kill\(\)|homing failed|probing failed/i;

/** The events that the gateway subscribes to. */
export const SUBSCRIBED_EVENTS = [
  'PrintStarted',
  'PrintPaused',
  'PrintResumed',
  'PrintDone',
  'PrintCancelling',
  'PrintCancelled',
  'PrintFailed',
  'PrinterReset',
  'MetadataAnalysisFinished',
] as const;

export const CONNECTION_CLOSED = 'The connection to the printer was closed';
export const PRINTER_RESET = 'The printer was reset';
export const NO_SUCCESS =
  'OctoPrint recorded that the print did not succeed, but not whether it was cancelled or failed';

type Flags = Record<
  'isRunning' | 'isPaused' | 'isTransfer' | 'isError' | 'isOffline' | 'isHalted' | 'isComplete',
  boolean
>;

export function toActivity(flags: Flags): Activity {
  const { isRunning, isPaused, isTransfer, isError, isOffline, isHalted, isComplete } = flags;
  if (isRunning) return isPaused ? 'PAUSED' : 'PRINTING';
  if (isTransfer) return 'PREPARING';
  return isError || isHalted ? 'ERROR' : isOffline ? 'OFFLINE' : isComplete ? 'FINISHED' : 'IDLE';
}

/** The job as `current` and `history` report it. */
export interface Current {
  isRunning: boolean;
  isPaused: boolean;
  isResuming: boolean;
  /** Whether the print is ending, so its figures are no longer useful. */
  isEnding: boolean;
  isCancelling: boolean;
  /** Whether OctoPrint sends a file to the card of the printer, under the flag of a print. */
  isTransfer: boolean;
  isError: boolean;
  /** Whether OctoPrint has no connection to its printer. */
  isOffline: boolean;
  /** Whether the printer's firmware stopped the printer, and OctoPrint therefore closed the connection. */
  isHalted: boolean;
  /** Why OctoPrint has no connection to its printer. */
  error: string | null;
  message: string | null;
  path: string | null;
  name: string | null;
  /** Whether OctoPrint stores the file. If not, the printer reads the file from its card. */
  isLocal: boolean;
  /** The print time. For a print from the card it includes pauses until the print continues. */
  printSec: number | null;
  isComplete: boolean;
  activity: Activity;
  facts: Pick<PrintReading, 'progress' | 'progressBasis' | 'remainingSec' | 'plan'>;
}

/** Returns `null` if the message has no flags. */
export function readCurrent(body: unknown): Current | null {
  const flags = memberAt(body, 'state', 'flags');
  if (typeof memberAt(flags, 'operational') !== 'boolean' && typeof memberAt(flags, 'printing') !== 'boolean')
    return null;
  const hasFlag = (...names: string[]) => names.some((name) => memberAt(flags, name) === true);
  const text = readMessage(memberAt(body, 'state', 'text'));
  const origin = memberAt(body, 'job', 'file', 'origin');
  const isLocal = typeof origin !== 'string' || origin === 'local';
  const isTransfer = hasFlag('printing') && TRANSFER.test(text ?? '');
  const isError = hasFlag('error') && !text?.startsWith('Offline');
  const isOffline = !isError && (hasFlag('closedOrError') || memberAt(flags, 'operational') === false);
  const error = readMessage(memberAt(body, 'state', 'error'));
  const isHalted = isOffline && HALT.test(error ?? '');
  const path = readPath(memberAt(body, 'job', 'file', 'path')) ?? readPath(memberAt(body, 'job', 'file', 'name'));
  const completion = readShare(memberAt(body, 'progress', 'completion'), 100);
  const flagged = {
    isRunning: hasFlag(...RUNNING) && !isTransfer,
    isPaused: hasFlag('paused', 'pausing'),
    isTransfer,
    isError,
    isOffline,
    isHalted,
    isComplete: completion === '1' && !isTransfer,
  };
  return {
    ...flagged,
    activity: toActivity(flagged),
    isResuming: hasFlag('resuming'),
    isEnding: hasFlag('finishing', 'cancelling'),
    isCancelling: hasFlag('cancelling'),
    error,
    message: isError || isOffline ? (error ?? text) : null,
    path,
    name: readName(memberAt(body, 'job', 'file', 'display')) ?? readName(memberAt(body, 'job', 'file', 'name')),
    isLocal,
    printSec: readSeconds(memberAt(body, 'progress', 'printTime')),
    facts: {
      progress: completion,
      progressBasis: completion === null ? null : 'FILE',
      remainingSec: readWholeSeconds(memberAt(body, 'progress', 'printTimeLeft')),
      plan: readPlan(memberAt(body, 'job')),
    },
  };
}

/**
 * Reads the plan from OctoPrint's analysis of the file; `null` if there is no analysis yet. OctoPrint analyses files only while it is idle, so
 * the analysis may come after the print.
 */
export function readPlan(job: unknown): FilamentPlan | null {
  const filament = memberAt(job, 'filament');
  const tools = typeof filament === 'object' && filament !== null ? Object.keys(filament).slice(0, 64) : [];
  const byNumber = tools.flatMap((tool) => {
    const [, number] = /^tool(\d{1,2})$/.exec(tool) ?? [];
    const mm = readMillimetres(memberAt(filament, tool, 'length'));
    return number === undefined ? [] : [{ tool: Number(number), mm, grams: null }];
  });
  const single = { tool: 0, mm: readMillimetres(memberAt(filament, 'length')), grams: null };
  return buildToolPlan([...byNumber, single], readWholeSeconds(memberAt(job, 'estimatedPrintTime')));
}

export interface Event {
  type: (typeof SUBSCRIBED_EVENTS)[number];
  path: string | null;
  name: string | null;
  isLocal: boolean;
  /** The reason in PrintFailed: "cancelled" or "error". */
  reason: string | null;
  error: string | null;
  /** Whether a user caused the event. */
  isByUser: boolean;
  /** For PrinterReset: whether no print was running. */
  isIdle: boolean;
}

export function readEvent(body: unknown): Event | null {
  const type = SUBSCRIBED_EVENTS.find((name) => name === memberAt(body, 'type'));
  const payload = memberAt(body, 'payload');
  if (type === undefined || typeof payload !== 'object' || payload === null) return null;
  const origin = memberAt(payload, 'origin');
  return {
    type,
    path: readPath(memberAt(payload, 'path')) ?? readPath(memberAt(payload, 'name')),
    name: readName(memberAt(payload, 'name')),
    isLocal: typeof origin !== 'string' || origin === 'local',
    reason: readMessage(memberAt(payload, 'reason')),
    // A cancel has an error if the printer's firmware caused it.
    error: readMessage(memberAt(payload, 'error')) ?? readMessage(memberAt(payload, 'firmwareError')),
    isByUser: readName(memberAt(payload, 'user')) !== null,
    isIdle: memberAt(payload, 'idle') !== false,
  };
}

/** The last print of a file, from the statistics of this file. */
export interface LastPrint {
  path: string;
  name: string | null;
  /** Unix seconds. */
  date: number | null;
  success: boolean;
  printSec: number | null;
  plan: FilamentPlan | null;
}

export function readLastPrint(body: unknown, path: unknown): LastPrint | null {
  const success = memberAt(body, 'prints', 'last', 'success');
  if (typeof path !== 'string' || typeof success !== 'boolean') return null;
  const reported = memberAt(body, 'prints', 'last', 'date');
  const date = typeof reported === 'string' ? Number.NaN : toNumber(reported);
  return {
    path,
    name: readName(memberAt(body, 'display')) ?? readName(memberAt(body, 'name')),
    date: Number.isFinite(date) ? date : null,
    success,
    printSec: readSeconds(memberAt(body, 'prints', 'last', 'printTime')),
    // A file that is newer than its last print was replaced, so its analysis does not belong to that print.
    plan: toNumber(memberAt(body, 'date')) > toNumber(date) ? null : readPlan(memberAt(body, 'gcodeAnalysis')),
  };
}

export const toCounter = (printSec: number | null) =>
  printSec === null ? null : { seconds: printSec, countsPauses: false };

export const createNamedReading = (ordinal: number, path: string | null, name: string | null): PrintReading => ({
  ...createEmptyReading(ordinal),
  filePath: path,
  name,
});
