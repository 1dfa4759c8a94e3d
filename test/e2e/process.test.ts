// The process: how it starts, or says in one sentence why not (the other sentences are in test/server/start-failures.test.ts),
// and signals as an operator sends them: to npm, during the start, and with a log that takes nothing.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { ask } from '../support/asking';
import { emptyDatabase } from '../support/databases';
import { freePort } from '../support/free-port';
import { ROOT, runGateway, startGatewayProcess } from '../support/running-gateway';
import { fresh, halfRequest, isLocked, start, stopsListening } from '../support/signalled-gateway';
import { is, until } from '../support/waiting';

const preload = (name: string) => `--require=${join(ROOT, 'test', 'support', `${name}.cjs`)}`;

test('on an empty directory it says its URLs, and keeps its data; localhost is one listener', async () => {
  const empty = await emptyDatabase('embedded');
  const register = { camera_id: 'kept', friendly_name: 'Kept' };
  const first = await runGateway({ DATABASE_URL: empty.url, HOST: 'localhost' });
  expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  await expect(fetch(first.url.replace('127.0.0.1', '[::1]'))).rejects.toThrow('fetch failed');
  for (const path of ['/', '/graphql', '/cameras', '/api/printjobs']) {
    expect(first.output).toMatch(new RegExp(`${first.url}${path}\\s`));
    expect(await fetch(first.url + path, { headers: { accept: 'text/html, */*' } })).toMatchObject({ status: 200 });
  }
  for (const path of ['/healthz', '/readyz']) expect(await ask(first, path)).toMatchObject({ status: 200 });
  expect(await ask(first, '/cameras', register)).toMatchObject({ status: 201 });
  expect({ code: await first.stop('SIGTERM'), output: first.output }).toMatchObject({ code: 0 });

  const second = await runGateway({ DATABASE_URL: empty.url });
  expect((await ask(second, '/cameras/kept')).body).toMatchObject({ camera: { camera_id: 'kept' } });
  // npm and terminals send copies of one signal.
  process.kill(second.pid, 'SIGTERM');
  expect(await second.stop('SIGINT')).toBe(0);
  await empty.drop();
});

describe('a failed start ends with 1', () => {
  async function failedStart(env: Record<string, string>): Promise<{ code: number | string; output: string }> {
    const child = startGatewayProcess({ DATABASE_URL: fresh.url, ...env });
    return { code: await child.ended, output: child.output };
  }

  test('the configuration: every fault at once, and nothing else, least of all a secret', async () => {
    const DATABASE_URL = 'mysql://root:secret@db/farm';
    const { code, output } = await failedStart({ DATABASE_URL, PORT: 'http', LOG_LEVEL: 'loud', JWT_JWKS_URL: 'x:' });
    const faults = /^The configuration has faults:\n( {2}[A-Z_]+ must be (?!.*secret).+\n){4}$/;
    expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(faults) });
  });

  test('the port is taken: one sentence, and the database is closed before the end', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const sentence = `The port ${port} of 127.0.0.1 is in use by another program: stop that one, or set PORT to another port.\n`;
    expect(await failedStart({ PORT: String(port) })).toEqual({ code: 1, output: sentence });
    const files = fs.readdirSync(fresh.url.slice('file:'.length));
    expect(files.filter((name) => name.startsWith('gateway.'))).toEqual([]);
    taken.close();
  });

  test('the disk of a new directory is full: one sentence, and the stack is in the log at debug', async () => {
    const FAILING_DISK = `${fresh.url.slice('file:'.length)}-disk`;
    fs.writeFileSync(FAILING_DISK, 'stuffed');
    const disk = { NODE_OPTIONS: preload('failing-disk'), FAILING_DISK };
    const { code, output } = await failedStart({ DATABASE_URL: `${fresh.url}-new`, LOG_LEVEL: 'debug', ...disk });
    fs.rmSync(FAILING_DISK);
    const sentence =
      /^The data directory \S+ cannot be used: the disk is full\. Make room, or set DATABASE_URL=\S+ to another directory\.\n/;
    expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(sentence) });
    const line = output.split('\n').find((text) => text.startsWith('{'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 20, err: { stack: expect.stringContaining('\n    at ') } });
  });

  test('the directory holds a database of another PostgreSQL', async () => {
    fs.writeFileSync(join(fresh.url.slice('file:'.length), 'PG_VERSION'), '9\n');
    const sentence =
      /^The data directory \S+ cannot be used: PostgreSQL 9 wrote it, and this gateway has PostgreSQL 18\. .+\.\n$/;
    expect(await failedStart({})).toEqual({ code: 1, output: expect.stringMatching(sentence) });
  });
});

test('SIGTERM to npm: requests are finished, connections without a request do not hold the stop, and it ends with 0', async () => {
  const gateway = await start('npm', ['start']);
  // As browsers open them ahead.
  const sockets = Array.from({ length: 20 }, () => connect(Number(new URL(gateway.url).port), '127.0.0.1'));
  for (const socket of sockets)
    await once(
      socket.on('error', () => {}),
      'connect',
    );
  const request = await halfRequest(gateway.url);
  process.kill(gateway.pid, 'SIGTERM');
  await stopsListening(gateway.url);
  expect(await isLocked()).toBe(true);
  expect(await request.finish()).toMatch(/HTTP\/1\.1 201 /);
  expect(await gateway.ended()).toBe(0);
  expect(await isLocked()).toBe(false);
  for (const socket of sockets) socket.destroy();
});

test('SIGINT to a shell that becomes npm ends with 0', async () => {
  const gateway = await start('sh', ['-c', 'cd . && exec npm start']);
  process.kill(gateway.pid, 'SIGINT');
  expect(await gateway.ended()).toBe(0);
  expect(await isLocked()).toBe(false);
});

test('a second signal ends the process at once, with 1', async () => {
  const gateway = await start(process.execPath, ['dist/src/main.js']);
  await halfRequest(gateway.url);
  process.kill(gateway.pid, 'SIGTERM');
  await stopsListening(gateway.url);
  // Signals within a second are copies of the first one.
  const again = setInterval(() => process.kill(gateway.pid, 'SIGTERM'), 300);
  expect(await gateway.ended().finally(() => clearInterval(again))).toBe(1);
});

test('a signal while it loads its packages, and one during the start, end it with 0', async () => {
  const env = { DATABASE_URL: fresh.url, LOG_LEVEL: 'info', NODE_OPTIONS: preload('signal-at-start') };
  const loading = startGatewayProcess({ ...env, SIGNAL: 'SIGINT' });
  expect({ code: await loading.ended, output: loading.output }).toEqual({ code: 0, output: '' });
  const starting = startGatewayProcess({ ...env, SIGNAL: 'SIGTERM', SIGNAL_AT: 'locked' });
  expect({ code: await starting.ended, output: starting.output }).toEqual({
    code: 0,
    output: expect.not.stringContaining('is ready'),
  });
  expect(await isLocked()).toBe(false);
});

/** A pipe holds 64 kB, and a request logs 300 bytes. */
const MORE_THAN_FITS = 400;

test.each(['nobody reads', 'cannot be written, as on a full disk'])(
  'a log that %s keeps no request waiting, and SIGTERM ends the process with 0',
  async (why) => {
    const pipe = `${fresh.url.slice('file:'.length)}-log`;
    if (why === 'nobody reads') execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
    const log = why === 'nobody reads' ? fs.openSync(pipe, 'r+') : fs.openSync('/dev/full', 'w');
    const port = await freePort();
    const env = { DATABASE_URL: fresh.url, PORT: String(port), LOG_LEVEL: 'debug', SHUTDOWN_TIMEOUT_MS: '10000' };
    const child = startGatewayProcess(env, undefined, log);
    const url = `http://127.0.0.1:${port}/healthz`;
    const status = async () => (await fetch(url)).status;
    try {
      await until('the gateway answers', () => status().catch(({ cause }) => `${cause}: ${child.output}`), is(200));
      for (let n = 0; n < MORE_THAN_FITS; n += 50) {
        const answers = await Promise.all(Array.from({ length: 50 }, status));
        expect(answers).toEqual(answers.map(() => 200));
      }
      child.kill('SIGTERM');
      expect(await child.ended).toBe(0);
      expect(await isLocked()).toBe(false);
    } finally {
      child.kill('SIGKILL');
      fs.closeSync(log);
      fs.rmSync(pipe, { force: true });
    }
  },
  300_000,
);
