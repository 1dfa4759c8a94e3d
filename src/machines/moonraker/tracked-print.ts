// Holds the memory of one connection to Moonraker, and decides the start, the history row and the readings of the print that print_stats
// shows.
import Decimal from 'decimal.js';
import { COUNTER_SLACK_SEC } from '../../farm/print-rules/continuation';
import { sumIfAllKnown } from '../../farm/print-rules/division';
import type { FilamentPlan, PrintReading } from '../../farm/print-rules/print.model';
import { addSeconds, CLOCKS_DIFFER_MS, type Instant } from '../../values/instant';
import { takeBaseName } from '../../values/text';
import { createEmptyReading, type TrackedPrint } from '../machine-adapter';
import { calculateShare, isClockOff, readName, readUnixTime } from '../message-values';
import type { Job } from './history';
import { appendFeeding, type FeedingState, type Positions, reportsSlot, startFeeding } from './slots';
import { NO_SPOOLS, type SpoolMemory } from './spools';
import { type EffectiveStatus, interpret, type Status } from './status';

/** The print that print_stats shows, or showed last. */
export interface Tracked extends TrackedPrint {
  ordinal: number;
  filename: string;
  externalId: string | null;
  /** The id of the print before, whose row may still be the newest in the history. */
  idBefore: string | null;
  /** The row of the history at the end of the print. */
  record: Job | null;
  startedAt: Instant | null;
  startedAtEstimated: boolean;
  firstAt: Instant;
  totalSec: number;
  feedingState: FeedingState;
  /** The gate of each tool, as reported before anything was fed; `null` if the printer has no unit. */
  gates: readonly number[] | null;
  /** Whether the print was reported. The first reading waits for the plan and the id. */
  isReported: boolean;
  /** Whether Klipper went away while it printed. */
  wasCutOff: boolean;
}

/** The memory of the adapter, as plain JSON. */
export interface Memory {
  openedAt: Instant;
  /** null while Klipper is away, and before its first status. */
  status: Status | null;
  awaySince: Instant | null;
  /** Whether the history was requested. */
  hasRequestedHistory: boolean;
  /** Whether the records of earlier prints were reported. */
  hasReportedHistory: boolean;
  /** Whether Moonraker has a history; `null` before its first answer. */
  hasHistory: boolean | null;
  /** The rows of the history, until they are reported. */
  records: Job[];
  /** The newest row of the history. */
  job: Job | null;
  clockOffMs: number | null;
  lastContactAt: Instant | null;
  /** Whether the history was requested again, with the time of the last contact converted to the machine's clock. */
  hasCorrectedRequest: boolean;
  metadata: { filename: string; plan: FilamentPlan | null } | null;
  print: Tracked | null;
  /** A print that another print replaced before its end was seen. */
  previous: Tracked | null;
  /** Whether the last state showed no running print. */
  isIdle: boolean;
  /** The last status without a running print; `null` if this connection saw none. */
  idleStatus: Status | null;
  positions: Positions;
  spools: SpoolMemory;
}

export const emptyMemory = (openedAt: Instant, lastContactAt: Instant | null): Memory => ({
  openedAt,
  lastContactAt,
  status: null,
  awaySince: null,
  hasRequestedHistory: false,
  hasReportedHistory: false,
  hasHistory: null,
  records: [],
  job: null,
  clockOffMs: null,
  hasCorrectedRequest: false,
  metadata: null,
  print: null,
  previous: null,
  isIdle: false,
  idleStatus: null,
  positions: {},
  spools: NO_SPOOLS,
});

const TOLERANCE_SEC = CLOCKS_DIFFER_MS / 1000;

/** Starts to follow a print. The gateway saw its start if this connection reported another state or another print before. */
export function startTracking(memory: Memory, filename: string, total: number, now: Instant): Tracked {
  const ordinal = (memory.print?.ordinal ?? 0) + 1;
  return {
    ordinal,
    filename,
    externalId: null,
    record: null,
    firstAt: now,
    totalSec: total,
    isReported: false,
    isOver: false,
    wasCutOff: false,
    last: createEmptyReading(ordinal),
    idBefore: memory.print?.externalId ?? null,
    startedAt: addSeconds(now, -total),
    startedAtEstimated: !memory.isIdle && memory.print === null,
    feedingState: startFeeding(memory.status, memory.isIdle ? memory.idleStatus : null, memory.positions),
    gates: memory.status?.gates ?? null,
  };
}

export const wasStartSeen = (print: Tracked) => !print.startedAtEstimated;

export function withFeeding(print: Tracked, status: Status): Tracked {
  const feedingState = appendFeeding(print.feedingState, status);
  // Until something is fed, the start code of the print may still set the gate of each tool.
  return { ...print, feedingState, gates: feedingState.slot === null ? status.gates : print.gates };
}

/** Gives a print the id of its history row. A print that was already running gets the start of the row too. */
export function withHistoryId(memory: Memory, print: Tracked, now: Instant): Tracked {
  const { job, clockOffMs } = memory;
  if (print.externalId !== null || job === null || job.externalId === print.idBefore) return print;
  if (wasStartSeen(print))
    return job.isRunning && job.filename === print.filename ? { ...print, externalId: job.externalId } : print;
  if (!isShownJob(interpret(memory.status as Status), job, now, clockOffMs)) return print;
  const reported = isClockOff(clockOffMs) ? null : readUnixTime(job.startedSec, now, null);
  const start = reported === null ? {} : { startedAt: reported, startedAtEstimated: false };
  return { ...print, externalId: job.externalId, ...start };
}

/**
 * Whether a row of the history is the print that print_stats shows, which has no id. Moonraker makes no row for a print that is
 * already running when Moonraker starts.
 */
export function isShownJob(
  { status, state }: EffectiveStatus,
  job: Job,
  now: Instant,
  clockOffMs: number | null,
): boolean {
  if (status.filename !== job.filename || state === 'standby') return false;
  const isRunning = state === 'printing' || state === 'paused';
  if (job.isRunning) return true;
  const total = status.totalSec ?? 0;
  const nowSec = (Date.parse(now) + (isClockOff(clockOffMs) ? (clockOffMs as number) : 0)) / 1000;
  if (isRunning) return job.mayContinue && Math.abs(nowSec - total - job.startedSec) <= TOLERANCE_SEC;
  if (job.outcome === 'COMPLETED' || job.outcome === 'CANCELLED')
    return Math.abs(job.totalSec - total) <= COUNTER_SLACK_SEC;
  return job.totalSec <= total + COUNTER_SLACK_SEC && job.startedSec + total <= nowSec + TOLERANCE_SEC;
}

export function buildPrintReading(
  print: Tracked,
  { status, state }: EffectiveStatus,
  reported: PrintReading['plan'],
): PrintReading {
  const plan = mapPlanToGates(reported, print.gates);
  const planned = sumIfAllKnown(plan?.slots.map(({ mm }) => mm) ?? []);
  const byFilament = planned === null ? null : calculateShare(status.mm, planned);
  const seconds = plan?.seconds ?? null;
  return {
    ordinal: print.ordinal,
    externalId: print.externalId,
    name: readName(takeBaseName(print.filename)),
    filePath: print.filename,
    startedAt: print.startedAt,
    startedAtEstimated: print.startedAtEstimated,
    paused: state === 'paused',
    counter: { seconds: status.totalSec ?? 0, countsPauses: true },
    progress: byFilament ?? status.progress,
    progressBasis: byFilament !== null ? 'FILAMENT' : status.progress === null ? null : 'FILE',
    remainingSec: seconds === null ? null : Math.max(0, Math.round(seconds - (status.printSec ?? 0))),
    layer: status.layer,
    layers: status.layers,
    slot: print.feedingState.slot,
    // The length counts all tools together, so its slot means nothing.
    measured: status.mm === null ? [] : [{ slot: 'tool:0', mm: status.mm, grams: null }],
    feeding: reportsSlot(status) ? print.feedingState.feeding : null,
    plan,
    end: null,
  };
}

/** Replaces the tools of a plan by the gates of the unit. Tool N uses gate N, unless the user has changed the map of the unit. */
function mapPlanToGates(plan: FilamentPlan | null, gates: readonly number[] | null): FilamentPlan | null {
  if (gates === null || gates.length === 0) return plan;
  const gateOf = (tool: number) => {
    const gate = gates[tool];
    return gate === undefined || gate < 0 ? null : `mmu:${gate}`;
  };
  const slots = (plan?.slots ?? []).map((slot) => {
    const [, tool] = /^tool:(\d+)$/.exec(slot.slot) ?? [];
    return { ...slot, slot: (tool === undefined ? null : gateOf(Number(tool))) ?? slot.slot };
  });
  return { seconds: plan?.seconds ?? null, slots: sumBySlot(slots), mapping: gates.map((_, tool) => gateOf(tool)) };
}

/** Adds up the amounts of each slot, because several tools may use one gate. */
function sumBySlot(slots: FilamentPlan['slots']): FilamentPlan['slots'] {
  const sum = (a: string | null, b: string | null) => (a === null || b === null ? null : Decimal.sum(a, b).toFixed());
  const bySlot = new Map<string, FilamentPlan['slots'][number]>();
  for (const slot of slots) {
    const known = bySlot.get(slot.slot);
    bySlot.set(
      slot.slot,
      known === undefined ? slot : { ...slot, mm: sum(known.mm, slot.mm), grams: sum(known.grams, slot.grams) },
    );
  }
  return [...bySlot.values()];
}
