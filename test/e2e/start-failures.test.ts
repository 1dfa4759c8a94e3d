// A gateway that cannot start: it ends with 1 and prints one sentence, without secrets. The sentences of the other
// failures are in test/server/start-failures.test.ts.
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { type FreshDatabase, freshDatabase, onServer } from '../support/databases';
import { startGatewayProcess } from '../support/running-gateway';
import { temporaryFolder } from '../support/temporary-folder';

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
afterEach(async () => {
  await fresh?.drop();
  fresh = undefined;
});

async function failedStart(env: Record<string, string>): Promise<{ code: number | string; output: string }> {
  const child = startGatewayProcess({ DATABASE_URL: usual.url, ...env });
  const code = await child.ended;
  return { code, output: child.output };
}

test('the configuration: every fault at once, and nothing else', async () => {
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

const server = () => new URL(process.env['TEST_SERVER_URL'] as string);

/** The name of the case, its environment, and the sentence. */
const cases: [name: string, env: () => Record<string, string> | Promise<Record<string, string>>, sentence: RegExp][] = [
  [
    'the port is taken',
    () => ({ PORT: String(takenPort) }),
    /^The port \d+ of 127\.0\.0\.1 is in use by another program: stop that one, or set PORT to another port\.$/,
  ],
  [
    'the disk of a new directory is full',
    () => {
      const folder = temporaryFolder('full');
      const [path, control] = [join(folder, 'data'), join(folder, 'disk')];
      fs.writeFileSync(control, 'stuffed');
      fresh = {
        url: path,
        target: { kind: 'directory', path },
        drop: async () => fs.rmSync(folder, { recursive: true }),
      };
      const preload = join(__dirname, '..', 'support', 'failing-disk.cjs');
      return { DATABASE_URL: `file:${path}`, NODE_OPTIONS: `--require=${preload}`, FAILING_DISK: control };
    },
    /^The data directory \S+ cannot be used: the disk is full\. Make room, or set DATABASE_URL=\S+ to another directory\.$/,
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
