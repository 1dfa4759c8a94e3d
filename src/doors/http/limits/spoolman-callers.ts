// Decides who calls the API for clients of Spoolman: many of them can send a key only as the password in a URL.
import type { FastifyRequest } from 'fastify';
import { isPrivateAddress } from '../../../wire/networks';

/** Takes the password of Basic credentials as the key. The user name must not be empty, and a key in another header counts more. */
export function takeBasicPassword({ headers }: FastifyRequest): void {
  if (headers['x-api-key']) return;
  const [, encoded] = /^Basic +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  if (encoded === undefined) return;
  const [, password] = /^[^:]+:(.+)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  if (password !== undefined) headers['x-api-key'] = password;
}

/**
 * Whether the client itself is in a private network. Behind a proxy that the gateway does not trust, the client may be anywhere.
 */
export function isPrivateClient({ ip, ips, headers }: FastifyRequest): boolean {
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  return isPrivateAddress(ip) && (!isForwarded || (ips ?? []).length > 1);
}
