// The device of a printer: the rules decide about its readings, and the decisions are written in their order.
import { randomUUID } from 'node:crypto';
import { evaluate, lose } from '../../observed-prints/evaluation';
import { type Decision, type EndedPrint, type HeardPrint, resumed } from '../../observed-prints/observed-print.model';
import { type PrintRecorderService, stepsOf } from '../../observed-prints/print-recorder.service';
import type { PrinterOfDevice, PrintRecorderStore } from '../../observed-prints/print-recorder.store';
import { isDue, offline, type PrinterState, stateOf } from '../../observed-prints/printer-state';
import type { HeldState, PrinterStateStore } from '../../observed-prints/printer-state.store';
import { condensed, isFlood, queued, type Reading } from '../../observed-prints/readings';
import { before, HOUR_MS, type Instant, instantNow } from '../../values/instant';
import type { Opened } from '../adapter';
import { weightOf } from '../held';
import type { PrinterKind } from '../kinds';
import type { HeldDevice } from './lease.store';
import { Session, type SessionParts, Stopped } from './session';

/** Evaluations of a device: at most four a second. The messages in between are merged. */
const EVALUATION_MS = 250;

/** Readings that wait: a history of 1,000 prints takes 1 MB. */
const MAX_WAITING_BYTES = 4 << 20;

/** External ids of one connection whose prints stay in memory. */
const MAX_LOOKED_UP = 1000;

export interface PrinterSessionParts extends SessionParts {
  store: PrintRecorderStore;
  states: PrinterStateStore;
  recorder: PrintRecorderService;
  /** A decision was written. */
  recorded(decision: Decision['do']): void;
}

export class PrinterSession extends Session<Reading, PrinterSessionParts> {
  private readonly printer: PrinterOfDevice;
  private evaluation: NodeJS.Timeout | undefined;
  private evaluatedAt = 0;
  private waiting: Reading[] = [];
  private readonly weights = new WeakMap<Reading, number>();

  private heard: HeardPrint | null = null;
  private printId: string | null = null;
  private ended: EndedPrint[] = [];
  private lookedUp = new Set<string>();
  private lastContactBefore: Instant | null;

  private state: PrinterState | null = null;
  private shownPrintId: string | null = null;
  private written: { state: PrinterState; at: Instant } | null = null;

  constructor(device: HeldDevice, printerId: string, holder: string, kind: PrinterKind, parts: PrinterSessionParts) {
    super(device, holder, kind, parts);
    this.printer = { deviceId: device.id, printerId };
    this.lastContactBefore = device.lastMessageAt;
  }

  override start(): void {
    this.do(async () => {
      await this.load();
      const row = await this.parts.states.ofPrinter.load(this.printer.printerId);
      if (row === null) return;
      const { printerId, printId, silentAfterSec, ...state } = row;
      this.state = state;
      this.written = { state, at: state.heardAt };
    });
    super.start();
  }

  override close(): Promise<void> {
    clearTimeout(this.evaluation);
    return super.close();
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

  protected opened(): Opened {
    this.waiting = [];
    const { heard } = this;
    return {
      lastContactAt: heard?.seenAt ?? this.lastContactBefore,
      name: heard?.name ?? null,
      filePath: heard?.filePath ?? null,
      externalId: heard?.externalId ?? null,
    };
  }

  protected lost(): void {
    if (this.state !== null) this.state = offline(this.state);
    this.do(async () => {
      if (this.heard !== null) await this.write(lose(this.heard, instantNow()));
    });
  }

  protected hearAll(readings: readonly Reading[]): void {
    for (const reading of readings) {
      this.weights.set(reading, weightOf(reading));
      this.waiting = queued(this.waiting, reading);
    }
    if (isFlood(this.waiting) || this.waitingBytes() > MAX_WAITING_BYTES) {
      this.flooded();
      return;
    }
    this.holds();
    if (this.waiting.length === 0 || this.evaluation !== undefined) return;
    const wait = Math.max(0, this.evaluatedAt + EVALUATION_MS - performance.now());
    this.evaluation = setTimeout(() => {
      this.evaluation = undefined;
      this.evaluatedAt = performance.now();
      this.do(() => this.evaluateAll());
    }, wait);
  }

  protected waitingBytes(): number {
    return this.waiting.reduce((bytes, reading) => bytes + (this.weights.get(reading) ?? 0), 0);
  }

  tooMuch(): void {
    const before = this.waiting.length;
    this.waiting = condensed(this.waiting);
    if (this.waiting.length === before) this.flooded();
    else this.holds();
  }

  private flooded(): void {
    this.waiting = [];
    if (this.connection === null) this.holds();
    else this.again('TOO_MUCH_DATA');
  }

  private async evaluateAll(): Promise<void> {
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
      // An edit and the end of the process do not wait for all that was heard.
      if (this.isStopping) return;
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
    this.holds();
    this.connection?.printing(this.heard !== null);
  }

  /** The prints that are over and have the id of a reading. */
  private async lookUp({ print }: Reading): Promise<void> {
    if (typeof print === 'string' || print.externalId === null || this.lookedUp.has(print.externalId)) return;
    this.lookedUp.add(print.externalId);
    const [oldest] = this.lookedUp;
    if (oldest !== undefined && this.lookedUp.size > MAX_LOOKED_UP) this.lookedUp.delete(oldest);
    await this.loadEnded();
  }

  private async loadEnded(): Promise<void> {
    const since = this.lastContactBefore === null ? null : before(this.lastContactBefore, HOUR_MS);
    this.ended = await this.untilAnswered(() =>
      this.parts.store.ended(this.printer.deviceId, since, [...this.lookedUp]),
    );
  }

  protected async load(): Promise<void> {
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
}
