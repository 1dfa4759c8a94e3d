// The connection of a device, made again after each end: soon after a good one, later and later after bad ones.
import { setTimeout } from '../../values/timers';
import { Backoff } from '../../wire/backoff';
import type { Network } from '../../wire/networks';
import type { MachineMessage } from '../machine-adapter';
import type { Connect, Connection, DeviceFault, Target } from '../machine-connection';
import type { Pace } from './database-work';
import type { HeldDevice } from './held-device.store';

export interface LinkParts {
  network: Network;
  /** In clear; null: the device has none. */
  secretOf(device: HeldDevice): string | null | 'SECRET_NOT_READABLE';
  /** How long the next connection of the process has to wait. */
  gate(): number;
  pace: Readonly<Pace>;
}

/** Only of the present connection: nothing is heard of one that was closed. */
interface LinkListener {
  dialling(): void;
  connected(): void;
  heard(message: MachineMessage): void;
  ended(fault: DeviceFault): void;
}

export class DeviceLink {
  private connection: Connection | null = null;
  private connectedAt: number | null = null;
  private readonly backoff: Backoff;
  private retry: NodeJS.Timeout | undefined;
  /** Connections that are over. */
  private past = 0;

  constructor(
    private readonly device: HeldDevice,
    private readonly connectKind: Connect,
    private readonly parts: LinkParts,
    private readonly listener: LinkListener,
  ) {
    this.backoff = new Backoff(parts.pace.reconnectMs);
    // By the process that held it before; what is changed is CONNECTING again.
    if (device.state === 'CONNECTED') this.backoff.taken();
  }

  get current(): Connection | null {
    return this.connection;
  }

  connect(): void {
    this.retry = setTimeout(() => this.dial(), this.parts.gate());
  }

  private dial(): void {
    const { device, listener } = this;
    const secret = this.parts.secretOf(device);
    if (secret === 'SECRET_NOT_READABLE') {
      listener.ended(secret);
      return;
    }
    listener.dialling();
    const { address, serial, username, certificateFingerprint } = device;
    const target: Target = { address, serial, username, secret, certificateFingerprint };
    this.connection = this.connectKind(
      target,
      {
        connected: () => {
          this.connectedAt = performance.now();
          this.backoff.taken();
          listener.connected();
        },
        heard: listener.heard,
        ended: listener.ended,
      },
      this.parts.network,
    );
  }

  /**
   * @param wasGood whether the connection has shown what the machine does
   * @param behind what to wait for first
   */
  reconnect(wasGood: boolean, behind: (next: () => void) => void): void {
    const lastedMs = wasGood && this.connectedAt !== null ? performance.now() - this.connectedAt : 0;
    const past = this.end();
    const wait = this.backoff.next(lastedMs);
    behind(() => {
      if (past === this.past) this.retry = setTimeout(() => this.connect(), wait);
    });
  }

  /** A person has to mend it, unless the same credentials were taken before. */
  reconnectRefused(): void {
    this.end();
    this.retry = setTimeout(() => this.connect(), this.backoff.refused());
  }

  /** Nothing is heard of it any more. */
  end(): number {
    clearTimeout(this.retry);
    this.connection?.close();
    this.connection = null;
    this.connectedAt = null;
    this.past += 1;
    return this.past;
  }
}
