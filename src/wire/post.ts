// One POST to a receiver: dialled as a machine is, answered within bounds, and never redirected; and what the status of its answer means.

import { ConnectionLifetime } from './connection-lifetime';
import { LIMITS, type Limits } from './connection-limits';
import { dial, fingerprintAt } from './dial';
import { connectionFaultOf, deliveredWith, failedWith, type ReceiverAnswer } from './faults';
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

interface Post {
  endpoint: Endpoint;
  path: string;
  headers: Record<string, string>;
  body: string;
  /** The certificate that is trusted; null: one that an authority signed. */
  trusted: string | null;
}

/** It never throws. */
export async function post(
  { endpoint, path, headers, body, trusted }: Post,
  network: Network,
  signal: AbortSignal,
): Promise<ReceiverAnswer> {
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
    const { status, headers: answered } = await client.headOf(path, {
      method: 'POST',
      headers: { 'user-agent': 'print-farm-gateway', ...headers },
      body,
    });
    return answerOf(status, answered, endpoint.secure, certificateFingerprint);
  } catch (error) {
    const fault = lifetime.fault ?? connectionFaultOf(error);
    if (fault === 'CERTIFICATE_NOT_TRUSTED')
      certificateFingerprint = await fingerprintAt(endpoint, network, lifetime.signal);
    return failedWith(fault, certificateFingerprint);
  } finally {
    signal.removeEventListener('abort', giveUp);
    lifetime.close();
  }
}

type Headers = Record<string, string | string[] | undefined>;

function answerOf(
  status: number,
  headers: Headers,
  secure: boolean,
  certificateFingerprint: string | null,
): ReceiverAnswer {
  if (status >= 200 && status < 300) return deliveredWith(status, certificateFingerprint);
  const answer = { ...failedWith('REFUSED', certificateFingerprint), httpStatus: status };
  if (status >= 300 && status < 400) {
    const wantsTls = !secure && /^https:/i.test(String(headers['location']));
    return { ...answer, fault: wantsTls ? 'HTTPS_REQUIRED' : 'REDIRECTED' };
  }
  if (status === 401 || status === 403) return { ...answer, fault: 'CREDENTIALS_REFUSED' };
  if (status === 410) return { ...answer, fault: 'GONE' };
  if (status === 429 || status === 503) return { ...answer, fault: 'BUSY', retryAfterSec: pauseOf(headers) };
  return answer;
}

/** A receiver may ask for a pause for so long. */
export const MAX_PAUSE_SEC = 3600;

/** Seconds, or a time. */
function pauseOf(headers: Headers): number | null {
  const text = String(headers['retry-after'] ?? '');
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - Date.now()) / 1000);
  return seconds > 0 ? Math.min(seconds, MAX_PAUSE_SEC) : null;
}
