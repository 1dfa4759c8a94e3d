// What each failure of a start says: one sentence, with what to do and without secrets. The process prints it and ends with 1
// (test/e2e/start-failures.test.ts).
import fs from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { createApp } from '../../src/app';
import { readConfig } from '../../src/config';
import { databaseUrl, type FreshDatabase, freshDatabase } from '../support/databases';
import { temporaryFolder } from '../support/temporary-folder';

let folder: string;
let usual: FreshDatabase;
let other: Server;
let otherPort: number;

beforeAll(async () => {
  other = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  otherPort = (other.address() as AddressInfo).port;
  usual = await freshDatabase('server');
});
afterAll(async () => {
  await usual.drop();
  await new Promise((resolve) => other.close(resolve));
});
beforeEach(() => {
  folder = temporaryFolder('start');
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

/** The message of the failure. */
async function failedStart(env: Record<string, string>): Promise<string> {
  const config = readConfig({ LOG_LEVEL: 'silent', PORT: '0', DATABASE_URL: usual.url, ...env });
  const app = await createApp(config).catch((error: Error) => error);
  if ('message' in app) return app.message;
  const failure = await app.listen().catch((error: Error) => error.message);
  await app.close();
  return failure;
}

const inFolder = (name: string) => `file:${join(folder, name)}`;
const server = () => new URL(process.env['TEST_SERVER_URL'] as string);

/** The name of the case, its environment, and the sentence. */
const cases: [name: string, env: () => Record<string, string>, sentence: RegExp][] = [
  [
    'HOST is an address of another machine',
    () => ({ HOST: '192.0.2.1', AUTH: 'none' }),
    /^HOST 192\.0\.2\.1 is no address of this machine: set HOST to one of its addresses\.$/,
  ],
  [
    'HOST is an unknown name',
    () => ({ HOST: 'nowhere.invalid', AUTH: 'none' }),
    /^HOST nowhere\.invalid is (an unknown name|a name that cannot be looked up): set HOST to an address of this machine\.$/,
  ],
  [
    'no server answers',
    () => ({ DATABASE_URL: 'postgresql://farm:secret@127.0.0.1:1/farm?password=secret' }),
    /^The database postgresql:\/\/127\.0\.0\.1:1\/farm cannot be used: no PostgreSQL server answers there\. Start the server, or correct DATABASE_URL\.$/,
  ],
  [
    'another program answers',
    () => ({ DATABASE_URL: `postgresql://farm:secret@127.0.0.1:${otherPort}/farm` }),
    /^The database postgresql:\/\/127\.0\.0\.1:\d+\/farm cannot be used: .+\.$/,
  ],
  [
    'the host of the server is unknown',
    // A lost packet of the name service is sent again after 5 s.
    () => ({ DATABASE_URL: 'postgresql://farm:secret@nowhere.invalid/farm', REQUEST_TIMEOUT_MS: '90000' }),
    /^The database postgresql:\/\/nowhere\.invalid\/farm cannot be used: the name of the host (is unknown|cannot be looked up now)\. Correct DATABASE_URL.*\.$/,
  ],
  [
    'the server has no such database',
    () => ({ DATABASE_URL: databaseUrl(server().href, 'nothing_here') }),
    /cannot be used: the server has no database of this name\. Make it \(createdb\), or correct DATABASE_URL\.$/,
  ],
  [
    'the server has no such user',
    () => ({ DATABASE_URL: Object.assign(server(), { username: 'nobody_here', password: 'secret' }).href }),
    /cannot be used: the server does not let this user in\. Correct DATABASE_URL, or pg_hba\.conf of the server\.$/,
  ],
  [
    'the socket of the server is not there',
    () => ({ DATABASE_URL: `postgresql://farm:secret@localhost/farm?host=${folder}` }),
    /cannot be used: no PostgreSQL server has its socket in that folder, or .+\. Start the server, or correct DATABASE_URL\.$/,
  ],
  [
    'the socket of the server is not there, and the URL names no host',
    () => ({ DATABASE_URL: `postgresql://farm:secret@/farm?host=${folder}` }),
    /cannot be used: no PostgreSQL server has its socket in that folder, or .+\. Start the server, or correct DATABASE_URL\.$/,
  ],
  [
    'the certificate of the server has no file',
    () => ({ DATABASE_URL: 'postgresql://farm:secret@127.0.0.1:1/farm?sslrootcert=/nothing/here' }),
    /^The database postgresql:\/\/127\.0\.0\.1:1\/farm cannot be used: .*\/nothing\/here.*\.$/,
  ],
  [
    'the directory is a file',
    () => {
      fs.writeFileSync(join(folder, 'file'), '');
      return { DATABASE_URL: inFolder('file') };
    },
    /^The data directory \S+ cannot be used: it is a file\. Move the file away, or set DATABASE_URL=file:DIRECTORY to another directory\.$/,
  ],
  [
    'the directory would lie in a file',
    () => {
      fs.writeFileSync(join(folder, 'file'), '');
      return { DATABASE_URL: inFolder('file/data') };
    },
    /cannot be used: a part of its path is a file\. Move the file away, or /,
  ],
  [
    'the directory holds other files',
    () => {
      fs.writeFileSync(join(folder, 'thesis.txt'), '');
      return { DATABASE_URL: `file:${folder}` };
    },
    /cannot be used: it holds files \(thesis\.txt\) but no database\. Give a directory of its own\.$/,
  ],
];

// Nobody can make a directory there: not root, and not on a Mac, which has no /proc.
if (process.platform === 'linux') {
  cases.push([
    'the directory cannot be made',
    () => ({ DATABASE_URL: 'file:/proc/nope' }),
    /^The data directory \/proc\/nope cannot be used: it cannot be made at that place\. Please set DATABASE_URL=file:DIRECTORY to another directory\.$/,
  ]);
}

test.each(cases)('%s', async (_name, env, sentence) => {
  const said = await failedStart(env());
  expect(said).toMatch(sentence);
  expect(said).not.toMatch(/secret|\n/);
});
