// Webhooks: POST of JSON, signed as Standard Webhooks 1.0.
import { addressOf } from './address';
import type { Poster } from './post';
import { failedWith, type Message, type Sender } from './sender';
import { signaturesOf } from './signing';

/** So that the body stays below 20 kB with the names of everything in it. */
const MAX_TEXT = 2000;

export const webhookSender = (post: Poster): Sender => ({
  async send(message, { kind, url, secret, formerSecret, certificateFingerprint }, signal) {
    if (secret === null) return failedWith('SECRET_NOT_READABLE');
    const { id } = message;
    const body = bodyOf(message);
    const seconds = Math.floor(Date.now() / 1000);
    const secrets = formerSecret === null ? [secret] : [secret, formerSecret];
    const address = addressOf(kind, url);
    return post(
      {
        ...{ address, path: address.place, body, certificateFingerprint },
        headers: {
          'webhook-id': id,
          'webhook-timestamp': String(seconds),
          'webhook-signature': signaturesOf(secrets, { id, seconds, body }),
        },
      },
      signal,
    );
  },
});

const TYPES: Partial<Record<Message['event'], string>> = { OMITTED: 'notifications.omitted', TEST: 'test' };

/** PRINT_ENDED is `print.ended`. */
const typeOf = (event: Message['event']) => TYPES[event] ?? event.toLowerCase().replace('_', '.');

/** The same at each try. */
const bodyOf = ({ event, at, text, data, url }: Message) =>
  JSON.stringify({
    type: typeOf(event),
    timestamp: at,
    data: { ...data, text: text.slice(0, MAX_TEXT).toWellFormed(), url },
  });
