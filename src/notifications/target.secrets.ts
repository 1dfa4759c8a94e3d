// The secrets of a target: encrypted as they are stored, and in clear for one try.
import type { Secrets } from '../wire/secrets';
import type { NotificationKind } from './target.types';

/** A target as it is stored. */
export interface SealedTarget {
  id: string;
  kind: string;
  url: string;
  username: string | null;
  /** Encrypted. */
  secret: string | null;
  formerSecret: string | null;
  certificateFingerprint: string | null;
}

/** A target with its secrets in clear. */
export interface ReadableTarget {
  id: string;
  kind: NotificationKind;
  url: string;
  username: string | null;
  secret: string | null;
  /** Of a webhook: the secret that was replaced, while it still signs too. */
  formerSecret: string | null;
  certificateFingerprint: string | null;
}

/** @param isFormerOver whether the former secret no longer signs */
export function readable(
  { secret, formerSecret, ...target }: SealedTarget,
  isFormerOver: boolean,
  secrets: Pick<Secrets, 'decrypt'>,
): ReadableTarget | 'SECRET_NOT_READABLE' {
  const clearOf = (sealed: string | null) => secrets.decrypt({ ...target, address: target.url, secret: sealed });
  const [own, former] = [clearOf(secret), isFormerOver ? null : clearOf(formerSecret)];
  if (own === 'SECRET_NOT_READABLE') return own;
  return {
    ...target,
    kind: target.kind as NotificationKind,
    secret: own,
    formerSecret: former === 'SECRET_NOT_READABLE' ? null : former,
  };
}
