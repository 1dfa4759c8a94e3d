// Webhooks: POST of JSON, signed as Standard Webhooks 1.0.

import { addressOf } from './address';
import { bodyOf } from './body';
import type { Poster } from './post';
import { failedWith, type Sender } from './sender';
import { signaturesOf } from './signing';

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
        address,
        path: address.place,
        body,
        certificateFingerprint,
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
