// One POST to a receiver: dialled as a device is, answered within bounds, and never redirected.
import type { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { Client } from 'undici';
import type { Network } from '../machines/address';
import { dial } from '../machines/dial';
import { Meter } from '../machines/meter';
import type { Reach, TargetAddress } from './address';
import type { SendFault } from './faults';
import { type Answer, deliveredWith, failedWith } from './sender';
import { MAX_SILENCE_SEC } from './target.limits';
import { fingerprintAt, sendFaultOf, watched } from './way';

/** Of an answer. Its status is all that counts. */
const MAX_ANSWER_BYTES = 64 << 10;
/** An answer and the handshake before it are no flood. */
const LIMITS = { maxBytes: MAX_ANSWER_BYTES, floodBytes: 8 * MAX_ANSWER_BYTES, steadyBytes: MAX_ANSWER_BYTES };

interface Post {
  address: TargetAddress;
  path: string;
  headers: Record<string, string>;
  body: string;
  certificateFingerprint: string | null;
}

export type Poster = (post: Post, signal: AbortSignal) => Promise<Answer>;

/** It never throws. */
export const posterOn =
  (reach: Reach): Poster =>
  async (post, signal) => {
    const over = new AbortController();
    const ended = AbortSignal.any([signal, over.signal]);
    const meter = new Meter(LIMITS, () => over.abort(new TooMuch()));
    const way = watched(reach.networkOf(post.address.host));
    const found: { status: number | null; headers: Headers; fingerprint: string | null } = {
      ...{ status: null, headers: {}, fingerprint: null },
    };
    try {
      await exchange(post, { network: way.network, meter, signal: ended, found });
    } catch (error) {
      // Once the status is known the rest of the answer means nothing.
      if (found.status === null) {
        const fault = way.isForbidden() ? 'NOT_ALLOWED' : signal.aborted ? 'TIMED_OUT' : faultOf(error);
        if (fault !== 'CERTIFICATE_NOT_TRUSTED') return failedWith(fault, found.fingerprint);
        return failedWith(fault, await fingerprintAt(post.address, way.network, meter, ended));
      }
    } finally {
      meter.close();
      over.abort();
    }
    return answerOf(found.status as number, found.headers, post.address.secure, found.fingerprint);
  };

type Headers = Record<string, string | string[] | undefined>;

interface Way {
  network: Network;
  meter: Meter;
  signal: AbortSignal;
  /** What is known when the exchange fails. */
  found: { status: number | null; headers: Headers; fingerprint: string | null };
}

async function exchange(
  { address, path, headers, body, certificateFingerprint: trusted }: Post,
  { network, meter, signal, found }: Way,
): Promise<void> {
  const { secure, host, port } = address;
  const client = new Client(`${secure ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`, {
    maxResponseSize: MAX_ANSWER_BYTES,
    // The signal bounds the time.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (_options, done) => {
      dial(address, { network, trusted, signal, meter }).then(
        ({ socket, certificateFingerprint }) => {
          found.fingerprint = certificateFingerprint;
          done(null, socket as Socket);
        },
        (error: Error) => done(error, null),
      );
    },
  });
  try {
    const asked = {
      ...{ path, method: 'POST' as const, body, signal },
      headers: { 'content-type': 'application/json', 'user-agent': 'print-farm-gateway', ...headers },
    };
    await client.stream(asked, (answer) => {
      found.status = answer.statusCode;
      found.headers = answer.headers;
      return new Writable({ write: (_part, _encoding, done) => done() });
    });
  } finally {
    void client.destroy();
  }
}

class TooMuch extends Error {}

const faultOf = (error: unknown): SendFault => (error instanceof TooMuch ? 'TOO_MUCH_DATA' : sendFaultOf(error));

function answerOf(status: number, headers: Headers, secure: boolean, certificateFingerprint: string | null): Answer {
  if (status >= 200 && status < 300) return deliveredWith(status, certificateFingerprint);
  const answer = { ...failedWith('REFUSED', certificateFingerprint), httpStatus: status };
  if (status >= 300 && status < 400) {
    const wantsTls = !secure && /^https:/i.test(String(headers['location']));
    return { ...answer, fault: wantsTls ? 'HTTPS_REQUIRED' : 'REDIRECTED' };
  }
  if (status === 401 || status === 403) return { ...answer, fault: 'CREDENTIALS_REFUSED' };
  if (status === 410) return { ...answer, fault: 'GONE', gone: true };
  if (status === 429 || status === 503) return { ...answer, fault: 'BUSY', retryAfterSec: silenceOf(headers) };
  return answer;
}

/** Seconds, or a time. */
function silenceOf(headers: Headers): number | null {
  const text = String(headers['retry-after'] ?? '');
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - Date.now()) / 1000);
  return seconds > 0 ? Math.min(seconds, MAX_SILENCE_SEC) : null;
}
