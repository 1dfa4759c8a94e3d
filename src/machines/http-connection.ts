// A machine that is asked over HTTP: the one socket that asks it, trusted as its device says and opened again when it was closed, and
// the polls for its state, or for whether it still takes the credentials.
import type { AddressForm } from '../kind-facts';
import { setTimeout } from '../values/timers';
import type { ConnectionLifetime } from '../wire/connection-lifetime';
import type { Limits } from '../wire/connection-limits';
import { type Dialled, dial } from '../wire/dial';
import { Failure } from '../wire/faults';
import { HttpClient } from '../wire/http-client';
import { type Endpoint, parseAddress } from '../wire/machine-address';
import type { Network } from '../wire/networks';
import { awaitWithin } from './ask-queue';
import type { Target } from './machine-connection';

interface HttpMachineParts {
  network: Network;
  lifetime: ConnectionLifetime;
  limits: Limits;
  /** How its address is written. */
  form: AddressForm;
  /** Whether the machine itself wants Basic. */
  usesBasicAuth?: boolean;
  /** For opening a socket; left out: as long as an answer has. */
  dialMs?: number;
}

export class HttpMachine {
  readonly endpoint: Endpoint;
  readonly http: HttpClient;
  /** Of the certificate that was seen last; null without TLS. */
  certificateFingerprint: string | null = null;

  /** Throws where the address may not be dialled any more. */
  constructor(
    private readonly target: Target,
    private readonly parts: HttpMachineParts,
  ) {
    const { form, network, limits, lifetime, usesBasicAuth: asksBasic = false } = parts;
    this.endpoint = parseAddress(target.address, form, network);
    this.http = new HttpClient(this.endpoint, limits, lifetime, () => this.dial(), asksBasic);
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

/** Asks again and again, more often while a print runs. */
export class Polling {
  private isPrinting = false;
  private unreadableInARow = 0;
  private timer: NodeJS.Timeout | undefined;

  /** @param ask asks for the state, and reads the answer with `answer` */
  constructor(
    private readonly lifetime: ConnectionLifetime,
    private readonly limits: Pick<Limits, 'pollMs' | 'pollPrintingMs'>,
    private readonly ask: () => void,
  ) {
    lifetime.onClose(() => clearTimeout(this.timer));
  }

  /** The state is asked for later again. An answer that cannot be read is left out; two in a row end the connection. */
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

  setPrinting(is: boolean): void {
    if (is === this.isPrinting) return;
    this.isPrinting = is;
    if (this.timer !== undefined) this.scheduleNext();
  }

  scheduleNext(): void {
    clearTimeout(this.timer);
    if (this.lifetime.signal.aborted) return;
    this.timer = setTimeout(this.ask, this.isPrinting ? this.limits.pollPrintingMs : this.limits.pollMs);
  }
}
