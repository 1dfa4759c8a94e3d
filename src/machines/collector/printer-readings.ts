// Takes the readings of a printer in their order, has each evaluated and its decisions written, and keeps the newest state of the printer.
import type { Reading } from '../../farm/print-rules/print.model';
import { isDue, offline, type PrinterState, stateOf } from '../../farm/printer-states/printer-state.status';
import type { HeldState, PrinterStateStore } from '../../farm/printer-states/printer-state.store';
import type { PrinterOfDevice } from '../../farm/prints/print-writing.store';
import type { PrintFacts } from '../../kind-facts';
import { asEvidence, type Instant, instantNow } from '../../values/instant';
import { setTimeout } from '../../values/timers';
import type { Opened } from '../machine-adapter';
import type { DeviceReadings, OwnSession } from './device-session';
import type { HeldDevice } from './held-device.store';
import { PrintFollower } from './print-follower';
import { StepWriter, type WriterParts } from './step-writer';
import { WaitingReadings } from './waiting-readings';

/** A device is evaluated at most four times a second. The messages in between are merged. */
const EVALUATION_MS = 250;

export interface PrinterParts extends Omit<WriterParts, 'cannotBeWritten' | 'skipped'> {
  states: PrinterStateStore;
  /** Reports that a change of the device cannot be written. The following changes are written. */
  cannotBeWritten(error: unknown, device: HeldDevice): void;
}

export class PrinterReadings implements DeviceReadings<Reading> {
  private readonly printer: PrinterOfDevice;
  private readonly follower: PrintFollower;
  private readonly writer: StepWriter;
  private readonly waiting = new WaitingReadings();
  private evaluation: NodeJS.Timeout | undefined;
  private evaluatedAt = 0;

  private state: PrinterState | null = null;
  private shownPrintId: string | null = null;
  private written: { state: PrinterState; at: Instant } | null = null;

  constructor(
    private readonly session: OwnSession,
    printerId: string,
    machine: PrintFacts,
    private readonly parts: PrinterParts,
  ) {
    const { device, lease, work } = session;
    const { id: deviceId, createdAt } = device;
    const { deviceHistory } = parts;
    this.printer = { deviceId, printerId };
    const writerParts: WriterParts = {
      ...parts,
      cannotBeWritten: (error) => parts.cannotBeWritten(error, device),
      skipped: (why) => session.announceLack(why),
    };
    this.writer = new StepWriter(lease, this.printer, writerParts, work);
    const answered = <Answer>(ask: () => Promise<Answer>) => work.untilAnswered(ask);
    this.follower = new PrintFollower(
      {
        running: () => answered(() => deviceHistory.running(deviceId)),
        ended: (externalId) => answered(() => deviceHistory.ended(deviceId, externalId)),
        unplanned: () => answered(() => deviceHistory.lastUnplanned(deviceId)),
        lastContact: (seenAt) => this.findLastContact(seenAt ?? session.lastContact.at ?? device.lastMessageAt),
      },
      this.writer,
      createdAt,
      machine,
      () => session.link.clock.setByMs(),
    );
  }

  start(): void {
    this.session.work.do(async () => {
      await this.load();
      const row = await this.parts.states.ofPrinter.load(this.printer.printerId);
      if (row === null) return;
      const { printerId, printId, silentAfterSec, isAlone, addedAt, ...shown } = row;
      const state = { ...shown, heardAt: shown.heardAt ?? instantNow() };
      this.state = state;
      this.written = { state, at: state.heardAt };
    });
  }

  stop(): void {
    clearTimeout(this.evaluation);
  }

  tick(): void {
    this.session.announceLack(this.writer.tick());
  }

  /** The state of the printer, if it must be written now. */
  dueState(now: Instant): HeldState | null {
    const { shownPrintId: printId } = this;
    const figures = printId !== null && printId === this.follower.printId ? this.follower.figures : null;
    const state = this.state && { ...this.state, figures };
    if (state === null || !isDue(this.written, state, now)) return null;
    const { printerId } = this.printer;
    return { lease: this.session.lease, state: { printerId, printId, ...state } };
  }

  wasWritten({ state: { printerId, printId, ...state } }: HeldState, at: Instant): void {
    this.written = { state, at };
  }

  async load(): Promise<Opened> {
    const opened = await this.follower.open();
    this.shownPrintId = this.follower.printId;
    this.writer.open();
    this.waiting.clear();
    return opened;
  }

  /** The last contact. If the stored time is in the future, the time of the latest print counts. `null` at the first contact. */
  private async findLastContact(stored: Instant | null): Promise<Instant | null> {
    const now = instantNow();
    if (stored === null) return null;
    const { deviceId } = this.printer;
    const { device, work } = this.session;
    const seenAt = () => work.untilAnswered(() => this.parts.deviceHistory.lastSeen(deviceId, now));
    return asEvidence(stored, now) ?? (await seenAt()) ?? asEvidence(device.createdAt, now) ?? now;
  }

  machineSilent(): void {
    if (this.state !== null) this.state = offline(this.state);
    this.session.work.do(async () => {
      const isFollowed = await this.follower.printerSilent(instantNow());
      if (this.follower.takeRowReplaced()) this.written = null;
      if (!isFollowed) this.session.reconnect();
    });
  }

  take(readings: readonly Reading[]): void {
    for (const reading of readings) this.waiting.add(reading);
    if (this.waiting.isTooMuch) {
      if (this.waiting.isFlood) this.writer.noteSkipped('TOO_MUCH_DATA');
      this.dropAll();
      return;
    }
    this.session.countWaiting();
    if (this.waiting.length === 0 || this.evaluation !== undefined) return;
    const wait = Math.max(0, this.evaluatedAt + EVALUATION_MS - performance.now());
    this.evaluation = setTimeout(() => {
      this.evaluation = undefined;
      this.evaluatedAt = performance.now();
      this.session.work.do(() => this.evaluateAll());
    }, wait);
  }

  waitingBytes(): number {
    return this.waiting.bytes;
  }

  tooMuch(): void {
    if (this.waiting.condense()) this.session.countWaiting();
    else this.dropAll();
  }

  private dropAll(): void {
    this.waiting.clear();
    if (this.session.link.current === null) this.session.countWaiting();
    else this.session.reconnect('TOO_MUCH_DATA');
  }

  private async evaluateAll(): Promise<void> {
    try {
      while (await this.evaluateNext());
    } catch (error) {
      // The following readings would be evaluated as if this one had been written. The machine reports everything again at the next connect.
      this.waiting.clear();
      throw error;
    }
    this.session.countWaiting();
    this.session.link.current?.printing(this.follower.isPrinting);
  }

  /** `false` if nothing is left to do. */
  private async evaluateNext(): Promise<boolean> {
    const next = this.waiting.next();
    // An edit of the device and the end of the process do not wait for the readings that are left.
    if (next === undefined || this.session.work.isStopping) return false;
    if (this.writer.refuses(next)) return true;
    const isFollowed = await this.follower.follow(next);
    if (this.follower.takeRowReplaced()) this.written = null;
    if (!isFollowed) {
      this.waiting.clear();
      this.session.reconnect();
      return false;
    }
    if (next.kind !== 'STATE') return true;
    this.state = stateOf(next);
    // An ended print is shown as long as its machine shows it.
    const showsPrint = typeof next.print !== 'string';
    if (this.follower.printId !== null || !showsPrint) this.shownPrintId = this.follower.printId;
    return true;
  }
}
