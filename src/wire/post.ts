// One POST to a receiver: dialled as a machine is, answered within bounds, and never redirected; and what its answer means.

import { ConnectionLifetime } from './connection-lifetime';
import { LIMITS, type Limits } from './connection-limits';
import { dial, fingerprintAt } from './dial';
import { connectionFaultOf, deliveredWith, failedWith, type ReceiverAnswer, type ReceiverFault } from './faults';
import { GatheredBytes } from './gathered-bytes';
import { HttpClient, isSuccess } from './http-client';
import type { Endpoint } from './machine-address';
import type { Network } from './networks';

/** The status of an answer is all that counts, or a short body. */
const MAX_ANSWER_BYTES = 64 << 10;
/** More than any try has, which its signal ends. */
const LONGEST_TRY_MS = 30_000;
/** An answer and the handshake before it are no flood. */
const POST_LIMITS: Limits = {
  ...LIMITS,
  connectMs: LONGEST_TRY_MS,
  answerMs: LONGEST_TRY_MS,
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
  /** Why an answer of 2xx is not that of the receiver, by its body; null: it is. Where it is left out, the status is enough. */
  faultOfBody?(body: Buffer): ReceiverFault | null;
}

/** It never throws. */
export async function post(
  { endpoint, path, headers, body, trusted, faultOfBody }: Post,
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
    const received = new GatheredBytes(MAX_ANSWER_BYTES);
    const head = await client.askForHead(
      path,
      { method: 'POST', headers: { 'user-agent': 'print-farm-gateway', ...headers }, body },
      faultOfBody && received,
    );
    const answer = readAnswer(head, endpoint, certificateFingerprint);
    return { ...answer, fault: answer.fault ?? faultOfBody?.(received.toBuffer()) ?? null };
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

function readAnswer(
  { status, headers }: { status: number; headers: Headers },
  endpoint: Endpoint,
  certificateFingerprint: string | null,
): ReceiverAnswer {
  if (isSuccess(status)) return deliveredWith(status, certificateFingerprint);
  const answer = { ...failedWith('REFUSED', certificateFingerprint), httpStatus: status };
  if (status >= 300 && status < 400) {
    return { ...answer, fault: leadsToTls(endpoint, String(headers['location'])) ? 'HTTPS_REQUIRED' : 'REDIRECTED' };
  }
  if (status === 401 || status === 403) return { ...answer, fault: 'CREDENTIALS_REFUSED' };
  if (status === 410) return { ...answer, fault: 'GONE' };
  if (status === 429 || status === 503) return { ...answer, fault: 'BUSY', retryAfterSec: readPauseSec(headers) };
  return answer;
}

/** Whether a redirect leads to the same host with TLS. Another host, such as that of a login page, is another address. */
function leadsToTls({ secure, host }: Endpoint, location: string): boolean {
  if (secure || !URL.canParse(location)) return false;
  const { protocol, hostname } = new URL(location);
  return protocol === 'https:' && hostname.replace(/^\[|\]$/g, '') === host.toLowerCase();
}

/** A receiver may ask for a pause for so long. */
export const MAX_PAUSE_SEC = 3600;

/** Seconds, or a time. */
function readPauseSec(headers: Headers): number | null {
  const text = String(headers['retry-after'] ?? '');
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - Date.now()) / 1000);
  return seconds > 0 ? Math.min(seconds, MAX_PAUSE_SEC) : null;
}
