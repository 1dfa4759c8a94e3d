// Handles the readings of a printer: queues them while the database is busy, evaluates each in order, and holds the newest state of the
// printer.

import type { SpoolReport } from '../../farm/followed-spools/followed-spools.model';
import type { Reading } from '../../farm/print-rules/print.model';
import { isDue, type PrinterState, toOffline, toPrinterState } from '../../farm/printer-states/printer-state.status';
import type { HeldState, PrinterStateStore } from '../../farm/printer-states/printer-state.store';
import type { PrinterOfDevice } from '../../farm/prints/print-writing.store';
import type { PrintFacts } from '../../kind-facts';
import { discardFutureTime, type Instant, instantNow } from '../../values/instant';
import { setTimeout } from '../../values/timers';
import type { LastKnown } from '../machine-adapter';
import type { DeviceReadings, SessionForReadings } from './device-session';
import type { HeldDevice, LoadedNumber } from './held-device.store';
import { PrintFollower } from './print-follower';
import { SpoolFollower, type SpoolFollowerParts } from './spool-follower';
import { StepWriter, type WriterParts } from './step-writer';
import { ThumbnailKeeper, type ThumbnailParts } from './thumbnail-keeper';
import { WaitingReadings } from './waiting-readings';

/** At most four evaluations a second for each device. The messages in between are merged. */
const EVALUATION_MS = 250;

export interface PrinterParts
  extends Omit<WriterParts, 'onWriteFailed' | 'onSkipped'>,
    ThumbnailParts,
    SpoolFollowerParts {
  states: PrinterStateStore;
  /** Is called if a change of the device cannot be written. The change is skipped, and the next changes are written. */
  onWriteFailed(error: unknown, device: HeldDevice): void;
}

export class PrinterReadings implements DeviceReadings<Reading> {
  private readonly printer: PrinterOfDevice;
  private readonly follower: PrintFollower;
  private readonly writer: StepWriter;
  private readonly thumbnails: ThumbnailKeeper;
  private readonly spools: SpoolFollower;
  private readonly waiting = new WaitingReadings();
  private evaluation: NodeJS.Timeout | undefined;
  private evaluatedAt = 0;

  private state: PrinterState | null = null;
  private shownPrintId: string | null = null;
  private written: { state: PrinterState; at: Instant } | null = null;

  constructor(
    private readonly session: SessionForReadings,
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
      onWriteFailed: (error) => parts.onWriteFailed(error, device),
      onSkipped: (why) => session.showRecordingFault(why),
    };
    this.writer = new StepWriter(lease, this.printer, writerParts, work);
    this.thumbnails = new ThumbnailKeeper(session, parts);
    this.spools = new SpoolFollower(session, parts);
    const retry = <Answer>(read: () => Promise<Answer>) => work.retryUntilAnswered(read);
    this.follower = new PrintFollower(
      {
        running: () => retry(() => deviceHistory.running(deviceId)),
        ended: (externalId) => retry(() => deviceHistory.ended(deviceId, externalId)),
        unplanned: () => retry(() => deviceHistory.lastUnplanned(deviceId)),
        lastContact: (seenAt) => this.readLastContact(seenAt ?? session.lastContact.at ?? device.lastMessageAt),
      },
      this.writer,
      createdAt,
      machine,
      () => session.link.clock.setByMs(),
    );
  }

  start(): void {
    this.session.work.enqueue(async () => {
      await this.load();
      const row = await this.parts.states.byPrinter.load(this.printer.printerId);
      if (row === null) return;
      const { printerId, printId, silentAfterSec, hasNoListener, addedAt, ...shown } = row;
      const state = { ...shown, heardAt: shown.heardAt ?? instantNow() };
      this.state = state;
      this.written = { state, at: state.heardAt };
    });
  }

  stop(): void {
    clearTimeout(this.evaluation);
  }

  tick(): void {
    this.session.showRecordingFault(this.writer.tick());
    this.spools.tick();
  }

  /** Returns the state of the printer if it must be written now. */
  stateToWrite(now: Instant): HeldState | null {
    const { shownPrintId: printId } = this;
    const figures = printId !== null && printId === this.follower.printId ? this.follower.figures : null;
    const state = this.state && { ...this.state, figures };
    if (state === null || !isDue(this.written, state, now)) return null;
    const { printerId } = this.printer;
    return { lease: this.session.lease, state: { printerId, printId, ...state } };
  }

  noteWritten({ state: { printerId, printId, ...state } }: HeldState, at: Instant): void {
    this.written = { state, at };
  }

  async load(): Promise<LastKnown> {
    const opened = await this.follower.open();
    this.shownPrintId = this.follower.printId;
    this.writer.startConnection();
    this.spools.startConnection();
    this.waiting.clear();
    return opened;
  }

  /** Returns the time of the last contact; `null` at the first contact. A stored time in the future is replaced by the time of the latest print. */
  private async readLastContact(stored: Instant | null): Promise<Instant | null> {
    const now = instantNow();
    if (stored === null) return null;
    const { deviceId } = this.printer;
    const { device, work } = this.session;
    const seenAt = () => work.retryUntilAnswered(() => this.parts.deviceHistory.lastSeen(deviceId, now));
    return discardFutureTime(stored, now) ?? (await seenAt()) ?? discardFutureTime(device.createdAt, now) ?? now;
  }

  onSilent(): void {
    if (this.state !== null) this.state = toOffline(this.state);
    this.session.work.enqueue(async () => {
      const isUpToDate = await this.follower.endAfterSilence(instantNow());
      if (this.follower.resetIsRowReplaced()) this.written = null;
      if (!isUpToDate) this.session.reconnect();
    });
  }

  acceptSpools(report: SpoolReport): void {
    this.spools.accept(report);
  }

  noteLoaded(loaded: LoadedNumber | null): void {
    this.spools.noteLoaded(loaded);
  }

  accept(readings: readonly Reading[]): void {
    for (const reading of readings) this.waiting.add(reading);
    if (this.waiting.isTooMuch) {
      if (this.waiting.isFlood) this.writer.noteSkipped('TOO_MUCH_DATA');
      this.dropReadings();
      return;
    }
    this.session.countWaiting();
    const isNothingNew = this.waiting.length === 0 && !this.spools.hasWaiting;
    if (isNothingNew || this.evaluation !== undefined) return;
    const wait = Math.max(0, this.evaluatedAt + EVALUATION_MS - performance.now());
    this.evaluation = setTimeout(() => {
      this.evaluation = undefined;
      this.evaluatedAt = performance.now();
      this.session.work.enqueue(() => this.evaluateAll());
    }, wait);
  }

  waitingBytes(): number {
    return this.waiting.bytes;
  }

  onTooMuch(): void {
    if (this.waiting.condense()) this.session.countWaiting();
    else this.dropReadings();
  }

  private dropReadings(): void {
    this.waiting.clear();
    if (this.session.link.current === null) this.session.countWaiting();
    else this.session.reconnect('TOO_MUCH_DATA');
  }

  private async evaluateAll(): Promise<void> {
    try {
      await this.spools.applyLoads();
      while (await this.evaluateNext());
      await this.spools.applyAll();
    } catch (error) {
      // The next readings would be evaluated as if this reading had been written, so they are dropped. The machine reports them again in the next
      // connection.
      this.waiting.clear();
      throw error;
    }
    this.session.countWaiting();
    this.session.link.current?.setPrinting(this.follower.isPrinting);
    this.thumbnails.keepOf(this.follower.running);
  }

  /** Returns false when no reading is left to evaluate. */
  private async evaluateNext(): Promise<boolean> {
    const next = this.waiting.next();
    // If a user changes the device, or the process ends, the remaining readings are not evaluated.
    if (next === undefined || this.session.work.isStopping) return false;
    if (this.writer.refuses(next)) return true;
    const isUpToDate = await this.follower.follow(next);
    if (this.follower.resetIsRowReplaced()) this.written = null;
    if (!isUpToDate) {
      this.waiting.clear();
      this.session.reconnect();
      return false;
    }
    if (next.kind !== 'STATE') return true;
    this.state = toPrinterState(next);
    // An ended print is shown as long as its machine shows it.
    const showsPrint = typeof next.print !== 'string';
    if (this.follower.printId !== null || !showsPrint) this.shownPrintId = this.follower.printId;
    return true;
  }
}
