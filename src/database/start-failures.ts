// Sentences for the usual failures of a start: of a database server, and of a data directory. Each names the next step.

const OTHER_DIRECTORY = 'set DATABASE_URL=file:DIRECTORY to another directory';

/** For a gateway that has some connections, and statements that wait for one of them. */
export const scarceConnections = (given: number, poolSize: number) =>
  `the database gives no more than ${given} of ${poolSize} connections, so statements wait for one of these: raise its max_connections ` +
  `or the connection limit of the role, or set DATABASE_POOL_SIZE to ${given}`;

/** The sentences by Node's code or by SQLSTATE. */
const OF_SERVER: Record<string, string> = {
  ECONNREFUSED: 'no PostgreSQL server answers there. Start the server, or correct DATABASE_URL',
  ECONNRESET: 'the server closes the connection. Look into the log of the server',
  EHOSTUNREACH: 'the host cannot be reached. Correct DATABASE_URL, or the network',
  ENETUNREACH: 'the host cannot be reached. Correct DATABASE_URL, or the network',
  ENOTFOUND: 'the name of the host is unknown. Correct DATABASE_URL',
  EAI_AGAIN: 'the name of the host cannot be looked up now. Correct DATABASE_URL, or the network',
  ETIMEDOUT: 'the server does not answer in time. Correct DATABASE_URL, or the network',
  '28000': 'the server does not let this user in. Correct DATABASE_URL, or pg_hba.conf of the server',
  '28P01': 'the server refuses the password of this user. Correct DATABASE_URL',
  '3D000': 'the server has no database of this name. Make it (createdb), or correct DATABASE_URL',
  '53300':
    'the server has no free connection. Raise its max_connections or the connection limit of the role, or lower DATABASE_POOL_SIZE',
  '57P03': 'the server is starting or stopping. Try again in a moment',
};

export const NEEDS_POOLING =
  'it is behind a connection pooler. Add pgbouncer=true to DATABASE_URL (postgresql://…/DATABASE?pgbouncer=true)';

const OF_CERTIFICATE =
  'Set sslrootcert=FILE in DATABASE_URL to the certificate of its authority, or sslmode=require to encrypt without this check';

/** OpenSSL has many codes for a certificate that is not accepted. */
const CERTIFICATE_CODE = /^(?!ERR_).*(CERT|UNABLE_TO_VERIFY|INVALID_CA)/;

/** For failures without a code of their own. */
const BY_MESSAGE: [RegExp, string][] = [
  [/unsupported startup parameter/, NEEDS_POOLING],
  [
    /connect (ENOENT|EACCES)/,
    'no PostgreSQL server has its socket in that folder, or this account may not use it. Start the server, or correct DATABASE_URL',
  ],
  [/timeout exceeded|connection timeout/i, OF_SERVER['ETIMEDOUT'] as string],
  [/does not support SSL/, 'the server has no TLS. Set sslmode=disable in DATABASE_URL, or turn TLS on in the server'],
  [/password must be a string/, 'the server asks for a password. Put it into DATABASE_URL'],
];

const OF_DIRECTORY: Record<string, string> = {
  EACCES: `this account may not write there. Give it the right, or ${OTHER_DIRECTORY}`,
  EPERM: `this account may not write there. Give it the right, or ${OTHER_DIRECTORY}`,
  EROFS: `the disk is read-only. Make it writable, or ${OTHER_DIRECTORY}`,
  EEXIST: `it is a file. Move the file away, or ${OTHER_DIRECTORY}`,
  ENOTDIR: `a part of its path is a file. Move the file away, or ${OTHER_DIRECTORY}`,
  ENOENT: `it cannot be made at that place. Please ${OTHER_DIRECTORY}`,
  ENOSPC: `the disk is full. Make room, or ${OTHER_DIRECTORY}`,
};

export function serverFailure(error: unknown, url: string): Error {
  const message = messageOf(error);
  const sentence =
    ofCertificate(error) ??
    OF_SERVER[codeOf(error)] ??
    BY_MESSAGE.find(([pattern]) => pattern.test(message))?.[1] ??
    message;
  return new Error(`The database ${withoutSecrets(url)} cannot be used: ${sentence}.`, { cause: error });
}

function ofCertificate(error: unknown): string | undefined {
  const code = codeOf(error);
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'its certificate is for another host. Correct the host in DATABASE_URL, or set sslmode=verify-ca to leave the host unchecked';
  if (!CERTIFICATE_CODE.test(code)) return undefined;
  return `its certificate is not accepted (${messageOf(error)}). ${OF_CERTIFICATE}`;
}

/** `holder` is the id of the process that has the directory, where it is known. */
export function directoryFailure(error: unknown, path: string, holder?: number): Error {
  const inUse = `it is in use by ${holder ? `the process ${holder}` : 'another process'}, and only one gateway at a time can use a directory. Stop that process, or ${OTHER_DIRECTORY}`;
  const code = codeOf(error);
  const sentence = code === 'EADDRINUSE' ? inUse : (OF_DIRECTORY[code] ?? messageOf(error));
  return new Error(`The data directory ${path} cannot be used: ${sentence}.`, { cause: error });
}

/** PostgreSQL says these of files that are whole. */
const OF_THE_MACHINE = /no space left|permission denied|read-only|out of memory|too many open files/i;

/** For a database whose files are missing or changed. Another failure stays as it is. */
export function damagedFailure(error: unknown): unknown {
  const isOther = error instanceof RangeError || 'ENOSPC' === codeOf(error) || OF_THE_MACHINE.test(messageOf(error));
  return isOther ? error : new Error(damaged(messageOf(error)), { cause: error });
}

/** @param what was found */
export const damaged = (what: string) =>
  `its database is damaged (${what}). Restore a backup into a new directory (npm run restore), or put a copy of the whole directory in its place that was made while no gateway ran`;

const codeOf = (error: unknown) => String((error as { code?: unknown } | null)?.code);

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');

/** The URL without user and password, and without parameters, which may hold them too. */
function withoutSecrets(text: string): string {
  const url = new URL(text);
  return `${url.protocol}//${url.host}${url.pathname}`;
}
