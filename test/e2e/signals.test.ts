// Signals as an operator sends them: to npm, to `timeout`, during the start, and with a log that nobody reads.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../support/free-port';
import { ROOT, startGatewayProcess } from '../support/running-gateway';
import { endAfterTest, fresh, halfRequest, isLocked, start, stopsListening } from '../support/signalled-gateway';
import { until } from '../support/waiting';

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  test('sent to npm stops the gateway, which finishes its requests and ends with 0', async () => {
    const gateway = await start('npm', ['start']);
    const request = await halfRequest(gateway.url);
    process.kill(gateway.pid, signal);
    await stopsListening(gateway.url);
    expect(await isLocked()).toBe(true);
    expect(await request.finish()).toMatch(/HTTP\/1\.1 201 /);
    expect(await gateway.ended).toBe(0);
    expect(await isLocked()).toBe(false);
  });

  test('while the gateway loads its packages ends with 0', async () => {
    const child = startGatewayProcess({
      DATABASE_URL: fresh.url,
      SIGNAL: signal,
      NODE_OPTIONS: `--require ${join(ROOT, 'test', 'support', 'signal-while-loading.cjs')}`,
    });
    expect({ code: await child.ended, output: child.output }).toEqual({ code: 0, output: '' });
    expect(await isLocked()).toBe(false);
  });

  test('during the start ends with 0', async () => {
    const child = startGatewayProcess({ DATABASE_URL: fresh.url, LOG_LEVEL: 'info' });
    // From the first lines of the program on, long before it is ready.
    await until(isLocked);
    child.kill(signal);
    expect({ code: await child.ended, output: child.output }).toEqual({
      code: 0,
      output: expect.not.stringContaining('is ready'),
    });
    expect(await isLocked()).toBe(false);
  });
});

test('SIGINT to the whole group of npm, as a terminal sends it, is one signal', async () => {
  const gateway = await start('npm', ['start']);
  const request = await halfRequest(gateway.url);
  process.kill(-gateway.pid, 'SIGINT');
  await stopsListening(gateway.url);
  expect(await request.finish()).toMatch(/HTTP\/1\.1 201 /);
  expect(await gateway.ended).toBe(0);
  expect(await isLocked()).toBe(false);
});

test('a shell that becomes npm, under `timeout`, is stopped like npm', async () => {
  const gateway = await start('timeout', ['--preserve-status', '3600', 'sh', '-c', 'cd . && exec npm start']);
  process.kill(gateway.pid, 'SIGTERM');
  expect(await gateway.ended).toBe(0);
  expect(await isLocked()).toBe(false);
});

test('a second signal ends the process at once, with 1', async () => {
  const gateway = await start('npm', ['start']);
  await halfRequest(gateway.url);
  process.kill(gateway.pid, 'SIGTERM');
  await stopsListening(gateway.url);
  // Signals within a second are copies of the first one.
  const again = setInterval(() => process.kill(gateway.pid, 'SIGTERM'), 300);
  try {
    expect(await gateway.ended).toBe(1);
  } finally {
    clearInterval(again);
  }
});

test('connections without a request, as browsers open ahead, do not hold the stop', async () => {
  const gateway = await start('npm', ['start']);
  const sockets = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
      socket.on('error', () => {});
      await once(socket, 'connect');
      return socket;
    }),
  );
  const request = await halfRequest(gateway.url);
  process.kill(gateway.pid, 'SIGTERM');
  await stopsListening(gateway.url);
  expect(await request.finish()).toMatch(/HTTP\/1\.1 201 /);
  expect(await gateway.ended).toBe(0);
  for (const socket of sockets) socket.destroy();
});

test('with a log that nobody reads, SIGTERM ends the process', async () => {
  const port = await freePort();
  const env = { ...process.env, DATABASE_URL: fresh.url, HOST: '127.0.0.1', PORT: String(port), LOG_LEVEL: 'debug' };
  const child = spawn(process.execPath, ['dist/src/main.js'], {
    cwd: ROOT,
    env: { ...env, SHUTDOWN_TIMEOUT_MS: '10000' },
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endAfterTest(child);
  child.stdout?.pause();
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));
  const url = `http://127.0.0.1:${port}/healthz`;
  await until(() =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  // Each request logs more than 300 bytes; the pipe and the reader's buffer hold some 200 kB.
  for (let round = 0; round < 60; round += 1) {
    await Promise.all(Array.from({ length: 50 }, () => fetch(url).then((answer) => answer.text())));
  }
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(await isLocked()).toBe(false);
});
