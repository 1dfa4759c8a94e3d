// Holds what the adapter remembers of one connection to Moonraker, and tracks the print that print_stats shows: its start, its id in the
// history, which slot feeds it and how much, and its readings.
import Decimal from 'decimal.js';
import { COUNTER_SLACK_SEC } from '../../farm/print-rules/continuation';
import { sumIfAllKnown } from '../../farm/print-rules/division';
import type { FilamentPlan, PrintReading } from '../../farm/print-rules/print.model';
import { CLOCKS_DIFFER_MS, type Instant, later } from '../../values/instant';
import { baseNameOf } from '../../values/text';
import { emptyReading, type TrackedPrint } from '../machine-adapter';
import { instantOfUnix, isOff, nameOf, partBy } from '../message-values';
import { advanceFeeding, type FeedingState, type Positions, reportsSlot, startFeeding } from './feeding';
import type { Job } from './history';
import { type EffectiveStatus, type Status, understood } from './status';

/** The print that print_stats shows, or showed last. */
export interface Tracked extends TrackedPrint {
  ordinal: number;
  filename: string;
  externalId: string | null;
  /** The id of the previous print, whose history row may still be the newest row. */
  idBefore: string | null;
  /** The history row of the print when it ended. */
  finishedRow: Job | null;
  startedAt: Instant | null;
  startedAtEstimated: boolean;
  firstSeenAt: Instant;
  totalSec: number;
  feeding: FeedingState;
  /** By tool number, the gate before anything was fed. `null` if there is no unit. */
  gates: readonly number[] | null;
  /** Whether the print has had a reading. The first reading waits for the plan and the id. */
  isReported: boolean;
  /** Whether the connection to Klipper was lost during the print. */
  wasInterrupted: boolean;
}

/** The memory of one connection. It is plain JSON. */
export interface Memory {
  openedAt: Instant;
  /** `null` if Klipper is not connected, or has not reported yet. */
  status: Status | null;
  awaySince: Instant | null;
  /** Whether the adapter has asked for the history. */
  isAsked: boolean;
  /** Whether the records of earlier prints were reported. */
  isOpen: boolean;
  /** `null` before the history has answered. */
  hasHistory: boolean | null;
  /** The rows of the history's answer, until they are reported. */
  records: Job[];
  /** The newest row of the history. */
  job: Job | null;
  clockOffMs: number | null;
  lastContactAt: Instant | null;
  /** Whether the adapter has asked for the history again, with the last contact by the machine's clock. */
  isAskedByItsClock: boolean;
  metadata: { filename: string; plan: FilamentPlan | null } | null;
  print: Tracked | null;
  /** A print that another print replaced before its end was seen. */
  previous: Tracked | null;
  /** Whether the last reported state was idle. */
  isIdle: boolean;
  /** The last idle status. `null` if this connection has reported none. */
  idleStatus: Status | null;
  positions: Positions;
}

export const emptyMemory = (openedAt: Instant, lastContactAt: Instant | null): Memory => ({
  openedAt,
  lastContactAt,
  status: null,
  awaySince: null,
  isAsked: false,
  isOpen: false,
  hasHistory: null,
  records: [],
  job: null,
  clockOffMs: null,
  isAskedByItsClock: false,
  metadata: null,
  print: null,
  previous: null,
  isIdle: false,
  idleStatus: null,
  positions: {},
});

const TOLERANCE_SEC = CLOCKS_DIFFER_MS / 1000;

/** Starts to track a print. Its start was seen if this connection reported another state or another print before. */
export function startTracking(memory: Memory, filename: string, total: number, now: Instant): Tracked {
  const ordinal = (memory.print?.ordinal ?? 0) + 1;
  return {
    ordinal,
    filename,
    externalId: null,
    finishedRow: null,
    firstSeenAt: now,
    totalSec: total,
    isReported: false,
    isOver: false,
    wasInterrupted: false,
    last: emptyReading(ordinal),
    idBefore: memory.print?.externalId ?? null,
    startedAt: later(now, -total),
    startedAtEstimated: !memory.isIdle && memory.print === null,
    feeding: startFeeding(memory.status, memory.isIdle ? memory.idleStatus : null, memory.positions),
    gates: memory.status?.gates ?? null,
  };
}

export const isStartSeen = (print: Tracked) => !print.startedAtEstimated;

export function continueFeeding(print: Tracked, status: Status): Tracked {
  const feeding = advanceFeeding(print.feeding, status);
  // Until something is fed, the start of the print may change which gate belongs to which tool.
  return { ...print, feeding, gates: feeding.slot === null ? status.gates : print.gates };
}

/** Adds the id of its history row to a print. A print that was found running gets its start, too. */
export function addHistoryId(memory: Memory, print: Tracked, now: Instant): Tracked {
  const { job, clockOffMs } = memory;
  if (print.externalId !== null || job === null || job.externalId === print.idBefore) return print;
  if (isStartSeen(print))
    return job.isRunning && job.filename === print.filename ? { ...print, externalId: job.externalId } : print;
  if (!showsJob(understood(memory.status as Status), job, now, clockOffMs)) return print;
  const reported = isOff(clockOffMs) ? null : instantOfUnix(job.startedSec, now, null);
  const begin = reported === null ? {} : { startedAt: reported, startedAtEstimated: false };
  return { ...print, externalId: job.externalId, ...begin };
}

/**
 * Whether a row of the history is the print that print_stats shows, because print_stats has no id. Moonraker creates no row for a print that
 * is running when Moonraker starts.
 */
export function showsJob(
  { status, state }: EffectiveStatus,
  job: Job,
  now: Instant,
  clockOffMs: number | null,
): boolean {
  if (status.filename !== job.filename || state === 'standby') return false;
  const isRunning = state === 'printing' || state === 'paused';
  if (job.isRunning) return true;
  const total = status.totalSec ?? 0;
  const nowSec = (Date.parse(now) + (isOff(clockOffMs) ? (clockOffMs as number) : 0)) / 1000;
  if (isRunning) return job.mayGoOn && Math.abs(nowSec - total - job.startedSec) <= TOLERANCE_SEC;
  if (job.outcome === 'COMPLETED' || job.outcome === 'CANCELLED')
    return Math.abs(job.totalSec - total) <= COUNTER_SLACK_SEC;
  return job.totalSec <= total + COUNTER_SLACK_SEC && job.startedSec + total <= nowSec + TOLERANCE_SEC;
}

export function printReading(
  print: Tracked,
  { status, state }: EffectiveStatus,
  reported: PrintReading['plan'],
): PrintReading {
  const plan = planByGates(reported, print.gates);
  const planned = sumIfAllKnown(plan?.slots.map(({ mm }) => mm) ?? []);
  const byFilament = planned === null ? null : partBy(status.mm, planned);
  const seconds = plan?.seconds ?? null;
  return {
    ordinal: print.ordinal,
    externalId: print.externalId,
    name: nameOf(baseNameOf(print.filename)),
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
    slot: print.feeding.slot,
    // One length for all tools together. The slot in it means nothing.
    measured: status.mm === null ? [] : [{ slot: 'tool:0', mm: status.mm, grams: null }],
    feeding: reportsSlot(status) ? print.feeding.feeding : null,
    plan,
    end: null,
  };
}

/** The plan by gate of the unit. Gate N belongs to tool N, unless a user has mapped the tools to other gates. */
function planByGates(plan: FilamentPlan | null, gates: readonly number[] | null): FilamentPlan | null {
  if (gates === null || gates.length === 0) return plan;
  const gateOf = (tool: number) => {
    const gate = gates[tool];
    return gate === undefined || gate < 0 ? null : `mmu:${gate}`;
  };
  const slots = (plan?.slots ?? []).map((amount) => {
    const [, tool] = /^tool:(\d+)$/.exec(amount.slot) ?? [];
    return { ...amount, slot: (tool === undefined ? null : gateOf(Number(tool))) ?? amount.slot };
  });
  return { seconds: plan?.seconds ?? null, slots: sumBySlot(slots), mapping: gates.map((_, tool) => gateOf(tool)) };
}

/** Adds the amounts of tools that share a gate. */
function sumBySlot(slots: FilamentPlan['slots']): FilamentPlan['slots'] {
  const sum = (one: string | null, other: string | null) =>
    one === null || other === null ? null : Decimal.sum(one, other).toFixed();
  const bySlot = new Map<string, FilamentPlan['slots'][number]>();
  for (const amount of slots) {
    const before = bySlot.get(amount.slot);
    const summed = before && { ...amount, mm: sum(before.mm, amount.mm), grams: sum(before.grams, amount.grams) };
    bySlot.set(amount.slot, summed ?? amount);
  }
  return [...bySlot.values()];
}
