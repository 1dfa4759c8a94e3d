// What each kind of target implements: one try to send one message. The message with its body, and the target with its secrets.
import type { AlertSeverity } from '../farm/alerts/alert.types';
import type { ReceiverFault } from '../wire/faults';
import type { Secrets } from '../wire/secrets';
import type { NotificationEvent, NotificationKind } from './target.types';

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

/** A target with its secrets in clear. */
export interface ReadableTarget {
  id: string;
  kind: NotificationKind;
  url: string;
  username: string | null;
  secret: string | null;
  /** Of a webhook: the secret that was replaced, while it still signs too. */
  formerSecret: string | null;
  certificateFingerprint: string | null;
}

/** What became of one try. No byte of a response is in it. */
export interface DeliveryAnswer {
  delivered: boolean;
  httpStatus: number | null;
  fault: ReceiverFault | null;
  /** The receiver asks for silence. */
  retryAfterSec: number | null;
  /** Nothing is to be sent any more. */
  gone: boolean;
  /** Of the receiver's certificate, also where it is not trusted; null without TLS. */
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

/** So that the body stays below 20 kB with the names of everything in it. */
const MAX_TEXT = 2000;

const TYPES: Partial<Record<NotificationMessage['event'], string>> = { OMITTED: 'notifications.omitted', TEST: 'test' };

/** PRINT_ENDED is `print.ended`. */
export const typeOf = (event: NotificationMessage['event']) => TYPES[event] ?? event.toLowerCase().replace('_', '.');

/** The same at each try. @param id for receivers that have no header with it */
export const bodyOf = ({ event, at, text, data, url }: NotificationMessage, id?: string) =>
  JSON.stringify({
    id,
    type: typeOf(event),
    timestamp: at,
    data: { ...data, text: text.slice(0, MAX_TEXT).toWellFormed(), url },
  });

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
