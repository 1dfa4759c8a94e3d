// What each failure of a start says: one sentence, with what to do and without secrets. The process prints it and ends with 1
// (test/e2e/failed-starts.test.ts).
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { createApp } from '../../src/app';
import { readConfig } from '../../src/config';
import { copyTemplate, databaseUrl, onServer } from '../support/databases';
import { temporaryFolder } from '../support/temporary-folder';

const folder = temporaryFolder('start');
const server = new URL(process.env['TEST_SERVER_URL'] as string);
const name = `gateway_test_${randomUUID().replaceAll('-', '')}`;
const role = `${name}_role`;
/** The database of the case, without any table. */
const usual = databaseUrl(server.href, name);
let other: Server;

beforeAll(async () => {
  other = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  fs.writeFileSync(join(folder, 'thesis.txt'), '');
});
afterAll(async () => {
  await onServer(server.href, `drop role if exists ${role}`);
  await new Promise((resolve) => other.close(resolve));
  fs.rmSync(folder, { recursive: true, force: true });
});
afterEach(() => onServer(server.href, `drop database if exists ${name} with (force)`));

/** What the start needs first, as a statement. */
const made = async (options = '', change?: string) => {
  await onServer(server.href, `create database ${name} ${options}`);
  if (change !== undefined) await onServer(server.href, change);
};
const at = (rest: string) => ({ DATABASE_URL: `postgresql://farm:secret@${rest}` });
const inFolder = (path: string) => ({ DATABASE_URL: `file:${join(folder, path)}` });

/** The name of the case, its environment, the sentence, and what is done before. */
const cases: [name: string, env: () => Record<string, string>, sentence: RegExp, before?: () => Promise<void>][] = [
  [
    'HOST is an address of another machine',
    () => ({ HOST: '192.0.2.1', AUTH: 'none', DATABASE_URL: usual }),
    /^HOST 192\.0\.2\.1 is not an address of this machine\. Set HOST to one of its addresses\.$/,
    made,
  ],
  [
    'HOST is an unknown name',
    () => ({ HOST: 'nowhere.invalid', AUTH: 'none', DATABASE_URL: usual }),
    /^(HOST nowhere\.invalid is an unknown name|The name HOST nowhere\.invalid could not be looked up)\. Set HOST to an address of this machine\.$/,
    made,
  ],
  [
    'no server answers',
    () => at('127.0.0.1:1/farm?password=secret'),
    /^The database postgresql:\/\/127\.0\.0\.1:1\/farm cannot be used: no PostgreSQL server answers there\. Start the server, or correct DATABASE_URL\.$/,
  ],
  [
    'another program answers',
    () => at(`127.0.0.1:${(other.address() as AddressInfo).port}/farm`),
    /^The database postgresql:\/\/127\.0\.0\.1:\d+\/farm cannot be used: .+\.$/,
  ],
  [
    'the host of the server is unknown',
    // A lost packet of the name service is sent again after 5 s.
    () => ({ ...at('nowhere.invalid/farm'), REQUEST_TIMEOUT_MS: '90000' }),
    /^The database postgresql:\/\/nowhere\.invalid\/farm cannot be used: the host name (is unknown|cannot be looked up now)\. .*[cC]orrect DATABASE_URL\.$/,
  ],
  [
    'the server has no such database',
    () => ({ DATABASE_URL: usual }),
    /cannot be used: the server has no database with this name\. Create it with createdb, or correct DATABASE_URL\.$/,
  ],
  [
    'the server has no such user',
    () => ({ DATABASE_URL: Object.assign(new URL(server), { username: 'nobody_here', password: 'secret' }).href }),
    /cannot be used: the server rejects this user\. Correct DATABASE_URL, or pg_hba\.conf of the server\.$/,
  ],
  [
    'the socket of the server does not exist',
    () => at(`/farm?host=${folder}`),
    /cannot be used: no PostgreSQL server has its socket in that folder, or .+\. Start the server, or correct DATABASE_URL\.$/,
  ],
  [
    'the certificate file of the server does not exist',
    () => at('127.0.0.1:1/farm?sslrootcert=/nothing/here'),
    /^The database postgresql:\/\/127\.0\.0\.1:1\/farm cannot be used: .*\/nothing\/here.*\.$/,
  ],
  [
    'the database is read-only',
    () => ({ DATABASE_URL: usual }),
    /cannot be used: it is read-only\. It is a standby, or a primary that accepts no writes now\. Set DATABASE_URL to the primary/,
    () => made('', `alter database ${name} set default_transaction_read_only = on`),
  ],
  [
    'the database has another encoding',
    () => ({ DATABASE_URL: usual }),
    /cannot be used: its encoding is SQL_ASCII, but the gateway needs UTF8\. Create a database/,
    () => made("template template0 encoding 'SQL_ASCII' locale_provider libc locale 'C'"),
  ],
  [
    'the database turns triggers off',
    () => ({ DATABASE_URL: usual }),
    /session_replication_role is replica, .* Set it to origin/,
    () => made('', `alter database ${name} set session_replication_role = replica`),
  ],
  [
    'the role may not create tables',
    () => ({ DATABASE_URL: Object.assign(new URL(usual), { username: role }).href }),
    /^The role in DATABASE_URL may not migrate the database: permission denied for schema public\. Make it the owner/,
    () => made('', `create role ${role} login`),
  ],
  [
    'the directory is a file',
    () => inFolder('thesis.txt'),
    /^The data directory \S+ cannot be used: it is a file\. Move the file away, or set DATABASE_URL=file:DIRECTORY to another directory\.$/,
  ],
  [
    'the directory would be inside a file',
    () => inFolder('thesis.txt/data'),
    /cannot be used: a part of its path is a file\. Move the file away, or /,
  ],
  [
    'the directory holds other files',
    () => inFolder('.'),
    /cannot be used: it has other files \(thesis\.txt\) but no database\. Use an empty directory\.$/,
  ],
  [
    'the directory holds a database of another PostgreSQL',
    () => inFolder('another'),
    /^The data directory \S+ cannot be used: PostgreSQL 9 wrote its files, but this gateway has PostgreSQL 18\. .+\.$/,
    async () => {
      copyTemplate(join(folder, 'another'));
      fs.writeFileSync(join(folder, 'another', 'PG_VERSION'), '9\n');
    },
  ],
  [
    // Nobody can create a directory there, not even root.
    'the directory cannot be created',
    () => ({ DATABASE_URL: 'file:/proc/nope' }),
    /^The data directory \/proc\/nope cannot be used: the system cannot create it there\. Create it yourself, or set DATABASE_URL=file:DIRECTORY to another directory\.$/,
  ],
];

for (const [name, env, sentence, before] of cases)
  test(name, async () => {
    await before?.();
    const config = readConfig({ LOG_LEVEL: 'silent', PORT: '0', ...env() });
    const app = await createApp(config).catch((error: Error) => error.message);
    const message = typeof app === 'string' ? app : await app.listen().catch((error: Error) => error.message);
    if (typeof app !== 'string') await app.close();
    expect(message).toMatch(sentence);
    expect(message).not.toMatch(/secret|\n/);
  });
