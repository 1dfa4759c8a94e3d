// Finds the caller of a request by its headers.
import type { IncomingHttpHeaders } from 'node:http';
import { Unauthenticated } from '../../errors';
import { type Caller, NOBODY, REFUSED } from '../../farm/graph/caller';
import { type ApiKey, callerByKey } from './api-keys';
import { callerByToken, type TokenRules } from './tokens';

export interface AuthRules {
  apiKeys: ApiKey[];
  tokens: TokenRules | null;
}

/** Finds the caller of a request; throws for wrong credentials. */
export type Authenticate = (headers: IncomingHttpHeaders) => Promise<Caller>;

/**
 * `Authorization: Bearer` and `X-API-Key` carry a key or a token; with both, the latter counts. Wrong credentials are refused; a request without
 * credentials has the caller NOBODY. Returns undefined when neither keys nor tokens are configured.
 * @param timeoutMs the longest wait for the keys of the provider
 */
export async function authentication(
  { apiKeys, tokens }: AuthRules,
  timeoutMs: number,
): Promise<Authenticate | undefined> {
  if (apiKeys.length === 0 && tokens === null) return undefined;
  const byKey = callerByKey(apiKeys);
  const byToken = tokens ? await callerByToken(tokens, timeoutMs) : undefined;
  return async (headers) => {
    const { authorization = '', 'x-api-key': apiKey = '' } = headers;
    const credentials = String(apiKey) || /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    // Basic credentials are those of a proxy.
    if (credentials === undefined && /^(Basic .*)?$/i.test(authorization)) return NOBODY;
    const caller = credentials && (byKey(credentials) ?? (await byToken?.(credentials)));
    if (!caller) throw new Unauthenticated(REFUSED);
    return caller;
  };
}
