// Generates and checks API keys, which are long random texts, and reads their entries in API_KEYS, which have only the hashes.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Caller, SCOPES, type Scope } from '../../farm/graph/caller';

export interface ApiKey {
  name: string;
  scopes: Scope[];
  /** The SHA-256 of the key in hexadecimal digits. A key has 256 random bits, so it needs no slower hash. */
  hash: string;
  cameraId: string | null;
}

/** Reads entries that are separated by commas; undefined stands for an invalid entry. */
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

/** @throws an error if the gateway would read the new entry differently, such as a name with a comma */
export function generateApiKey(name: string, scopes: string, cameraId?: string): { key: string; entry: string } {
  const key = `pfg_${randomBytes(32).toString('base64url')}`;
  const hash = hashKey(key).toString('hex');
  const entry = [name, scopes, hash, ...(cameraId === undefined ? [] : [cameraId])].join(':');
  const [read] = parseApiKeys(entry);
  if (!SCOPE_LISTS.includes(scopes))
    throw new Error(
      'The scopes must be read, write, read+write, devices or spools. You can add +devices to the first three, and then +spools.',
    );
  if (read?.name !== name || read.cameraId !== (cameraId ?? null)) {
    throw new Error(
      'A name must not contain a colon or a comma, and must not start or end with a space. A camera id must not be empty, contain ' +
        'a comma or a line break, or end with a space. For such a camera, use a JWT with the claim camera_id.',
    );
  }
  return { key, entry };
}

const SCOPE_LISTS = [
  ...[...['read', 'write', 'read+write'].flatMap((one) => [one, `${one}+devices`]), 'devices'].flatMap((one) => [
    one,
    `${one}+spools`,
  ]),
  'spools',
];

/** Compares a key with every entry in constant time, so that the time of a response reveals nothing about a key. */
export function createKeyCheck(keys: readonly ApiKey[]): (key: string) => Caller | undefined {
  const callers = keys.map(({ hash, name, scopes, cameraId }) => ({
    hash: Buffer.from(hash, 'hex'),
    caller: new Caller(`key ${name}`, scopes, cameraId),
  }));
  return (key) => {
    const hash = hashKey(key);
    return callers.filter((one) => timingSafeEqual(one.hash, hash))[0]?.caller;
  };
}

const hashKey = (key: string) => createHash('sha256').update(key).digest();
