// The connection to a GoPro: over USB and as COHN, of both generations, with each fault.
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connectGoPro, GOPRO_LIMITS } from '../../../src/devices/gopro/connection';
import { FakeGoPro, type Generation } from '../../../src/devices/gopro/fake';
import type { Limits } from '../../../src/devices/limits';
import { tryDevice } from '../../../src/devices/trial';
import { closedAfterEach, Listening, LOOPBACK, targetOf } from '../../support/device-listening';
import { httpServer, nobody, tcpServer } from '../../support/hostile-machine';

const closed = closedAfterEach();
const QUICK = { pollMs: 20, pollPrintingMs: 20 };

async function start(generation: Generation = 'OPEN', secret: string | null = null): Promise<FakeGoPro> {
  const fake = new FakeGoPro({ generation, secret });
  await fake.listen(0);
  return closed(fake);
}

function listen(address: string, limits: Partial<Limits> = {}, members: Parameters<typeof targetOf>[1] = {}) {
  return closed(
    new Listening('OPEN_GOPRO', targetOf(address, members), {
      connect: (target, listener, network) =>
        connectGoPro(target, listener, network, { ...GOPRO_LIMITS, ...QUICK, ...limits }),
    }),
  );
}

const statuses = (count: number) => (listening: Listening) => listening.statuses.length >= count;
const STATE = '{"status":{"1":1,"70":50,"96":1000},"settings":{"2":9,"3":8}}';

test('over USB: control by cable is asked for first, then the state and what it is', async () => {
  const fake = await start();
  const listening = listen(fake.url);
  expect(await listening.connected()).toEqual({
    model: 'HERO12 Black',
    serial: 'C3501324500123',
    firmware: 'H23.01.02.32.00',
    certificateFingerprint: null,
  });
  await listening.until(statuses(3));
  expect(fake.asked.slice(0, 4)).toEqual([
    '/gopro/camera/control/wired_usb?p=1',
    '/gopro/camera/state',
    '/gopro/camera/info',
    '/gopro/camera/state',
  ]);
  expect(fake.asked.filter((path) => /keep_alive|wired/.test(path))).toHaveLength(1);
  const [status] = listening.statuses;
  expect(status).toMatchObject({ batteryPct: 100, recordingState: 'idle', mode: 'video', resolution: '1080', fps: 30 });
  fake.print.begin();
  await listening.until((listening) => listening.statuses.some(({ recordingState }) => recordingState === 'recording'));
});

test('a camera that refuses the cable has it already', async () => {
  const fake = await start();
  const first = listen(fake.url);
  await first.connected();
  first.close();
  await listen(fake.url).until(statuses(2));
  expect(fake.asked.filter((path) => path.includes('wired'))).toHaveLength(2);
});

test('a HERO4 to HERO8 is asked at its own path', async () => {
  const fake = await start('OLD');
  const listening = listen(fake.url);
  const { model, serial, firmware } = await listening.connected();
  expect([model, serial, firmware]).toEqual(['HERO5 Black', 'C3161324500456', 'HD5.02.02.70.00']);
  await listening.until(statuses(3));
  expect(listening.statuses[0]).toMatchObject({ batteryPct: 100, mode: 'video', resolution: '1080' });
  expect(fake.asked.filter((path) => path === '/gopro/camera/state')).toHaveLength(1);
});

test('what it is may be told at the old path alone, or nowhere', async () => {
  for (const [info, model] of [
    ['{"info":{"model_name":"HERO9 Black"}}', 'HERO9 Black'],
    ['', null],
  ]) {
    const address = await httpServer((request, response) => {
      if (request.url === '/gopro/camera/state') return response.end(STATE);
      if (request.url === '/gopro/camera/info') return response.end('{}');
      return info === '' ? response.writeHead(404).end() : response.end(info as string);
    });
    expect(await listen(address).connected()).toMatchObject({ model, serial: null });
  }
});

test('the password is sent as Basic, with the usual user or its own', async () => {
  const fake = await start('OPEN', 'geheim');
  await listen(fake.url, {}, { secret: 'geheim' }).until(statuses(1));
  const given: unknown[] = [];
  const address = await httpServer(({ headers }, response) => {
    given.push(headers.authorization);
    response.end(STATE);
  });
  await listen(address, {}, { username: 'küche', secret: 'ключ' }).until(statuses(1));
  expect(new Set(given)).toEqual(new Set([`Basic ${Buffer.from('küche:ключ').toString('base64')}`]));
});

test.each([
  ['a wrong password', 'wrong'],
  ['no password', null],
])('%s is refused', async (_what, secret) => {
  const fake = await start('OPEN', 'right');
  expect(await listen(fake.url, {}, { secret }).ended()).toBe('CREDENTIALS_REFUSED');
});

describe('as COHN', () => {
  const file = (name: string) => readFileSync(join(__dirname, '..', '..', 'support', 'certificates', name));
  const fingerprint = new X509Certificate(file('server.crt')).fingerprint256.replaceAll(':', '').toLowerCase();
  let server: Server;
  let asked: string[];
  beforeAll(async () => {
    server = createServer({ cert: file('server.crt'), key: file('server.key') }, (request, response) => {
      asked.push(`${request.url} ${request.headers.authorization}`);
      response.end(request.url === '/gopro/camera/info' ? '{"model_name":"HERO13 Black"}' : STATE);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  });
  beforeEach(() => {
    asked = [];
  });
  afterAll(() => new Promise((done) => server.close(done)));
  const address = () => `https://127.0.0.1:${(server.address() as AddressInfo).port}`;

  test('the certificate is looked at before anything is sent', async () => {
    for (const certificateFingerprint of [null, 'ab'.repeat(32)]) {
      const listening = listen(address(), {}, { secret: 'geheim', certificateFingerprint });
      expect(await listening.ended()).toBe('CERTIFICATE_NOT_TRUSTED');
    }
    expect(asked).toEqual([]);
    const trial = await tryDevice('OPEN_GOPRO', targetOf(address(), { secret: 'geheim' }), LOOPBACK);
    expect([trial.fault, trial.identity?.certificateFingerprint]).toEqual(['CERTIFICATE_NOT_TRUSTED', fingerprint]);
    expect(asked).toEqual([]);
  });

  test('a certificate that is trusted by its fingerprint', async () => {
    const target = { secret: 'geheim', certificateFingerprint: fingerprint };
    const listening = listen(address(), {}, target);
    expect(await listening.connected()).toMatchObject({
      model: 'HERO13 Black',
      certificateFingerprint: fingerprint,
    });
    await listening.until(statuses(2));
    // There is no cable.
    expect(asked[0]).toBe(`/gopro/camera/state Basic ${Buffer.from('gopro:geheim').toString('base64')}`);
    listening.close();
    const trial = await tryDevice('OPEN_GOPRO', targetOf(address(), target), LOOPBACK);
    expect(trial).toMatchObject({ reached: true, fault: null, activity: null, identity: { model: 'HERO13 Black' } });
  });
});

test('it is asked more often while a print runs, and one request at a time', async () => {
  let [running, most] = [0, 0];
  const address = await httpServer((_request, response) => {
    running += 1;
    most = Math.max(most, running);
    setImmediate(() => {
      running -= 1;
      response.end(STATE);
    });
  });
  const listening = listen(address, { pollMs: 60_000, pollPrintingMs: 5 });
  await listening.until(statuses(1));
  for (let times = 0; times < 10; times += 1) listening.ask({ source: '/gopro/camera/state', parameters: { times } });
  listening.printing(true);
  await listening.until(statuses(15));
  expect(most).toBe(1);
});

test('a poll that fails is left out, and two in a row end the connection', async () => {
  let failing = 0;
  const address = await httpServer((request, response) => {
    if (request.url === '/gopro/camera/state' && failing-- > 0) response.writeHead(500).end('Internal Server Error');
    else response.end(STATE);
  });
  const listening = listen(address);
  await listening.until(statuses(1));
  failing = 1;
  await listening.until(({ messages }) => messages.some(({ failed }) => failed === true));
  const { length } = listening.statuses;
  await listening.until(statuses(length + 2));
  failing = 2;
  expect(await listening.ended()).toBe('PROTOCOL_ERROR');
});

test('a camera that falls asleep, that is switched off, and nobody', async () => {
  const fake = await start();
  const listening = listen(fake.url, { answerMs: 80 });
  await listening.until(statuses(2));
  fake.silence(true);
  expect(await listening.ended()).toBe('TIMED_OUT');
  fake.silence(false);
  const off = listen(fake.url);
  await off.until(statuses(1));
  await fake.close();
  expect(await off.ended()).toBe('NOT_REACHABLE');
  expect(await listen(await nobody()).ended()).toBe('NOT_REACHABLE');
});

test('a camera that closes the connection behind each answer is asked on another one', async () => {
  const address = await httpServer((_request, response) => response.setHeader('connection', 'close').end(STATE));
  await listen(address).until(statuses(4));
});

test('the bounds of time let a camera answer after 45 s', () => {
  expect(GOPRO_LIMITS.answerMs).toBeGreaterThan(45_000);
  expect(GOPRO_LIMITS.connectMs).toBeGreaterThan(4 * 45_000);
  expect([GOPRO_LIMITS.pollMs, GOPRO_LIMITS.pollPrintingMs]).toEqual([30_000, 10_000]);
});

test.each([
  ['another program', '{"text":"OctoPrint 1.10.3"}'],
  ['a page', '<html>'],
  ['nothing', ''],
  ['a list', '[1]'],
])('%s is not of this kind', async (_what, body) => {
  const address = await httpServer((_request, response) => response.end(body));
  expect(await listen(address).ended()).toBe('NOT_THIS_KIND');
});

test('a server that has neither path', async () => {
  const address = await httpServer((_request, response) => response.writeHead(404).end());
  expect(await listen(address).ended()).toBe('NOT_THIS_KIND');
});

test('a server that leads elsewhere', async () => {
  const address = await httpServer((_request, response) =>
    response.writeHead(302, { location: 'http://10.0.0.1/gopro/camera/state' }).end(),
  );
  expect(await listen(address).ended()).toBe('NOT_THIS_KIND');
});

test('a server that speaks no HTTP', async () => {
  const address = await tcpServer((socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n'));
  expect(await listen(address).ended()).toBe('NOT_THIS_KIND');
});

test('an answer that is too long, or never ends', async () => {
  const long = await httpServer((_request, response) => response.end(`{"status":{"x":"${'x'.repeat(1 << 20)}"}}`));
  expect(await listen(long).ended()).toBe('TOO_MUCH_DATA');
  const endless = await httpServer((_request, response) => {
    const timer = setInterval(() => response.write(' '), 5);
    response.on('close', () => clearInterval(timer));
  });
  expect(await listen(endless, { answerMs: 60 }).ended()).toBe('TIMED_OUT');
});
