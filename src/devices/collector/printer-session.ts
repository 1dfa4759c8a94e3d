// The device of a printer: the rules decide about its readings, and the decisions are written in their order.
import { randomUUID } from 'node:crypto';
import type { DevicePrintsStore } from '../../observed-prints/device-prints.store';
import { MAX_NEW_PRINTS } from '../../observed-prints/observed-print.limits';
import type { PrinterOfDevice } from '../../observed-prints/print.store';
import {
  type PrintRecorderService,
  type Recorded,
  type Step,
  stepsOf,
} from '../../observed-prints/print-recorder.service';
import { evaluate, lose } from '../../print-rules/evaluation';
import { type Decision, type EndedPrint, type HeardPrint, resumed } from '../../print-rules/print.model';
import { afterSetting } from '../../print-rules/print-times';
import { condensed, isFlood, queued, type Reading } from '../../print-rules/readings';
import { isDue, offline, type PrinterState, stateOf } from '../../printer-states/printer-state.status';
import type { HeldState, PrinterStateStore } from '../../printer-states/printer-state.store';
import { asEvidence } from '../../values/evidence';
import { before, HOUR_MS, type Instant, instantNow } from '../../values/instant';
import type { Moment } from '../../values/moment';
import { setTimeout } from '../../values/timers';
import type { Opened, Unplanned } from '../adapter';
import { weightOf } from '../held';
import type { PrinterKind } from '../kinds';
import { FailedDecisions } from './failed-decisions';
import type { HeldDevice } from './lease.store';
import { Session, type SessionParts } from './session';

/** How often a device that has too many new prints is looked at. */
const FULL_MS = 5000;
/** What a machine told and was not recorded is said for so long. */
const SAID_MS = HOUR_MS;

/** Evaluations of a device: at most four a second. The messages in between are merged. */
const EVALUATION_MS = 250;

/** A step that fails so often while other statements are answered is no outage. */
const MAX_UNANSWERED = 10;

/** Readings that wait: a history of 1,000 prints takes 1 MB. */
const MAX_WAITING_BYTES = 4 << 20;

export interface PrinterSessionParts extends SessionParts {
  store: DevicePrintsStore;
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
  /** The id whose print is among them, if there is one. */
  private lookedUp: string | null = null;
  private isOutOfDate = true;
  private unplanned: Unplanned | null = null;
  private lastContactBefore: Instant | null;
  /** By how much our clock was set since the connection began, as far as the running print knows. */
  private wasSetByMs = 0;

  private readonly failures = new FailedDecisions();
  /** When it was last seen that the device has had as many new prints as an hour may have; null: it has not. */
  private fullAt: number | null = null;
  /** Records of this connection that were one too many. */
  private refusedRecords = 0;
  /** When something was last left out; by its cause. */
  private leftOutAt: Partial<Record<'TOO_MUCH_DATA' | 'PROTOCOL_ERROR', number>> = {};

  private state: PrinterState | null = null;
  private shownPrintId: string | null = null;
  private written: { state: PrinterState; at: Instant } | null = null;

  constructor(
    device: HeldDevice,
    printerId: string,
    holder: string,
    private readonly machine: PrinterKind,
    parts: PrinterSessionParts,
  ) {
    super(device, holder, machine, parts);
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

  override tick(): void {
    super.tick();
    const { fullAt, leftOutAt } = this;
    if (fullAt !== null && performance.now() - fullAt > FULL_MS) {
      this.fullAt = performance.now();
      this.do(async () => {
        const { deviceId } = this.printer;
        if (!(await this.untilAnswered(() => this.parts.store.isFull(deviceId, instantNow())))) this.fullAt = null;
      });
    }
    const isSaid = (fault: keyof typeof leftOutAt) => performance.now() - (leftOutAt[fault] ?? -SAID_MS) < SAID_MS;
    if (fullAt !== null || isSaid('TOO_MUCH_DATA')) this.note('TOO_MUCH_DATA');
    else this.note(this.failures.hasAside() && isSaid('PROTOCOL_ERROR') ? 'PROTOCOL_ERROR' : null);
  }

  private leftOut(fault: 'TOO_MUCH_DATA' | 'PROTOCOL_ERROR'): void {
    this.leftOutAt[fault] = performance.now();
    this.note(fault);
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
    for (const reading of readings) {
      this.weights.set(reading, weightOf(reading));
      this.waiting = queued(this.waiting, reading);
    }
    const isTooMany = isFlood(this.waiting);
    if (isTooMany || this.waitingBytes() > MAX_WAITING_BYTES) {
      if (isTooMany) this.leftOut('TOO_MUCH_DATA');
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
    try {
      while (await this.evaluateNext());
    } catch (error) {
      // What follows would be understood as if this had been written. The next connection hears it again.
      this.waiting = [];
      throw error;
    }
    this.holds();
    this.connection?.printing(this.heard !== null);
  }

  /** The running print, with its times by the clock of the reading. */
  private heardBefore({ print }: Reading): HeardPrint | null {
    const setByMs = this.clock.setByMs();
    const setMs = setByMs - this.wasSetByMs;
    this.wasSetByMs = setByMs;
    return this.heard && afterSetting(this.heard, typeof print === 'string' ? null : print, setMs);
  }

  /** False when nothing is left to do. */
  private async evaluateNext(): Promise<boolean> {
    const next = this.waiting.shift();
    // An edit and the end of the process do not wait for all that was heard.
    if (next === undefined || this.isStopping) return false;
    // A history of more prints than a machine makes is not read to its end.
    if (next.kind === 'RECORD' && this.refusedRecords >= MAX_NEW_PRINTS) return true;
    await this.lookUp(next);
    if (!(await this.follow(next))) {
      this.waiting = [];
      return false;
    }
    if (next.kind !== 'STATE') return true;
    this.state = stateOf(next);
    if (this.printId !== null) this.shownPrintId = this.printId;
    else if (typeof next.print === 'string') this.shownPrintId = null;
    return true;
  }

  /** False when the session begins again. */
  private async follow(reading: Reading): Promise<boolean> {
    const evaluation = () =>
      evaluate(
        {
          running: this.heardBefore(reading),
          ended: this.ended,
          lastContactAt: this.lastContactBefore && (asEvidence(this.lastContactBefore, reading.at) ?? reading.at),
          addedAt: asEvidence(this.device.createdAt, reading.at),
          machine: this.machine,
        },
        reading,
      );
    const first = evaluation();
    if (!(await this.write(first))) return false;
    if (first.decisions[0]?.do !== 'MERGE') return true;
    // Two rows are one now, to which the reading says the rest.
    await this.lookUp(reading);
    return this.write(evaluation());
  }

  /** The prints that are over, as far as the rules need them for a reading. */
  private async lookUp({ print }: Reading): Promise<void> {
    if (typeof print === 'string') return;
    const id = print.externalId ?? this.lookedUp;
    if (!this.isOutOfDate && id === this.lookedUp) return;
    this.ended = await this.untilAnswered(() => this.parts.store.ended(this.printer.deviceId, id));
    this.lookedUp = id;
    this.isOutOfDate = false;
  }

  protected async load(): Promise<void> {
    const row = await this.untilAnswered(() => this.parts.store.running(this.printer.deviceId));
    this.heard = row && resumed(row);
    this.printId = row?.id ?? null;
    this.shownPrintId = this.printId;
    this.wasSetByMs = 0;
    this.lastContactBefore = await this.lastContact(row?.seenAt ?? this.lastHeardAt ?? this.device.lastMessageAt);
    this.isOutOfDate = true;
    this.unplanned = await this.untilAnswered(() => this.parts.store.lastUnplanned(this.printer.deviceId));
    this.refusedRecords = 0;
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
      const { do: done } = step.decision;
      const recorded = await this.record(step);
      if (recorded === 'STALE' && !isOfEnded(step)) {
        this.again();
        return false;
      }
      if (recorded === 'DONE') this.parts.recorded(done);
      this.isOutOfDate ||= done !== 'SAVE' && done !== 'BEGIN';
      if (done === 'BEGIN' && recorded === 'TOO_MANY') {
        this.heard = null;
        return true;
      }
      if (done === 'REOPEN' || done === 'MERGE' || (done === 'BEGIN' && recorded === 'PUT_ASIDE')) {
        await this.goOnWithRow(running);
        return true;
      }
      if (done === 'BEGIN') this.printId = step.printId;
      if (done === 'END') this.printId = null;
    }
    this.heard = running;
    return true;
  }

  private async record(step: Step): Promise<Recorded | 'PUT_ASIDE'> {
    if (step.decision.do === 'BEGIN' && this.fullAt !== null) return 'TOO_MANY';
    const { lease, printer, failures } = this;
    if (!failures.isAside(step)) {
      try {
        const recorded = await this.asHolder(
          () => this.parts.recorder.record(lease, printer, step, this.moment()),
          'NOT_HELD',
          MAX_UNANSWERED,
        );
        if (recorded === 'TOO_MANY') this.refuse(step);
        if (recorded !== 'STALE' || isOfEnded(step)) {
          failures.wasWritten(step);
          return recorded;
        }
        if (!failures.hasFailed(step)) return recorded;
        this.parts.putAside(new Error(`The rows are others than those of ${step.decision.do}`), this.device);
      } catch (error) {
        if (this.isStopping || !failures.hasFailed(step)) throw error;
        this.parts.putAside(error, this.device);
      }
    }
    this.leftOut('PROTOCOL_ERROR');
    if (!failures.isToKeep(step)) return 'PUT_ASIDE';
    try {
      await this.untilAnswered(() => this.parts.recorder.putAside(lease, printer, step, this.moment()));
    } catch (error) {
      if (this.isStopping) throw error;
      this.parts.putAside(error, this.device);
    }
    return 'PUT_ASIDE';
  }

  private refuse({ decision }: Step): void {
    if (decision.do === 'RECORD') this.refusedRecords += 1;
    const hourAgo = before(instantNow(), HOUR_MS);
    if (decision.do !== 'RECORD' || (decision.print.startedAt ?? hourAgo) > hourAgo) this.fullAt = performance.now();
    else this.leftOut('TOO_MUCH_DATA');
    this.note('TOO_MUCH_DATA');
  }

  private moment(): Moment {
    return { now: instantNow(), end: this.parts.endOfTime(), newId: randomUUID };
  }

  /** The row has more of the print than was heard. */
  private async goOnWithRow(heard: HeardPrint | null): Promise<void> {
    const row = await this.untilAnswered(() => this.parts.store.running(this.printer.deviceId));
    this.heard = row && { ...resumed(row), ordinal: heard?.ordinal ?? null };
    this.printId = row?.id ?? null;
    // The row that is shown may be gone.
    this.written = null;
  }
}

/** Whether a decision is about a print that was over before: others may know of it already. */
const isOfEnded = ({ decision }: Step) => ['RESOLVE', 'RECORD', 'AMEND'].includes(decision.do);
