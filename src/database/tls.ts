// How connections to a server are encrypted: `sslmode` and the files beside it in DATABASE_URL, as libpq reads them.
import { readFileSync } from 'node:fs';
import type { PoolConfig } from 'pg';

const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
type SslMode = (typeof SSL_MODES)[number];

type Encryption = Required<Pick<PoolConfig, 'ssl'>>['ssl'];

/** libpq's name for the authorities that the system trusts; Node brings its own list. */
const SYSTEM = 'system';

/** The mode of a URL. libpq reads `ssl=true` as require; pg's own names are not PostgreSQL's. */
function modeOf({ searchParams }: URL): string {
  const named = searchParams.get('sslmode');
  if (named) return named;
  if (searchParams.get('sslrootcert') === SYSTEM) return 'verify-full';
  return searchParams.get('ssl') === 'true' ? 'require' : 'prefer';
}

/** The fault in the TLS parameters of a URL, as a sentence; undefined when the parameters are right. */
export function encryptionFault(url: URL): string | undefined {
  const mode = modeOf(url);
  if (!SSL_MODES.includes(mode as SslMode))
    return `the sslmode of DATABASE_URL must be one of ${SSL_MODES.join(', ')}, not "${mode}"`;
  if (url.searchParams.get('sslrootcert') === SYSTEM && mode !== 'verify-full')
    return 'DATABASE_URL may have sslrootcert=system only with sslmode=verify-full: anybody gets a certificate of a public authority';
  return undefined;
}

/**
 * Takes the parameters out of the URL, since pg gives them other meanings. Answers the encryptions to try, the first one
 * first. libpq tries them for each connection, the gateway at its start.
 */
export function takeEncryptions(url: URL): { encryptions: Encryption[]; sslnegotiation: 'postgres' | 'direct' } {
  const mode = modeOf(url) as SslMode;
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
  const own = { ca: ca?.text, cert: cert?.text, key: key?.text, passphrase: take('sslpassword') };
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
  const sslnegotiation = take('sslnegotiation') === 'direct' ? 'direct' : 'postgres';
  for (const name of ['sslmode', 'ssl', 'uselibpqcompat']) take(name);
  // A socket of this machine has no TLS.
  const isLocal = (url.searchParams.get('host') ?? decodeURIComponent(url.hostname)).startsWith('/');
  if (isLocal) return { encryptions: [false], sslnegotiation: 'postgres' };

  const unchecked = { ...given, rejectUnauthorized: false };
  const byAuthority = { ...given, checkServerIdentity: () => undefined };
  const encryptions: Record<SslMode, Encryption[]> = {
    disable: [false],
    allow: [false, unchecked],
    prefer: [unchecked, false],
    // "If a root CA file exists, the behavior of sslmode=require will be the same as that of verify-ca."
    require: [ca ? byAuthority : unchecked],
    'verify-ca': [byAuthority],
    'verify-full': [given],
  };
  return { encryptions: encryptions[mode], sslnegotiation };
}

/** Whether the server may take a connection that is encrypted the other way. */
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
    throw new Error(`the file ${path} of ${name} cannot be read (${code}). Correct DATABASE_URL, or the file`);
  }
}
