// The encryption of secrets: what they are bound to, where the key comes from, and what is reported of an unreadable secret.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { parseDeviceKey, Secrets } from '../../src/wire/secrets';
import { temporaryFolder } from '../support/temporary-folder';

const SERVER = { kind: 'server' } as const;
const row = { id: 'a', kind: 'MOONRAKER', address: '10.0.0.1', certificateFingerprint: null };
const CLEAR = 'p ä😀"';

test('a secret is readable only with its key and its row', () => {
  const key = randomBytes(32);
  const secrets = new Secrets(key, SERVER);
  const secret = secrets.encrypt(CLEAR, row);
  expect(secrets.decrypt({ ...row, secret })).toBe(CLEAR);
  expect(new Secrets(key, { kind: 'memory' }).decrypt({ ...row, secret })).toBe(CLEAR);
  expect(secrets.decrypt({ ...row, secret: null })).toBeNull();
  expect(secrets.encrypt(CLEAR, row)).not.toBe(secret);
  const others = [
    { id: 'b' },
    { kind: 'OCTOPRINT' },
    { address: '10.0.0.2' },
    { certificateFingerprint: '' },
    // Parts that would be equal if they were only joined.
    { kind: 'MOONRAKER10', address: '.0.0.1' },
  ];
  for (const other of others) expect(secrets.decrypt({ ...row, ...other, secret })).toBe('SECRET_NOT_READABLE');
  expect(new Secrets(randomBytes(32), SERVER).decrypt({ ...row, secret })).toBe('SECRET_NOT_READABLE');
  expect(new Secrets(null, SERVER).decrypt({ ...row, secret })).toBe('SECRET_NOT_READABLE');
});

test('no stored text ends the process, and an altered one is refused', () => {
  const secrets = new Secrets(randomBytes(32), SERVER);
  const secret = secrets.encrypt(CLEAR, row);
  for (let at = 0; at < secret.length; at += 1) {
    const altered = `${secret.slice(0, at)}${secret[at] === 'A' ? 'B' : 'A'}${secret.slice(at + 1)}`;
    const isSameBytes = Buffer.from(altered.slice(2), 'base64url').equals(Buffer.from(secret.slice(2), 'base64url'));
    if (at < 2 || !isSameBytes)
      expect([at, secrets.decrypt({ ...row, secret: altered })]).toEqual([at, 'SECRET_NOT_READABLE']);
    expect(secrets.decrypt({ ...row, secret: secret.slice(0, at) })).toBe('SECRET_NOT_READABLE');
  }
  for (const text of ['', '1.', '2.AAAA', CLEAR]) {
    expect(secrets.decrypt({ ...row, secret: text })).toBe('SECRET_NOT_READABLE');
  }
});

test('a key is 64 hexadecimal digits', () => {
  expect(parseDeviceKey(`${'aB'.repeat(32)}\n`)).toEqual(Buffer.alloc(32, 0xab));
  for (const text of ['', 'a'.repeat(63), 'a'.repeat(65), 'g'.repeat(64)]) expect(parseDeviceKey(text)).toBeUndefined();
});

describe('beside an embedded database', () => {
  let folder: string;
  let file: string;
  const open = () => new Secrets(null, { kind: 'directory', path: join(folder, 'data') });
  beforeEach(() => {
    folder = temporaryFolder('secrets');
    file = join(folder, 'data.device-key');
  });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  test('the key is created with the first secret, is readable by its owner alone, and stays', () => {
    const first = open();
    expect(first.decrypt({ ...row, secret: '1.AAAA' })).toBe('SECRET_NOT_READABLE');
    expect(fs.readdirSync(folder)).toEqual([]);
    const secret = first.encrypt(CLEAR, row);
    expect(fs.readdirSync(folder)).toEqual(['data.device-key']);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    const key = fs.readFileSync(file, 'utf8');
    expect(key).toMatch(/^[0-9a-f]{64}\n$/);
    const second = open();
    expect(second.decrypt({ ...row, secret })).toBe(CLEAR);
    second.encrypt('another', row);
    expect(fs.readFileSync(file, 'utf8')).toBe(key);
  });

  test('a lost key is a fault of its secrets, and a broken key is never replaced', () => {
    const secret = open().encrypt(CLEAR, row);
    const key = fs.readFileSync(file);
    fs.writeFileSync(file, 'spoiled');
    expect(open().decrypt({ ...row, secret })).toBe('SECRET_NOT_READABLE');
    expect(() => open().encrypt(CLEAR, row)).toThrow(`the key file ${file} contains no valid key`);
    expect(fs.readFileSync(file, 'utf8')).toBe('spoiled');
    fs.rmSync(file);
    expect(open().decrypt({ ...row, secret })).toBe('SECRET_NOT_READABLE');
    fs.writeFileSync(file, key);
    expect(open().decrypt({ ...row, secret })).toBe(CLEAR);
  });

  test('a folder that cannot hold the key is reported with what to set', () => {
    const nowhere = new Secrets(null, { kind: 'directory', path: join(folder, 'missing', 'data') });
    expect(() => nowhere.encrypt(CLEAR, row)).toThrow(
      /cannot be read or created \(ENOENT\)\. Repair the file, or set DEVICE_KEY/,
    );
  });
});
