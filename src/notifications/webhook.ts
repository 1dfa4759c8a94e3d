// Webhooks: POST of JSON, signed as Standard Webhooks 1.0, with the secrets that sign.
import { createHmac, randomBytes } from 'node:crypto';
import { BadInput } from '../errors';
import { failedWith, type ReceiverAnswer } from '../wire/faults';
import type { Reach } from '../wire/networks';
import { post } from '../wire/post';
import type { NotificationMessage, ReadableTarget } from './channel-message';
import { parseTargetUrl } from './target.address';

export async function sendWebhook(
  message: NotificationMessage,
  { kind, url, secret, formerSecret, certificateFingerprint }: ReadableTarget,
  reach: Reach,
  signal: AbortSignal,
): Promise<ReceiverAnswer> {
  if (secret === null) return failedWith('SECRET_NOT_READABLE');
  const { id } = message;
  const body = buildEventBody(message);
  const seconds = Math.floor(Date.now() / 1000);
  const secrets = formerSecret === null ? [secret] : [secret, formerSecret];
  const address = parseTargetUrl(kind, url);
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': sign(secrets, { id, seconds, body }),
  };
  return post(
    { endpoint: address, path: address.path, headers, body, trusted: certificateFingerprint },
    reach.networkOf(address.host),
    signal,
  );
}

/** So that the body stays below 20 kB with the names of everything in it. */
const MAX_TEXT = 2000;

const TYPES: Partial<Record<NotificationMessage['event'], string>> = { OMITTED: 'notifications.omitted', TEST: 'test' };

/** The type of an event, also in topics of MQTT: PRINT_ENDED is `print.ended`. */
export const eventTypeOf = (event: NotificationMessage['event']) =>
  TYPES[event] ?? event.toLowerCase().replace('_', '.');

/** The body of a webhook, and of an event over MQTT; the same at each try. @param id for receivers that have no header with it */
export const buildEventBody = ({ event, at, text, data, url }: NotificationMessage, id?: string) =>
  JSON.stringify({
    id,
    type: eventTypeOf(event),
    timestamp: at,
    data: { ...data, text: text.slice(0, MAX_TEXT).toWellFormed(), url },
  });

const PREFIX = 'whsec_';
/** The bytes of a secret, as Standard Webhooks 1.0 has them, and of one that is made. */
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;
const SECRET_BYTES = 32;

export const generateSigningSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** The messages leave out the value. */
export function readSigningSecret(text: string, ...path: string[]): string {
  const bytes = decodeSecret(text);
  const isWritten = text === PREFIX + bytes.toString('base64');
  if (isWritten && bytes.length >= MIN_SECRET_BYTES && bytes.length <= MAX_SECRET_BYTES) return text;
  throw new BadInput(
    `must be whsec_ and base64 of ${MIN_SECRET_BYTES} to ${MAX_SECRET_BYTES} bytes: leave it out, and one is made`,
    ...path,
  );
}

/** The value of webhook-signature: one for each secret, so that a receiver may know either. */
const sign = (secrets: readonly string[], signed: { id: string; seconds: number; body: string }): string =>
  secrets
    .map((secret) => {
      const hmac = createHmac('sha256', decodeSecret(secret)).update(`${signed.id}.${signed.seconds}.${signed.body}`);
      return `v1,${hmac.digest('base64')}`;
    })
    .join(' ');

const decodeSecret = (secret: string) => Buffer.from(secret.slice(PREFIX.length), 'base64');
