// Decides whether a JWT of an identity provider is valid (signature, issuer, audience, expiry), and reads its scopes and camera.
import { createPublicKey, type KeyObject } from 'node:crypto';
import { Unauthenticated } from '../../errors';
import { Caller, CREDENTIALS_REFUSED, SCOPES } from '../../farm/graph/caller';
import { type Jose, ProviderUnavailable, type Verify, verifierByProvider } from './provider-keys';

export interface TokenRules {
  /** The URL of the published keys, or the public key itself (PEM). */
  keys: { jwksUrl: string } | { publicKey: string };
  issuer: string | null;
  audience: string | null;
}

/** Only asymmetric algorithms: with a shared secret, every reader of the configuration could make tokens. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** The clocks of the identity provider and of this machine may differ by so much. */
const LEEWAY_SEC = 5;

/**
 * A token that is not accepted is an Unauthenticated error, whose cause says why, for the operator.
 * Claims: `sub` names the caller, `scope` holds some of "read", "write" and "devices", `camera_id` binds it to one camera.
 * @param timeoutMs the longest wait for the published keys
 */
export async function callerByToken(
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
      ? verifierByProvider(jose, keys.jwksUrl, timeoutMs)
      : verifierByKey(jose, createPublicKey(keys.publicKey));
  return async (token) => {
    try {
      const payload = await verify(token, options);
      const { sub, scope, camera_id: camera } = payload;
      // Other values could be equal as texts. Idempotency keys belong to the name, and rights to the camera.
      if (typeof sub !== 'string' || (camera !== undefined && typeof camera !== 'string'))
        throw new Error('"sub" and "camera_id" must be texts');
      const granted = String(scope ?? '').split(' ');
      return new Caller(
        `token ${sub}`,
        SCOPES.filter((scope) => granted.includes(scope)),
        camera ?? null,
        ((payload.exp as number) + LEEWAY_SEC) * 1000,
      );
    } catch (error) {
      // The token may be valid when the provider is away: a client that gets 401 would discard it.
      if (error instanceof ProviderUnavailable) throw error;
      throw new Unauthenticated(CREDENTIALS_REFUSED, { cause: error });
    }
  };
}

function verifierByKey(jose: Jose, key: KeyObject): Verify {
  return async (token, options) => (await jose.jwtVerify(token, key, options)).payload;
}
