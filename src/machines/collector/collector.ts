// Decides which devices this process connects to, and runs one session for each device that it holds.
import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import type { Reading } from '../../farm/print-rules/print.model';
import { instantNow } from '../../values/instant';
import { setInterval } from '../../values/timers';
import { ConnectGate } from '../../wire/backoff';
import type { MachineKind } from '../kind-code';
import type { CameraReading } from '../machine-adapter';
import { type CameraParts, CameraRecords } from './camera-records';
import { DeviceSession, type DeviceSessionParts } from './device-session';
import type { Contact, HeldDevice, HeldDeviceStore } from './held-device.store';
import { type PrinterParts, PrinterReadings } from './printer-readings';

/** The most devices of one process. In a larger farm, other processes hold the other devices. */
const MAX_SESSIONS = 200;
/** After this time without a renewal the sessions end, because after 30 s another process may take the devices. */
const MAX_UNRENEWED_MS = 20_000;

/** The most statements of sessions that run at the same time, so that a request of a client never waits behind more than these. */
const MAX_SESSION_STATEMENTS = 4;

type SessionParts = DeviceSessionParts & PrinterParts & CameraParts;

type AnyDeviceSession = DeviceSession<Reading> | DeviceSession<CameraReading>;

export interface CollectorParts
  extends Omit<SessionParts, 'reserveConnectWait' | 'runInTurn' | 'lastRenewedAt' | 'storeState' | 'onWritten'> {
  devices: HeldDeviceStore;
  kinds: Readonly<Record<string, MachineKind>>;
  /** Is called if the database did not answer the renewal of the leases. */
  onRenewalFailed(error: unknown): void;
  /** Is called after a commit, so that the feed can be read. */
  onCommitted(): void;
}

export class Collector {
  private readonly holder = randomUUID();
  private readonly sessions = new Map<string, { session: AnyDeviceSession; configuration: string }>();
  private readonly gate = new ConnectGate();
  private readonly databaseLimit = pLimit(MAX_SESSION_STATEMENTS);
  private renewedAt = performance.now();
  private timer: NodeJS.Timeout | undefined;
  private ticking: Promise<void> | undefined;
  private isStopped = false;
  private readonly decisions: Record<string, number> = {};

  constructor(private readonly parts: CollectorParts) {}

  start(): void {
    this.timer = setInterval(() => this.tick(), this.parts.pace.tickMs);
    this.tick();
  }

  /** Ends the connections, finishes the writes that have started, and releases the devices. */
  async close(): Promise<void> {
    if (this.timer === undefined) return;
    this.isStopped = true;
    clearInterval(this.timer);
    await this.ticking;
    const contacts = this.contacts();
    await this.endAll();
    await this.parts.devices.release(this.holder, contacts).catch(this.parts.onRenewalFailed);
  }

  /** Returns the figures for metrics. */
  readFigures() {
    const sessions = [...this.sessions.values()].map(({ session }) => session);
    const agesMs = sessions.flatMap(({ lastContact }) => lastContact.agoMs ?? []);
    return {
      devices: sessions.map(({ device, connectionState }) => ({ kind: device.kind, state: connectionState })),
      oldestContactSeconds: Math.max(0, ...agesMs) / 1000,
      decisions: this.decisions,
    };
  }

  private tick(): void {
    if (performance.now() - this.renewedAt > MAX_UNRENEWED_MS && this.sessions.size > 0) void this.endAll();
    for (const { session } of this.sessions.values()) session.tick();
    this.ticking ??= this.synchronize()
      .catch(this.parts.onRenewalFailed)
      .finally(() => {
        this.ticking = undefined;
      });
  }

  private async synchronize(): Promise<void> {
    const requestedAt = performance.now();
    const { devices, kinds } = this.parts;
    const maxNewDevices = Math.max(0, MAX_SESSIONS - this.sessions.size);
    const heldDevices = await devices.renewAndTake(this.holder, this.contacts(), Object.keys(kinds), maxNewDevices);
    if (this.isStopped) return;
    this.renewedAt = requestedAt;
    const devicesById = new Map(heldDevices.map((device) => [device.id, device]));
    for (const [id, { session, configuration }] of this.sessions) {
      const device = devicesById.get(id);
      if (device !== undefined && toConfiguration(device) === configuration) continue;
      this.sessions.delete(id);
      await session.close();
    }
    for (const device of heldDevices) {
      const session = this.sessions.get(device.id)?.session;
      if (session === undefined) this.startSession(device);
      else session.readings.noteLoaded?.(device.loaded);
    }
    await this.writeStates();
  }

  private startSession(device: HeldDevice): void {
    const session = this.createSession(device);
    if (session === null) return;
    this.sessions.set(device.id, { session, configuration: toConfiguration(device) });
    session.start();
  }

  private createSession(device: HeldDevice): AnyDeviceSession | null {
    const { holder } = this;
    const kind = this.parts.kinds[device.kind];
    const { printerId, cameraId } = device;
    const parts = this.createSessionParts();
    if (kind?.machineType === 'printer' && printerId !== null) {
      return new DeviceSession(
        device,
        holder,
        kind,
        parts,
        (session) => new PrinterReadings(session, printerId, kind, parts),
      );
    }
    if (kind?.machineType === 'camera' && cameraId !== null) {
      return new DeviceSession(device, holder, kind, parts, (session) => new CameraRecords(session, cameraId, parts));
    }
    return null;
  }

  private createSessionParts(): SessionParts {
    return {
      ...this.parts,
      reserveConnectWait: () => this.gate.reserveWait(),
      runInTurn: (work) => this.databaseLimit(work),
      lastRenewedAt: () => this.renewedAt,
      storeState: async (lease, state, fault) => {
        const isHeld = await this.parts.devices.storeState(lease, state, fault);
        this.parts.onCommitted();
        return isHeld;
      },
      onWritten: (decision) => {
        this.decisions[decision] = (this.decisions[decision] ?? 0) + 1;
        this.parts.onCommitted();
      },
    };
  }

  /** Writes the changed states of all printers in one statement. */
  private async writeStates(): Promise<void> {
    const now = instantNow();
    const due = [...this.sessions.values()].flatMap(({ session: { readings } }) => {
      if (!(readings instanceof PrinterReadings)) return [];
      const state = readings.stateToWrite(now);
      return state === null ? [] : [{ readings, state }];
    });
    if (due.length === 0) return;
    await this.parts.states.write(due.map(({ state }) => state));
    for (const { readings, state } of due) readings.noteWritten(state, now);
  }

  private contacts(): Contact[] {
    return [...this.sessions.values()].flatMap(({ session: { device, lastContact } }) => {
      const agoMs = lastContact.agoMsInThisProcess;
      return agoMs === null ? [] : [{ deviceId: device.id, agoMs }];
    });
  }

  private async endAll(): Promise<void> {
    const sessions = [...this.sessions.values()];
    this.sessions.clear();
    await Promise.all(sessions.map(({ session }) => session.close()));
  }
}

/** The configuration of a device as text. If it changes, the session is restarted. */
const toConfiguration = ({ state, fault, lastMessageAt, loaded, ...device }: HeldDevice) => JSON.stringify(device);
