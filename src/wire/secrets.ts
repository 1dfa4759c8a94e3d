// Encrypts the secrets of devices and notification channels for the database, with a key that is not in the database.
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { dirname } from 'node:path';

/** Where the key is: in the settings, in a file that is created with the first secret, or nowhere (null). */
type DeviceKey = { given: Buffer } | { file: string } | null;

/** A row with its secret, and the members to which the secret is bound: with another address it cannot be decrypted. */
export interface Sealed {
  id: string;
  kind: string;
  address: string;
  certificateFingerprint: string | null;
  /** The encrypted secret; `null` if the row has none. */
  secret: string | null;
}

/** Thrown if there is no key for encryption. The message says which setting to set. */
export class NoDeviceKey extends Error {}

const ALGORITHM = 'aes-256-gcm';
/** The start of a stored secret. Nonce, tag and text follow. */
const VERSION = '1.';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEX_KEY = /^[0-9a-f]{64}$/i;

/** Reads 64 hexadecimal digits as 32 bytes; undefined for any other text. */
export const parseDeviceKey = (text: string): Buffer | undefined =>
  HEX_KEY.test(text.trim()) ? Buffer.from(text.trim(), 'hex') : undefined;

export class Secrets {
  /** The key for fingerprints if there is no other key. These fingerprints are valid in this process only. */
  private readonly processKey = randomBytes(KEY_BYTES);

  private readonly key: DeviceKey;

  /**
   * @param given the key of the settings. Without it, a gateway with a database server has no key, because several gateways could not
   *   share a key that one of them creates.
   */
  constructor(given: Buffer | null, database: { kind: 'memory' | 'server' } | { kind: 'directory'; path: string }) {
    if (given !== null) this.key = { given };
    else if (database.kind === 'directory') this.key = { file: `${database.path}.device-key` };
    else this.key = database.kind === 'memory' ? { given: randomBytes(KEY_BYTES) } : null;
  }

  /** Throws NoDeviceKey. */
  encrypt(secret: string, row: Omit<Sealed, 'secret'>): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.keyToWrite(), nonce).setAAD(encodeRow(row));
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return VERSION + Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
  }

  /** Returns the secret in clear text; `null` if none is stored. Never throws. */
  decrypt(row: Sealed): string | null | 'SECRET_NOT_READABLE' {
    if (row.secret === null) return null;
    try {
      const bytes = Buffer.from(row.secret.slice(VERSION.length), 'base64url');
      const key = this.keyToRead();
      if (key === undefined || !row.secret.startsWith(VERSION)) return 'SECRET_NOT_READABLE';
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
        .setAAD(encodeRow(row))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      return 'SECRET_NOT_READABLE';
    }
  }

  /** Returns a key for hashes of requests that contain a secret. With a plain hash, an attacker could find an access code of eight digits by trying all codes. */
  fingerprintKey(): Buffer {
    try {
      return createHmac('sha256', this.keyToWrite()).update('fingerprints of requests').digest();
    } catch {
      return this.processKey;
    }
  }

  private keyToWrite(): Buffer {
    if (this.key === null) {
      throw new NoDeviceKey(
        'cannot be stored, because this gateway has no encryption key. Set DEVICE_KEY and restart the gateway',
      );
    }
    if ('given' in this.key) return this.key.given;
    const { file } = this.key;
    try {
      return this.keyToRead() ?? makeKey(file);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // The file is not replaced: with a new key, all secrets that were stored before could never be decrypted.
      const reason = code === undefined ? 'contains no valid key' : `cannot be read or created (${code})`;
      throw new NoDeviceKey(
        `cannot be stored, because the key file ${file} ${reason}. Repair the file, or set DEVICE_KEY and restart the gateway`,
      );
    }
  }

  /** Returns undefined if there is no key, or if its file does not exist yet. */
  private keyToRead(): Buffer | undefined {
    if (this.key === null) return undefined;
    if ('given' in this.key) return this.key.given;
    return readKey(this.key.file);
  }
}

/** Encodes the members of a row so that no two rows give the same bytes. */
const encodeRow = ({ id, kind, address, certificateFingerprint }: Omit<Sealed, 'secret'>) =>
  Buffer.from(JSON.stringify([id, kind, address, certificateFingerprint]));

function readKey(file: string): Buffer | undefined {
  if (!fs.existsSync(file)) return undefined;
  const key = parseDeviceKey(fs.readFileSync(file, 'latin1'));
  if (key === undefined) throw new Error('The file contains no valid key');
  return key;
}

/** Writes a new key completely or not at all, and before any secret is stored, because without its key no secret can be decrypted. */
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
