// The print that an adapter follows in one connection, and its readings: the same for all kinds of printers.
import type { Activity, End, FilamentPlan, PrintReading, Reading, StateReading } from '../farm/print-rules/readings';
import type { Instant } from '../values/instant';
import type { AdapterOutput, Ask } from './adapter';

/** The print that a printer shows, or showed last. */
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

export const isTracked = <Print extends TrackedPrint>(print: Print | null): print is Print =>
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

export const seenEnd = (outcome: End['outcome'], at: Instant | null, reason: string | null = null): End => ({
  outcome,
  at,
  reason,
  estimated: false,
});

export const endReading = (state: MachineState, { last }: TrackedPrint, end: End, now: Instant) =>
  stateReading(state, { ...last, end }, now);

/** Its start comes first, because the print may have had no reading so far. */
export function startAndEnd(
  state: MachineState,
  print: TrackedPrint & { isReported: boolean },
  end: End,
  now: Instant,
): Reading[] {
  const ended = endReading(state, print, end, now);
  return print.isReported ? [ended] : [stateReading({ ...state, activity: 'PRINTING' }, print.last, now), ended];
}

/** The amounts of a file by the numbers of its tools, without those that it does not use; null: it names none. */
export function planOfTools(
  tools: readonly { tool: number; mm: string | null; grams: string | null }[],
  seconds: number | null,
): FilamentPlan | null {
  const slots = tools
    .filter(({ mm, grams }) => Number(mm) > 0 || Number(grams) > 0)
    .map(({ tool, mm, grams }) => ({ slot: `tool:${tool}`, mm, grams }));
  return slots.length === 0 ? null : { seconds, slots };
}
