// Hands what a machine reports about its spools to the farm, and sends the spool that a user loads to the machine, if its owner wants that.
import { randomUUID } from 'node:crypto';
import type { SeenSlots, SpoolReport } from '../../farm/followed-spools/followed-spools.model';
import { needsSending } from '../../farm/followed-spools/followed-spools.rules';
import { type FollowedSpoolsService, numberOf } from '../../farm/followed-spools/followed-spools.service';
import { instantNow } from '../../values/instant';
import type { RequestTime } from '../../values/request-time';
import type { SessionForReadings } from './device-session';
import type { LoadedNumber } from './held-device.store';

/** Between two attempts: to find a spool that the farm did not have, or to send a spool. */
const RETRY_MS = 10_000;
/** The most reports that wait. A real machine changes its spools once in minutes. */
const MAX_REPORTS = 20;

export interface SpoolFollowerParts {
  followedSpools: FollowedSpoolsService;
  /** Returns the deadline of a write that starts now. */
  createDeadline(): number;
  /** Is called after a commit, so that the feed can be read. */
  onCommitted(): void;
}

export class SpoolFollower {
  private waiting: SpoolReport[] = [];
  /** The last report of this connection that was applied. */
  private last: SpoolReport | null = null;
  private isOurs = false;
  private seen: SeenSlots | null = null;
  private waitsForSpool = false;
  private retriedAt = performance.now();
  private sentAt = -RETRY_MS;
  private isSending = false;

  constructor(
    private readonly session: SessionForReadings,
    private readonly parts: SpoolFollowerParts,
  ) {}

  /** Starts a new connection, which reports everything again. */
  startConnection(): void {
    this.waiting = [];
    this.last = null;
    this.isOurs = false;
    this.waitsForSpool = false;
  }

  accept(report: SpoolReport): void {
    this.waiting = [...this.waiting, report].slice(-MAX_REPORTS);
  }

  get hasWaiting(): boolean {
    return this.waiting.length > 0;
  }

  /** Applies the reports before a spool was taken out. Spools are loaded before the prints that were made with them are booked. */
  async applyLoads(): Promise<void> {
    for (let [next] = this.waiting; next !== undefined && !takesOut(next, this.last); [next] = this.waiting) {
      await this.applyNext();
    }
  }

  /** Applies all reports. A spool is taken out after the print that used it is booked. */
  async applyAll(): Promise<void> {
    while (this.waiting.length > 0) await this.applyNext();
  }

  private async applyNext(): Promise<void> {
    const next = this.waiting.shift();
    if (next === undefined || this.session.work.isStopping) return;
    await this.apply(next);
    this.last = next;
  }

  private async apply(report: SpoolReport): Promise<void> {
    const { work, lease } = this.session;
    const apply = () => this.parts.followedSpools.apply(lease, report, this.requestTime());
    const result = await work.retryUntilHeld(apply, 'NOT_HELD');
    if (result === 'NOT_HELD') return;
    this.isOurs = result.isOurs;
    this.seen = result.seen;
    this.waitsForSpool = result.waitsForSpool;
    this.retriedAt = performance.now();
    this.parts.onCommitted();
  }

  /** The session calls this each second: a spool that the machine names may have been added or restored since. */
  tick(): void {
    const { last } = this;
    if (!this.waitsForSpool || last === null || performance.now() - this.retriedAt < RETRY_MS) return;
    this.retriedAt = performance.now();
    this.session.work.enqueue(async () => {
      if (this.last === last && this.waiting.length === 0) await this.apply({ ...last, at: instantNow() });
    });
  }

  /** Sends the spool in the only slot to the machine, if a user put it there after the machine chose its active spool. */
  noteLoaded(loaded: LoadedNumber | null): void {
    const slot = this.last?.spoolman?.activeSlot ?? null;
    if (loaded === null || slot === null || !this.isOurs || this.isSending || this.waiting.length > 0) return;
    const known = this.seen?.[slot];
    if (known === undefined) return;
    const active = { number: numberOf(known.spool), at: known.at };
    if (!needsSending({ active, slot: loaded, sent: known.sent })) return;
    const isRetry = known.sent?.changedAt === loaded.changedAt;
    if (isRetry && performance.now() - this.sentAt < RETRY_MS) return;
    this.isSending = true;
    this.session.work.enqueue(() => this.send(slot).finally(() => (this.isSending = false)));
  }

  private async send(slot: string): Promise<void> {
    const { work, lease, link } = this.session;
    const connection = link.current;
    // The machine may have reported another choice since.
    if (connection === null || this.waiting.length > 0) return;
    const sent = await work.retryUntilHeld(() => this.parts.followedSpools.noteSending(lease, slot), 'NOT_HELD');
    if (sent === 'NOT_HELD') return;
    this.seen = sent.seen;
    if (sent.send === null) return;
    this.sentAt = performance.now();
    if (this.waiting.length > 0 || link.current !== connection) return;
    const { number } = sent.send;
    connection.ask({
      source: 'server.spoolman.post_spool_id',
      parameters: number === null ? {} : { spool_id: number },
    });
  }

  private requestTime(): RequestTime {
    return { now: instantNow(), deadline: this.parts.createDeadline(), newId: randomUUID };
  }
}

/** Whether a slot has no spool any more that had a spool, or may have had one. */
const takesOut = ({ slots }: SpoolReport, before: SpoolReport | null) =>
  slots.some(({ slot, spool }) => spool === null && before?.slots.find((known) => known.slot === slot)?.spool !== null);
