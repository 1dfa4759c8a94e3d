// The connection to Moonraker, beside a fake Klipper and beside machines that do not keep to the protocol.
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { networkOf } from '../../../src/devices/address';
import { LIMITS, type Limits } from '../../../src/devices/limits';
import { connectMoonraker } from '../../../src/devices/moonraker/connection';
import { FakeMoonraker } from '../../../src/devices/moonraker/fake';
import type { Reading } from '../../../src/observed-prints/readings';
import { closedAfterEach, Listening, targetOf } from '../../support/device-listening';
import { httpServer, nobody, tcpServer } from '../../support/hostile-machine';

/** Says what a test wants on its sockets. */
class Lying extends FakeMoonraker {
  say(act: (client: WebSocket) => void): void {
    for (const client of this.clients) act(client);
  }
}

const closed = closedAfterEach();

async function start(secret: string | null = null): Promise<Lying> {
  const fake = new Lying({ secret });
  await fake.listen(0);
  return closed(fake);
}

function listen(address: string, secret: string | null = null, limits: Partial<Limits> = {}, network = loopback) {
  return closed(
    new Listening('MOONRAKER', targetOf(address, { secret }), {
      connect: (target, listener, its) => connectMoonraker(target, listener, its, { ...LIMITS, ...limits }),
      network,
    }),
  );
}

const loopback = networkOf({ allowed: [], ownPort: null });
/** A network whose names have these addresses. */
const named = (...addresses: string[]) =>
  networkOf({ allowed: [], ownPort: null }, async () => addresses.map((address) => ({ address, family: 4 })));

test('an answer is heard before what the machine says right behind it', async () => {
  const fake = await start();
  const listening = listen(fake.url);
  await listening.activity('IDLE');
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
  const heard = await listening.until(({ messages }) =>
    messages.slice(length).some(({ source }) => source === 'notify_klippy_ready') ? messages.slice(length) : undefined,
  );
  expect(heard.map(({ source }) => source).slice(0, 2)).toEqual(['server.files.metadata', 'notify_klippy_ready']);
});

test('a whole print is heard, with exact millimetres', async () => {
  const fake = await start('key');
  const listening = listen(fake.url, 'key');
  expect(await listening.connected()).toEqual({
    model: null,
    serial: null,
    firmware: 'v0.12.0-272',
    certificateFingerprint: null,
  });
  await listening.activity('IDLE');
  fake.print.begin();
  fake.print.advance(60);
  const plan = await listening.until(({ messages }) =>
    messages.find(({ source }) => source === 'server.files.metadata'),
  );
  expect(plan.parameters).toEqual({ filename: 'cube.gcode' });
  await listening.activity('PRINTING');
  fake.print.pause();
  await listening.activity('PAUSED');
  fake.print.resume();
  fake.print.advance(540);
  await listening.activity('FINISHED');
  expect(listening.ends).toEqual([{ name: 'cube.gcode', outcome: 'COMPLETED', mm: '990.25' }]);
});

test.each([
  ['cancel', 'CANCELLED'],
  ['fail', 'FAILED'],
] as const)('%s', async (how, outcome) => {
  const fake = await start();
  const listening = listen(fake.url);
  await listening.activity('IDLE');
  fake.print.begin();
  fake.print.advance(300);
  await listening.activity('PRINTING');
  fake.print[how]('Move out of range');
  await listening.until(({ ends }) => ends.length > 0);
  expect(listening.ends).toEqual([{ name: 'cube.gcode', outcome, mm: '495.13' }]);
});

test.each([
  ['a wrong key', 'wrong'],
  ['no key', null],
])('%s is refused', async (_what, secret) => {
  const fake = await start('key');
  const listening = listen(fake.url, secret);
  expect(await listening.ended()).toBe('CREDENTIALS_REFUSED');
  expect(listening.identity).toBeNull();
});

test('it is connected while Klipper is away, and hears of its return', async () => {
  const fake = await start();
  fake.klippy(false);
  const listening = listen(fake.url);
  expect((await listening.connected()).firmware).toBe('v0.9.3-1');
  await listening.activity('ERROR');
  fake.klippy(true);
  await listening.activity('IDLE');
});

test('a history of 250 rows is asked for in parts, and handed over as one answer', async () => {
  const fake = await start();
  fake.remember(250);
  const listening = listen(fake.url);
  const { body } = await listening.until(({ messages }) =>
    messages.find(({ source }) => source === 'server.history.list'),
  );
  const { jobs } = body as { jobs: { job_id: string }[] };
  expect(jobs.map(({ job_id }) => Number.parseInt(job_id, 16))).toEqual(
    Array.from({ length: 250 }, (_, at) => 250 - at),
  );
});

test('a number keeps all of its digits', async () => {
  const fake = await start();
  const listening = listen(fake.url);
  await listening.activity('IDLE');
  fake.print.begin();
  fake.print.advance(60);
  await listening.activity('PRINTING');
  const stats = '{"filament_used":12345.12345678901234567}';
  fake.say((client) => client.send(`{"method":"notify_status_update","params":[{"print_stats":${stats}},1.0]}`));
  const mm = ({ print }: Reading) => (typeof print === 'object' ? print.measured[0]?.mm : undefined);
  await listening.until(({ readings }) => readings.some((reading) => mm(reading) === '12345.12345678901234567'));
});

test('a machine that is restarted is not reachable', async () => {
  const fake = await start();
  const listening = listen(fake.url);
  await listening.connected();
  fake.restart();
  expect(await listening.ended()).toBe('NOT_REACHABLE');
});

test('a machine that falls silent is found by its missing pong', async () => {
  const fake = await start();
  const listening = listen(fake.url, null, { pingMs: 50 });
  await listening.until(({ messages }) => messages.some(({ source }) => source === 'pong'));
  fake.silence(true);
  expect(await listening.ended()).toBe('SILENT');
});

test('an answer that does not come ends the connection', async () => {
  const fake = await start();
  const listening = listen(fake.url, null, { answerMs: 50 });
  await listening.activity('IDLE');
  fake.silence(true);
  listening.ask({ source: 'printer.objects.subscribe', parameters: {} });
  expect(await listening.ended()).toBe('TIMED_OUT');
});

test('nothing is heard of a connection that was closed', async () => {
  const fake = await start();
  const listening = listen(fake.url);
  await listening.connected();
  const { length } = listening.messages;
  listening.close();
  fake.print.begin();
  await fake.close();
  expect([listening.messages.length, listening.fault]).toEqual([length, null]);
});

describe('messages that cannot be read', () => {
  test.each([
    ['one that is no JSON is left out', '{"method":', false, null],
    ['binary frames that are no text', Buffer.from([0xff, 0xfe]), true, null],
    ['text that is not UTF-8', Buffer.from([0x22, 0xff, 0x22]), false, 'PROTOCOL_ERROR'],
    ['a message of more than a mebibyte', `"${'x'.repeat(1 << 20)}"`, false, 'TOO_MUCH_DATA'],
  ])('%s', async (_what, message, binary, fault) => {
    const fake = await start();
    const listening = listen(fake.url);
    await listening.activity('IDLE');
    fake.say((client) => client.send(message, { binary }));
    if (fault !== null) return expect(await listening.ended()).toBe(fault);
    fake.print.begin();
    fake.print.advance(1);
    await listening.activity('PRINTING');
  });

  test('two in a row', async () => {
    const fake = await start();
    const listening = listen(fake.url);
    await listening.activity('IDLE');
    fake.say((client) => {
      for (const message of ['x', '{}', 'x', 'x']) client.send(message);
    });
    expect(await listening.ended()).toBe('PROTOCOL_ERROR');
  });

  test('too many of them', async () => {
    const fake = await start();
    const listening = listen(fake.url, null, { floodBytes: 1 << 20 });
    await listening.activity('IDLE');
    fake.say((client) => {
      for (let times = 0; times < 17; times += 1) client.send(`"${'x'.repeat(1 << 16)}"`);
    });
    expect(await listening.ended()).toBe('TOO_MUCH_DATA');
  });

  test('control frames are bytes too', async () => {
    const fake = await start();
    const listening = listen(fake.url, null, { floodBytes: 100_000 });
    await listening.activity('IDLE');
    fake.say((client) => {
      for (let times = 0; times < 1000; times += 1) client.pong('x'.repeat(120));
    });
    expect(await listening.ended()).toBe('TOO_MUCH_DATA');
  });

  test('very many small ones', async () => {
    const fake = await start();
    const listening = listen(fake.url, null, { floodBytes: 100_000 });
    await listening.activity('IDLE');
    fake.say((client) => {
      for (let times = 0; times < 400; times += 1) client.send('1');
    });
    expect(await listening.ended()).toBe('TOO_MUCH_DATA');
  });

  test('a machine that names a new file in each message', async () => {
    const fake = await start();
    const listening = listen(fake.url);
    await listening.activity('IDLE');
    fake.say((client) => {
      for (let times = 0; times < 100; times += 1) {
        const stats = { state: 'printing', filename: `${times}.gcode`, total_duration: 1 };
        client.send(JSON.stringify({ method: 'notify_status_update', params: [{ print_stats: stats }, 1] }));
      }
    });
    expect(await listening.ended()).toBe('TOO_MUCH_DATA');
  });
});

describe('another server', () => {
  test.each([
    [301, 'NOT_THIS_KIND'],
    [200, 'NOT_THIS_KIND'],
    [404, 'NOT_THIS_KIND'],
    [401, 'CREDENTIALS_REFUSED'],
    [403, 'CREDENTIALS_REFUSED'],
    [502, 'NOT_REACHABLE'],
  ])('that answers %i', async (status, fault) => {
    const followed: string[] = [];
    const address = await httpServer((request, response) => {
      followed.push(request.url as string);
      response.writeHead(status, { location: '/other' }).end('<html>');
    });
    expect(await listen(address).ended()).toBe(fault);
    expect(followed).toEqual(['/websocket']);
  });

  test.each([
    ['that speaks no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'NOT_THIS_KIND'],
    [
      'whose handshake is wrong',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n',
      'NOT_THIS_KIND',
    ],
  ])('%s', async (_what, words, fault) => {
    const address = await tcpServer((socket) => socket.once('data', () => socket.write(words)));
    expect(await listen(address).ended()).toBe(fault);
  });

  test('that takes a connection and says nothing', async () => {
    const address = await tcpServer(() => {});
    expect(await listen(address, null, { connectMs: 100 }).ended()).toBe('TIMED_OUT');
  });

  test('that says a byte at a time', async () => {
    const address = await tcpServer((socket) => {
      const timer = setInterval(() => socket.write('H'), 10);
      socket.on('close', () => clearInterval(timer));
      socket.write('HTTP/1.1 404 Not Found\r\nX: ');
    });
    expect(await listen(address, null, { connectMs: 150 }).ended()).toBe('TIMED_OUT');
  });

  test('a WebSocket that answers nothing', async () => {
    const fake = await start();
    Object.assign(fake, { hear: () => {} });
    expect(await listen(fake.url, null, { connectMs: 150 }).ended()).toBe('TIMED_OUT');
  });

  test('nobody', async () => {
    expect(await listen(await nobody()).ended()).toBe('NOT_REACHABLE');
  });
});

describe('the address that is dialled', () => {
  test('is that of the name, where it is permitted', async () => {
    const fake = await start();
    const listening = listen(`printer.test:${fake.port}`, null, {}, named('8.8.8.8', '127.0.0.1'));
    await listening.connected();
  });

  test.each([['8.8.8.8'], ['169.254.169.254'], ['0.0.0.0']])('is never %s', async (ip) => {
    expect(await listen('printer.test', null, {}, named(ip)).ended()).toBe('NOT_RESOLVED');
  });

  test('is not one that was permitted when it was typed', async () => {
    const fake = await start();
    const none = { ...loopback, permits: () => false };
    expect(await listen(fake.url, null, {}, none).ended()).toBe('NOT_REACHABLE');
  });

  test('of a name that there is not', async () => {
    const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
    const network = networkOf({ allowed: [], ownPort: null }, () => Promise.reject(unknown));
    expect(await listen('printer.test', null, {}, network).ended()).toBe('NOT_RESOLVED');
  });
});
