// Writes the sentence for a start that fails because of the database server or the data directory. Each sentence names the next step.

const OTHER_DIRECTORY = 'set DATABASE_URL=file:DIRECTORY to another directory';

/** The warning for a server that gives the gateway fewer connections than its pool may have. */
export const scarceConnections = (given: number, poolSize: number) =>
  `The database gives the gateway only ${given} of ${poolSize} connections, so statements have to wait. Raise max_connections of the server ` +
  `or the connection limit of the role, or set DATABASE_POOL_SIZE to ${given}.`;

/** The reasons by Node's error code or by SQLSTATE. */
const SERVER_REASONS: Record<string, string> = {
  ECONNREFUSED: 'no PostgreSQL server answers there. Start the server, or correct DATABASE_URL',
  ECONNRESET: 'the server closed the connection. Look for the reason in the log of the server',
  EHOSTUNREACH: 'the host cannot be reached. Correct DATABASE_URL or the network',
  ENETUNREACH: 'the host cannot be reached. Correct DATABASE_URL or the network',
  ENOTFOUND: 'the host name is unknown. Correct DATABASE_URL',
  EAI_AGAIN: 'the host name cannot be looked up now. Check the network and its DNS server, or correct DATABASE_URL',
  ETIMEDOUT: 'the server does not answer in time. Correct DATABASE_URL or the network',
  '28000': 'the server rejects this user. Correct DATABASE_URL, or pg_hba.conf of the server',
  '28P01': 'the server rejects the password of this user. Correct DATABASE_URL',
  '3D000': 'the server has no database with this name. Create it with createdb, or correct DATABASE_URL',
  '53300':
    'the server has no free connection. Raise max_connections of the server or the connection limit of the role, or lower DATABASE_POOL_SIZE',
  '57P03': 'the server is starting or stopping. Try again in a moment',
};

export const NEEDS_POOLING =
  'the server is behind a connection pooler. Add pgbouncer=true to DATABASE_URL (postgresql://…/DATABASE?pgbouncer=true)';

const CERTIFICATE_REMEDY =
  'Set sslrootcert=FILE in DATABASE_URL to the certificate of its authority, or sslmode=require to encrypt without this check';

/** OpenSSL has many codes for a certificate that is not accepted. */
const CERTIFICATE_CODE = /^(?!ERR_).*(CERT|UNABLE_TO_VERIFY|INVALID_CA)/;

/** The reasons of failures that have no code. */
const BY_MESSAGE: [RegExp, string][] = [
  [/unsupported startup parameter/, NEEDS_POOLING],
  [
    /connect (ENOENT|EACCES)/,
    'no PostgreSQL server has its socket in that folder, or this account may not use it. Start the server, or correct DATABASE_URL',
  ],
  [/timeout exceeded|connection timeout/i, SERVER_REASONS['ETIMEDOUT'] as string],
  [/does not support SSL/, 'the server has no TLS. Set sslmode=disable in DATABASE_URL, or turn on TLS in the server'],
  [/password must be a string/, 'the server requires a password. Add it to DATABASE_URL'],
];

const DIRECTORY_REASONS: Record<string, string> = {
  EACCES: `this account may not write there. Give it the right to write, or ${OTHER_DIRECTORY}`,
  EPERM: `this account may not write there. Give it the right to write, or ${OTHER_DIRECTORY}`,
  EROFS: `the disk is read-only. Make it writable, or ${OTHER_DIRECTORY}`,
  EEXIST: `it is a file. Move the file away, or ${OTHER_DIRECTORY}`,
  ENOTDIR: `a part of its path is a file. Move the file away, or ${OTHER_DIRECTORY}`,
  ENOENT: `the system cannot create it there. Create it yourself, or ${OTHER_DIRECTORY}`,
  ENOSPC: `the disk is full. Free some space, or ${OTHER_DIRECTORY}`,
};

export function serverFailure(error: unknown, url: string): Error {
  const message = readMessage(error);
  const sentence =
    certificateReason(error) ??
    SERVER_REASONS[readCode(error)] ??
    BY_MESSAGE.find(([pattern]) => pattern.test(message))?.[1] ??
    message;
  return new Error(`The database ${withoutSecrets(url)} cannot be used: ${sentence}.`, { cause: error });
}

function certificateReason(error: unknown): string | undefined {
  const code = readCode(error);
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'its certificate is for another host. Correct the host in DATABASE_URL, or set sslmode=verify-ca to skip the check of the host name';
  if (!CERTIFICATE_CODE.test(code)) return undefined;
  return `its certificate is not trusted (${readMessage(error)}). ${CERTIFICATE_REMEDY}`;
}

/** @param holder the id of the process that uses the directory, if it is known */
export function directoryFailure(error: unknown, path: string, holder?: number): Error {
  const inUse = `${holder ? `the process ${holder}` : 'another process'} uses it, and only one gateway at a time can use a directory. Stop that process, or ${OTHER_DIRECTORY}`;
  const code = readCode(error);
  const sentence = code === 'EADDRINUSE' ? inUse : (DIRECTORY_REASONS[code] ?? readMessage(error));
  return new Error(`The data directory ${path} cannot be used: ${sentence}.`, { cause: error });
}

/** Messages of PostgreSQL about the computer. The files of the database may be undamaged. */
const COMPUTER_FAULT = /no space left|permission denied|read-only|out of memory|too many open files/i;

/** The error for a database whose files are missing or changed. Returns an error with another cause unchanged. */
export function damagedFailure(error: unknown): unknown {
  const hasOtherCause =
    error instanceof RangeError || 'ENOSPC' === readCode(error) || COMPUTER_FAULT.test(readMessage(error));
  return hasOtherCause ? error : new Error(describeDamage(readMessage(error)), { cause: error });
}

/** @param finding what shows the damage */
export const describeDamage = (finding: string) =>
  `its database is damaged (${finding}). Restore a backup into a new directory with npm run restore, or replace the whole directory with a copy that was made while no gateway was running`;

const readCode = (error: unknown) => String((error as { code?: unknown } | null)?.code);

const readMessage = (error: unknown) => (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');

/** The URL without user and password, and without parameters, which may hold them too. */
function withoutSecrets(text: string): string {
  const url = new URL(text);
  return `${url.protocol}//${url.host}${url.pathname}`;
}
