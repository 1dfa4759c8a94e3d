// A stored target with its secrets in clear, for its sender.
import type { Secrets } from '../wire/secrets';
import type { ReadableTarget } from './sender';
import type { NotificationKind } from './target.types';

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

/** @param isFormerOver whether the secret before signs no more */
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
