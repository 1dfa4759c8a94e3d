// sslmode, in the meaning of PostgreSQL's own clients, at a server with a certificate of an authority that nobody trusts;
// and passwords.
import fs from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../src/config';
import { openDatabase } from '../../src/database/database';
import { Prisma } from '../../src/generated/prisma/client';
import { onServer } from '../support/databases';
import { temporaryFolder } from '../support/temporary-folder';
import { startOwnServer, type TestServer } from '../support/test-server';

const certificate = (name: string) => join(__dirname, '../support/certificates', name);
const AUTHORITY = certificate('authority.crt');
const OTHER = certificate('other.crt');

/** The server takes the role `encrypted` with TLS alone, `plain` without TLS alone, and `asked` with a password. */
const HBA = `hostssl all encrypted all trust
hostnossl all plain all trust
host all asked all scram-sha-256
host all postgres all trust
`;

let server: TestServer;
beforeAll(async () => {
  const files = Object.fromEntries(
    ['server.crt', 'server.key'].map((name) => [name, fs.readFileSync(certificate(name), 'utf8')]),
  );
  server = await startOwnServer(temporaryFolder('tls'), {
    settings: ['ssl=on'],
    files: { ...files, 'pg_hba.conf': HBA },
  });
  for (const role of ['encrypted', 'plain', 'asked']) {
    await onServer(server.url, `create role ${role} login superuser password 'right'`);
    await onServer(server.url, `create database ${role}`);
  }
});
afterAll(() => server?.stop());

function createUrl(parameters: Record<string, string>, { role = 'postgres', host = '127.0.0.1' } = {}): string {
  const url = new URL(server.url);
  url.username = role;
  url.hostname = host;
  url.pathname = `/${role}`;
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.toString();
}

/** Whether the connection is encrypted, or why there is no connection. */
async function connected(...given: Parameters<typeof createUrl>): Promise<boolean | string> {
  const { database: target } = readConfig({ DATABASE_URL: createUrl(...given) });
  try {
    const database = await openDatabase(target);
    const encrypted = Prisma.sql`select to_json(ssl) as value from pg_stat_ssl where pid = pg_backend_pid()`;
    const answer = await database.json('test', encrypted);
    await database.close();
    return answer as boolean;
  } catch (error) {
    return (error as Error).message;
  }
}

const NOT_ACCEPTED = /certificate is not trusted .* Set sslrootcert=FILE .* or sslmode=require/;
const OTHER_HOST = /certificate is for another host\. .* sslmode=verify-ca/;
const NOT_IN = /rejects this user/;

test.each<[parameters: Record<string, string>, where: { role?: string; host?: string }, outcome: boolean | RegExp]>([
  [{}, { role: 'plain' }, false],
  [{}, { role: 'encrypted' }, true],
  [{ sslmode: 'disable' }, {}, false],
  [{ sslmode: 'disable' }, { role: 'encrypted' }, NOT_IN],
  [{ sslmode: 'allow' }, {}, false],
  [{ sslmode: 'allow' }, { role: 'encrypted' }, true],
  [{ sslmode: 'require' }, {}, true],
  [{ sslmode: 'require' }, { role: 'plain' }, NOT_IN],
  [{ sslmode: 'require', sslrootcert: OTHER }, {}, NOT_ACCEPTED],
  [{ sslmode: 'verify-ca' }, {}, NOT_ACCEPTED],
  [{ sslmode: 'verify-ca', sslrootcert: AUTHORITY }, {}, true],
  [{ sslmode: 'verify-full', sslrootcert: AUTHORITY }, {}, OTHER_HOST],
  [{ sslmode: 'verify-full', sslrootcert: AUTHORITY }, { host: 'localhost' }, true],
  [{ sslrootcert: 'system' }, { host: 'localhost' }, NOT_ACCEPTED],
  [
    { sslmode: 'verify-ca', sslrootcert: '/nowhere.crt' },
    {},
    /\/nowhere\.crt of sslrootcert cannot be read \(ENOENT\)/,
  ],
  [{ sslmode: 'require', sslnegotiation: 'direct' }, {}, true],
  [{ password: 'right' }, { role: 'asked' }, true],
  [
    { password: 'wrong' },
    { role: 'asked' },
    /^(?!.*wrong).*rejects the password of this user\. Correct DATABASE_URL\.$/,
  ],
  [{}, { role: 'asked' }, /the server requires a password\. Add it to DATABASE_URL\.$/],
])('%j as %j', async (parameters, where, outcome) => {
  const answer = await connected(parameters, { role: 'postgres', ...where });
  if (typeof outcome === 'boolean') expect(answer).toBe(outcome);
  else expect(answer).toMatch(outcome);
});

test('a server without TLS', async () => {
  const url = process.env['TEST_SERVER_URL'] as string;
  const opened = async (mode: string) => {
    const { database: target } = readConfig({ DATABASE_URL: `${url}?sslmode=${mode}` });
    return openDatabase(target)
      .then((database) => database.close())
      .catch((error: Error) => error.message);
  };
  expect(await opened('prefer')).toBeUndefined();
  expect(await opened('require')).toMatch(/the server has no TLS\. Set sslmode=disable/);
});

test('a mode that PostgreSQL does not know is refused before the start', () => {
  expect(() => readConfig({ DATABASE_URL: `${server.url}?sslmode=no-verify` })).toThrow(
    /sslmode in DATABASE_URL must be one of disable, .*, verify-full, not "no-verify"/,
  );
});
