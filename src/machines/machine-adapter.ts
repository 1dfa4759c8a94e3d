// Defines an adapter, the part of a machine kind that turns messages into readings without any input or output, and builds the readings
// that all kinds of printers have in common.
import type { CameraStatus } from '../farm/cameras/camera.types';
import type { SpoolReport } from '../farm/followed-spools/followed-spools.model';
import {
  type Activity,
  type End,
  type FilamentPlan,
  NO_FIGURES,
  type PrintReading,
  type Reading,
  type StateReading,
} from '../farm/print-rules/print.model';
import type { Instant } from '../values/instant';

/** A message of a connection: something that the machine pushed, or the answer to a request, as parsed JSON. */
export interface MachineMessage {
  /** The method or path in the machine's API. */
  source: string;
  body: unknown;
  /** The parameters of the request, if this is an answer. */
  parameters?: unknown;
  /** Whether the machine refused to answer, or had no answer. */
  failed?: boolean;
}

/** What the database has of this device and its running print when a connection opens. */
export interface LastKnown {
  /** When the gateway last received something from the device; `null` at the first contact. */
  lastContactAt: Instant | null;
  /** null if no print was running. */
  name: string | null;
  filePath: string | null;
  externalId: string | null;
  /** The last print, if it has ended and its amounts are still unknown. */
  unplanned?: UnplannedPrint;
}

export const FIRST_CONTACT: LastKnown = { lastContactAt: null, name: null, filePath: null, externalId: null };

export interface UnplannedPrint {
  filePath: string;
  endedAt: Instant;
}

/** A request of an adapter. The connection sends it, and delivers the answer as a message with the same source. */
export interface Ask {
  source: string;
  parameters: Record<string, unknown>;
}

/** A status record as a camera reports it. A member is null if the camera does not report it. */
export interface CameraReading extends Omit<CameraStatus, 'id' | 'cameraId' | 'recordedAt'> {
  kind: 'STATUS';
  at: Instant;
}

export interface AdapterOutput<Memory, MachineReading = Reading> {
  memory: Memory;
  readings: MachineReading[];
  asks: Ask[];
  /** What the machine reports about its spools, if that has changed. */
  spools?: SpoolReport;
}

/**
 * The caller keeps the memory from one message to the next, handles the readings, and then sends the asks. Memory is plain JSON. The
 * adapter of a printer returns readings of prints, and the adapter of a camera returns status records.
 */
export interface Adapter<Memory, MachineReading = Reading> {
  /** Returns the memory at the start of a connection, and the first requests. */
  start(opened: LastKnown, now: Instant): AdapterOutput<Memory, MachineReading>;
  /** Handles one message. Never throws. A message that the adapter does not understand causes no reading. */
  receive(memory: Memory, message: MachineMessage, now: Instant): AdapterOutput<Memory, MachineReading>;
}

/** How long an adapter waits for an answer that a reading needs. */
export const MAX_WAIT_MS = 10_000;

/** The print that an adapter follows in one connection: the print that the printer shows, or the last print that it showed. */
export interface TrackedPrint {
  isOver: boolean;
  /** The last reading of the print. */
  last: PrintReading;
}

/** What a printer shows in addition to its print. */
export interface MachineState {
  activity: Activity;
  message: string | null;
  /** Missing for machines that never report who paused a print. */
  isPausedByUser?: boolean;
}

export const isUnfinished = <Print extends TrackedPrint>(print: Print | null): print is Print =>
  print !== null && !print.isOver;

/** The number of the next print in this connection. */
export const getNextOrdinal = (print: TrackedPrint | null) => (print?.last.ordinal ?? 0) + 1;

export const withReadings = <Memory>(
  memory: Memory,
  readings: Reading[] = [],
  asks: Ask[] = [],
): AdapterOutput<Memory> => ({
  memory,
  readings,
  asks,
});

export function buildStateReading(
  { activity, message, isPausedByUser = false }: MachineState,
  print: StateReading['print'],
  now: Instant,
): StateReading {
  return { kind: 'STATE', at: now, activity, message, isPausedByUser: isPausedByUser && activity === 'PAUSED', print };
}

/** Reports the state of the printer, without a reading of a print. */
export const reportStateOnly = <Memory>(
  memory: Memory,
  state: MachineState,
  print: 'NO_PRINT' | 'PRINT_UNKNOWN',
  now: Instant,
): AdapterOutput<Memory> => withReadings(memory, [buildStateReading(state, print, now)]);

export const createExactEnd = (outcome: End['outcome'], at: Instant | null, reason: string | null = null): End => ({
  outcome,
  at,
  reason,
  estimated: false,
});

export const buildEndReading = (state: MachineState, { last }: TrackedPrint, end: End, now: Instant) =>
  buildStateReading(state, { ...last, end }, now);

/** Returns the reading of a print's end. If the print had no reading so far, the reading of its start comes first. */
export function buildEndReadings(
  state: MachineState,
  print: TrackedPrint & { isReported: boolean },
  end: End,
  now: Instant,
): Reading[] {
  const ended = buildEndReading(state, print, end, now);
  return print.isReported ? [ended] : [buildStateReading({ ...state, activity: 'PRINTING' }, print.last, now), ended];
}

/** Builds a plan from the amounts of a file by tool number, without unused tools. Returns `null` if the file states no amount. */
export function buildToolPlan(
  tools: readonly { tool: number; mm: string | null; grams: string | null }[],
  seconds: number | null,
): FilamentPlan | null {
  const slots = tools
    .filter(({ mm, grams }) => Number(mm) > 0 || Number(grams) > 0)
    .map(({ tool, mm, grams }) => ({ slot: `tool:${tool}`, mm, grams }));
  return slots.length === 0 ? null : { seconds, slots };
}

/** A reading of a print of which only the number is known. */
export const createEmptyReading = (ordinal: number): PrintReading => ({
  ordinal,
  externalId: null,
  name: null,
  filePath: null,
  startedAt: null,
  startedAtEstimated: false,
  paused: false,
  ...NO_FIGURES,
  slot: null,
  measured: [],
  feeding: null,
  plan: null,
  end: null,
});
