// A machine that is asked over HTTP, and the one socket that asks it: trusted as its device says, and opened again when it was closed.
import type { AddressForm } from '../kind-facts';
import type { ConnectionLifetime } from '../wire/connection-lifetime';
import type { Limits } from '../wire/connection-limits';
import { type Dialled, dial } from '../wire/dial';
import { HttpClient } from '../wire/http-client';
import { type Endpoint, parseAddress } from '../wire/machine-address';
import type { Network } from '../wire/networks';
import { answerWithin } from './ask-queue';
import type { Target } from './machine-connection';

interface HttpMachineParts {
  network: Network;
  lifetime: ConnectionLifetime;
  limits: Limits;
  /** How its address is written. */
  form: AddressForm;
  /** Whether the machine itself wants Basic. */
  asksBasic?: boolean;
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
    const { form, network, limits, lifetime, asksBasic = false } = parts;
    this.endpoint = parseAddress(target.address, form, network);
    this.http = new HttpClient(this.endpoint, limits, lifetime, () => this.dial(), asksBasic);
  }

  async dial(): Promise<Dialled> {
    const { network, lifetime, limits, dialMs = limits.answerMs } = this.parts;
    const dialled = await answerWithin(
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
