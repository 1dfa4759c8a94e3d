// Sends a webhook as a POST of JSON, signed as Standard Webhooks 1.0 defines, and decides which signing secrets are valid.
import { createHmac, randomBytes } from 'node:crypto';
import { BadInput } from '../errors';
import { type ReceiverAnswer, reportFailed } from '../wire/faults';
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
  if (secret === null) return reportFailed('SECRET_NOT_READABLE');
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

/** The longest text of a message. With it and the names of all objects, a body stays below 20 kB. */
const MAX_TEXT = 2000;

const TYPES: Partial<Record<NotificationMessage['event'], string>> = { OMITTED: 'notifications.omitted', TEST: 'test' };

/** The name of an event for receivers, also in MQTT topics: PRINT_ENDED is `print.ended`. */
export const eventTypeOf = (event: NotificationMessage['event']) =>
  TYPES[event] ?? event.toLowerCase().replace('_', '.');

/**
 * Builds the body of a webhook, and of an event over MQTT. It is the same at each attempt.
 * @param id the id of the delivery, only for MQTT, because a webhook has it in a header
 */
export const buildEventBody = ({ event, at, text, data, url }: NotificationMessage, id?: string) =>
  JSON.stringify({
    id,
    type: eventTypeOf(event),
    timestamp: at,
    data: { ...data, text: text.slice(0, MAX_TEXT).toWellFormed(), url },
  });

const PREFIX = 'whsec_';
/** The sizes that Standard Webhooks 1.0 allows, and the size of a generated secret. */
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;
const SECRET_BYTES = 32;

export const generateSigningSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** Checks a signing secret. The error message does not repeat the secret. */
export function readSigningSecret(text: string, ...path: string[]): string {
  const bytes = decodeSecret(text);
  const isCanonical = text === PREFIX + bytes.toString('base64');
  if (isCanonical && bytes.length >= MIN_SECRET_BYTES && bytes.length <= MAX_SECRET_BYTES) return text;
  throw new BadInput(
    `must be whsec_ followed by ${MIN_SECRET_BYTES} to ${MAX_SECRET_BYTES} bytes in base64. Leave it out to generate a secret`,
    ...path,
  );
}

/** The value of the header webhook-signature: one signature for each secret, so that a receiver may have the old or the new secret. */
const sign = (secrets: readonly string[], signed: { id: string; seconds: number; body: string }): string =>
  secrets
    .map((secret) => {
      const hmac = createHmac('sha256', decodeSecret(secret)).update(`${signed.id}.${signed.seconds}.${signed.body}`);
      return `v1,${hmac.digest('base64')}`;
    })
    .join(' ');

const decodeSecret = (secret: string) => Buffer.from(secret.slice(PREFIX.length), 'base64');
