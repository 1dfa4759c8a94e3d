// Decides whether a JWT of an identity provider is valid (signature, issuer, audience, expiry), and reads its scopes and camera.
import { createPublicKey, type KeyObject } from 'node:crypto';
import { Unauthenticated } from '../../errors';
import { Caller, CREDENTIALS_REFUSED, SCOPES } from '../../farm/graph/caller';
import { createProviderVerifier, type Jose, ProviderUnavailable, type Verify } from './provider-keys';

export interface TokenRules {
  /** The URL of the published keys, or the public key itself (PEM). */
  keys: { jwksUrl: string } | { publicKey: string };
  issuer: string | null;
  audience: string | null;
}

/** Only asymmetric algorithms are accepted. With a shared secret, everybody who can read the configuration could make tokens. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** How much the clocks of the identity provider and of this machine may differ. */
const LEEWAY_SEC = 5;

/**
 * Makes the function that finds the caller of a token. If a token is invalid, it throws an Unauthenticated error, whose cause tells
 * the operator why. The claim `sub` names the caller, `scope` has some of "read", "write" and "devices", and `camera_id` limits the
 * caller to one camera.
 * @param timeoutMs the longest wait for the published keys
 */
export async function createTokenCheck(
  { keys, issuer, audience }: TokenRules,
  timeoutMs: number,
): Promise<(token: string) => Promise<Caller>> {
  // Loaded only when needed, because loading takes 0.04 s.
  const jose = await import('jose');
  const options = {
    algorithms: ALGORITHMS,
    requiredClaims: ['exp', 'sub'],
    clockTolerance: LEEWAY_SEC,
    ...(issuer && { issuer }),
    ...(audience && { audience }),
  };
  const verify =
    'jwksUrl' in keys
      ? createProviderVerifier(jose, keys.jwksUrl, timeoutMs)
      : createKeyVerifier(jose, createPublicKey(keys.publicKey));
  return async (token) => {
    try {
      const payload = await verify(token, options);
      const { sub, scope, camera_id: camera } = payload;
      // A value of another type could become the same text as the name or camera of another caller.
      if (typeof sub !== 'string' || (camera !== undefined && typeof camera !== 'string'))
        throw new Error('The claims "sub" and "camera_id" must be strings');
      const granted = String(scope ?? '').split(' ');
      return new Caller(
        `token ${sub}`,
        SCOPES.filter((scope) => granted.includes(scope)),
        camera ?? null,
        ((payload.exp as number) + LEEWAY_SEC) * 1000,
      );
    } catch (error) {
      // While the provider does not answer, the token may be valid. A client that gets 401 would discard the token.
      if (error instanceof ProviderUnavailable) throw error;
      throw new Unauthenticated(CREDENTIALS_REFUSED, { cause: error });
    }
  };
}

function createKeyVerifier(jose: Jose, key: KeyObject): Verify {
  return async (token, options) => (await jose.jwtVerify(token, key, options)).payload;
}
