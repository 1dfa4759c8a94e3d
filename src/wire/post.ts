// One POST to a receiver: dialled as a machine is, answered within bounds, and never redirected.

import { ConnectionLifetime } from './connection-lifetime';
import { LIMITS, type Limits } from './connection-limits';
import { dial, fingerprintAt } from './dial';
import { type ConnectionFault, connectionFaultOf } from './faults';
import { HttpClient } from './http-client';
import type { Endpoint } from './machine-address';
import type { Network } from './networks';

/** The status of an answer is all that counts. */
const MAX_ANSWER_BYTES = 64 << 10;
/** More than any try has, which its signal ends. */
const MOST_MS = 30_000;
/** An answer and the handshake before it are no flood. */
const POST_LIMITS: Limits = {
  ...LIMITS,
  connectMs: MOST_MS,
  answerMs: MOST_MS,
  maxBytes: MAX_ANSWER_BYTES,
  floodBytes: 8 * MAX_ANSWER_BYTES,
  steadyBytes: MAX_ANSWER_BYTES,
};

export interface Post {
  endpoint: Endpoint;
  path: string;
  headers: Record<string, string>;
  body: string;
  /** The certificate that is trusted; null: one that an authority signed. */
  trusted: string | null;
}

/** The head of an answer, or the fault where there is none. */
export interface Posted {
  fault: ConnectionFault | null;
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** SHA-256 of the receiver's certificate, also where it is not trusted; null without TLS. */
  certificateFingerprint: string | null;
}

/** It never throws. */
export async function post(
  { endpoint, path, headers, body, trusted }: Post,
  network: Network,
  signal: AbortSignal,
): Promise<Posted> {
  const lifetime = new ConnectionLifetime(
    { connected: () => undefined, heard: () => undefined, ended: () => undefined },
    POST_LIMITS,
  );
  const giveUp = () => lifetime.end('TIMED_OUT');
  if (signal.aborted) giveUp();
  signal.addEventListener('abort', giveUp, { once: true });
  let certificateFingerprint: string | null = null;
  try {
    const client = new HttpClient(endpoint, POST_LIMITS, lifetime, async () => {
      const dialled = await dial(endpoint, { network, trusted, signal: lifetime.signal, meter: lifetime.meter });
      certificateFingerprint = dialled.certificateFingerprint;
      return dialled;
    });
    const head = await client.headOf(path, {
      method: 'POST',
      headers: { 'user-agent': 'print-farm-gateway', ...headers },
      body,
    });
    return { fault: null, ...head, certificateFingerprint };
  } catch (error) {
    const fault = lifetime.fault ?? connectionFaultOf(error);
    if (fault === 'CERTIFICATE_NOT_TRUSTED')
      certificateFingerprint = await fingerprintAt(endpoint, network, lifetime.signal);
    return { fault, status: 0, headers: {}, certificateFingerprint };
  } finally {
    signal.removeEventListener('abort', giveUp);
    lifetime.close();
  }
}
