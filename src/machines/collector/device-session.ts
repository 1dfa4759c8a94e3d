// Runs one device: its connection, its adapter, and the connection state that clients see. printer-readings.ts handles the readings of
// printers, and camera-records.ts handles the readings of cameras.

import type { DeviceConnectionState } from '../../farm/devices/device.types';
import type { SpoolReport } from '../../farm/followed-spools/followed-spools.model';
import type { Reading } from '../../farm/print-rules/print.model';
import type { Lease } from '../../sharing/lease';
import type { Instant } from '../../values/instant';
import { estimateBytes, type MemoryUser, WAITING_BYTES } from '../../wire/waiting-bytes';
import type { Adapter, AdapterOutput, CameraReading, LastKnown, MachineMessage } from '../machine-adapter';
import type { Connect, DeviceFault } from '../machine-connection';
import { type DatabaseParts, DatabaseWork } from './database-work';
import { DeviceLink, LastContact, type LinkParts, shiftReport, shiftTimes } from './device-link';
import type { HeldDevice, LoadedNumber } from './held-device.store';

/** The most messages that wait until the rows of their device are read. */
const MAX_EARLY = 1000;
const MAX_EARLY_BYTES = 2 << 20;

/** The faults that no further attempt can fix, because a user must change something. */
const NEED_A_USER: readonly DeviceFault[] = [
  'CREDENTIALS_REFUSED',
  'PROXY_REFUSED',
  'CERTIFICATE_NOT_TRUSTED',
  'SECRET_NOT_READABLE',
];

/** The faults of an attempt to connect to a machine that is off, or no longer in the network. */
const UNREACHABLE: readonly DeviceFault[] = ['NOT_REACHABLE', 'TIMED_OUT'];

/** The states of a session. A disabled device has no session. */
export type ConnectionState = Exclude<DeviceConnectionState, 'DISABLED'>;

/** What every session needs from its process. */
export interface DeviceSessionParts extends LinkParts, DatabaseParts {
  /** Stores the state of the connection. Returns false if this process no longer holds the device. */
  storeState(lease: Lease, state: ConnectionState, fault: DeviceFault | null): Promise<boolean>;
  onFailed(error: unknown, device: HeldDevice): void;
}

/** What a session needs of a kind of machine whose readings have this type. */
interface SessionKind<MachineReading> {
  adapter: Adapter<unknown, MachineReading>;
  connect: Connect;
  silentAfterMs: number;
}

/** Handles the readings of a device. */
export interface DeviceReadings<MachineReading> {
  /** Is called before the first connection. */
  start?(): void;
  /** Reads the rows of the device, before the first message of a connection. */
  load(): Promise<LastKnown>;
  accept(readings: readonly MachineReading[]): void;
  /** Handles what the machine reports about its spools. Is called before `accept` with the readings of the same message. */
  acceptSpools?(report: SpoolReport): void;
  /** The memory of the waiting readings. */
  waitingBytes(): number;
  /** Is called when all machines together use too much memory, and this machine uses the most. */
  onTooMuch(): void;
  /** Is called when the machine has sent nothing for too long. */
  onSilent?(): void;
  /** Is called each second. */
  tick?(): void;
  /** Is called each second with the spool in the only slot of the printer, if the gateway sets the active spool of the machine. */
  noteLoaded?(loaded: LoadedNumber | null): void;
  /** Is called at the end. Work that has not started is dropped. */
  stop?(): void;
}

/** The part of a session that the handler of its readings uses. */
export interface SessionForReadings {
  readonly device: HeldDevice;
  readonly lease: Lease;
  readonly work: DatabaseWork;
  readonly link: DeviceLink;
  readonly lastContact: LastContact;
  /** Must be called when the memory of the waiting readings has changed. */
  countWaiting(): void;
  /** Reconnects, and reads the rows again. */
  reconnect(fault?: DeviceFault): void;
  /** Shows why the gateway does not record all prints of a connected machine; `null` if it records all prints. */
  showRecordingFault(fault: DeviceFault | null): void;
}

export class DeviceSession<MachineReading extends Reading | CameraReading> implements SessionForReadings, MemoryUser {
  readonly lease: Lease;
  readonly work: DatabaseWork;
  readonly link: DeviceLink;
  readonly readings: DeviceReadings<MachineReading>;
  /** The memory of the adapter. */
  private memory: unknown = null;
  /** The messages that arrived while the rows of the device are read. */
  private earlyMessages: { message: MachineMessage; at: Instant }[] = [];
  private earlyBytes = 0;

  /** Since when the adapter receives messages; `null` while the rows are not read yet. */
  private openedAt: number | null = null;
  /** What has arrived since then: nothing, messages, or the state of the machine. */
  private received: 'NOTHING' | 'MESSAGES' | 'STATE' = 'NOTHING';

  private shownState: { state: string; fault: string | null };
  private fault: DeviceFault | null = null;
  /** Why the gateway does not record all prints although the machine is connected; `null` if it records all prints. */
  private recordingFault: DeviceFault | null = null;
  private isOffline = false;
  private lastSignOfLifeAt = performance.now();
  readonly lastContact: LastContact;

  constructor(
    readonly device: HeldDevice,
    holder: string,
    private readonly kind: SessionKind<MachineReading>,
    private readonly parts: DeviceSessionParts,
    createReadings: (session: SessionForReadings) => DeviceReadings<MachineReading>,
  ) {
    this.lease = { subject: device.id, holder, number: device.leaseNumber };
    this.lastContact = new LastContact(device.lastMessageAt);
    this.shownState = { state: device.state, fault: device.fault };
    this.work = new DatabaseWork(parts, (error) => {
      parts.onFailed(error, device);
      this.reconnect();
    });
    this.link = new DeviceLink(device, kind.connect, parts, {
      onDialling: () => this.shownState.state === 'REFUSED' && this.showState('CONNECTING', null),
      onConnected: () => this.openAdapter(),
      onMessage: (message, at) => this.receive(message, at),
      onEnded: (fault) => this.reconnect(fault),
    });
    this.readings = createReadings(this);
  }

  get connectionState(): string {
    return this.shownState.state;
  }

  start(): void {
    this.readings.start?.();
    // The process that held the device before has stored this state.
    if (this.shownState.state === 'CONNECTED') this.showState('CONNECTING', null);
    this.link.connect();
  }

  /** Ends the connection. A write that has started is finished, and no other write follows. */
  async close(): Promise<void> {
    this.readings.stop?.();
    this.link.end();
    await this.work.stop();
    WAITING_BYTES.set(this, 0);
  }

  /** The collector calls this each second. */
  tick(): void {
    this.checkSilence();
    this.readings.tick?.();
  }

  onTooMuch(): void {
    this.readings.onTooMuch();
  }

  private checkSilence(): void {
    const { silentAfterMs } = this.kind;
    if (this.openedAt !== null && this.received !== 'STATE' && performance.now() - this.openedAt >= silentAfterMs) {
      this.reconnect(this.faultWithoutState);
    }
    if (performance.now() - this.lastSignOfLifeAt < silentAfterMs || this.isOffline) return;
    this.isOffline = true;
    if (this.received === 'STATE') this.reconnect('SILENT');
    if (this.shownState.state !== 'REFUSED') this.showState('OFFLINE', this.fault ?? this.faultWithoutState);
    this.readings.onSilent?.();
  }

  private get faultWithoutState(): DeviceFault {
    return this.received === 'MESSAGES' ? 'PROTOCOL_ERROR' : 'SILENT';
  }

  private openAdapter(): void {
    this.takeEarlyMessages();
    const { current, clock } = this.link;
    this.work.enqueue(async () => {
      const opened = await this.readings.load();
      if (this.link.current !== current) return;
      this.openedAt = performance.now();
      this.handleOutput(this.kind.adapter.start(opened, clock.now()));
      for (const { message, at } of this.takeEarlyMessages()) this.deliver(message, at);
      // Only later messages count. The messages before the adapter started may be greetings of a machine that does not work.
      if (this.received === 'MESSAGES') this.received = 'NOTHING';
    });
  }

  private receive(message: MachineMessage, at: Instant): void {
    if (this.received === 'STATE' || this.openedAt === null) this.noteSignOfLife();
    if (message.source === 'pong') return;
    if (this.openedAt !== null) this.deliverOrEnd(message, at);
    else this.keepEarly(message, at);
  }

  /** Notes that the machine works. Bytes alone do not show that: a machine counts as connected when it has reported its state. */
  private noteSignOfLife(): void {
    this.lastSignOfLifeAt = performance.now();
    if (this.received !== 'STATE') return;
    this.fault = null;
    this.isOffline = false;
    this.showState('CONNECTED', this.recordingFault);
  }

  private keepEarly(message: MachineMessage, at: Instant): void {
    this.earlyMessages.push({ message, at });
    this.earlyBytes += estimateBytes(message.body, MAX_EARLY_BYTES);
    if (this.earlyMessages.length > MAX_EARLY || this.earlyBytes > MAX_EARLY_BYTES) this.reconnect();
    else this.countWaiting();
  }

  private takeEarlyMessages() {
    const messages = this.earlyMessages;
    [this.earlyMessages, this.earlyBytes] = [[], 0];
    this.countWaiting();
    return messages;
  }

  countWaiting(): void {
    WAITING_BYTES.set(this, this.earlyBytes + this.readings.waitingBytes());
  }

  /** Handles a message. If an adapter throws, which is a bug, only the connection ends and not the process. */
  private deliverOrEnd(message: MachineMessage, at: Instant): void {
    try {
      this.deliver(message, at);
    } catch (error) {
      this.parts.onFailed(error, this.device);
      this.reconnect();
    }
  }

  private deliver(message: MachineMessage, at: Instant): void {
    this.lastContact.noteMessage();
    if (this.received === 'NOTHING') this.received = 'MESSAGES';
    this.handleOutput(this.kind.adapter.receive(this.memory, message, at));
  }

  private handleOutput({ memory, readings, asks, spools }: AdapterOutput<unknown, MachineReading>): void {
    this.memory = memory;
    if (this.received !== 'STATE' && readings.some(({ kind }) => kind === 'STATE' || kind === 'STATUS')) {
      this.received = 'STATE';
      this.noteSignOfLife();
    }
    if (spools !== undefined) this.readings.acceptSpools?.(shiftReport(spools, this.link.clock.setByMs()));
    this.readings.accept(readings.map((reading) => shiftTimes(reading, this.link.clock.setByMs())));
    for (const ask of asks) this.link.current?.ask(ask);
  }

  reconnect(fault: DeviceFault = 'PROTOCOL_ERROR'): void {
    // The early messages are dropped. The next connection needs the rows too, so it starts after the work that reads them.
    const runFirst =
      this.earlyMessages.length === 0
        ? (next: () => void) => next()
        : (next: () => void) => this.work.enqueue(async () => next());
    // A connection that sent too much was not useful, however long it lasted.
    const isFlood = fault === 'TOO_MUCH_DATA';
    const wasUseful = this.received === 'STATE' && !isFlood;
    const isGone = UNREACHABLE.includes(fault) && this.received === 'NOTHING' && this.isOverdue;
    this.openedAt = null;
    this.received = 'NOTHING';
    this.fault = fault;
    this.takeEarlyMessages();
    if (NEED_A_USER.includes(fault)) {
      this.showState('REFUSED', fault);
      this.link.reconnectRefused();
      return;
    }
    // A connection that returns soon is not shown as offline. But a machine that is off or away need not be silent for as long as a
    // machine of its kind may be silent.
    const isKnownBad = this.shownState.state === 'CONNECTING' || this.shownState.state === 'OFFLINE';
    if (isFlood || isKnownBad || isGone) this.showState('OFFLINE', fault);
    this.link.reconnect(wasUseful, runFirst);
  }

  private get isOverdue(): boolean {
    return performance.now() - this.lastSignOfLifeAt >= this.parts.pace.unreachableMs;
  }

  showRecordingFault(fault: DeviceFault | null): void {
    this.recordingFault = fault;
    if (this.shownState.state === 'CONNECTED') this.showState('CONNECTED', fault);
  }

  private showState(state: ConnectionState, fault: DeviceFault | null): void {
    if (this.shownState.state === state && this.shownState.fault === fault) return;
    this.shownState = { state, fault };
    this.work.enqueue(async () => {
      await this.work.retryUntilHeld(() => this.parts.storeState(this.lease, state, fault), false);
    });
  }
}
