// The process's sessions: one for each device that it holds.
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

/** A farm may have more, which other processes then hold. */
const MAX_SESSIONS = 200;
/** Without a renewal for so long the sessions end: after 30 s another process may hold the devices. */
const MAX_UNRENEWED_MS = 20_000;

/** What sessions ask the database at a time. A request of a client waits behind so many of them at most. */
const MAX_ASKING = 4;

type SessionParts = DeviceSessionParts & PrinterParts & CameraParts;

type AnySession = DeviceSession<Reading> | DeviceSession<CameraReading>;

export interface CollectorParts extends Omit<SessionParts, 'gate' | 'inTurn' | 'renewedAt' | 'announce' | 'recorded'> {
  devices: HeldDeviceStore;
  kinds: Readonly<Record<string, MachineKind>>;
  /** The database did not answer a tick. */
  unanswered(error: unknown): void;
  /** Something was committed. */
  committed(): void;
}

export class Collector {
  private readonly holder = randomUUID();
  private readonly sessions = new Map<string, { session: AnySession; configuration: string }>();
  private readonly gate = new ConnectGate();
  private readonly databaseLimit = pLimit(MAX_ASKING);
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

  /** Ends the connections, writes what was decided, and gives the devices back. */
  async close(): Promise<void> {
    if (this.timer === undefined) return;
    this.isStopped = true;
    clearInterval(this.timer);
    await this.ticking;
    const contacts = this.contacts();
    await this.endAll();
    await this.parts.devices.release(this.holder, contacts).catch(this.parts.unanswered);
  }

  /** For metrics. */
  figures() {
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
      .catch(this.parts.unanswered)
      .finally(() => {
        this.ticking = undefined;
      });
  }

  private async synchronize(): Promise<void> {
    const asked = performance.now();
    const { devices, kinds } = this.parts;
    const room = Math.max(0, MAX_SESSIONS - this.sessions.size);
    const held = await devices.hold(this.holder, this.contacts(), Object.keys(kinds), room);
    if (this.isStopped) return;
    this.renewedAt = asked;
    const found = new Map(held.map((device) => [device.id, device]));
    for (const [id, { session, configuration }] of this.sessions) {
      const device = found.get(id);
      if (device !== undefined && configurationOf(device) === configuration) continue;
      this.sessions.delete(id);
      await session.close();
    }
    for (const device of held) if (!this.sessions.has(device.id)) this.begin(device);
    await this.writeStates();
  }

  private begin(device: HeldDevice): void {
    const session = this.sessionOf(device);
    if (session === null) return;
    this.sessions.set(device.id, { session, configuration: configurationOf(device) });
    session.start();
  }

  private sessionOf(device: HeldDevice): AnySession | null {
    const { holder } = this;
    const kind = this.parts.kinds[device.kind];
    const { printerId, cameraId } = device;
    const parts = this.sessionParts();
    if (kind?.of === 'printer' && printerId !== null) {
      return new DeviceSession(device, holder, kind, parts, (own) => new PrinterReadings(own, printerId, kind, parts));
    }
    if (kind?.of === 'camera' && cameraId !== null) {
      return new DeviceSession(device, holder, kind, parts, (own) => new CameraRecords(own, cameraId, parts));
    }
    return null;
  }

  private sessionParts(): SessionParts {
    return {
      ...this.parts,
      gate: () => this.gate.wait(),
      inTurn: (ask) => this.databaseLimit(ask),
      renewedAt: () => this.renewedAt,
      announce: async (lease, state, fault) => {
        const isHeld = await this.parts.devices.announce(lease, state, fault);
        this.parts.committed();
        return isHeld;
      },
      recorded: (decision) => {
        this.decisions[decision] = (this.decisions[decision] ?? 0) + 1;
        this.parts.committed();
      },
    };
  }

  /** One statement for all printers. */
  private async writeStates(): Promise<void> {
    const now = instantNow();
    const due = [...this.sessions.values()].flatMap(({ session: { readings } }) => {
      if (!(readings instanceof PrinterReadings)) return [];
      const held = readings.dueState(now);
      return held === null ? [] : [{ readings, held }];
    });
    if (due.length === 0) return;
    await this.parts.states.write(due.map(({ held }) => held));
    for (const { readings, held } of due) readings.wasWritten(held, now);
  }

  private contacts(): Contact[] {
    return [...this.sessions.values()].flatMap(({ session: { device, lastContact } }) => {
      const agoMs = lastContact.heardAgoMs;
      return agoMs === null ? [] : [{ deviceId: device.id, agoMs }];
    });
  }

  private async endAll(): Promise<void> {
    const sessions = [...this.sessions.values()];
    this.sessions.clear();
    await Promise.all(sessions.map(({ session }) => session.close()));
  }
}

/** A device whose configuration changed is connected again. */
const configurationOf = ({ state, fault, lastMessageAt, ...device }: HeldDevice) => JSON.stringify(device);
