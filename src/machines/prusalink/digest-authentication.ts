// Answers HTTP digest challenges of PrusaLink (RFC 2617): MD5 without qop on Buddy boards, MD5-sess with qop=auth on the Raspberry Pi.
import { hash, randomBytes } from 'node:crypto';

export interface Challenge {
  realm: string;
  nonce: string;
  opaque: string | null;
  isSession: boolean;
  hasQop: boolean;
  /** Whether the last answer was right, but for a nonce that is too old. */
  stale: boolean;
}

/** Reads the first digest challenge in WWW-Authenticate that can be answered; `null` if there is none, as with Basic. */
export function readChallenge(header: string | string[] | undefined): Challenge | null {
  for (const [, text] of [header ?? []]
    .flat()
    .join(', ')
    .matchAll(/\bDigest\s+((?:[\w-]+\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s",]+)\s*,?\s*)+)/gi)) {
    const parts = [...(text as string).matchAll(/([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/g)];
    const found = new Map(
      parts.map(([, name, quote, plain]) => [name?.toLowerCase(), quote?.replace(/\\(.)/g, '$1') ?? plain]),
    );
    const algorithm = (found.get('algorithm') ?? 'MD5').toLowerCase();
    const qop = found
      .get('qop')
      ?.split(',')
      .map((option) => option.trim().toLowerCase());
    const [realm, nonce] = [found.get('realm'), found.get('nonce')];
    const canAnswer = (algorithm === 'md5' || algorithm === 'md5-sess') && (qop === undefined || qop.includes('auth'));
    if (realm === undefined || nonce === undefined || !canAnswer) continue;
    return {
      realm,
      nonce,
      opaque: found.get('opaque') ?? null,
      isSession: algorithm === 'md5-sess',
      hasQop: qop !== undefined,
      stale: found.get('stale')?.toLowerCase() === 'true',
    };
  }
  return null;
}

export interface Credentials {
  username: string;
  password: string;
}

const md5 = (...parts: string[]) => hash('md5', parts.join(':'));
const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;

/**
 * Returns the header Authorization for one request.
 * @param count the number of requests with this nonce, including this request
 */
export function answerChallenge(
  { realm, nonce, opaque, isSession, hasQop }: Challenge,
  { username, password }: Credentials,
  { method, uri, count }: { method: string; uri: string; count: number },
  cnonce = randomBytes(8).toString('hex'),
): string {
  const nc = count.toString(16).padStart(8, '0');
  const user = md5(username, realm, password);
  const secret = isSession ? md5(user, nonce, cnonce) : user;
  const request = md5(method, uri);
  const response = hasQop ? md5(secret, nonce, nc, cnonce, 'auth', request) : md5(secret, nonce, request);
  const members = [
    `username=${quoted(username)}`,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(uri)}`,
  ];
  if (isSession) members.push('algorithm=MD5-sess');
  if (hasQop) members.push('qop=auth', `nc=${nc}`);
  if (hasQop || isSession) members.push(`cnonce="${cnonce}"`);
  if (opaque !== null) members.push(`opaque=${quoted(opaque)}`);
  return `Digest ${members.join(', ')}, response="${response}"`;
}
