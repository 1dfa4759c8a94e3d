// What an adapter is: the pure half of a kind of machine. It turns the messages of a connection into readings. The readings that all kinds
// of printers make in the same way are here too.
import type { CameraStatus } from '../farm/cameras/camera.types';
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

/** What a connection hands over: a push of the machine, or the answer to something asked, as parsed JSON. */
export interface MachineMessage {
  /** The method or path of the machine's interface. */
  source: string;
  body: unknown;
  /** Of an answer: what was asked. */
  parameters?: unknown;
  /** The machine refused to answer, or had no answer. */
  failed?: boolean;
}

/** What the database has of the running print of this device when a connection opens. */
export interface LastKnown {
  /** When the device was last heard of; null at the first contact. */
  lastContactAt: Instant | null;
  /** null: no print ran. */
  name: string | null;
  filePath: string | null;
  externalId: string | null;
  /** The last print, when it is over and its amounts are not reported yet; left out: there is none. */
  unplanned?: UnplannedPrint;
}

export const FIRST_CONTACT: LastKnown = { lastContactAt: null, name: null, filePath: null, externalId: null };

export interface UnplannedPrint {
  filePath: string;
  endedAt: Instant;
}

/** What the adapter wants to know. The connection asks it, and hands the answer over under the same source. */
export interface Ask {
  source: string;
  parameters: Record<string, unknown>;
}

/** A status record as a camera reports it. null: the camera does not say. */
export interface CameraReading extends Omit<CameraStatus, 'id' | 'cameraId' | 'recordedAt'> {
  kind: 'STATUS';
  at: Instant;
}

export interface AdapterOutput<Memory, MachineReading = Reading> {
  memory: Memory;
  readings: MachineReading[];
  asks: Ask[];
}

/** Who hears a machine keeps its memory from one message to the next, takes the readings, and then asks. Memory is plain JSON. A printer reports readings of its prints, a camera reports status records. */
export interface Adapter<Memory, MachineReading = Reading> {
  /** The memory that a new connection begins with, and what to ask first. */
  start(opened: LastKnown, now: Instant): AdapterOutput<Memory, MachineReading>;
  /** Never throws. A message that cannot be understood gives no reading. */
  receive(memory: Memory, message: MachineMessage, now: Instant): AdapterOutput<Memory, MachineReading>;
}

/** An answer that a reading needs is waited for so long. */
export const MAX_WAIT_MS = 10_000;

/** The print that an adapter follows in one connection: the printer shows it, or showed it last. */
export interface TrackedPrint {
  isOver: boolean;
  /** Its last reading. */
  last: PrintReading;
}

/** What a printer shows beside its print. */
export interface MachineState {
  activity: Activity;
  message: string | null;
}

export const isUnfinished = <Print extends TrackedPrint>(print: Print | null): print is Print =>
  print !== null && !print.isOver;

/** The number of the print behind this one. */
export const nextOrdinal = (print: TrackedPrint | null) => (print?.last.ordinal ?? 0) + 1;

export const withReadings = <Memory>(
  memory: Memory,
  readings: Reading[] = [],
  asks: Ask[] = [],
): AdapterOutput<Memory> => ({
  memory,
  readings,
  asks,
});

export function stateReading(
  { activity, message }: MachineState,
  print: StateReading['print'],
  now: Instant,
): StateReading {
  return { kind: 'STATE', at: now, activity, message, print };
}

/** No reading of a print comes out. */
export const stateOnly = <Memory>(
  memory: Memory,
  state: MachineState,
  print: 'NO_PRINT' | 'PRINT_UNKNOWN',
  now: Instant,
): AdapterOutput<Memory> => withReadings(memory, [stateReading(state, print, now)]);

export const exactEnd = (outcome: End['outcome'], at: Instant | null, reason: string | null = null): End => ({
  outcome,
  at,
  reason,
  estimated: false,
});

export const endReading = (state: MachineState, { last }: TrackedPrint, end: End, now: Instant) =>
  stateReading(state, { ...last, end }, now);

/** The reading of the end; behind one of the start where the print had no reading so far. */
export function endReadings(
  state: MachineState,
  print: TrackedPrint & { isReported: boolean },
  end: End,
  now: Instant,
): Reading[] {
  const ended = endReading(state, print, end, now);
  return print.isReported ? [ended] : [stateReading({ ...state, activity: 'PRINTING' }, print.last, now), ended];
}

/** The amounts that a file states, by the numbers of its tools, without tools that it does not use. Null: the file states no amount. */
export function buildToolPlan(
  tools: readonly { tool: number; mm: string | null; grams: string | null }[],
  seconds: number | null,
): FilamentPlan | null {
  const slots = tools
    .filter(({ mm, grams }) => Number(mm) > 0 || Number(grams) > 0)
    .map(({ tool, mm, grams }) => ({ slot: `tool:${tool}`, mm, grams }));
  return slots.length === 0 ? null : { seconds, slots };
}

/** A print of which nothing is reported but its number. */
export const emptyReading = (ordinal: number): PrintReading => ({
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
