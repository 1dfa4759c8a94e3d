// Makes, reads and checks API keys, which are long random texts. The configuration has only their hashes.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Caller, SCOPES, type Scope } from '../../farm/graph/caller';

export interface ApiKey {
  name: string;
  scopes: Scope[];
  /** SHA-256 of the key, in hexadecimal digits. A key has 256 random bits, so nothing slower is needed. */
  hash: string;
  cameraId: string | null;
}

/** Reads entries separated by commas; undefined stands for an entry that is none. */
export function parseApiKeys(text = ''): (ApiKey | undefined)[] {
  return text === '' ? [] : text.split(',').map(parseApiKey);
}

/** Reads `name:read+write:HASH` or, for one camera, `name:write:HASH:CAMERA_ID`; undefined for any other text. */
function parseApiKey(text: string): ApiKey | undefined {
  const [, name, scopeTexts = '', hash, cameraId = null] =
    /^([^:]+):([a-z+]+):([0-9a-f]{64})(?::(.+))?$/.exec(text.trim()) ?? [];
  const scopes = scopeTexts.split('+').filter((scope): scope is Scope => SCOPES.includes(scope as Scope));
  if (!name || !hash || scopes.join('+') !== scopeTexts) return undefined;
  return { name, scopes, hash, cameraId };
}

/** Refuses an entry that would be read as another one. */
export function newApiKey(name: string, scopes: string, cameraId?: string): { key: string; entry: string } {
  const key = `pfg_${randomBytes(32).toString('base64url')}`;
  const hash = hashOf(key).toString('hex');
  const entry = [name, scopes, hash, ...(cameraId === undefined ? [] : [cameraId])].join(':');
  const [read] = parseApiKeys(entry);
  if (!SCOPE_LISTS.includes(scopes))
    throw new Error('The scopes must be read, write or read+write, each also with +devices, or devices.');
  if (read?.name !== name || read.cameraId !== (cameraId ?? null)) {
    throw new Error(
      'A name has no colon, no comma and no space at its ends. A camera id in API_KEYS has no comma, no line break and ' +
        'no space at its end; for another camera, use a JWT with the claim camera_id.',
    );
  }
  return { key, entry };
}

const SCOPE_LISTS = [...['read', 'write', 'read+write'].flatMap((one) => [one, `${one}+devices`]), 'devices'];

/** Compares with every key in constant time, so that the time of an answer shows nothing about a key. */
export function callerByKey(keys: readonly ApiKey[]): (key: string) => Caller | undefined {
  const callers = keys.map(({ hash, name, scopes, cameraId }) => ({
    hash: Buffer.from(hash, 'hex'),
    caller: new Caller(`key ${name}`, scopes, cameraId),
  }));
  return (key) => {
    const hash = hashOf(key);
    return callers.filter((one) => timingSafeEqual(one.hash, hash))[0]?.caller;
  };
}

const hashOf = (key: string) => createHash('sha256').update(key).digest();
