// Decides which messages the WebSockets of Spoolman's API get: one for each spool, filament and vendor whose answer changed.

import { DatabaseUnavailable } from '../../errors';
import type { ChangeRow } from '../../farm/changes/change.types';
import type { ChangedIds, StockChangesStore } from '../../farm/changes/stock-changes.store';
import { BEFORE_ALL, type Feed, type FeedPosition } from '../../sharing/feed';
import { sha256 } from '../../values/sha256';
import { setInterval } from '../../values/timers';

export type Resource = 'spool' | 'filament' | 'vendor';

/** Reads objects as GET answers them. */
export interface AnsweredObjects {
  /** @returns the objects that exist, by their ids in the database: the id in the API, and the JSON */
  read(resource: Resource, ids: readonly string[]): Promise<Map<string, { id: number; json: string }>>;
}

/** A WebSocket that listens to all objects, to one kind, or to one object. */
export interface Listener {
  resource: Resource | null;
  /** The id in the API; `null` for all objects of the kind. */
  id: number | null;
  send(text: string): void;
  /** Ends the socket after a failure. The client connects again. */
  fail(): void;
}

/** The least time between two messages about one object. */
const INTERVAL_MS = 1000;
/** A message must leave within 2 s of the commit, so waiting changes are sent soon after INTERVAL_MS. */
const TICK_MS = 250;
/** Vendors, which have no entry in the feed, are read in each of so many ticks, and running prints in each of these. */
const TICKS_OF_VENDORS = 2;
const TICKS_OF_RUNNING_PRINTS = 8;
/** A statement with more objects could delay other requests. */
const OBJECTS_OF_READ = 200;
/** The gateway keeps following for this time after the last socket has closed, because clients that lost it connect again. */
const LINGER_MS = 60_000;

type ContainedIds = { -readonly [Kind in keyof Omit<ChangedIds, 'spools'>]: string[] };

interface Waiting {
  resource: Resource;
  id: string;
  /** Whether the feed reported a change. Otherwise the object may have changed, and its answers are compared. */
  isReported: boolean;
}

export class ChangeEvents {
  private readonly listeners = new Set<Listener>();
  /** Resolves when changes are noticed; undefined while nobody listens. */
  private started: Promise<void> | undefined;
  private position: FeedPosition = BEFORE_ALL;
  private unfollow = () => {};
  /** The ids in the API, by resource and id in the database. */
  private readonly known: Record<Resource, Map<string, number>> = {
    spool: new Map(),
    filament: new Map(),
    vendor: new Map(),
  };
  private vendorFingerprints = new Map<number, string>();
  /** The hash of the newest answer that was read of each object. */
  private readonly hashes = new Map<string, string>();
  private readonly waiting = new Map<string, Waiting>();
  /** Changed objects whose containers have not been found yet. */
  private contained: ContainedIds = { filaments: [], materials: [], vendors: [] };
  private isFlushing = false;
  private isTicking = false;
  private flushedAt = Number.NEGATIVE_INFINITY;
  private lastLeftAt = 0;
  private ticks = 0;

  /** @param report logs a failure */
  constructor(
    private readonly feed: Pick<Feed, 'follow' | 'latest' | 'next'>,
    private readonly store: StockChangesStore,
    private readonly objects: AnsweredObjects,
    private readonly report: (error: Error) => void,
  ) {}

  get count(): number {
    return this.listeners.size;
  }

  /** Resolves when all later changes will be noticed. Called before a socket opens, so that the client misses nothing. */
  ready(): Promise<void> {
    this.lastLeftAt = performance.now();
    this.started ??= this.start();
    return this.started;
  }

  /** @returns ends listening */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    // Following ended after the handshake was admitted.
    if (this.started === undefined) listener.fail();
    return () => {
      this.listeners.delete(listener);
      this.lastLeftAt = performance.now();
    };
  }

  private async start(): Promise<void> {
    const unfollow = this.feed.follow();
    try {
      // The feed waits while the database does not answer. This statement fails instead, so that clients get 503.
      this.vendorFingerprints = new Map(await this.store.vendors());
      this.position = await this.feed.latest();
      const { spools, filaments } = await this.store.numbers();
      this.known.spool = new Map(spools);
      this.known.filament = new Map(filaments);
      this.known.vendor = new Map([...this.vendorFingerprints.keys()].map((id) => [String(id), id]));
    } catch (error) {
      unfollow();
      this.started = undefined;
      throw error;
    }
    const timer = setInterval(() => void this.tick(), TICK_MS).unref();
    this.unfollow = () => {
      clearInterval(timer);
      unfollow();
      this.started = undefined;
      this.waiting.clear();
      this.contained = { filaments: [], materials: [], vendors: [] };
      this.hashes.clear();
    };
    this.follow(this.started).catch((error: Error) => this.fail(error));
  }

  private async follow(started: Promise<void> | undefined): Promise<void> {
    while (this.started === started) {
      const { events, end } = await this.feed.next(this.position);
      this.position = end;
      this.note(events as readonly ChangeRow[]);
      void this.flush();
    }
  }

  /** For example after a restore: the position in the feed has expired. */
  private fail(error: Error): void {
    this.report(error);
    this.stop();
  }

  /** Ends all sockets. */
  stop(): void {
    if (this.started === undefined) return;
    this.unfollow();
    for (const listener of this.listeners) listener.fail();
  }

  private async tick(): Promise<void> {
    if (this.listeners.size === 0 && performance.now() - this.lastLeftAt > LINGER_MS) return this.unfollow();
    void this.flush();
    // A database that is slow gets no second statement.
    if (this.isTicking) return;
    this.isTicking = true;
    this.ticks += 1;
    try {
      if (this.ticks % TICKS_OF_VENDORS === 0) await this.findVendors();
      if (this.ticks % TICKS_OF_RUNNING_PRINTS === 0) {
        for (const id of await this.store.spoolsOfRunningPrints()) this.add('spool', id, false);
      }
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) this.fail(error as Error);
    } finally {
      this.isTicking = false;
    }
  }

  private async findVendors(): Promise<void> {
    const now = new Map(await this.store.vendors());
    const changed = [...new Set([...now.keys(), ...this.vendorFingerprints.keys()])].filter(
      (id) => now.get(id) !== this.vendorFingerprints.get(id),
    );
    for (const id of changed) this.add('vendor', String(id), true);
    this.contained.vendors.push(...changed.map(String));
    this.vendorFingerprints = now;
  }

  private note(events: readonly ChangeRow[]): void {
    for (const { type, entity, job } of events) {
      if (type === 'SPOOL') this.add('spool', entity, true);
      if (type === 'FILAMENT') {
        this.add('filament', entity, true);
        this.contained.filaments.push(entity);
      }
      if (type === 'MATERIAL') this.contained.materials.push(entity);
      if (job) for (const id of [job.spoolId, ...job.partSpoolIds]) this.add('spool', id, true);
    }
  }

  private hasContained = () => Object.values(this.contained).some((ids) => ids.length > 0);

  private async addContainers(): Promise<void> {
    if (!this.hasContained()) return;
    const changed = this.contained;
    this.contained = { filaments: [], materials: [], vendors: [] };
    const { spools, filaments } = await this.store.containers(changed).catch((error: unknown) => {
      for (const kind of ['filaments', 'materials', 'vendors'] as const) this.contained[kind].push(...changed[kind]);
      throw error;
    });
    for (const id of spools) this.add('spool', id, true);
    for (const id of filaments) this.add('filament', id, true);
  }

  private add(resource: Resource, id: string, isReported: boolean): void {
    const key = `${resource} ${id}`;
    this.waiting.set(key, { resource, id, isReported: isReported || (this.waiting.get(key)?.isReported ?? false) });
  }

  /** Sends what is waiting, INTERVAL_MS after the last messages, so that each object has at most one message in this time. */
  private async flush(): Promise<void> {
    if (this.isFlushing || performance.now() - this.flushedAt < INTERVAL_MS) return;
    if (this.waiting.size === 0 && !this.hasContained()) return;
    this.isFlushing = true;
    let batch: Waiting[] = [];
    try {
      await this.addContainers();
      batch = [...this.waiting.values()];
      this.waiting.clear();
      for (const resource of ['vendor', 'filament', 'spool'] as const) {
        const changed = batch.filter((one) => one.resource === resource);
        for (let at = 0; at < changed.length; at += OBJECTS_OF_READ)
          await this.send(resource, changed.slice(at, at + OBJECTS_OF_READ));
      }
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) return this.fail(error as Error);
      // The objects are read again when the database answers.
      for (const { resource, id, isReported } of batch) this.add(resource, id, isReported);
    } finally {
      this.flushedAt = performance.now();
      this.isFlushing = false;
    }
  }

  private async send(resource: Resource, changed: readonly Waiting[]): Promise<void> {
    const isHeard = this.listenersOf(resource).length > 0;
    const found = await this.objects.read(
      resource,
      changed.map(({ id }) => id),
    );
    const date = `${new Date().toISOString().slice(0, 19)}Z`;
    for (const { id, isReported } of changed) {
      const object = found.get(id);
      const knownId = this.known[resource].get(id);
      const key = `${resource} ${id}`;
      if (object === undefined) {
        this.hashes.delete(key);
        this.known[resource].delete(id);
        if (knownId !== undefined)
          this.deliver(resource, knownId, write('deleted', resource, date, `{"id":${knownId}}`));
        continue;
      }
      const hash = sha256(object.json);
      const before = this.hashes.get(key);
      this.hashes.set(key, hash);
      this.known[resource].set(id, object.id);
      if (hash === before || (before === undefined && !isReported)) continue;
      const type = knownId === undefined ? 'added' : 'updated';
      if (isHeard) this.deliver(resource, object.id, write(type, resource, date, object.json));
    }
  }

  private listenersOf(resource: Resource): Listener[] {
    return [...this.listeners].filter((one) => one.resource === null || one.resource === resource);
  }

  private deliver(resource: Resource, id: number, text: string): void {
    for (const listener of this.listenersOf(resource))
      if (listener.id === null || listener.id === id) listener.send(text);
  }
}

const write = (type: 'added' | 'updated' | 'deleted', resource: Resource, date: string, payload: string) =>
  `{"type":"${type}","resource":"${resource}","date":"${date}","payload":${payload}}`;
