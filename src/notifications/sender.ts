// One try to send one message: the target with its secrets in clear, what each kind of target implements, and what the answer of a
// receiver to a POST means.
import type { AlertSeverity } from '../farm/alerts/alert.types';
import type { ReceiverFault } from '../wire/faults';
import type { Reach } from '../wire/networks';
import { post } from '../wire/post';
import type { Secrets } from '../wire/secrets';
import type { TargetAddress } from './target.address';
import type { NotificationEvent, NotificationKind } from './target.types';

/** A target as it is stored. */
export interface SealedTarget {
  id: string;
  kind: string;
  url: string;
  username: string | null;
  /** Encrypted. */
  secret: string | null;
  formerSecret: string | null;
  certificateFingerprint: string | null;
}

/** A target with its secrets in clear. */
export interface ReadableTarget {
  id: string;
  kind: NotificationKind;
  url: string;
  username: string | null;
  secret: string | null;
  /** The secret of a webhook that was replaced, while it still signs too. */
  formerSecret: string | null;
  certificateFingerprint: string | null;
}

/** @param isFormerOver whether the former secret no longer signs */
export function readable(
  { secret, formerSecret, ...target }: SealedTarget,
  isFormerOver: boolean,
  secrets: Pick<Secrets, 'decrypt'>,
): ReadableTarget | 'SECRET_NOT_READABLE' {
  const clearOf = (sealed: string | null) => secrets.decrypt({ ...target, address: target.url, secret: sealed });
  const [own, former] = [clearOf(secret), isFormerOver ? null : clearOf(formerSecret)];
  if (own === 'SECRET_NOT_READABLE') return own;
  return {
    ...target,
    kind: target.kind as NotificationKind,
    secret: own,
    formerSecret: former === 'SECRET_NOT_READABLE' ? null : former,
  };
}

/** The id is that of the delivery, and the same at each try. */
export interface NotificationMessage {
  id: string;
  event: NotificationEvent | 'TEST';
  at: string;
  severity: AlertSeverity | null;
  title: string;
  text: string;
  /** The members of a webhook's `data`, without text and url. */
  data: object;
  /** The page of the dashboard; null where PUBLIC_URL is not set. */
  url: string | null;
}

/** What became of one try. No byte of a response is in it. */
export interface DeliveryAnswer {
  delivered: boolean;
  httpStatus: number | null;
  fault: ReceiverFault | null;
  /** The receiver asks for a pause. */
  retryAfterSec: number | null;
  /** Nothing is to be sent any more. */
  gone: boolean;
  /** That of the receiver, also where it is not trusted; null without TLS. */
  certificateFingerprint: string | null;
}

export interface Sender {
  /** @param signal ends the try */
  send(message: NotificationMessage, target: ReadableTarget, signal: AbortSignal): Promise<DeliveryAnswer>;
}

export type Senders = Record<NotificationKind, Sender>;

/** One try. It never throws: a row that another program wrote may hold what no sender can read. */
export async function sendOnce(
  senders: Senders,
  message: NotificationMessage,
  target: ReadableTarget | 'SECRET_NOT_READABLE',
  signal: AbortSignal,
): Promise<DeliveryAnswer> {
  if (target === 'SECRET_NOT_READABLE') return failedWith(target);
  try {
    return await senders[target.kind].send(message, target, signal);
  } catch {
    return failedWith('NOT_THIS_KIND');
  }
}

/** @param httpStatus of the answer; null where the kind has none */
export const deliveredWith = (httpStatus: number | null, certificateFingerprint: string | null): DeliveryAnswer => ({
  delivered: true,
  httpStatus,
  fault: null,
  retryAfterSec: null,
  gone: false,
  certificateFingerprint,
});

export const failedWith = (fault: ReceiverFault, certificateFingerprint: string | null = null): DeliveryAnswer => ({
  delivered: false,
  httpStatus: null,
  fault,
  retryAfterSec: null,
  gone: false,
  certificateFingerprint,
});

interface Request {
  address: TargetAddress;
  path: string;
  headers: Record<string, string>;
  body: string;
  certificateFingerprint: string | null;
}

export type Poster = (request: Request, signal: AbortSignal) => Promise<DeliveryAnswer>;

/** The POST of webhooks and of ntfy. It never throws. */
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
