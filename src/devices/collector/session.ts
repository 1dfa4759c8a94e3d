// One device: its connection and its adapter. The sessions of printers and of cameras say what to do with its readings.
import { Unavailable } from '../../errors';
import type { Lease } from '../../leases/lease';
import type { Reading } from '../../print-rules/readings';
import { asEvidence } from '../../values/evidence';
import { type Instant, instantNow, msBetween } from '../../values/instant';
import { setTimeout, sleep } from '../../values/timers';
import type { Adapter, CameraReading, Message, Opened } from '../adapter';
import type { Network } from '../address';
import type { Connect, Connection, DeviceFault, Target } from '../connection';
import { HELD, type Holder, weightOf } from '../held';
import { Backoff, REFUSED_MS } from './backoff';
import { ConnectionClock, movedBy } from './connection-clock';
import type { Contact, HeldDevice } from './lease.store';

/** Messages that may wait while the rows of the device are read, and their memory. */
const MAX_BUFFERED = 1000;
const MAX_BUFFERED_BYTES = 2 << 20;
/** Between two tries to write while the database does not answer. */
const OUTAGE_MS = 1000;
/** Faults that more tries would not mend: a person has to. */
const REFUSALS: readonly DeviceFault[] = [
  ...(['CREDENTIALS_REFUSED', 'PROXY_REFUSED', 'CERTIFICATE_NOT_TRUSTED', 'SECRET_NOT_READABLE'] as const),
];

export type ConnectionState = 'CONNECTING' | 'CONNECTED' | 'OFFLINE' | 'REFUSED';

/** What every session needs of its process. */
export interface SessionParts {
  network: Network;
  /** In clear; null: the device has none. */
  secretOf(device: HeldDevice): string | null | 'SECRET_NOT_READABLE';
  /** How long the next connection of the process has to wait. */
  gate(): number;
  /** False when the lease does not go on. */
  tell(lease: Lease, state: ConnectionState, fault: DeviceFault | null): Promise<boolean>;
  failed(error: unknown, device: HeldDevice): void;
  /** Something of the device cannot be written, and the next things are. */
  putAside(error: unknown, device: HeldDevice): void;
  /** A statement or transaction for a machine: a few at a time, so that those of clients come between. */
  inTurn<Result>(ask: () => Promise<Result>): Promise<Result>;
  /** When the database last answered, on the clock of performance.now(). */
  renewedAt(): number;
  /** For a write that the session makes now. */
  newDeadline(): number;
}

/** A kind of machine that tells readings of this type. */
interface KindOf<Told> {
  adapter: Adapter<unknown, Told>;
  connect: Connect;
  silentAfterMs: number;
}

export abstract class Session<Told extends Reading | CameraReading, Parts extends SessionParts = SessionParts>
  implements Holder
{
  protected readonly lease: Lease;
  private readonly backoff = new Backoff();
  private readonly stopping = new AbortController();
  /** All that waits for the database, one after the other. */
  private work: Promise<void> = Promise.resolve();
  protected connection: Connection | null = null;
  private connectedAt: number | null = null;
  /** Connections that are over. */
  private past = 0;
  private retry: NodeJS.Timeout | undefined;

  /** Since when messages go to the adapter; null: the rows are not read yet. */
  private openSince: number | null = null;
  /** What was heard since then: nothing, messages, or what the machine does. */
  private heardOf: 'NOTHING' | 'MESSAGES' | 'STATE' = 'NOTHING';
  protected clock = new ConnectionClock();
  private buffered: { message: Message; at: Instant }[] = [];
  private bufferedBytes = 0;
  private memory: unknown;

  /** The state of the connection as it was told last. */
  private told: { state: string; fault: string | null };
  private fault: DeviceFault | null = null;
  /** Why not all is recorded, though the machine is connected. */
  private remark: DeviceFault | null = null;
  private isOffline = false;
  private signOfLife = performance.now();
  /** When the machine was last heard of, by the clock of then. */
  protected lastHeardAt: Instant | null;
  /** The same by the clock that nobody sets; null: not known. */
  private lastHeard: number | null;
  private wasHeard = false;

  constructor(
    readonly device: HeldDevice,
    holder: string,
    private readonly kind: KindOf<Told>,
    protected readonly parts: Parts,
  ) {
    this.lease = { deviceId: device.id, holder, number: device.leaseNumber };
    const now = instantNow();
    this.lastHeardAt = asEvidence(device.lastMessageAt, now);
    this.lastHeard = this.lastHeardAt === null ? null : performance.now() - msBetween(this.lastHeardAt, now);
    this.told = { state: device.state, fault: device.fault };
  }

  /** Reads the rows of the device, before a connection's first message. */
  protected abstract load(): Promise<void>;
  /** Behind `load`: what the adapter is told of these rows. */
  protected abstract opened(): Opened;
  protected abstract hearAll(readings: readonly Told[]): void;
  /** The memory of the readings that wait. */
  protected abstract waitingBytes(): number;
  /** All machines hold too much, and this one the most. */
  abstract tooMuch(): void;
  /** The machine was not heard of for too long. */
  protected abstract lost(): void;

  get connectionState(): string {
    return this.told.state;
  }

  /** How long ago the machine was heard of; null: not known. */
  get lastHeardAgoMs(): number | null {
    return this.lastHeard === null ? null : performance.now() - this.lastHeard;
  }

  /** What the row of the device is to say of it. */
  get contact(): Contact[] {
    const { lastHeardAgoMs: agoMs } = this;
    return this.wasHeard && agoMs !== null ? [{ deviceId: this.device.id, agoMs }] : [];
  }

  protected get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  start(): void {
    // So said the process that held the device before.
    if (this.told.state === 'CONNECTED') this.tell('CONNECTING', null);
    this.connect();
  }

  /** Ends the connection. A write that has begun is finished; nothing else is written. */
  async close(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.retry);
    this.connection?.close();
    this.connection = null;
    await this.work;
    HELD.set(this, 0);
  }

  /** Each second. */
  tick(): void {
    const { silentAfterMs } = this.kind;
    if (this.openSince !== null && this.heardOf !== 'STATE' && performance.now() - this.openSince >= silentAfterMs) {
      this.again(this.faultOfNoState);
    }
    if (performance.now() - this.signOfLife < silentAfterMs || this.isOffline) return;
    this.isOffline = true;
    if (this.heardOf === 'STATE') this.again('SILENT');
    if (this.told.state !== 'REFUSED') this.tell('OFFLINE', this.fault ?? this.faultOfNoState);
    this.lost();
  }

  private get faultOfNoState(): DeviceFault {
    return this.heardOf === 'MESSAGES' ? 'PROTOCOL_ERROR' : 'SILENT';
  }

  private connect(): void {
    const wait = this.parts.gate();
    this.retry = setTimeout(() => {
      const { device } = this;
      const secret = this.parts.secretOf(device);
      if (secret === 'SECRET_NOT_READABLE') {
        this.refused(secret);
        return;
      }
      if (this.told.state === 'REFUSED') this.tell('CONNECTING', null);
      const { address, serial, username, certificateFingerprint } = device;
      const target: Target = { address, serial, username, secret, certificateFingerprint };
      const connection = this.kind.connect(
        target,
        {
          connected: () => this.isCurrent(connection) && this.open(),
          heard: (message) => this.isCurrent(connection) && this.hear(message),
          ended: (fault) => this.isCurrent(connection) && this.over(fault),
        },
        this.parts.network,
      );
      this.connection = connection;
    }, wait);
  }

  private isCurrent = (connection: Connection) => this.connection === connection;

  private open(): void {
    this.connectedAt = performance.now();
    this.clock = new ConnectionClock();
    this.forget();
    const { connection } = this;
    this.do(async () => {
      await this.load();
      if (this.connection !== connection) return;
      this.memory = this.kind.adapter.start;
      this.openSince = performance.now();
      this.deliver({ source: 'opened', body: this.opened() }, this.clock.now());
      const { buffered } = this;
      this.forget();
      for (const { message, at } of buffered) this.deliver(message, at);
      // A greeting alone is nothing.
      if (this.heardOf === 'MESSAGES') this.heardOf = 'NOTHING';
    });
  }

  /** Bytes alone are no sign of life: a machine is connected when it has said what it does. */
  private live(): void {
    this.signOfLife = performance.now();
    if (this.heardOf !== 'STATE') return;
    this.fault = null;
    this.isOffline = false;
    this.tell('CONNECTED', this.remark);
  }

  /** What a connection that stands is told to lack; null: nothing. */
  protected note(remark: DeviceFault | null): void {
    this.remark = remark;
    if (this.told.state === 'CONNECTED') this.tell('CONNECTED', remark);
  }

  private hear(message: Message): void {
    const at = this.clock.now();
    if (this.heardOf === 'STATE' || this.openSince === null) this.live();
    if (message.source === 'pong') return;
    if (this.openSince !== null) this.deliverOrEnd(message, at);
    else this.buffer(message, at);
  }

  private buffer(message: Message, at: Instant): void {
    this.buffered.push({ message, at });
    this.bufferedBytes += weightOf(message.body, MAX_BUFFERED_BYTES);
    if (this.buffered.length > MAX_BUFFERED || this.bufferedBytes > MAX_BUFFERED_BYTES) this.again();
    else this.holds();
  }

  private forget(): void {
    [this.buffered, this.bufferedBytes] = [[], 0];
    this.holds();
  }

  /** Says how much memory waits here. */
  protected holds(): void {
    HELD.set(this, this.bufferedBytes + this.waitingBytes());
  }

  /** One message that no adapter foresees ends the connection, not the process. */
  private deliverOrEnd(message: Message, at: Instant): void {
    try {
      this.deliver(message, at);
    } catch (error) {
      this.parts.failed(error, this.device);
      this.again();
    }
  }

  private deliver(message: Message, at: Instant): void {
    const { memory, readings, asks } = this.kind.adapter.hear(this.memory, message, at);
    this.memory = memory;
    if (message.source !== 'opened') this.noteContact(readings);
    for (const ask of asks) this.connection?.ask(ask);
    this.hearAll(readings.map((reading) => movedBy(reading, this.clock.setByMs())));
  }

  private noteContact(readings: readonly Told[]): void {
    this.lastHeardAt = instantNow();
    this.lastHeard = performance.now();
    this.wasHeard = true;
    if (this.heardOf === 'STATE') return;
    this.heardOf = readings.some(({ kind }) => kind === 'STATE' || kind === 'STATUS') ? 'STATE' : 'MESSAGES';
    if (this.heardOf === 'STATE') this.live();
  }

  /** Connects again at once, and reads the rows again. */
  protected again(fault: DeviceFault = 'PROTOCOL_ERROR'): void {
    this.connection?.close();
    this.over(fault);
  }

  private over(fault: DeviceFault): void {
    const wasGood = this.connectedAt !== null && this.heardOf === 'STATE';
    const lasted = wasGood ? performance.now() - (this.connectedAt as number) : 0;
    clearTimeout(this.retry);
    this.connection = null;
    this.connectedAt = null;
    this.openSince = null;
    this.heardOf = 'NOTHING';
    this.fault = fault;
    const wasBuffering = this.buffered.length > 0;
    this.forget();
    if (REFUSALS.includes(fault)) {
      this.refused(fault);
      return;
    }
    // A connection that comes back soon was never offline, and one that sends too much was not good, however long it lasted.
    const isFlood = fault === 'TOO_MUCH_DATA';
    if (isFlood || this.told.state === 'CONNECTING' || this.told.state === 'OFFLINE') this.tell('OFFLINE', fault);
    const wait = this.backoff.next(isFlood ? 0 : lasted);
    this.past += 1;
    const { past } = this;
    const later = () => {
      if (past === this.past) this.retry = setTimeout(() => this.connect(), wait);
    };
    // What waited for the rows is lost: it would wait for them again.
    if (wasBuffering) this.do(async () => later());
    else later();
  }

  private refused(fault: DeviceFault): void {
    this.fault = fault;
    this.tell('REFUSED', fault);
    this.retry = setTimeout(() => this.connect(), REFUSED_MS);
  }

  private tell(state: ConnectionState, fault: DeviceFault | null): void {
    if (this.told.state === state && this.told.fault === fault) return;
    this.told = { state, fault };
    this.do(async () => {
      await this.asHolder(() => this.parts.tell(this.lease, state, fault), false);
    });
  }

  protected do(work: () => Promise<void>): void {
    this.work = this.work.then(async () => {
      if (this.isStopping) return;
      try {
        await work();
      } catch (error) {
        if (this.isStopping) return;
        this.parts.failed(error, this.device);
        this.again();
      }
    });
  }

  /**
   * A lease that is over because our clock was set is renewed within a second, and then the write is done. One that another
   * process has ends this session, and with it the wait.
   */
  protected async asHolder<Written>(write: () => Promise<Written>, notHeld: Written, most?: number): Promise<Written> {
    for (;;) {
      const written = await this.untilAnswered(write, most);
      if (written !== notHeld) return written;
      await sleep(OUTAGE_MS, undefined, { signal: this.stopping.signal });
    }
  }

  /**
   * What was heard waits while the database does not answer.
   * @param most how often the statement may fail in this way while others are answered
   */
  protected async untilAnswered<T>(ask: () => Promise<T>, most = Number.POSITIVE_INFINITY): Promise<T> {
    for (let failed = 0; ; ) {
      try {
        return await this.parts.inTurn(() => {
          // It may have waited for its turn until the session ended.
          this.stopping.signal.throwIfAborted();
          return ask();
        });
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        const failedAt = performance.now();
        await sleep(OUTAGE_MS, undefined, { signal: this.stopping.signal });
        if (this.parts.renewedAt() > failedAt) failed += 1;
        if (failed >= most) throw error;
      }
    }
  }
}
