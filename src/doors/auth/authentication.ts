// Finds the caller of a request by its headers.
import type { IncomingHttpHeaders } from 'node:http';
import { Unauthenticated } from '../../errors';
import { type Caller, CREDENTIALS_REFUSED, NOBODY } from '../../farm/graph/caller';
import { type ApiKey, createKeyCheck } from './api-keys';
import { createTokenCheck, type TokenRules } from './tokens';

export interface AuthRules {
  apiKeys: ApiKey[];
  tokens: TokenRules | null;
}

/** Finds the caller of a request; throws for wrong credentials. */
export type Authenticate = (headers: IncomingHttpHeaders) => Promise<Caller>;

/**
 * Reads a key or a token from `Authorization: Bearer` or `X-API-Key`; if both are present, `X-API-Key` counts. Wrong credentials
 * are refused. A request without credentials gets the caller NOBODY. Returns undefined if neither keys nor tokens are configured.
 * @param timeoutMs the longest wait for the keys of the provider
 */
export async function createAuthentication(
  { apiKeys, tokens }: AuthRules,
  timeoutMs: number,
): Promise<Authenticate | undefined> {
  if (apiKeys.length === 0 && tokens === null) return undefined;
  const byKey = createKeyCheck(apiKeys);
  const byToken = tokens ? await createTokenCheck(tokens, timeoutMs) : undefined;
  return async (headers) => {
    const { authorization = '', 'x-api-key': apiKey = '' } = headers;
    const credentials = String(apiKey) || /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    // Basic credentials are for a proxy in front of the gateway, so the gateway ignores them.
    if (credentials === undefined && /^(Basic .*)?$/i.test(authorization)) return NOBODY;
    const caller = credentials && (byKey(credentials) ?? (await byToken?.(credentials)));
    if (!caller) throw new Unauthenticated(CREDENTIALS_REFUSED);
    return caller;
  };
}
