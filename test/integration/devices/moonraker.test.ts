// Tests the connection to Moonraker with a fake that sends what the test wants.

import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { Reading } from '../../../src/farm/print-rules/print.model';
import type { MachineLimits } from '../../../src/machines/machine-connection';
import { createNetwork } from '../../../src/wire/networks';
import { LOOPBACK } from '../../support/device-session';
import { inTime } from '../../support/waiting';
import { listen, startMoonraker } from '../../support/web-printers';

describe('Moonraker', () => {
  async function idle(limits: Partial<MachineLimits> = {}) {
    const fake = await startMoonraker();
    const listening = listen('MOONRAKER', fake.url, limits);
    await listening.waitForActivity('IDLE');
    return { fake, listening };
  }

  test('an answer is handled before the message that follows it directly', async () => {
    const { fake, listening } = await idle();
    const { length } = listening.messages;
    // In one packet.
    fake.say((client) => {
      const { _socket: socket } = client as unknown as { _socket: Socket };
      client.prependOnceListener('message', () => socket.cork());
      client.once('message', () => {
        client.send(JSON.stringify({ jsonrpc: '2.0', method: 'notify_klippy_ready', params: [] }));
        socket.uncork();
      });
    });
    listening.ask({ source: 'server.files.metadata', parameters: { filename: 'cube.gcode' } });
    const sources = await listening.until('Klipper is said to be ready', ({ messages }) => {
      const found = messages.slice(length).map(({ source }) => source);
      return found.includes('notify_klippy_ready') && found;
    });
    expect(sources.slice(0, 2)).toEqual(['server.files.metadata', 'notify_klippy_ready']);
  });

  test('stays connected while Klipper is away, and notices its return', async () => {
    const fake = await startMoonraker();
    fake.setKlipperConnected(false);
    const listening = listen('MOONRAKER', fake.url);
    expect((await listening.waitForConnection()).firmware).toBe('v0.9.3-1');
    await listening.waitForActivity('ERROR');
    fake.setKlipperConnected(true);
    await listening.waitForActivity('IDLE');
  });

  test('a history of 250 rows is requested in parts, and delivered as one answer', async () => {
    const fake = await startMoonraker();
    fake.addHistory(250);
    const history = await listen('MOONRAKER', fake.url).until('the history comes', ({ messages }) =>
      messages.find(({ source }) => source === 'server.history.list'),
    );
    const { jobs } = history.body as { jobs: { job_id: string }[] };
    const ids = jobs.map(({ job_id }) => Number.parseInt(job_id, 16));
    expect(ids).toEqual(Array.from({ length: 250 }, (_, n) => 250 - n));
  });

  test('a history of 1,000 rows with all metadata of a slicer is within the limits', async () => {
    const fake = await startMoonraker();
    const thumbnails = [32, 300].map((width) => ({ width, relative_path: `.thumbs/cube-${width}.png`, size: 9000 }));
    const news = Array.from({ length: 40 }, (_, line) => `M117 line ${line} of what the slicer noted of this file`);
    fake.addHistory(1000, { estimated_time: 4000.25, filament_total: 990.123_456_789, thumbnails, news });
    const history = await listen('MOONRAKER', fake.url).until('the history comes', ({ messages }) =>
      messages.find(({ source }) => source === 'server.history.list'),
    );
    const { jobs } = history.body as { jobs: { metadata: object }[] };
    expect(jobs).toHaveLength(1000);
    expect(Object.keys(jobs[0]?.metadata ?? {})).toEqual(['estimated_time', 'filament_total']);
  });

  test('a ping is answered', async () => {
    const { fake } = await idle();
    const answered = new Promise<void>((resolve) =>
      fake.say((client) => {
        client.on('pong', () => resolve());
        client.ping('x');
      }),
    );
    await inTime('the ping is answered', answered);
  });

  test('a number keeps all of its digits until it is rounded', async () => {
    const { fake, listening } = await idle();
    fake.print.start();
    fake.print.advance(60);
    await listening.waitForActivity('PRINTING');
    const stats = '{"filament_used":12345.12354999999999999999}';
    fake.say((client) => client.send(`{"method":"notify_status_update","params":[{"print_stats":${stats}},1.0]}`));
    const mm = ({ print }: Reading) => (typeof print === 'object' ? print.measured[0]?.mm : undefined);
    await listening.until('the filament is rounded', ({ readings }) =>
      readings.some((reading) => mm(reading) === '12345.1235'),
    );
  });

  test('a missing answer ends the connection', async () => {
    const { fake, listening } = await idle();
    fake.setSilent(true);
    listening.limits.answerMs = 50;
    listening.ask({ source: 'printer.objects.subscribe', parameters: {} });
    expect(await listening.waitForEnd()).toBe('TIMED_OUT');
  });

  test.each([
    ['a single message that is not JSON', '{"method":', false],
    ['a binary frame that is not text', Buffer.from([0xff, 0xfe]), true],
  ])('%s is skipped', async (_what, message, binary) => {
    const { fake, listening } = await idle();
    fake.say((client) => client.send(message, { binary }));
    fake.print.start();
    fake.print.advance(1);
    await listening.waitForActivity('PRINTING');
  });

  const stats = (n: number) => ({ state: 'printing', filename: `${n}.gcode`, total_duration: 1 });
  test.each<[string, (client: WebSocket, n: number) => void, times: number, fault: string]>([
    ['text that is not UTF-8', (client) => client.send(Buffer.from([0x22, 0xff]), TEXT), 1, 'PROTOCOL_ERROR'],
    ['two messages in a row that are not JSON', (client) => client.send('x'), 2, 'PROTOCOL_ERROR'],
    ['a message of more than half a mebibyte', (client) => client.send(`"${'x'.repeat(1 << 19)}"`), 1, 'TOO_MUCH_DATA'],
    ['too many bytes', (client) => client.send(`"${'x'.repeat(1 << 16)}"`), 17, 'TOO_MUCH_DATA'],
    [
      'a message in frames of one byte',
      (client, n) => client.send('1', { fin: false, binary: n < 0 }),
      2000,
      'TOO_MUCH_DATA',
    ],
    ['too many pings', (client) => client.ping(), 8000, 'TOO_MUCH_DATA'],
    ['too many bytes of control frames', (client) => client.pong('x'.repeat(120)), 10_000, 'TOO_MUCH_DATA'],
    ['very many small messages', (client) => client.send('1'), 8000, 'TOO_MUCH_DATA'],
    [
      'a new file in each message',
      (client, n) => client.send(`{"method":"notify_status_update","params":[{"print_stats":${json(stats(n))}},1]}`),
      100,
      'TOO_MUCH_DATA',
    ],
  ])('%s: the connection ends', async (_what, act, times, fault) => {
    const { fake, listening } = await idle({ floodBytes: 1 << 20, steadyBytes: 0 });
    fake.say((client) => {
      for (let n = 0; n < times; n += 1) act(client, n);
    });
    expect(await listening.waitForEnd()).toBe(fault);
  });
  const TEXT = { binary: false };
  const json = (value: unknown) => JSON.stringify(value);

  /** A network whose names have these addresses. */
  const named = (...addresses: string[]) =>
    createNetwork({ allowed: [], gatewayPort: null }, async () => addresses.map((address) => ({ address, family: 4 })));

  test('the host name is resolved when it is dialled, and its address is checked at that moment', async () => {
    const fake = await startMoonraker();
    const listenToNamedHost = (network: typeof LOOPBACK) =>
      listen('MOONRAKER', `printer.test:${fake.port}`, { network });
    await listenToNamedHost(named('8.8.8.8', '127.0.0.1')).waitForConnection();
    for (const addresses of [['8.8.8.8'], ['169.254.169.254'], ['0.0.0.0']])
      expect(await listenToNamedHost(named(...addresses)).waitForEnd()).toBe('NOT_ALLOWED');
    expect(await listenToNamedHost(named()).waitForEnd()).toBe('NOT_RESOLVED');
    const none = { ...LOOPBACK, permits: () => false };
    expect(await listen('MOONRAKER', fake.url, { network: none }).waitForEnd()).toBe('NOT_ALLOWED');
  });
});
