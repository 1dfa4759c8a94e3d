// Decides how connections to a database server are encrypted, from `sslmode` and the certificate files in DATABASE_URL, as libpq reads them.
import { readFileSync } from 'node:fs';
import type { PoolConfig } from 'pg';

const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
type SslMode = (typeof SSL_MODES)[number];

type Encryption = Required<Pick<PoolConfig, 'ssl'>>['ssl'];

/** libpq's name for the authorities that the operating system trusts. Node uses its own list of authorities instead. */
const SYSTEM = 'system';

/** The sslmode of a URL. libpq reads `ssl=true` as `require`. */
function readMode({ searchParams }: URL): string {
  const named = searchParams.get('sslmode');
  if (named) return named;
  if (searchParams.get('sslrootcert') === SYSTEM) return 'verify-full';
  return searchParams.get('ssl') === 'true' ? 'require' : 'prefer';
}

/** The sentence about a fault in the TLS parameters of a URL; undefined if they have no fault. */
export function findEncryptionFault(url: URL): string | undefined {
  const mode = readMode(url);
  if (!SSL_MODES.includes(mode as SslMode))
    return `sslmode in DATABASE_URL must be one of ${SSL_MODES.join(', ')}, not "${mode}"`;
  if (url.searchParams.get('sslrootcert') === SYSTEM && mode !== 'verify-full')
    return 'DATABASE_URL has sslrootcert=system, which needs sslmode=verify-full, because anybody can get a certificate from a public authority';
  return undefined;
}

/**
 * Removes the TLS parameters from the URL, because the package pg gives them other meanings. Returns the encryptions to try, in
 * their order. libpq tries them for each connection. The gateway tries them once, at its start.
 */
export function takeEncryptions(url: URL): { encryptions: Encryption[]; sslnegotiation: 'postgres' | 'direct' } {
  const mode = readMode(url) as SslMode;
  const take = (name: string) => {
    const value = url.searchParams.get(name);
    url.searchParams.delete(name);
    return value || undefined;
  };
  const file = (name: string) => {
    const path = take(name);
    return path === undefined || path === SYSTEM ? undefined : { path, text: readText(name, path) };
  };
  const [ca, cert, key] = [file('sslrootcert'), file('sslcert'), file('sslkey')];
  const credentials = { ca: ca?.text, cert: cert?.text, key: key?.text, passphrase: take('sslpassword') };
  const given = Object.fromEntries(Object.entries(credentials).filter(([, value]) => value !== undefined));
  const sslnegotiation = take('sslnegotiation') === 'direct' ? 'direct' : 'postgres';
  for (const name of ['sslmode', 'ssl', 'uselibpqcompat']) take(name);
  // A Unix socket on this computer has no TLS.
  const isLocal = (url.searchParams.get('host') ?? decodeURIComponent(url.hostname)).startsWith('/');
  if (isLocal) return { encryptions: [false], sslnegotiation: 'postgres' };

  const unchecked = { ...given, rejectUnauthorized: false };
  const byAuthority = { ...given, checkServerIdentity: () => undefined };
  const encryptions: Record<SslMode, Encryption[]> = {
    disable: [false],
    allow: [false, unchecked],
    prefer: [unchecked, false],
    // PostgreSQL's documentation: "If a root CA file exists, the behavior of sslmode=require will be the same as that of verify-ca."
    require: [ca ? byAuthority : unchecked],
    'verify-ca': [byAuthority],
    'verify-full': [given],
  };
  return { encryptions: encryptions[mode], sslnegotiation };
}

/** Whether the server refused the connection because of its encryption, so that the other encryption is worth a try. */
export function isRefusedForEncryption(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  // pg_hba.conf refuses with 28000.
  return code === '28000' || code === 'EPROTO' || code.startsWith('ERR_SSL') || /SSL connection/.test(message);
}

function readText(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`the file ${path} of ${name} cannot be read (${code}). Correct DATABASE_URL or the file`);
  }
}
