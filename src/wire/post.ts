// Sends one POST to a receiver, with limits and without following redirects, and decides what the answer means.

import { ConnectionLifetime } from './connection-lifetime';
import { LIMITS, type Limits } from './connection-limits';
import { dial, readFingerprint } from './dial';
import { type ReceiverAnswer, type ReceiverFault, reportDelivered, reportFailed, toConnectionFault } from './faults';
import { GatheredBytes } from './gathered-bytes';
import { HttpClient, isSuccess } from './http-client';
import type { Endpoint } from './machine-address';
import type { Network } from './networks';

/** The most bytes of an answer. Only the status of an answer counts, and for ntfy also a short body. */
const MAX_ANSWER_BYTES = 64 << 10;
/** Longer than any attempt: the signal of the attempt ends it before. */
const LONGEST_ATTEMPT_MS = 30_000;
/** The limits of one POST: they allow one answer and the handshake before it. */
const POST_LIMITS: Limits = {
  ...LIMITS,
  connectMs: LONGEST_ATTEMPT_MS,
  answerMs: LONGEST_ATTEMPT_MS,
  maxBytes: MAX_ANSWER_BYTES,
  floodBytes: 8 * MAX_ANSWER_BYTES,
  steadyBytes: MAX_ANSWER_BYTES,
};

interface Post {
  endpoint: Endpoint;
  path: string;
  headers: Record<string, string>;
  body: string;
  /** The fingerprint of the trusted certificate; `null` if a certificate authority must have signed the certificate. */
  trusted: string | null;
  /** Returns why the body of an answer with 2xx cannot come from the receiver; `null` if it can. Without this function, only the status counts. */
  checkBody?(body: Buffer): ReceiverFault | null;
}

/** Sends the message. Never throws. */
export async function post(
  { endpoint, path, headers, body, trusted, checkBody }: Post,
  network: Network,
  signal: AbortSignal,
): Promise<ReceiverAnswer> {
  const lifetime = new ConnectionLifetime(
    { onConnected: () => undefined, onMessage: () => undefined, onEnded: () => undefined },
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
      checkBody && received,
    );
    const answer = readAnswer(head, { ...endpoint, path }, certificateFingerprint);
    return { ...answer, fault: answer.fault ?? checkBody?.(received.toBuffer()) ?? null };
  } catch (error) {
    const fault = lifetime.fault ?? toConnectionFault(error);
    if (fault === 'CERTIFICATE_NOT_TRUSTED')
      certificateFingerprint = await readFingerprint(endpoint, network, lifetime.signal);
    return reportFailed(fault, certificateFingerprint);
  } finally {
    signal.removeEventListener('abort', giveUp);
    lifetime.close();
  }
}

/** What was asked: the address and the path. */
type Asked = Endpoint & { path: string };

type Headers = Record<string, string | string[] | undefined>;

function readAnswer(
  { status, headers }: { status: number; headers: Headers },
  asked: Asked,
  certificateFingerprint: string | null,
): ReceiverAnswer {
  if (isSuccess(status)) return reportDelivered(status, certificateFingerprint);
  const answer = { ...reportFailed('REFUSED', certificateFingerprint), httpStatus: status };
  if (status >= 300 && status < 400) {
    return { ...answer, fault: leadsToTls(asked, String(headers['location'])) ? 'HTTPS_REQUIRED' : 'REDIRECTED' };
  }
  if (status === 401 || status === 403) return { ...answer, fault: 'CREDENTIALS_REFUSED' };
  if (status === 410) return { ...answer, fault: 'GONE' };
  if (status === 429 || status === 503) return { ...answer, fault: 'BUSY', retryAfterSec: readPauseSec(headers) };
  return answer;
}

/**
 * Whether a redirect leads to the same host and path with TLS. A redirect to another host or path, such as a login page, needs another
 * remedy.
 */
function leadsToTls({ secure, host, path }: Asked, location: string): boolean {
  if (secure || !URL.canParse(location)) return false;
  const { protocol, hostname, pathname, search } = new URL(location);
  return protocol === 'https:' && hostname.replace(/^\[|\]$/g, '') === host.toLowerCase() && pathname + search === path;
}

/** The longest pause that a receiver may ask for. */
export const MAX_PAUSE_SEC = 3600;

/** Reads Retry-After, which contains seconds or a time. */
function readPauseSec(headers: Headers): number | null {
  const text = String(headers['retry-after'] ?? '');
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - Date.now()) / 1000);
  return seconds > 0 ? Math.min(seconds, MAX_PAUSE_SEC) : null;
}
