// A gateway that cannot start: it ends with 1 and says in one sentence what is wrong and what to do, without secrets.
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import manifest from '../../src/generated/persisted-operations.json';
import { sha256 } from '../../src/values/digest';
import { databaseUrl, type FreshDatabase, freshDatabase, onServer } from '../support/databases';
import { runGateway, startGatewayProcess } from '../support/running-gateway';
import { temporaryFolder } from '../support/temporary-folder';

let folder: string;
let usual: FreshDatabase;
let fresh: FreshDatabase | undefined;
let taken: Server;
let takenPort: number;

beforeAll(async () => {
  taken = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  takenPort = (taken.address() as AddressInfo).port;
  usual = await freshDatabase('server');
});
afterAll(async () => {
  await usual.drop();
  await new Promise((resolve) => taken.close(resolve));
});
beforeEach(() => {
  folder = temporaryFolder('start');
});
afterEach(async () => {
  await fresh?.drop();
  fresh = undefined;
  fs.rmSync(folder, { recursive: true, force: true });
});

async function failedStart(env: Record<string, string>): Promise<{ code: number | string; output: string }> {
  const child = startGatewayProcess({ DATABASE_URL: usual.url, ...env });
  const code = await child.ended;
  return { code, output: child.output };
}

describe('the configuration', () => {
  test('every fault at once, and nothing else', async () => {
    const { code, output } = await failedStart({
      PORT: 'http',
      DATABASE_URL: 'mysql://root:secret@db/farm',
      DATABASE_POOL_SIZE: '0',
      REST_PRINT_JOB_CASING: 'kebab',
      LOG_LEVEL: 'loud',
      BODY_LIMIT_BYTES: '1MB',
      JWT_JWKS_URL: 'https://',
      TRUSTED_PROXIES: '0.0.0.0/0',
    });
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringMatching(/^The configuration has faults:\n( {2}[A-Z_]+ must be .+\n){8}$/),
    });
    expect(output).not.toContain('secret');
  });

  test('an operation of another app does not fit the schema', async () => {
    const PERSISTED_MANIFEST = join(folder, 'app.json');
    const operations = [{ id: sha256('{ colour }'), name: 'Odd', type: 'query', body: '{ colour }' }];
    fs.writeFileSync(PERSISTED_MANIFEST, JSON.stringify({ format: manifest.format, version: 1, operations }));
    expect(await failedStart({ PERSISTED_MANIFEST })).toEqual({
      code: 1,
      output:
        'The configuration has faults:\n  PERSISTED_MANIFEST: the operation Odd does not fit the schema: ' +
        'Cannot query field "colour" on type "Query".\n',
    });
  });
});

const inFolder = (name: string) => `file:${join(folder, name)}`;
const server = () => new URL(process.env['TEST_SERVER_URL'] as string);

/** The name of the case, its environment, and the sentence. */
const cases: [name: string, env: () => Record<string, string> | Promise<Record<string, string>>, sentence: RegExp][] = [
  [
    'the port is taken',
    () => ({ PORT: String(takenPort) }),
    /^The port \d+ of 127\.0\.0\.1 is in use by another program: stop that one, or set PORT to another port\.$/,
  ],
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
    () => ({ DATABASE_URL: `postgresql://farm:secret@127.0.0.1:${takenPort}/farm` }),
    /^The database postgresql:\/\/127\.0\.0\.1:\d+\/farm cannot be used: .+\.$/,
  ],
  [
    'the host of the server is unknown',
    () => ({ DATABASE_URL: 'postgresql://farm:secret@nowhere.invalid/farm' }),
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
    'the certificate of the server has no file',
    () => ({ DATABASE_URL: 'postgresql://farm:secret@127.0.0.1:1/farm?sslrootcert=/nothing/here' }),
    /^The database postgresql:\/\/127\.0\.0\.1:1\/farm cannot be used: .*\/nothing\/here.*\.$/,
  ],
  [
    'the server has no TLS',
    () => ({ DATABASE_URL: `${server().href}?sslmode=verify-full` }),
    /cannot be used: the server has no TLS\. Set sslmode=disable in DATABASE_URL, or turn TLS on in the server\.$/,
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
  [
    'the directory holds a database of another PostgreSQL',
    async () => {
      fresh = await freshDatabase('embedded');
      fs.writeFileSync(join(fresh.url.slice('file:'.length), 'PG_VERSION'), '9\n');
      return { DATABASE_URL: fresh.url };
    },
    /^The data directory \S+ cannot be used: database files are incompatible with server\.$/,
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
  const { code, output } = await failedStart(await env());
  expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(/^[^\n]+\n$/) });
  expect(output.trimEnd()).toMatch(sentence);
  expect(output).not.toMatch(/secret|\n\s+at /);
});

test('a wrong password: the sentence says no password', async () => {
  const role = `gateway_test_${randomUUID().replaceAll('-', '')}`;
  await onServer(server().href, `create role ${role} login password 'right'`);
  const [row] = await onServer(server().href, 'show hba_file');
  const hba = String(row?.['hba_file']);
  const before = fs.readFileSync(hba, 'utf8');
  try {
    fs.writeFileSync(hba, `host all ${role} 127.0.0.1/32 scram-sha-256\n${before}`);
    await onServer(server().href, 'select pg_reload_conf()');
    for (const [password, sentence] of [
      ['secret', 'the server refuses the password of this user. Correct DATABASE_URL.'],
      ['', 'the server asks for a password. Put it into DATABASE_URL.'],
    ] as const) {
      const url = Object.assign(server(), { username: role, password }).href;
      const { code, output } = await failedStart({ DATABASE_URL: url });
      expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(sentence) });
      expect(output).not.toContain('secret');
    }
  } finally {
    fs.writeFileSync(hba, before);
    await onServer(server().href, `select pg_reload_conf(); drop role ${role}`);
  }
});

test('a directory that another process has: the sentence names the process, and nothing is harmed', async () => {
  fresh = await freshDatabase('embedded');
  const first = await runGateway({ DATABASE_URL: fresh.url });
  try {
    expect(await failedStart({ DATABASE_URL: fresh.url })).toEqual({
      code: 1,
      output: expect.stringMatching(
        new RegExp(
          `cannot be used: it is in use by the process ${first.pid}, and one gateway at a time can have it\\.`,
        ),
      ),
    });
    const body = JSON.stringify({ camera_id: 'a', friendly_name: 'A' });
    expect((await fetch(`${first.url}/cameras`, { method: 'POST', body })).status).toBe(201);
  } finally {
    await first.stop();
  }
});

test('a taken port: the database is closed before the end', async () => {
  fresh = await freshDatabase('embedded');
  await failedStart({ DATABASE_URL: fresh.url, PORT: String(takenPort) });
  const path = fresh.url.slice('file:'.length);
  expect(fs.readdirSync(path).filter((name) => name.startsWith('gateway.'))).toEqual([]);
});

test('the stack is in the log at debug', async () => {
  const { output } = await failedStart({ DATABASE_URL: 'file:/dev/null', LOG_LEVEL: 'debug' });
  const line = output.split('\n').find((text) => text.startsWith('{'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 20, err: { stack: expect.stringContaining('\n    at ') } });
});
