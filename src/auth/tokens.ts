// JWTs of an identity provider: checks signature, issuer, audience and expiry; reads scopes and camera.
import { createPublicKey } from 'node:crypto';
import type { JWTVerifyGetKey, KeyLike } from 'jose';
import { Caller, SCOPES } from './caller';
import { ProviderAway, providerKeys } from './provider-keys';

export interface TokenRules {
  /** The URL of the published keys, or the public key itself (PEM). */
  keys: { jwksUrl: string } | { publicKey: string };
  issuer: string | null;
  audience: string | null;
}

/** Only asymmetric algorithms: with a shared secret, every reader of the configuration could make tokens. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/**
 * Claims: `sub` names the caller, `scope` holds "read", "write" or both, `camera_id` binds it to one camera.
 * @param timeoutMs the longest wait for the published keys
 */
export async function callerByToken(
  { keys, issuer, audience }: TokenRules,
  timeoutMs: number,
): Promise<(token: string) => Promise<Caller | undefined>> {
  // Loaded only when needed, because loading takes 0.04 s.
  const jose = await import('jose');
  const key: JWTVerifyGetKey | KeyLike =
    'jwksUrl' in keys ? providerKeys(jose, keys.jwksUrl, timeoutMs) : (createPublicKey(keys.publicKey) as KeyLike);
  const options = {
    algorithms: ALGORITHMS,
    requiredClaims: ['exp', 'sub'],
    ...(issuer && { issuer }),
    ...(audience && { audience }),
  };
  return async (token) => {
    try {
      const { payload } = await jose.jwtVerify(token, key as JWTVerifyGetKey, options);
      // Other values could be equal as texts, and idempotency keys belong to the name.
      if (typeof payload.sub !== 'string') return undefined;
      const granted = String(payload['scope'] ?? '').split(' ');
      const camera = payload['camera_id'];
      return new Caller(
        `token ${payload.sub}`,
        SCOPES.filter((scope) => granted.includes(scope)),
        camera === undefined ? null : String(camera),
        (payload.exp as number) * 1000,
      );
    } catch (error) {
      // The token may be valid when the provider is away: a client that is told 401 would discard it.
      if (error instanceof ProviderAway) throw error;
      return undefined;
    }
  };
}
