// Signals that operators send to npm, during the start and while the log is blocked: behaviour that a release of Node may change.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../support/free-port';
import { ROOT, startGatewayProcess } from '../support/running-gateway';
import { fresh, halfRequest, isLocked, provideFresh, start, stopsListening } from '../support/signalled-gateway';
import { temporaryFolder } from '../support/temporary-folder';
import { is, until } from '../support/waiting';

const preload = (name: string) => `--require=${join(ROOT, 'test', 'support', `${name}.cjs`)}`;

/** A pipe holds 64 kB, and a request logs 300 bytes. */
const MORE_THAN_FITS = 400;

// That a directory is locked until its gateway has ended is in test/database/directory.test.ts.
describe('with a data directory, which is free again', () => {
  provideFresh('embedded');

  test('a signal while packages load, and one during the start, end the process with 0', async () => {
    const env = { DATABASE_URL: fresh.url, LOG_LEVEL: 'info', NODE_OPTIONS: preload('signal-at-start') };
    const loading = startGatewayProcess({ ...env, SIGNAL: 'SIGINT' });
    expect({ code: await loading.ended, output: loading.output }).toEqual({
      code: 0,
      output: 'Starting the gateway …\n',
    });
    const starting = startGatewayProcess({ ...env, SIGNAL: 'SIGTERM', SIGNAL_AT: 'locked' });
    expect({ code: await starting.ended, output: starting.output }).toEqual({
      code: 0,
      output: expect.not.stringContaining('is ready'),
    });
    expect(await isLocked()).toBe(false);
  });
});

describe('with a server', () => {
  provideFresh('server');

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
    expect(await request.finish()).toMatch(/HTTP\/1\.1 201 /);
    expect(await gateway.ended()).toBe(0);
    for (const socket of sockets) socket.destroy();
  });

  test('SIGINT to a shell that becomes npm ends with 0', async () => {
    const gateway = await start('sh', ['-c', 'cd . && exec npm start']);
    process.kill(gateway.pid, 'SIGINT');
    expect(await gateway.ended()).toBe(0);
  });

  test('a second signal ends the process immediately, with 1', async () => {
    const gateway = await start(process.execPath, ['dist/src/main.js']);
    await halfRequest(gateway.url);
    process.kill(gateway.pid, 'SIGTERM');
    await stopsListening(gateway.url);
    // Signals within a second are copies of the first one.
    const again = setInterval(() => process.kill(gateway.pid, 'SIGTERM'), 300);
    expect(await gateway.ended().finally(() => clearInterval(again))).toBe(1);
  });

  test.each(['nobody reads', 'cannot be written, as on a full disk'])(
    'a log that %s delays no request, and SIGTERM ends the process with 0',
    async (why) => {
      const folder = temporaryFolder('log');
      const pipe = join(folder, 'pipe');
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
      } finally {
        child.kill('SIGKILL');
        fs.closeSync(log);
        fs.rmSync(folder, { recursive: true });
      }
    },
    300_000,
  );
});
