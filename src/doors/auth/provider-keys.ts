// Checks tokens with the keys that an identity provider publishes (JWKS), and decides when these keys are fetched.
import type { JWTPayload, JWTVerifyGetKey, JWTVerifyOptions } from 'jose';
import { Unavailable } from '../../errors';
import { createTimeoutSignal } from '../../values/timers';

/** The gateway could not fetch the keys, so it cannot check a token that may be valid. */
export class ProviderUnavailable extends Unavailable {}

/** After this time the keys are fetched again, so that the gateway stops accepting keys that the provider withdrew. */
const MAX_KEY_AGE_MS = 10 * 60_000;
/** The minimum time between two fetches while there are keys. Tokens with made-up key ids would otherwise cause any number of them. */
const BETWEEN_FETCHES_MS = 30_000;
/** The maximum size of the published keys. A provider has a few keys of about 2 kB each. */
const MAX_BYTES = 1_000_000;

export type Jose = typeof import('jose');
/** Returns the claims of a valid token; throws if the token is invalid. */
export type Verify = (token: string, options: JWTVerifyOptions) => Promise<JWTPayload>;

/**
 * Makes the function that checks tokens. While the provider does not answer, the last keys stay in use without a time limit. Only
 * tokens with an unknown key id cannot be checked then.
 * @param timeoutMs the longest time of a fetch, up to the last byte
 */
export function createProviderVerifier(jose: Jose, url: string, timeoutMs: number): Verify {
  let keys: ReturnType<typeof jose.createLocalJWKSet> | undefined;
  let fetchedAt = 0;
  let triedAt = 0;
  let failure: ProviderUnavailable | undefined;
  let fetching: Promise<void> | undefined;

  const fetchKeys = async (): Promise<void> => {
    try {
      keys = jose.createLocalJWKSet(JSON.parse(await download(url, timeoutMs)));
      fetchedAt = performance.now();
      failure = undefined;
    } catch (error) {
      failure = new ProviderUnavailable('Could not fetch the keys of the identity provider', 'PROVIDER', {
        cause: error,
      });
    } finally {
      triedAt = performance.now();
      fetching = undefined;
    }
  };
  /** All requests share one fetch. */
  const refresh = async (): Promise<void> => {
    if (keys !== undefined && performance.now() < triedAt + BETWEEN_FETCHES_MS) return;
    fetching ??= fetchKeys();
    await fetching;
  };

  return async (token, options) => {
    if (keys === undefined || performance.now() > fetchedAt + MAX_KEY_AGE_MS) await refresh();
    const verifiedWith = keys;
    if (verifiedWith === undefined) throw failure;
    try {
      return await verify(jose, verifiedWith, token, options);
    } catch (error) {
      const isUnknown = error instanceof jose.errors.JWKSNoMatchingKey;
      // Some providers give a new key the id of the old key, so a wrong signature may also mean that the keys are old.
      if (!isUnknown && !(error instanceof jose.errors.JWSSignatureVerificationFailed)) throw error;
      await refresh();
      if (keys && keys !== verifiedWith) return verify(jose, keys, token, options);
      throw (isUnknown && failure) || error;
    }
  };
}

/** A token may have no key id, which RFC 7515 makes optional. Then all keys with the token's algorithm are tried. */
async function verify(
  jose: Jose,
  keys: JWTVerifyGetKey,
  token: string,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  try {
    return (await jose.jwtVerify(token, keys, options)).payload;
  } catch (error) {
    if (!(error instanceof jose.errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      try {
        return (await jose.jwtVerify(token, key, options)).payload;
      } catch (error) {
        // The signature fits this key, so the fault is in the token.
        if (error instanceof jose.errors.JWTClaimValidationFailed || error instanceof jose.errors.JWTExpired)
          throw error;
      }
    }
    throw new jose.errors.JWSSignatureVerificationFailed();
  }
}

async function download(url: string, timeoutMs: number): Promise<string> {
  const response = await fetch(url, { signal: createTimeoutSignal(timeoutMs), redirect: 'error' });
  if (response.status !== 200 || response.body === null)
    throw new Error(`The identity provider answered with HTTP ${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`The keys have more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
