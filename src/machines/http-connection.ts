// Connects to a machine over HTTP with one socket, which is opened again if the machine closed it, and polls the machine regularly.
import type { AddressFormat } from '../kind-facts';
import { setTimeout } from '../values/timers';
import type { ConnectionLifetime } from '../wire/connection-lifetime';
import type { Limits } from '../wire/connection-limits';
import { type Dialled, dial } from '../wire/dial';
import { Failure } from '../wire/faults';
import { HttpClient } from '../wire/http-client';
import { type Endpoint, parseAddress } from '../wire/machine-address';
import type { Network } from '../wire/networks';
import { awaitWithin } from './ask-queue';
import type { MachineLimits, Target } from './machine-connection';

interface HttpMachineParts {
  network: Network;
  lifetime: ConnectionLifetime;
  limits: Limits;
  /** The form of the addresses of this kind of machine. */
  form: AddressFormat;
  /** Whether the machine itself asks for a password with HTTP Basic. */
  usesBasicAuth?: boolean;
  /** The time limit for opening a socket. The default is the time limit of an answer. */
  dialMs?: number;
}

export class HttpMachine {
  readonly endpoint: Endpoint;
  readonly http: HttpClient;
  /** The fingerprint of the certificate at the last connection; `null` without TLS. */
  certificateFingerprint: string | null = null;

  /** Throws if the gateway may no longer connect to the address. */
  constructor(
    private readonly target: Target,
    private readonly parts: HttpMachineParts,
  ) {
    const { form, network, limits, lifetime, usesBasicAuth = false } = parts;
    this.endpoint = parseAddress(target.address, form, network);
    this.http = new HttpClient(this.endpoint, limits, lifetime, () => this.dial(), usesBasicAuth);
  }

  async dial(): Promise<Dialled> {
    const { network, lifetime, limits, dialMs = limits.answerMs } = this.parts;
    const dialled = await awaitWithin(
      dialMs,
      dial(this.endpoint, {
        network,
        trusted: this.target.certificateFingerprint,
        signal: lifetime.signal,
        meter: lifetime.meter,
      }),
    );
    this.certificateFingerprint = dialled.certificateFingerprint;
    return dialled;
  }
}

/** Polls a machine, more often while it prints. */
export class Polling {
  private isPrinting = false;
  private unreadableInARow = 0;
  private timer: NodeJS.Timeout | undefined;

  /** @param ask requests the state. Its answer is read with `readAnswer` */
  constructor(
    private readonly lifetime: ConnectionLifetime,
    private readonly limits: Pick<MachineLimits, 'pollMs' | 'pollPrintingMs'>,
    private readonly ask: () => void,
  ) {
    lifetime.onClose(() => clearTimeout(this.timer));
  }

  /** Reads an answer, and schedules the next poll. One unreadable answer is skipped. Two unreadable answers in a row end the connection. */
  async readAnswer<Answer>(read: () => Promise<Answer>): Promise<Answer> {
    try {
      const body = await read();
      this.unreadableInARow = 0;
      return body;
    } catch (error) {
      const isUnreadable = error instanceof Failure && error.fault === 'PROTOCOL_ERROR';
      this.unreadableInARow = isUnreadable ? this.unreadableInARow + 1 : 0;
      if (this.unreadableInARow > 1) this.lifetime.end('PROTOCOL_ERROR');
      throw error;
    } finally {
      this.scheduleNext();
    }
  }

  setPrinting(isPrinting: boolean): void {
    if (isPrinting === this.isPrinting) return;
    this.isPrinting = isPrinting;
    if (this.timer !== undefined) this.scheduleNext();
  }

  scheduleNext(): void {
    clearTimeout(this.timer);
    if (this.lifetime.signal.aborted) return;
    this.timer = setTimeout(this.ask, this.isPrinting ? this.limits.pollPrintingMs : this.limits.pollMs);
  }
}
