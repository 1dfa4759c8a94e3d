// One device: its connection, its adapter, and the rules, whose decisions are written in their order.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '../../errors';
import { evaluate, lose } from '../../observed-prints/evaluation';
import type { Lease } from '../../observed-prints/lease';
import { type Decision, type EndedPrint, type HeardPrint, resumed } from '../../observed-prints/observed-print.model';
import { type PrintRecorderService, stepsOf } from '../../observed-prints/print-recorder.service';
import type { PrinterOfDevice, PrintRecorderStore } from '../../observed-prints/print-recorder.store';
import { isDue, offline, type PrinterState, stateOf } from '../../observed-prints/printer-state';
import type { HeldState, PrinterStateStore } from '../../observed-prints/printer-state.store';
import { queued, type Reading } from '../../observed-prints/readings';
import { before, HOUR_MS, type Instant, instantNow } from '../../values/instant';
import type { Message, Opened } from '../adapter';
import type { Network } from '../address';
import type { Connection, DeviceFault, Target } from '../connection';
import type { Kind } from '../kinds';
import { Backoff, REFUSED_MS } from './backoff';
import type { HeldDevice } from './lease.store';

/** Evaluations of a device: at most four a second. The messages in between are merged. */
const EVALUATION_MS = 250;
/** Messages that may wait while the rows of the device are read. */
const MAX_BUFFERED = 1000;
/** Between two tries to write while the database does not answer. */
const OUTAGE_MS = 1000;
/** Faults that more tries would not mend: a person has to. */
const REFUSALS: readonly DeviceFault[] = ['CREDENTIALS_REFUSED', 'CERTIFICATE_NOT_TRUSTED', 'SECRET_NOT_READABLE'];

export type ConnectionState = 'CONNECTING' | 'CONNECTED' | 'OFFLINE' | 'REFUSED';

/** What a session needs of its process. */
export interface SessionParts {
  store: PrintRecorderStore;
  states: PrinterStateStore;
  recorder: PrintRecorderService;
  network: Network;
  /** In clear; null: the device has none. */
  secretOf(device: HeldDevice): string | null | 'SECRET_NOT_READABLE';
  /** How long the next connection of the process has to wait. */
  gate(): number;
  tell(lease: Lease, state: ConnectionState, fault: DeviceFault | null): Promise<void>;
  /** A decision was written. */
  recorded(decision: Decision['do']): void;
  failed(error: unknown, device: HeldDevice): void;
  /** For a write that the session makes now. */
  endOfTime(): number;
}

export class Session {
  private readonly lease: Lease;
  private readonly printer: PrinterOfDevice;
  private readonly backoff = new Backoff();
  private readonly stopping = new AbortController();
  /** All that waits for the database, one after the other. */
  private work: Promise<void> = Promise.resolve();
  private connection: Connection | null = null;
  private connectedAt: number | null = null;
  private retry: NodeJS.Timeout | undefined;
  private evaluation: NodeJS.Timeout | undefined;
  private evaluatedAt = 0;

  private isOpen = false;
  private buffered: { message: Message; at: Instant }[] = [];
  private memory: unknown;
  private waiting: Reading[] = [];

  private heard: HeardPrint | null = null;
  private printId: string | null = null;
  private ended: EndedPrint[] = [];
  private lookedUp = new Set<string>();
  private lastContactBefore: Instant | null;

  private state: PrinterState | null = null;
  private shownPrintId: string | null = null;
  private written: { state: PrinterState; at: Instant } | null = null;
  /** The state of the connection as it was told last. */
  private told: Told;
  private fault: DeviceFault | null = null;
  private isOffline = false;
  private signOfLife = performance.now();
  /** When the machine was last heard of. */
  lastContactAt: Instant | null;

  constructor(
    readonly device: HeldDevice,
    holder: string,
    private readonly kind: Kind,
    private readonly parts: SessionParts,
  ) {
    this.lease = { deviceId: device.id, holder, number: device.leaseNumber };
    this.printer = { deviceId: device.id, printerId: device.printerId as string };
    this.lastContactAt = device.lastMessageAt;
    this.lastContactBefore = device.lastMessageAt;
    this.told = { state: device.state, fault: device.fault };
  }

  get connectionState(): string {
    return this.told.state;
  }

  start(): void {
    this.do(async () => {
      await this.load();
      const row = await this.parts.states.ofPrinter.load(this.printer.printerId);
      if (row === null) return;
      const { printerId, printId, silentAfterSec, ...state } = row;
      this.state = state;
      this.written = { state, at: state.heardAt };
    });
    this.connect();
  }

  /** Ends the connection. A write that has begun is finished; nothing else is written. */
  async close(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.retry);
    clearTimeout(this.evaluation);
    this.connection?.close();
    this.connection = null;
    await this.work;
  }

  /** Each second. */
  tick(): void {
    if (performance.now() - this.signOfLife < this.kind.silentAfterMs || this.isOffline) return;
    this.isOffline = true;
    if (this.connection !== null && this.connectedAt !== null) {
      this.connection.close();
      this.over('SILENT');
    }
    if (this.told.state !== 'REFUSED') this.tell('OFFLINE', this.fault ?? 'SILENT');
    if (this.state !== null) this.state = offline(this.state);
    this.do(async () => {
      if (this.heard !== null) await this.write(lose(this.heard, instantNow()));
    });
  }

  /** The state of the printer, if it is to be written now. */
  due(now: Instant): HeldState | null {
    if (this.state === null || !isDue(this.written, this.state, now)) return null;
    const { printerId } = this.printer;
    return { lease: this.lease, state: { printerId, printId: this.shownPrintId, ...this.state } };
  }

  wasWritten({ state: { printerId, printId, ...state } }: HeldState, at: Instant): void {
    this.written = { state, at };
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
    this.fault = null;
    this.isOffline = false;
    this.live();
    this.tell('CONNECTED', null);
    this.isOpen = false;
    this.buffered = [];
    const { connection } = this;
    this.do(async () => {
      await this.load();
      if (this.connection !== connection) return;
      this.memory = this.kind.adapter.start;
      this.waiting = [];
      this.isOpen = true;
      const { heard } = this;
      const body: Opened = {
        lastContactAt: heard?.seenAt ?? this.lastContactBefore,
        filePath: heard?.filePath ?? null,
        externalId: heard?.externalId ?? null,
      };
      this.deliver({ source: 'opened', body }, instantNow());
      for (const { message, at } of this.buffered) this.deliver(message, at);
      this.buffered = [];
    });
  }

  private live(): void {
    this.signOfLife = performance.now();
    if (!this.isOffline) return;
    this.isOffline = false;
    this.tell('CONNECTED', null);
  }

  private hear(message: Message): void {
    const at = instantNow();
    this.live();
    if (message.source === 'pong') return;
    if (this.isOpen) this.deliver(message, at);
    else if (this.buffered.length < MAX_BUFFERED) this.buffered.push({ message, at });
    else this.again();
  }

  private deliver(message: Message, at: Instant): void {
    this.lastContactAt = at;
    const { memory, readings, asks } = this.kind.adapter.hear(this.memory, message, at);
    this.memory = memory;
    for (const ask of asks) this.connection?.ask(ask);
    for (const reading of readings) this.waiting = queued(this.waiting, reading);
    if (this.waiting.length === 0 || this.evaluation !== undefined) return;
    const wait = Math.max(0, this.evaluatedAt + EVALUATION_MS - performance.now());
    this.evaluation = setTimeout(() => {
      this.evaluation = undefined;
      this.evaluatedAt = performance.now();
      this.do(() => this.evaluateAll());
    }, wait);
  }

  private async evaluateAll(): Promise<void> {
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
      // An edit and the end of the process do not wait for all that was heard.
      if (this.stopping.signal.aborted) return;
      await this.lookUp(next);
      const known = {
        running: this.heard,
        ended: this.ended,
        lastContactAt: this.lastContactBefore,
        addedAt: this.device.createdAt,
      };
      if (!(await this.write(evaluate(known, next)))) return;
      if (next.kind !== 'STATE') continue;
      this.state = stateOf(next);
      if (this.printId !== null) this.shownPrintId = this.printId;
      else if (typeof next.print === 'string') this.shownPrintId = null;
    }
    this.connection?.printing(this.heard !== null);
  }

  /** The prints that are over and have the id of a reading. */
  private async lookUp({ print }: Reading): Promise<void> {
    if (typeof print === 'string' || print.externalId === null || this.lookedUp.has(print.externalId)) return;
    this.lookedUp.add(print.externalId);
    await this.loadEnded();
  }

  private async loadEnded(): Promise<void> {
    const since = this.lastContactBefore === null ? null : before(this.lastContactBefore, HOUR_MS);
    this.ended = await this.untilAnswered(() =>
      this.parts.store.ended(this.printer.deviceId, since, [...this.lookedUp]),
    );
  }

  /** Reads the rows of the device. */
  private async load(): Promise<void> {
    const row = await this.untilAnswered(() => this.parts.store.running(this.printer.deviceId));
    this.heard = row && resumed(row);
    this.printId = row?.id ?? null;
    this.shownPrintId = this.printId;
    this.lastContactBefore = row?.seenAt ?? this.lastContactAt;
    this.lookedUp = new Set();
    await this.loadEnded();
  }

  /** False when the rows are not what the decisions were made from. The session then begins again. */
  private async write({ running, decisions }: ReturnType<typeof evaluate>): Promise<boolean> {
    for (const step of stepsOf(decisions, this.printId, randomUUID)) {
      const recorded = await this.untilAnswered(() =>
        this.parts.recorder.record(this.lease, this.printer, step, {
          now: instantNow(),
          end: this.parts.endOfTime(),
          newId: randomUUID,
        }),
      );
      // The collector closes this session when it finds the lease gone.
      if (recorded === 'NOT_HELD') throw new Stopped();
      const { do: done } = step.decision;
      if (recorded === 'STALE' && done !== 'RESOLVE' && done !== 'RECORD') {
        this.again();
        return false;
      }
      if (recorded === 'DONE') this.parts.recorded(done);
      if (done === 'BEGIN') this.printId = step.printId;
      if (done === 'END') this.printId = null;
      if (done === 'REOPEN') this.printId = (await this.parts.store.running(this.printer.deviceId))?.id ?? null;
      if (done !== 'SAVE') await this.loadEnded();
    }
    this.heard = running;
    return true;
  }

  /** Connects again at once, and reads the rows again. */
  private again(): void {
    this.connection?.close();
    this.over('PROTOCOL_ERROR');
  }

  private over(fault: DeviceFault): void {
    const lasted = this.connectedAt === null ? 0 : performance.now() - this.connectedAt;
    clearTimeout(this.retry);
    this.connection = null;
    this.connectedAt = null;
    this.fault = fault;
    if (REFUSALS.includes(fault)) {
      this.refused(fault);
      return;
    }
    // A connection that comes back soon was never offline.
    if (this.told.state === 'CONNECTING' || this.told.state === 'OFFLINE') this.tell('OFFLINE', fault);
    this.retry = setTimeout(() => this.connect(), this.backoff.next(lasted));
  }

  private refused(fault: DeviceFault): void {
    this.fault = fault;
    this.tell('REFUSED', fault);
    this.retry = setTimeout(() => this.connect(), REFUSED_MS);
  }

  private tell(state: ConnectionState, fault: DeviceFault | null): void {
    if (this.told.state === state && this.told.fault === fault) return;
    this.told = { state, fault };
    this.do(() => this.untilAnswered(() => this.parts.tell(this.lease, state, fault)));
  }

  private do(work: () => Promise<void>): void {
    this.work = this.work.then(async () => {
      if (this.stopping.signal.aborted) return;
      try {
        await work();
      } catch (error) {
        if (error instanceof Stopped || this.stopping.signal.aborted) return;
        this.parts.failed(error, this.device);
        this.again();
      }
    });
  }

  /** What was heard waits while the database does not answer. */
  private async untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        await sleep(OUTAGE_MS, undefined, { signal: this.stopping.signal });
      }
    }
  }
}

interface Told {
  state: string;
  fault: string | null;
}

/** The session is over. */
class Stopped extends Error {}
