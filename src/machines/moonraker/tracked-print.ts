// The memory of one connection to Moonraker, and the print in it that print_stats shows: the time of its begin, its row in Moonraker's
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
  /** The id of the print before it, whose row may still be the newest. */
  idBefore: string | null;
  /** The row of the history when it was finished. */
  finishedRow: Job | null;
  startedAt: Instant | null;
  startedAtEstimated: boolean;
  firstSeenAt: Instant;
  totalSec: number;
  feeding: FeedingState;
  /** Of each tool the gate, as it was when nothing was fed so far; null: there is no unit. */
  gates: readonly number[] | null;
  /** Whether it has had a reading. The first one waits for its plan and its id. */
  isReported: boolean;
  /** Klipper went away while it printed. */
  wasInterrupted: boolean;
}

/** Plain JSON. */
export interface Memory {
  openedAt: Instant;
  /** null: Klipper is away, or has not been heard of yet. */
  status: Status | null;
  awaySince: Instant | null;
  /** Whether the history was asked for. */
  isAsked: boolean;
  /** Whether the records of earlier prints were reported. */
  isOpen: boolean;
  /** null: the history has not answered yet. */
  hasHistory: boolean | null;
  /** From the answer of the history until the connection is open. */
  records: Job[];
  /** The newest row of the history. */
  job: Job | null;
  clockOffMs: number | null;
  lastContactAt: Instant | null;
  /** Whether the history was asked for again, from the last contact on by the machine's clock. */
  isAskedByItsClock: boolean;
  metadata: { filename: string; plan: FilamentPlan | null } | null;
  print: Tracked | null;
  /** A print that another one replaced before its end was seen. */
  previous: Tracked | null;
  /** Whether another state than a running one was heard last. */
  isIdle: boolean;
  /** The last status of that state; null: there was none in this connection. */
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

/** A begin is seen when another state, or another print, was heard before it in this connection. */
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
  const fed = advanceFeeding(print.feeding, status);
  // Until something is fed, the start of the print may say which gate is for which tool.
  return { ...print, feeding: fed, gates: fed.slot === null ? status.gates : print.gates };
}

/** Gives a print the id of its row; one that was found running, its start too. */
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
 * Whether a row of the history is the print that print_stats shows, which has no id of its own. Moonraker makes no row for
 * a print that it finds running when it starts.
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
    // The length of all tools together, whatever slot it names.
    measured: status.mm === null ? [] : [{ slot: 'tool:0', mm: status.mm, grams: null }],
    feeding: reportsSlot(status) ? print.feeding.feeding : null,
    plan,
    end: null,
  };
}

/** The plan by the gates of the unit. Gate N belongs to tool N, unless a person has given the unit another map. */
function planByGates(plan: FilamentPlan | null, gates: readonly number[] | null): FilamentPlan | null {
  if (gates === null || gates.length === 0) return plan;
  const gateOf = (tool: number) => {
    const gate = gates[tool];
    return gate === undefined || gate < 0 ? null : `mmu:${gate}`;
  };
  const slots = (plan?.slots ?? []).map((one) => {
    const [, tool] = /^tool:(\d+)$/.exec(one.slot) ?? [];
    return { ...one, slot: (tool === undefined ? null : gateOf(Number(tool))) ?? one.slot };
  });
  return { seconds: plan?.seconds ?? null, slots: sumsBySlot(slots), mapping: gates.map((_, tool) => gateOf(tool)) };
}

/** Several tools may have one gate. */
function sumsBySlot(slots: FilamentPlan['slots']): FilamentPlan['slots'] {
  const sum = (one: string | null, other: string | null) =>
    one === null || other === null ? null : Decimal.sum(one, other).toFixed();
  const by = new Map<string, FilamentPlan['slots'][number]>();
  for (const one of slots) {
    const same = by.get(one.slot);
    by.set(
      one.slot,
      same === undefined ? one : { ...one, mm: sum(same.mm, one.mm), grams: sum(same.grams, one.grams) },
    );
  }
  return [...by.values()];
}
