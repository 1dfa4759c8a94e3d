// The secrets of devices and of notification targets: encrypted for the database, with a key that is not in it.
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { dirname } from 'node:path';

/** Where the key is: given, in a file that is made when the first secret is stored, or nowhere. */
type DeviceKey = { given: Buffer } | { file: string } | null;

/** A row with its secret, and all that the secret belongs to: with another address it cannot be read. */
export interface Sealed {
  id: string;
  kind: string;
  address: string;
  certificateFingerprint: string | null;
  /** Encrypted; null where there is none. */
  secret: string | null;
}

/** There is no key to encrypt with. The message says what to set. */
export class NoDeviceKey extends Error {}

const ALGORITHM = 'aes-256-gcm';
/** The form of a stored secret: version, then nonce, tag and text. */
const VERSION = '1.';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEX_KEY = /^[0-9a-f]{64}$/i;

/** The 32 bytes of 64 hexadecimal digits; undefined for any other text. */
export const parseDeviceKey = (text: string): Buffer | undefined =>
  HEX_KEY.test(text.trim()) ? Buffer.from(text.trim(), 'hex') : undefined;

export class Secrets {
  /** For fingerprints where there is no key: they are good for this process. */
  private readonly processKey = randomBytes(KEY_BYTES);

  private readonly key: DeviceKey;

  /** @param given by the configuration. Without it, a server's database has no key: its gateways could not share one. */
  constructor(given: Buffer | null, database: { kind: 'memory' | 'server' } | { kind: 'directory'; path: string }) {
    if (given !== null) this.key = { given };
    else if (database.kind === 'directory') this.key = { file: `${database.path}.device-key` };
    else this.key = database.kind === 'memory' ? { given: randomBytes(KEY_BYTES) } : null;
  }

  /** Throws NoDeviceKey. */
  encrypt(secret: string, row: Omit<Sealed, 'secret'>): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.keyToWrite(), nonce).setAAD(bytesOfRow(row));
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return VERSION + Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
  }

  /** The secret in clear; null where none is stored. It never throws. */
  decrypt(row: Sealed): string | null | 'SECRET_NOT_READABLE' {
    if (row.secret === null) return null;
    try {
      const bytes = Buffer.from(row.secret.slice(VERSION.length), 'base64url');
      const key = this.keyToRead();
      if (key === undefined || !row.secret.startsWith(VERSION)) return 'SECRET_NOT_READABLE';
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
        .setAAD(bytesOfRow(row))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      return 'SECRET_NOT_READABLE';
    }
  }

  /** A key for hashes of requests that hold a secret: with a plain hash, eight digits can be found by trying all of them. */
  fingerprintKey(): Buffer {
    try {
      return createHmac('sha256', this.keyToWrite()).update('fingerprints of requests').digest();
    } catch {
      return this.processKey;
    }
  }

  private keyToWrite(): Buffer {
    if (this.key === null) {
      throw new NoDeviceKey('needs a key to be stored with: set DEVICE_KEY of the gateway');
    }
    if ('given' in this.key) return this.key.given;
    const { file } = this.key;
    try {
      return this.keyToRead() ?? makeKey(file);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Another key in its place would make the secrets before unreadable for good.
      const fault = code === undefined ? 'holds no key' : `cannot be read or made (${code})`;
      throw new NoDeviceKey(`needs a key to be stored with, but the file ${file} ${fault}: mend it, or set DEVICE_KEY`);
    }
  }

  /** Undefined where there is no key, or no file with one yet. */
  private keyToRead(): Buffer | undefined {
    if (this.key === null) return undefined;
    if ('given' in this.key) return this.key.given;
    return readKey(this.key.file);
  }
}

/** Parts that are written with their lengths, so that no two rows give the same bytes. */
const bytesOfRow = ({ id, kind, address, certificateFingerprint }: Omit<Sealed, 'secret'>) =>
  Buffer.from(JSON.stringify([id, kind, address, certificateFingerprint]));

function readKey(file: string): Buffer | undefined {
  if (!fs.existsSync(file)) return undefined;
  const key = parseDeviceKey(fs.readFileSync(file, 'latin1'));
  if (key === undefined) throw new Error('The file holds no key');
  return key;
}

/** On the disk before a secret is, and whole or not at all: without the key no secret can be read. */
function makeKey(file: string): Buffer {
  const key = randomBytes(KEY_BYTES);
  const unfinished = `${file}.unfinished`;
  fs.writeFileSync(unfinished, `${key.toString('hex')}\n`, { mode: 0o600, flush: true });
  fs.chmodSync(unfinished, 0o600);
  fs.renameSync(unfinished, file);
  syncFolder(dirname(file));
  return key;
}

function syncFolder(folder: string): void {
  // Windows cannot open a directory.
  if (process.platform === 'win32') return;
  const descriptor = fs.openSync(folder, 'r');
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}
