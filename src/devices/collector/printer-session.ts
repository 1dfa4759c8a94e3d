// The device of a printer: the rules decide about its readings, and the decisions are written in their order.
import { randomUUID } from 'node:crypto';
import { evaluate, lose } from '../../observed-prints/evaluation';
import { type Decision, type EndedPrint, type HeardPrint, resumed } from '../../observed-prints/observed-print.model';
import { type PrintRecorderService, stepsOf } from '../../observed-prints/print-recorder.service';
import type { PrinterOfDevice, PrintRecorderStore } from '../../observed-prints/print-recorder.store';
import { afterSetting } from '../../observed-prints/print-times';
import { isDue, offline, type PrinterState, stateOf } from '../../observed-prints/printer-state';
import type { HeldState, PrinterStateStore } from '../../observed-prints/printer-state.store';
import { isFlood, queued, type Reading } from '../../observed-prints/readings';
import { asEvidence } from '../../values/evidence';
import { before, HOUR_MS, type Instant, instantNow } from '../../values/instant';
import { setTimeout } from '../../values/timers';
import type { Opened, Unplanned } from '../adapter';
import type { PrinterKind } from '../kinds';
import type { HeldDevice } from './lease.store';
import { Session, type SessionParts } from './session';

/** Evaluations of a device: at most four a second. The messages in between are merged. */
const EVALUATION_MS = 250;

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

  private heard: HeardPrint | null = null;
  private printId: string | null = null;
  private ended: EndedPrint[] = [];
  private lookedUp = new Set<string>();
  private unplanned: Unplanned | null = null;
  private lastContactBefore: Instant | null;
  /** By how much our clock was set since the connection began, as far as the running print knows. */
  private wasSetByMs = 0;

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
      const { printerId, printId, silentAfterSec, isAlone, addedAt, ...shown } = row;
      const state = { ...shown, heardAt: shown.heardAt ?? instantNow() };
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
    const { heard, unplanned } = this;
    return {
      lastContactAt: this.lastContactBefore,
      name: heard?.name ?? null,
      filePath: heard?.filePath ?? null,
      externalId: heard?.externalId ?? null,
      ...(unplanned && { unplanned }),
    };
  }

  protected lost(): void {
    if (this.state !== null) this.state = offline(this.state);
    this.do(async () => {
      if (this.heard !== null) await this.write(lose(this.heard, instantNow()));
    });
  }

  protected hearAll(readings: readonly Reading[]): void {
    for (const reading of readings) this.waiting = queued(this.waiting, reading);
    if (isFlood(this.waiting)) {
      this.waiting = [];
      this.again('TOO_MUCH_DATA');
      return;
    }
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
      if (this.isStopping) return;
      await this.lookUp(next);
      const known = {
        running: this.heardBefore(next),
        ended: this.ended,
        lastContactAt: this.lastContactBefore && (asEvidence(this.lastContactBefore, next.at) ?? next.at),
        addedAt: asEvidence(this.device.createdAt, next.at),
      };
      if (!(await this.write(evaluate(known, next)))) return;
      if (next.kind !== 'STATE') continue;
      this.state = stateOf(next);
      if (this.printId !== null) this.shownPrintId = this.printId;
      else if (typeof next.print === 'string') this.shownPrintId = null;
    }
    this.connection?.printing(this.heard !== null);
  }

  /** The running print, with its times by the clock of the reading. */
  private heardBefore({ print }: Reading): HeardPrint | null {
    const setByMs = this.clock.setByMs();
    const setMs = setByMs - this.wasSetByMs;
    this.wasSetByMs = setByMs;
    return this.heard && afterSetting(this.heard, typeof print === 'string' ? null : print, setMs);
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
    this.wasSetByMs = 0;
    this.lastContactBefore = await this.lastContact(row?.seenAt ?? this.lastHeardAt ?? this.device.lastMessageAt);
    this.lookedUp = new Set();
    this.unplanned = await this.untilAnswered(() => this.parts.store.late.last(this.printer.deviceId));
    await this.loadEnded();
  }

  /** Where its time is no evidence, the print that was heard of before says the latest one; null: this is the first contact. */
  private async lastContact(stored: Instant | null): Promise<Instant | null> {
    const now = instantNow();
    if (stored === null) return null;
    const seenAt = () => this.untilAnswered(() => this.parts.store.lastSeen(this.printer.deviceId, now));
    return asEvidence(stored, now) ?? (await seenAt()) ?? asEvidence(this.device.createdAt, now) ?? now;
  }

  /** False when the rows are not what the decisions were made from. The session then begins again. */
  private async write({ running, decisions }: ReturnType<typeof evaluate>): Promise<boolean> {
    for (const step of stepsOf(decisions, this.printId, randomUUID)) {
      const moment = () => ({ now: instantNow(), end: this.parts.endOfTime(), newId: randomUUID });
      const recorded = await this.asHolder(
        () => this.parts.recorder.record(this.lease, this.printer, step, moment()),
        'NOT_HELD',
      );
      const { do: done } = step.decision;
      if (recorded === 'STALE' && done !== 'RESOLVE' && done !== 'RECORD' && done !== 'AMEND') {
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
