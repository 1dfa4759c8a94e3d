// What the answer of a receiver to a POST means for a notification.

import type { Reach } from '../wire/networks';
import { post } from '../wire/post';
import { type DeliveryAnswer, deliveredWith, failedWith } from './sender';
import type { TargetAddress } from './target.address';
import { MAX_SILENCE_SEC } from './target.limits';

interface Request {
  address: TargetAddress;
  path: string;
  headers: Record<string, string>;
  body: string;
  certificateFingerprint: string | null;
}

export type Poster = (request: Request, signal: AbortSignal) => Promise<DeliveryAnswer>;

/** It never throws. */
export const posterOn =
  (reach: Reach): Poster =>
  async ({ address, path, headers, body, certificateFingerprint: trusted }, signal) => {
    const network = reach.networkOf(address.host);
    const posted = await post({ endpoint: address, path, headers, body, trusted }, network, signal);
    if (posted.fault !== null) return failedWith(posted.fault, posted.certificateFingerprint);
    return answerOf(posted.status, posted.headers, address.secure, posted.certificateFingerprint);
  };

type Headers = Record<string, string | string[] | undefined>;

function answerOf(
  status: number,
  headers: Headers,
  secure: boolean,
  certificateFingerprint: string | null,
): DeliveryAnswer {
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
