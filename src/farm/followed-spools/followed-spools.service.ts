// Writes what a machine reports about the spools in its slots: each report in one transaction, and only while this process holds the device.
import { BadInput } from '../../errors';
import type { Lease } from '../../sharing/lease';
import type { RequestTime } from '../../values/request-time';
import type { LoadRequest } from '../inventory/spool-loading.service';
import type {
  SeenSlot,
  SeenSlots,
  SentSpool,
  SpoolProblem,
  SpoolReference,
  SpoolReport,
  StoredSpoolman,
} from './followed-spools.model';
import { decideSlot, needsSending, type SlotDecision } from './followed-spools.rules';
import type { FollowedDevice, FollowedSpoolsStore } from './followed-spools.store';

/** What a report needs of its transaction. */
export interface FollowedSpoolsParts {
  store: FollowedSpoolsStore;
  load(request: LoadRequest, time: RequestTime): Promise<unknown>;
  addSlots(printerId: string, slots: readonly string[]): Promise<void>;
}

export interface FollowedReport {
  /** Whether the gateway is the Spoolman of the machine. */
  isOurs: boolean;
  seen: SeenSlots | null;
  /** Whether a slot waits for a spool that the farm does not have yet, so that the report must be applied again. */
  waitsForSpool: boolean;
}

export class FollowedSpoolsService {
  constructor(
    private readonly inTransaction: <Result>(work: (parts: FollowedSpoolsParts) => Promise<Result>) => Promise<Result>,
  ) {}

  apply(lease: Lease, report: SpoolReport, time: RequestTime): Promise<FollowedReport | 'NOT_HELD'> {
    return this.inTransaction(async (parts) => {
      const slots = report.slots.map(({ slot }) => slot);
      const device = await parts.store.lock(lease, slots);
      return device === null ? 'NOT_HELD' : applyReport(parts, lease.subject, device, report, time);
    });
  }

  /**
   * Notes that the spool in a slot is now sent to the machine as its active spool.
   * @returns what to send. There is nothing to send if the slot or the machine has changed meanwhile, or if it was sent often enough.
   */
  noteSending(lease: Lease, slot: string): Promise<Sending | 'NOT_HELD'> {
    return this.inTransaction(async ({ store }) => {
      const device = await store.lock(lease, [slot]);
      if (device === null) return 'NOT_HELD';
      const { seen, spoolman } = device;
      const [known, now] = [seen?.[slot], device.slots[slot]];
      const nothing: Sending = { seen, send: null };
      if (known === undefined || now === undefined || now.changedAt === null || !device.setsActiveSpool) return nothing;
      const { changedAt, number } = now;
      const { at, sent } = known;
      const active = { number: numberOf(known.spool), at };
      if (!needsSending({ active, slot: { number, changedAt }, sent })) return nothing;
      const tries = (sent?.changedAt === changedAt ? sent.tries : 0) + 1;
      const sending: SentSpool = { number, changedAt, tries };
      const next = { ...seen, [slot]: { ...known, sent: sending } };
      await store.write(lease.subject, next, spoolman);
      return { seen: next, send: { number } };
    });
  }
}

/** What is stored of the machine, and the active spool to send to it. */
interface Sending {
  seen: SeenSlots | null;
  send: { number: number | null } | null;
}

export const numberOf = (spool: SpoolReference | null) => (spool !== null && 'number' in spool ? spool.number : null);

async function applyReport(
  parts: FollowedSpoolsParts,
  deviceId: string,
  device: FollowedDevice,
  report: SpoolReport,
  time: RequestTime,
): Promise<FollowedReport> {
  const { spoolman } = report;
  if (spoolman === null) await writeTags(parts, device, report);
  const isThisGateway = spoolman === null || spoolman.farm === undefined ? null : spoolman.farm === device.farm;
  const isOurs = spoolman === null || isThisGateway === true;
  const decided = isOurs ? await decideSlots(parts, device, report, time) : NOTHING_DECIDED;
  // The numbers of another Spoolman say nothing about this farm: when the gateway is the Spoolman again, that is a first contact.
  const seen =
    isThisGateway === false
      ? null
      : isOurs && report.slots.length > 0
        ? { ...device.seen, ...decided.seen }
        : device.seen;
  const { problem } = decided;
  const stored: StoredSpoolman | null = spoolman && {
    isThisGateway,
    activeNumber: spoolman.activeNumber,
    obstacle: spoolman.obstacle,
    problem,
  };
  if (!isSame(seen, device.seen) || !isSame(stored, device.spoolman)) await parts.store.write(deviceId, seen, stored);
  return { isOurs, seen, waitsForSpool: decided.waitsForSpool };
}

interface DecidedSlots {
  seen: Record<string, SeenSlot>;
  problem: SpoolProblem | null;
  waitsForSpool: boolean;
}
const NOTHING_DECIDED: DecidedSlots = { seen: {}, problem: null, waitsForSpool: false };

async function decideSlots(
  parts: FollowedSpoolsParts,
  device: FollowedDevice,
  { slots, at, isPrinting }: SpoolReport,
  time: RequestTime,
): Promise<DecidedSlots> {
  const before = slots.map(({ slot }) => device.seen?.[slot]?.spool ?? null);
  const references = [...before, ...slots.map(({ spool }) => spool)].filter((spool) => spool !== null);
  const find = await parts.store.finder(references);
  const decided: DecidedSlots = { seen: {}, problem: null, waitsForSpool: false };
  for (const reported of slots) {
    const { slot } = reported;
    const now = device.slots[slot] ?? { spoolId: null, changedAt: null };
    const circumstances = { at, isPrinting, follows: device.followsSpools };
    const decision = decideSlot(device.seen?.[slot] ?? null, reported, now, circumstances, find);
    decided.seen[slot] = decision.seen;
    decided.problem ??= decision.problem;
    decided.waitsForSpool ||= decision.seen.pending !== undefined && decision.seen.spool !== null;
    if (decision.load !== undefined) await load(parts, device.printerId, slot, decision.load, time);
  }
  return decided;
}

/** If the slot or the spool was changed after the time of the report, the load starts now. */
async function load(
  { store, load }: FollowedSpoolsParts,
  printerId: string,
  slot: string,
  { spoolId, at }: NonNullable<SlotDecision['load']>,
  time: RequestTime,
): Promise<void> {
  try {
    await load({ printerId, slot, spoolId, at }, time);
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    // An archived printer gets no spool.
    await load({ printerId, slot, spoolId, at: null }, time).catch(ignoreRefusal);
  }
  if (spoolId !== null) await store.keepChoices(printerId, spoolId);
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof BadInput)) throw error;
}

async function writeTags(
  { store, addSlots }: FollowedSpoolsParts,
  { printerId }: FollowedDevice,
  { slots }: SpoolReport,
): Promise<void> {
  if (slots.length === 0) return;
  const tags = slots.map(({ slot, spool }) => ({
    slot,
    tag: spool !== null && 'uids' in spool ? (spool.uids[0] ?? null) : null,
  }));
  const withTag = tags.filter(({ tag }) => tag !== null);
  if (withTag.length > 0)
    await addSlots(
      printerId,
      withTag.map(({ slot }) => slot),
    );
  await store.writeTags(printerId, tags);
}

/** Compares values that PostgreSQL may return with their members in another order. */
function isSame(one: unknown, other: unknown): boolean {
  const sorted = (_name: string, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return JSON.stringify(one, sorted) === JSON.stringify(other, sorted);
}
