// Checks tokens with the keys that an identity provider publishes (JWKS). Fetched keys stay in use while the provider is away.
import type { JWTPayload, JWTVerifyGetKey, JWTVerifyOptions } from 'jose';
import { Unavailable } from '../../errors';
import { timeoutSignal } from '../../values/timers';

/** The keys cannot be had, so a token that may be valid cannot be checked. */
export class ProviderUnavailable extends Unavailable {}

/** After this time the keys are fetched again, so that withdrawn keys are forgotten. */
const FRESH_MS = 10 * 60_000;
/** Between two fetches while there are keys: tokens with made-up key ids, or an outage, cause no storm. */
const BETWEEN_FETCHES_MS = 30_000;
/** A provider has a few keys of some 2 kB. */
const MAX_BYTES = 1_000_000;

export type Jose = typeof import('jose');
/** Answers the claims of a valid token. */
export type Verify = (token: string, options: JWTVerifyOptions) => Promise<JWTPayload>;

/**
 * While the provider is away, the last keys stay in use, for any time. Only tokens with another key id cannot be checked then.
 * @param timeoutMs the longest time of a fetch, to the last byte
 */
export function verifierByProvider(jose: Jose, url: string, timeoutMs: number): Verify {
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
      failure = new ProviderUnavailable('The identity provider does not give its keys', 'PROVIDER', { cause: error });
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
    if (keys === undefined || performance.now() > fetchedAt + FRESH_MS) await refresh();
    const verifiedWith = keys;
    if (verifiedWith === undefined) throw failure;
    try {
      return await verify(jose, verifiedWith, token, options);
    } catch (error) {
      const isUnknown = error instanceof jose.errors.JWKSNoMatchingKey;
      // Some providers give a new key the id of the old one.
      if (!isUnknown && !(error instanceof jose.errors.JWSSignatureVerificationFailed)) throw error;
      await refresh();
      if (keys && keys !== verifiedWith) return verify(jose, keys, token, options);
      throw (isUnknown && failure) || error;
    }
  };
}

/** A token may come without a key id; RFC 7515 makes it optional. Then each key of its algorithm is tried. */
async function verify(
  jose: Jose,
  keys: JWTVerifyGetKey,
  token: string,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  try {
    return (await jose.jwtVerify(token, keys, options)).payload;
  } catch (several) {
    if (!(several instanceof jose.errors.JWKSMultipleMatchingKeys)) throw several;
    for await (const key of several) {
      try {
        return (await jose.jwtVerify(token, key, options)).payload;
      } catch (error) {
        // The key is the right one, and the token is not.
        if (error instanceof jose.errors.JWTClaimValidationFailed || error instanceof jose.errors.JWTExpired)
          throw error;
      }
    }
    throw new jose.errors.JWSSignatureVerificationFailed();
  }
}

async function download(url: string, timeoutMs: number): Promise<string> {
  const response = await fetch(url, { signal: timeoutSignal(timeoutMs), redirect: 'error' });
  if (response.status !== 200 || response.body === null) throw new Error(`The status is ${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`The answer is larger than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
