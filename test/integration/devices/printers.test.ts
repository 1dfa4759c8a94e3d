// The connections to printers without a broker, beside fake ones and beside servers that do not keep to the protocol.
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { WebSocket } from 'ws';
import { networkOf } from '../../../src/devices/address';
import { memberAt } from '../../../src/devices/bounds';
import { LIMITS, type Limits } from '../../../src/devices/limits';
import { connectMoonraker } from '../../../src/devices/moonraker/connection';
import { FakeMoonraker } from '../../../src/devices/moonraker/fake';
import { connectOctoPrint } from '../../../src/devices/octoprint/connection';
import { FakeOctoPrint } from '../../../src/devices/octoprint/fake';
import { connectPrusaLink } from '../../../src/devices/prusalink/connection';
import { FakePrusaLink, type Login } from '../../../src/devices/prusalink/fake';
import { tryDevice } from '../../../src/devices/trial';
import type { Reading } from '../../../src/print-rules/readings';
import { closedAfterEach, Listening, LOOPBACK, targetOf } from '../../support/device-listening';
import { httpServer, httpsServer, nobody, tcpServer } from '../../support/hostile-machine';

const CONNECTS = { MOONRAKER: connectMoonraker, OCTOPRINT: connectOctoPrint, PRUSALINK: connectPrusaLink };
type Kind = keyof typeof CONNECTS;

/** Says what a test wants on its sockets. */
class Lying extends FakeMoonraker {
  say(act: (client: WebSocket) => void): void {
    for (const client of this.clients) act(client);
  }
}

/** Writes down what it is sent. */
class Noting extends FakeOctoPrint {
  readonly heard: unknown[] = [];
  readonly paths: string[] = [];
  refusesSessions = false;
  temps: object[] = [];

  protected override hear(client: WebSocket, message: unknown): void {
    this.heard.push(message);
    if (memberAt(message, 'auth') !== undefined && this.temps.length > 0)
      this.send(client, { history: { temps: this.temps } });
    if (this.refusesSessions) this.send(client, { reauthRequired: { reason: 'stale' } });
    else super.hear(client, message);
  }

  protected override answer(...[request, path]: Parameters<FakeOctoPrint['answer']>) {
    this.paths.push(path);
    return super.answer(request, path);
  }
}

const closed = closedAfterEach();

async function started<Fake extends FakeMoonraker | FakeOctoPrint | FakePrusaLink>(fake: Fake): Promise<Fake> {
  await fake.listen(0);
  return closed(fake);
}
const moonraker = () => started(new Lying({ secret: 'key' }));
const octoprint = () => started(new Noting({ secret: 'key' }));
const prusalink = (login: Login = 'KEY', secret = 'key') => started(new FakePrusaLink({ secret, login }));
const FAKES = { MOONRAKER: moonraker, OCTOPRINT: octoprint, PRUSALINK: prusalink };

const QUICK = { pollMs: 20, pollPrintingMs: 20 };

function listen(
  kind: Kind,
  address: string,
  {
    secret = 'key',
    network = LOOPBACK,
    ...limits
  }: Partial<Limits> & {
    secret?: string | null;
    network?: typeof LOOPBACK;
  } = {},
) {
  return closed(
    new Listening(kind, targetOf(address, { secret }), {
      connect: (target, listener, its) => CONNECTS[kind](target, listener, its, { ...LIMITS, ...QUICK, ...limits }),
      network,
    }),
  );
}

const count = (source: string) => (listening: Listening) =>
  listening.messages.filter((message) => message.source === source).length;
const polls = count('/api/v1/status');

test.each<[string, Kind, () => ReturnType<(typeof FAKES)[Kind]>, object, string | null]>([
  ['Moonraker', 'MOONRAKER', moonraker, { firmware: 'v0.12.0-272' }, '990.25'],
  ['OctoPrint', 'OCTOPRINT', octoprint, { firmware: 'OctoPrint 1.10.3' }, null],
  ...(['KEY', 'BUDDY', 'RASPBERRY'] as const).map(
    (login): [string, Kind, () => ReturnType<typeof prusalink>, object, null] => [
      `PrusaLink with ${login}`,
      'PRUSALINK',
      () => prusalink(login),
      { model: 'PrusaLink MK4', serial: '10589-3742441630', firmware: '2.1.2' },
      null,
    ],
  ),
])('%s says what it is, and a whole print is heard', async (_name, kind, start, identity, mm) => {
  const fake = await start();
  const listening = listen(kind, fake.url);
  const nothing = { model: null, serial: null, firmware: null, certificateFingerprint: null };
  expect(await listening.connected()).toEqual({ ...nothing, ...identity });
  await listening.activity('IDLE');
  fake.print.begin();
  fake.print.advance(60);
  await listening.named('cube.gcode');
  fake.print.pause();
  await listening.activity('PAUSED');
  fake.print.resume();
  fake.print.advance(540);
  await listening.activity('FINISHED');
  expect(listening.ends).toEqual([{ name: 'cube.gcode', outcome: 'COMPLETED', mm }]);
  // Nothing is heard of a connection that was closed.
  listening.close();
  const { length } = listening.messages;
  fake.print.begin();
  await fake.close();
  expect([listening.messages.length, listening.fault]).toEqual([length, null]);
});

test.each<[Kind, secret: string | null, start: () => ReturnType<(typeof FAKES)[Kind]>]>([
  ['MOONRAKER', 'wrong', moonraker],
  ['MOONRAKER', null, moonraker],
  ['OCTOPRINT', 'wrong', octoprint],
  ['OCTOPRINT', null, octoprint],
  ['OCTOPRINT', 'ключ', octoprint],
  ['PRUSALINK', 'wrong', prusalink],
  ['PRUSALINK', null, prusalink],
  ['PRUSALINK', 'wrong', () => prusalink('BUDDY')],
  ['PRUSALINK', 'wrong', () => prusalink('RASPBERRY')],
  ['PRUSALINK', null, () => prusalink('BUDDY')],
])('%s refuses the secret %j', async (kind, secret, start) => {
  const fake = await start();
  const listening = listen(kind, fake.url, { secret });
  expect(await listening.ended()).toBe('CREDENTIALS_REFUSED');
  expect(listening.identity).toBeNull();
  if (fake instanceof FakePrusaLink) expect(fake.asked.length).toBeLessThanOrEqual(3);
});

test.each(['MOONRAKER', 'OCTOPRINT', 'PRUSALINK'] as const)('%s that is switched off, and nobody', async (kind) => {
  const fake = await FAKES[kind]();
  const listening = listen(kind, fake.url);
  await listening.activity('IDLE');
  await fake.close();
  expect(await listening.ended()).toBe('NOT_REACHABLE');
  expect(await listen(kind, await nobody()).ended()).toBe('NOT_REACHABLE');
});

test.each<[Kind, Partial<Limits>, string]>([
  ['MOONRAKER', { pingMs: 300 }, 'SILENT'],
  ['OCTOPRINT', { pingMs: 300 }, 'SILENT'],
  ['PRUSALINK', { answerMs: 80 }, 'TIMED_OUT'],
])('%s that falls silent', async (kind, limits, fault) => {
  const fake = await FAKES[kind]();
  const listening = listen(kind, fake.url, limits);
  await listening.activity('IDLE');
  fake.silence(true);
  expect(await listening.ended()).toBe(fault);
  expect(await listen(kind, fake.url, { connectMs: 80 }).ended()).toBe('TIMED_OUT');
});

/** The answers of HTTP are read by one client for all kinds. */
test.each<[string, Kind, number, string | Buffer, string]>([
  ['a redirect', 'OCTOPRINT', 302, '', 'NOT_THIS_KIND'],
  ['a page', 'OCTOPRINT', 200, '<!doctype html>', 'NOT_THIS_KIND'],
  ['nothing at this path', 'OCTOPRINT', 404, '{}', 'NOT_THIS_KIND'],
  ['another product', 'OCTOPRINT', 200, '{"name":"_api","user":true}', 'NOT_THIS_KIND'],
  ['a proxy without its machine', 'OCTOPRINT', 502, '<html>', 'NOT_REACHABLE'],
  ['an error', 'OCTOPRINT', 500, '{}', 'PROTOCOL_ERROR'],
  ['JSON that ends too early', 'OCTOPRINT', 200, '{"name":', 'PROTOCOL_ERROR'],
  ['bytes that are not UTF-8', 'OCTOPRINT', 200, Buffer.from([0x22, 0xff, 0x22]), 'PROTOCOL_ERROR'],
  ['more than half a mebibyte', 'OCTOPRINT', 200, `"${'x'.repeat(1 << 19)}"`, 'TOO_MUCH_DATA'],
  ['an OctoPrint', 'PRUSALINK', 200, '{"api":"0.1","text":"OctoPrint 1.10.3"}', 'NOT_THIS_KIND'],
  ['nothing', 'PRUSALINK', 200, '', 'NOT_THIS_KIND'],
  ['a redirect', 'MOONRAKER', 301, '', 'NOT_THIS_KIND'],
  ['a page', 'MOONRAKER', 200, '<html>', 'NOT_THIS_KIND'],
  ['a server that asks for a password', 'MOONRAKER', 401, '', 'CREDENTIALS_REFUSED'],
  ['a proxy without its machine', 'MOONRAKER', 502, '<html>', 'NOT_REACHABLE'],
])('%s in place of %s: %i', async (_what, kind, status, body, fault) => {
  const asked: string[] = [];
  const address = await httpServer((request, response) => {
    asked.push(request.url as string);
    response.writeHead(status, { location: '/elsewhere' }).end(body);
  });
  expect(await listen(kind, address).ended()).toBe(fault);
  expect(new Set(asked).size).toBe(1);
});

const KINDS_OF_HTTP = ['MOONRAKER', 'OCTOPRINT', 'PRUSALINK'] as const;
const PLAIN_AT_TLS = '<html>The plain HTTP request was sent to HTTPS port</html>';

/** What a program in front of a machine says, as nginx and Caddy say it. */
test.each<[string, number, Record<string, string>, string, string]>([
  ['leads to https', 301, { location: 'https://printer.local/x' }, '', 'HTTPS_REQUIRED'],
  ['leads to https in other letters', 308, { location: 'HTTPS://10.0.0.4:8443/' }, '', 'HTTPS_REQUIRED'],
  ['says that its port has TLS', 400, {}, PLAIN_AT_TLS, 'HTTPS_REQUIRED'],
  ['asks for Basic', 401, { 'www-authenticate': 'Basic realm="farm"' }, '<html>', 'PROXY_REFUSED'],
  ['asks for Basic in small letters', 401, { 'www-authenticate': 'basic realm="farm"' }, '<html>', 'PROXY_REFUSED'],
  ['asks for the password of a proxy', 407, { 'proxy-authenticate': 'Basic' }, '', 'PROXY_REFUSED'],
])('a proxy that %s is named', async (_what, status, headers, body, fault) => {
  const address = await httpServer((_request, response) => response.writeHead(status, headers).end(body));
  for (const kind of KINDS_OF_HTTP) {
    expect([kind, await listen(kind, address).ended()]).toEqual([kind, fault]);
  }
});

test('a machine with TLS that is asked without, and one that closes what it takes', async () => {
  const alert = Buffer.from('15030100020246', 'hex');
  const withTls = await tcpServer((socket) => socket.once('data', () => socket.end(alert)));
  const full = await tcpServer((socket) => socket.resetAndDestroy());
  const polite = await tcpServer((socket) => socket.once('data', () => socket.end()));
  for (const kind of KINDS_OF_HTTP) {
    expect([kind, await listen(kind, withTls).ended()]).toEqual([kind, 'HTTPS_REQUIRED']);
    for (const address of [full, polite]) {
      expect([kind, await listen(kind, address).ended()]).toEqual([kind, 'CLOSED_AT_ONCE']);
    }
  }
});

test.each<[string, Kind, (socket: Socket) => void, string]>([
  ['SSH', 'MOONRAKER', (socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n'), 'NOT_THIS_KIND'],
  ['SSH', 'PRUSALINK', (socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n'), 'NOT_THIS_KIND'],
  ['a wrong handshake', 'MOONRAKER', (socket) => socket.write(WRONG_HANDSHAKE), 'NOT_THIS_KIND'],
  ['a byte at a time', 'MOONRAKER', (socket) => trickle(socket, 'HTTP/1.1 404 Not Found\r\nX: '), 'TIMED_OUT'],
  ['a byte at a time', 'OCTOPRINT', (socket) => trickle(socket, 'HTTP/1.1 200 OK\r\n\r\n'), 'TIMED_OUT'],
])('a server that says %s in place of %s', async (_what, kind, speak, fault) => {
  const address = await tcpServer((socket) => socket.once('data', () => speak(socket)));
  const limits = fault === 'TIMED_OUT' ? { connectMs: 150, answerMs: 150 } : {};
  expect(await listen(kind, address, limits).ended()).toBe(fault);
});

/** Without an end, for whoever reads. */
function endless(socket: Socket, head: string, part: string): void {
  const parts = Buffer.from(part.repeat(1000));
  const more = () => {
    while (!socket.destroyed && socket.write(parts));
  };
  socket.on('drain', more).write(head);
  more();
}
const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n"\r\n';

test.each<[string, Kind, head: string, part: string]>([
  ['chunks of one byte', 'OCTOPRINT', CHUNKED, '1\r\nx\r\n'],
  ['chunks of one byte', 'PRUSALINK', CHUNKED, '1\r\nx\r\n'],
  ['news that it works', 'OCTOPRINT', '', 'HTTP/1.1 102 Processing\r\n\r\n'],
  ['news that it works', 'PRUSALINK', '', 'HTTP/1.1 102 Processing\r\n\r\n'],
  ['news that it works', 'MOONRAKER', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ['a body that was not announced', 'MOONRAKER', 'HTTP/1.1 200 OK\r\n\r\n', 'x'],
])('%s without an end in place of %s', async (_what, kind, head, part) => {
  const address = await tcpServer((socket) => socket.once('data', () => endless(socket, head, part)));
  const fault = await listen(kind, address, { maxBytes: 64 << 10, connectMs: 60_000, answerMs: 60_000 }).ended();
  expect(fault).toBe(part === 'x' ? 'NOT_THIS_KIND' : 'TOO_MUCH_DATA');
});

test('an answer in chunks of one byte is read', async () => {
  const text = '{"api":"0.1","text":"OctoPrint 1.10.3"}';
  const chunks = [...text].map((byte) => `1\r\n${byte}\r\n`).join('');
  const address = await tcpServer((socket) =>
    socket.on('data', () => socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`)),
  );
  expect(await listen('PRUSALINK', address).ended()).toBe('NOT_THIS_KIND');
});

const WRONG_HANDSHAKE =
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n';

function trickle(socket: Socket, head: string): void {
  socket.write(head);
  const timer = setInterval(() => socket.write(' '), 10);
  socket.on('close', () => clearInterval(timer));
}

describe('Moonraker', () => {
  async function idle(limits: Partial<Limits> = {}) {
    const fake = await moonraker();
    const listening = listen('MOONRAKER', fake.url, limits);
    await listening.activity('IDLE');
    return { fake, listening };
  }

  test('an answer is heard before what the machine says right behind it', async () => {
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
    const sources = await listening.until(({ messages }) => {
      const found = messages.slice(length).map(({ source }) => source);
      return found.includes('notify_klippy_ready') && found;
    });
    expect(sources.slice(0, 2)).toEqual(['server.files.metadata', 'notify_klippy_ready']);
  });

  test('is connected while Klipper is away, and hears of its return', async () => {
    const fake = await moonraker();
    fake.klippy(false);
    const listening = listen('MOONRAKER', fake.url);
    expect((await listening.connected()).firmware).toBe('v0.9.3-1');
    await listening.activity('ERROR');
    fake.klippy(true);
    await listening.activity('IDLE');
  });

  test('a history of 250 rows is asked for in parts, and handed over as one answer', async () => {
    const fake = await moonraker();
    fake.remember(250);
    const history = await listen('MOONRAKER', fake.url).until(({ messages }) =>
      messages.find(({ source }) => source === 'server.history.list'),
    );
    const { jobs } = history.body as { jobs: { job_id: string }[] };
    const ids = jobs.map(({ job_id }) => Number.parseInt(job_id, 16));
    expect(ids).toEqual(Array.from({ length: 250 }, (_, n) => 250 - n));
  });

  test('a history of 1,000 rows with all metadata of a slicer is not too much', async () => {
    const fake = await moonraker();
    const thumbnails = [32, 300].map((width) => ({ width, relative_path: `.thumbs/cube-${width}.png`, size: 9000 }));
    const news = Array.from({ length: 40 }, (_, line) => `M117 line ${line} of what the slicer noted of this file`);
    fake.remember(1000, { estimated_time: 4000.25, filament_total: 990.123_456_789, thumbnails, news });
    const history = await listen('MOONRAKER', fake.url).until(({ messages }) =>
      messages.find(({ source }) => source === 'server.history.list'),
    );
    const { jobs } = history.body as { jobs: { metadata: object }[] };
    expect(jobs).toHaveLength(1000);
    expect(Object.keys(jobs[0]?.metadata ?? {})).toEqual(['estimated_time', 'filament_total']);
  });

  test('a ping is answered', async () => {
    const { fake } = await idle();
    await new Promise<void>((answered) =>
      fake.say((client) => {
        client.on('pong', () => answered());
        client.ping('x');
      }),
    );
  });

  test('a number keeps all of its digits until it is rounded', async () => {
    const { fake, listening } = await idle();
    fake.print.begin();
    fake.print.advance(60);
    await listening.activity('PRINTING');
    const stats = '{"filament_used":12345.12354999999999999999}';
    fake.say((client) => client.send(`{"method":"notify_status_update","params":[{"print_stats":${stats}},1.0]}`));
    const mm = ({ print }: Reading) => (typeof print === 'object' ? print.measured[0]?.mm : undefined);
    await listening.until(({ readings }) => readings.some((reading) => mm(reading) === '12345.1235'));
  });

  test('an answer that does not come ends the connection', async () => {
    const { fake, listening } = await idle({ answerMs: 50 });
    fake.silence(true);
    listening.ask({ source: 'printer.objects.subscribe', parameters: {} });
    expect(await listening.ended()).toBe('TIMED_OUT');
  });

  test.each([
    ['one message that is no JSON', '{"method":', false],
    ['a binary frame that is no text', Buffer.from([0xff, 0xfe]), true],
  ])('%s is left out', async (_what, message, binary) => {
    const { fake, listening } = await idle();
    fake.say((client) => client.send(message, { binary }));
    fake.print.begin();
    fake.print.advance(1);
    await listening.activity('PRINTING');
  });

  const stats = (n: number) => ({ state: 'printing', filename: `${n}.gcode`, total_duration: 1 });
  test.each<[string, (client: WebSocket, n: number) => void, times: number, fault: string]>([
    ['text that is not UTF-8', (client) => client.send(Buffer.from([0x22, 0xff]), TEXT), 1, 'PROTOCOL_ERROR'],
    ['two messages in a row that are no JSON', (client) => client.send('x'), 2, 'PROTOCOL_ERROR'],
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
    expect(await listening.ended()).toBe(fault);
  });
  const TEXT = { binary: false };
  const json = (value: unknown) => JSON.stringify(value);

  /** A network whose names have these addresses. */
  const named = (...addresses: string[]) =>
    networkOf({ allowed: [], ownPort: null }, async () => addresses.map((address) => ({ address, family: 4 })));

  test('the address that is dialled is that of the name, where it is permitted when it is dialled', async () => {
    const fake = await moonraker();
    const its = (network: typeof LOOPBACK) => listen('MOONRAKER', `printer.test:${fake.port}`, { network });
    await its(named('8.8.8.8', '127.0.0.1')).connected();
    for (const addresses of [['8.8.8.8'], ['169.254.169.254'], ['0.0.0.0'], []])
      expect(await its(named(...addresses)).ended()).toBe('NOT_RESOLVED');
    const none = { ...LOOPBACK, permits: () => false };
    expect(await listen('MOONRAKER', fake.url, { network: none }).ended()).toBe('NOT_REACHABLE');
  });
});

describe('OctoPrint', () => {
  test('its temperatures of half an hour, with five tools, are not too much', async () => {
    const fake = await octoprint();
    const heat = { actual: 214.9, target: 215.5 };
    const [tool0, tool1, tool2, tool3, tool4] = Array(5).fill(heat);
    const temp = { time: 1_763_000_000, tool0, tool1, tool2, tool3, tool4, bed: heat, chamber: heat };
    fake.temps = Array(900).fill(temp);
    await listen('OCTOPRINT', fake.url).activity('IDLE');
  });

  test('is told what it is to push, and is asked again for a session that is over', async () => {
    const fake = await octoprint();
    const listening = listen('OCTOPRINT', fake.url);
    await listening.activity('IDLE');
    expect(fake.heard).toEqual([
      { auth: 'anna:session0' },
      { subscribe: { state: { logs: false, messages: false }, events: expect.any(Array), plugins: false } },
      { throttle: 4 },
    ]);
    fake.logOut();
    const isHistory = ({ body }: { body: unknown }) => memberAt(body, 'history') !== undefined;
    await listening.until(({ messages }) => messages.filter(isHistory).length === 2);
    expect(fake.heard.at(-1)).toEqual({ auth: 'anna:session1' });
    // But not without end.
    fake.refusesSessions = true;
    fake.logOut();
    expect(await listening.ended()).toBe('CREDENTIALS_REFUSED');
    expect(fake.paths.filter((path) => path === '/api/login').length).toBeLessThanOrEqual(4);
  });

  test('the statistics of a file are asked for, and only below the files', async () => {
    const fake = await octoprint();
    const listening = listen('OCTOPRINT', fake.url);
    await listening.activity('IDLE');
    const asked = async (path: string) => {
      listening.ask({ source: '/api/files/local/', parameters: { path } });
      return listening.until(({ messages }) =>
        messages.find(({ parameters }) => memberAt(parameters, 'path') === path),
      );
    };
    expect((await asked('parts/cube.gcode')).body).toMatchObject({ path: 'parts/cube.gcode' });
    expect((await asked('parts/ü ?#.gcode')).failed).toBe(true);
    for (const path of ['../../settings', 'a/./b', 'a//b', '']) expect((await asked(path)).failed).toBe(true);
    expect(fake.paths.slice(2)).toEqual([
      '/api/files/local/parts/cube.gcode',
      '/api/files/local/parts/%C3%BC%20%3F%23.gcode',
    ]);
  });

  test('a guest who may read the version is refused too, and another product is not taken for one', async () => {
    for (const [text, fault] of [
      ['OctoPrint 1.9.3', 'CREDENTIALS_REFUSED'],
      ['Another 1.0', 'NOT_THIS_KIND'],
    ]) {
      const address = await httpServer((request, response) => {
        const body = request.url === '/api/login' ? { name: null, active: true, groups: ['guests'] } : { text };
        response.writeHead(200).end(JSON.stringify(body));
      });
      expect(await listen('OCTOPRINT', address, { secret: null }).ended()).toBe(fault);
    }
  });

  test('a key that may not read files reads the state', async () => {
    const fake = await started(
      new (class extends Noting {
        protected override answer(...[request, path]: Parameters<FakeOctoPrint['answer']>) {
          return path.startsWith('/api/files/') ? { status: 403, body: { error: 'No.' } } : super.answer(request, path);
        }
      })({ secret: 'key' }),
    );
    const listening = listen('OCTOPRINT', fake.url);
    await listening.activity('IDLE');
    listening.ask({ source: '/api/files/local/', parameters: { path: 'cube.gcode' } });
    const answer = await listening.until(({ messages }) => messages.find(({ parameters }) => parameters !== undefined));
    expect([answer.failed, listening.fault]).toEqual([true, null]);
  });

  test('a printer that OctoPrint lost is offline, with its words', async () => {
    const fake = await octoprint();
    const listening = listen('OCTOPRINT', fake.url);
    await listening.activity('IDLE');
    fake.print.begin();
    fake.print.fail('Too many consecutive timeouts');
    expect(await listening.activity('OFFLINE')).toMatchObject({ message: 'Too many consecutive timeouts' });
    expect(listening.ends).toMatchObject([{ outcome: 'FAILED' }]);
  });

  test('a key that is no longer taken is found within a minute', async () => {
    const fake = await octoprint();
    const listening = listen('OCTOPRINT', fake.url, { checkMs: 30 });
    await listening.until((its) => count('/api/version')(its) > 0);
    Object.assign(fake, { secret: 'another' });
    expect(await listening.ended()).toBe('CREDENTIALS_REFUSED');
  });
});

describe('PrusaLink', () => {
  test('the password is sent in clear once at most, and digested where that is asked for', async () => {
    for (const [login, secret, sent] of [
      ['KEY', 'key', ['Key', 'Key', 'Key']],
      ['BUDDY', 'key', ['Key', 'Digest', 'Digest']],
      // It cannot stand in a header.
      ['BUDDY', 'пароль', ['-', 'Digest', 'Digest']],
    ] as const) {
      const fake = await prusalink(login, secret);
      await listen('PRUSALINK', fake.url, { secret }).until((listening) => polls(listening) > 2);
      expect([login, secret, fake.asked.map(({ by }) => by).slice(0, 3)]).toEqual([login, secret, sent]);
    }
  });

  test('a nonce that got old is replaced, as often as it happens', async () => {
    const fake = await prusalink('BUDDY');
    await listen('PRUSALINK', fake.url).until((listening) => polls(listening) >= 8);
    expect(fake.asked.filter(({ path }) => path === '/api/v1/status').length).toBeGreaterThan(8);
  });

  test('Basic is never answered', async () => {
    const given: unknown[] = [];
    const address = await httpServer((request, response) => {
      given.push(request.headers.authorization);
      response.writeHead(401, { 'www-authenticate': 'Basic realm="Printer API"' }).end();
    });
    expect(await listen('PRUSALINK', address).ended()).toBe('PROXY_REFUSED');
    expect(given).toEqual([undefined]);
  });

  test('is asked more often while it prints, and on another connection where it has closed one', async () => {
    const fake = await prusalink();
    const listening = listen('PRUSALINK', fake.url, { pollMs: 60_000, pollPrintingMs: 10 });
    await listening.activity('IDLE');
    listening.printing(true);
    await listening.until(() => polls(listening) >= 5);
    fake.drop();
    const before = polls(listening);
    await listening.until(() => polls(listening) >= before + 3);
  });

  test('one request at a time, however many are asked for', async () => {
    let [running, most] = [0, 0];
    const address = await httpServer((request, response) => {
      running += 1;
      most = Math.max(most, running);
      setImmediate(() => {
        running -= 1;
        const body = request.url === '/api/version' ? { text: 'PrusaLink' } : { printer: { state: 'IDLE' } };
        response.end(JSON.stringify(body));
      });
    });
    const listening = listen('PRUSALINK', address);
    await listening.connected();
    const jobs = count('/api/v1/job');
    for (let n = 0; n < 20; n += 1) listening.ask({ source: '/api/v1/job', parameters: { times: n % 10 } });
    await listening.until(() => jobs(listening) >= 10 && polls(listening) >= 3);
    expect([most, jobs(listening)]).toEqual([1, 10]);
  });

  test('an answer that cannot be read is left out, two in a row are not', async () => {
    let unreadable = 1;
    const address = await httpServer((request, response) => {
      if (request.url === '/api/version') return response.end('{"text":"PrusaLink"}');
      if (request.url === '/api/v1/status' && unreadable-- > 0) return response.end('{"printer":');
      return response.end('{"printer":{"state":"IDLE"}}');
    });
    const listening = listen('PRUSALINK', address);
    await listening.activity('IDLE');
    unreadable = 2;
    expect(await listening.ended()).toBe('PROTOCOL_ERROR');
  });
});

describe('a trial before a device is added', () => {
  const file = (name: string) => readFileSync(join(__dirname, '..', '..', 'support', 'certificates', name));
  const fingerprint = new X509Certificate(file('server.crt')).fingerprint256.replaceAll(':', '').toLowerCase();
  const unknown = { model: null, serial: null, firmware: null, certificateFingerprint: null };
  const attempt = (kind: Kind, address: string, members: object = {}, connectMs = LIMITS.connectMs) =>
    tryDevice(kind, targetOf(address, { secret: 'key', ...members }), LOOPBACK, { ...LIMITS, connectMs });

  test('tells what answers and what it does, and its fault', async () => {
    const fake = await moonraker();
    const identity = { ...unknown, firmware: 'v0.12.0-272' };
    const well = { reached: true, fault: null, identity, activity: 'IDLE' };
    expect(await attempt('MOONRAKER', fake.url)).toEqual(well);
    const failed = (fault: string, reached: boolean) => ({ reached, fault, identity: null, activity: null });
    expect(await attempt('MOONRAKER', fake.url, { secret: 'wrong' })).toEqual(failed('CREDENTIALS_REFUSED', true));
    expect(await attempt('PRUSALINK', fake.url)).toEqual(failed('NOT_THIS_KIND', true));
    expect(await attempt('MOONRAKER', fake.url.replace('http:', 'https:'))).toEqual(failed('NOT_THIS_KIND', true));
    expect(await attempt('MOONRAKER', await nobody())).toEqual(failed('NOT_REACHABLE', false));
    fake.silence(true);
    expect(await attempt('MOONRAKER', fake.url, {}, 100)).toEqual(failed('TIMED_OUT', false));
  });

  test('sends nothing where the certificate is not trusted, and tells its fingerprint', async () => {
    let sent = '';
    const certificate = { cert: file('server.crt'), key: file('server.key') };
    const machine = await httpsServer(certificate, (request, response) => {
      sent += request.url;
      response.writeHead(404).end();
    });
    const address = `https://${machine}`;
    const identity = { ...unknown, certificateFingerprint: fingerprint };
    for (const certificateFingerprint of [null, 'ab'.repeat(32)]) {
      const trial = await attempt('MOONRAKER', address, { certificateFingerprint });
      expect(trial).toEqual({ reached: true, fault: 'CERTIFICATE_NOT_TRUSTED', identity, activity: null });
    }
    expect(sent).toBe('');
    for (const kind of ['MOONRAKER', 'PRUSALINK'] as const) {
      const trial = await attempt(kind, address, { certificateFingerprint: fingerprint.toUpperCase() });
      expect(trial).toMatchObject({ fault: 'NOT_THIS_KIND' });
    }
    expect(sent).not.toBe('');
  });
});
