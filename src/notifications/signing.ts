// The signing secrets of webhooks, and what they sign: Standard Webhooks 1.0.
import { createHmac, randomBytes } from 'node:crypto';
import { BadInput } from '../errors';
import { MAX_SECRET_BYTES, MIN_SECRET_BYTES, SECRET_BYTES } from './target.limits';

const PREFIX = 'whsec_';

export const newSigningSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** The messages leave out the value. */
export function readSigningSecret(text: string, ...path: string[]): string {
  const bytes = bytesOf(text);
  const isWritten = text === PREFIX + bytes.toString('base64');
  if (isWritten && bytes.length >= MIN_SECRET_BYTES && bytes.length <= MAX_SECRET_BYTES) return text;
  throw new BadInput(
    `must be whsec_ and base64 of ${MIN_SECRET_BYTES} to ${MAX_SECRET_BYTES} bytes: leave it out, and one is made`,
    ...path,
  );
}

/** The value of webhook-signature: one for each secret, so that a receiver may know either. */
export const signaturesOf = (
  secrets: readonly string[],
  signed: { id: string; seconds: number; body: string },
): string =>
  secrets
    .map((secret) => {
      const hmac = createHmac('sha256', bytesOf(secret)).update(`${signed.id}.${signed.seconds}.${signed.body}`);
      return `v1,${hmac.digest('base64')}`;
    })
    .join(' ');

const bytesOf = (secret: string) => Buffer.from(secret.slice(PREFIX.length), 'base64');
