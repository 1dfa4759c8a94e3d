// The outbox: what happens becomes notifications, each once, with a delivery for each target that is told of it.

import type { Queryable } from '../../database/queryable';
import { CursorExpired } from '../../errors';
import type { AlertService } from '../../farm/alerts/alert.service';
import { ChangeStore } from '../../farm/changes/change.store';
import type { FeedPosition } from '../../sharing/feed';
import { type Instant, instantNow } from '../../values/instant';
import { lookAtAlerts } from './alert-telling';
import { type OutboxLease, OutboxStore } from './outbox.store';
import { tellPrints } from './print-telling';
import { wordsOfOmitted } from './words';

interface OutboxParts {
  database: Queryable;
  /** Over the database, or over a transaction of it. */
  alertsOn(database: Queryable): Pick<AlertService, 'all' | 'messageOf'>;
  /** Of costs; null for none. */
  currency: string | null;
}

/** Changes of the feed: about 10 ms. */
const READ_AT_ONCE = 5000;
/** Changes that may be told of in one transaction. */
const TOLD_AT_ONCE = 50;
/** How far the feed was read without anything to tell is stored so often: the next process reads the rest again. */
const STORED_EVERY_MS = 10_000;
/** Each 15 s: a timer of 15 s may be early. */
const ALERTS_EVERY_MS = 14_500;

/** Of the one process that holds the lease. */
export class Outbox {
  private readonly store: OutboxStore;
  private readonly changes: ChangeStore;
  /** What was read behind the stored place, where nothing was to be told. */
  private ahead: { number: string; stored: FeedPosition; read: FeedPosition; storedAt: number } | undefined;
  private alertsAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly parts: OutboxParts) {
    this.store = new OutboxStore(parts.database);
    this.changes = new ChangeStore(parts.database);
  }

  /** Reads the feed up to its end, and looks at the alerts when it is time. @returns how many notifications it wrote */
  async step(lease: OutboxLease): Promise<number> {
    const told = await this.readFeed(lease);
    if (performance.now() - this.alertsAt < ALERTS_EVERY_MS) return told;
    this.alertsAt = performance.now();
    return told + (await this.lookAtAlerts(lease));
  }

  /** @returns how many notifications it wrote */
  async readFeed(lease: OutboxLease, now: Instant = instantNow()): Promise<number> {
    const { hasTargets, position } = await this.store.place();
    if (!hasTargets) {
      if (position !== null) await this.locked(lease, (store) => store.rest());
      return 0;
    }
    // Another program made the row of the outbox anew.
    if (position === null) {
      await this.locked(lease, (store) => store.begin());
      return 0;
    }
    try {
      return await this.readFrom(lease, position, now);
    } catch (error) {
      if (!(error instanceof CursorExpired)) throw error;
      return this.leaveOut(lease, now);
    }
  }

  /** @param now as the alerts are judged. @returns how many notifications it wrote */
  async lookAtAlerts(lease: OutboxLease, now: Instant = instantNow()): Promise<number> {
    const { hasTargets, knowsAlerts } = await this.store.place();
    return hasTargets ? lookAtAlerts(this.parts, lease, knowsAlerts, now) : 0;
  }

  private async readFrom(lease: OutboxLease, stored: FeedPosition, now: Instant): Promise<number> {
    let place = stored;
    let told = 0;
    for (let isFull = true; isFull; ) {
      const page = await this.changes.ofPrints(this.behind(lease, place), READ_AT_ONCE, TOLD_AT_ONCE);
      isFull = page.isFull;
      if (page.end === null) return told;
      const { end, changes } = page;
      if (changes.length === 0) {
        place = await this.passOver(lease, place, end);
        continue;
      }
      const from = place;
      const written = await this.parts.database.transaction(async (transaction) => {
        const store = new OutboxStore(transaction);
        if (!(await store.move(lease, from, end))) return null;
        const alerts = this.parts.alertsOn(transaction);
        return tellPrints(store, changes, now, this.parts.currency, alerts);
      });
      // Another process goes on.
      if (written === null) return told;
      told += written;
      place = end;
    }
    return told;
  }

  /** Where reading goes on: it may be behind the stored place. */
  private behind({ number }: OutboxLease, stored: FeedPosition): FeedPosition {
    const isOfPlace = this.ahead?.number === number && isSame(this.ahead.stored, stored);
    if (!isOfPlace) this.ahead = undefined;
    return this.ahead?.read ?? stored;
  }

  /** @returns the stored place */
  private async passOver(lease: OutboxLease, stored: FeedPosition, read: FeedPosition): Promise<FeedPosition> {
    this.ahead ??= { number: lease.number, stored, read, storedAt: performance.now() };
    this.ahead.read = read;
    const isDue = performance.now() - this.ahead.storedAt >= STORED_EVERY_MS;
    return isDue && (await this.store.move(lease, stored, read)) ? read : stored;
  }

  /** The changes behind the place are gone, or are those of another database. */
  private async leaveOut(lease: OutboxLease, now: Instant): Promise<number> {
    const told = await this.locked(lease, async (store) => {
      await store.begin();
      const targets = (await store.targets()).map(({ id }) => id);
      await store.tell([{ event: 'OMITTED', at: now, severity: null, ...wordsOfOmitted(null), targets }]);
      return 1;
    });
    return told ?? 0;
  }

  /** @returns null where another process holds the lease */
  private locked<T>(lease: OutboxLease, work: (store: OutboxStore) => Promise<T>): Promise<T | null> {
    return this.parts.database.transaction(async (transaction) => {
      const store = new OutboxStore(transaction);
      return (await store.lock(lease)) ? work(store) : null;
    });
  }
}

const isSame = (one: FeedPosition, other: FeedPosition) => one.every((part, index) => part === other[index]);
