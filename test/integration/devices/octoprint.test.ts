// The connection to OctoPrint, beside a fake one and beside servers that are none.
import type { WebSocket } from 'ws';
import { at } from '../../../src/devices/bounds';
import { LIMITS, type Limits } from '../../../src/devices/limits';
import { connectOctoPrint } from '../../../src/devices/octoprint/connection';
import { FakeOctoPrint } from '../../../src/devices/octoprint/fake';
import { closedAfterEach, Listening, targetOf } from '../../support/device-listening';
import { httpServer, nobody } from '../../support/hostile-machine';

/** Writes down what it is sent. */
class Noting extends FakeOctoPrint {
  readonly heard: unknown[] = [];
  readonly paths: string[] = [];
  refusesSessions = false;

  protected override hear(client: WebSocket, message: unknown): void {
    this.heard.push(message);
    if (this.refusesSessions) this.send(client, { reauthRequired: { reason: 'stale' } });
    else super.hear(client, message);
  }

  protected override answer(...[request, path]: Parameters<FakeOctoPrint['answer']>) {
    this.paths.push(path);
    return super.answer(request, path);
  }
}

const closed = closedAfterEach();

async function start(secret: string | null = 'key'): Promise<Noting> {
  const fake = new Noting({ secret });
  await fake.listen(0);
  return closed(fake);
}

function listen(address: string, limits: Partial<Limits> = {}, secret: string | null = 'key') {
  return closed(
    new Listening('OCTOPRINT', targetOf(address, { secret }), {
      connect: (target, listener, network) => connectOctoPrint(target, listener, network, { ...LIMITS, ...limits }),
    }),
  );
}

test('a whole print is heard', async () => {
  const fake = await start();
  const listening = listen(fake.url);
  const identity = { model: null, serial: null, firmware: 'OctoPrint 1.10.3', certificateFingerprint: null };
  expect(await listening.connected()).toEqual(identity);
  await listening.activity('IDLE');
  expect(fake.heard).toEqual([
    { auth: 'anna:session0' },
    { subscribe: { state: { logs: false, messages: false }, events: expect.any(Array), plugins: false } },
    { throttle: 4 },
  ]);
  fake.print.begin();
  fake.print.advance(60);
  await listening.activity('PRINTING');
  fake.print.pause();
  await listening.activity('PAUSED');
  fake.print.resume();
  fake.print.advance(540);
  await listening.activity('FINISHED');
  expect(listening.ends).toEqual([{ name: 'cube.gcode', outcome: 'COMPLETED', mm: null }]);
});

test.each([
  ['cancel', 'CANCELLED'],
  ['fail', 'FAILED'],
] as const)('%s: one end', async (how, outcome) => {
  const fake = await start();
  const listening = listen(fake.url);
  await listening.activity('IDLE');
  fake.print.begin();
  fake.print.advance(300);
  await listening.activity('PRINTING');
  fake.print[how]('Lost communication');
  fake.print.forget();
  await listening.until(({ readings }) => readings.at(-1)?.print === 'NONE');
  expect(listening.ends).toEqual([{ name: 'cube.gcode', outcome, mm: null }]);
});

test('a session that is over is asked for again', async () => {
  const fake = await start();
  const listening = listen(fake.url);
  await listening.activity('IDLE');
  fake.logOut();
  const isHistory = ({ body }: { body: unknown }) => at(body, 'history') !== undefined;
  await listening.until(({ messages }) => messages.filter(isHistory).length === 2);
  expect(fake.heard.at(-1)).toEqual({ auth: 'anna:session1' });
});

test('a session that is never taken is not asked for without end', async () => {
  const fake = await start();
  const listening = listen(fake.url);
  await listening.activity('IDLE');
  fake.refusesSessions = true;
  fake.logOut();
  expect(await listening.ended()).toBe('CREDENTIALS_REFUSED');
  expect(fake.paths.filter((path) => path === '/api/login')).toHaveLength(3);
});

test('the statistics of a file are asked for, and only below the files', async () => {
  const fake = await start();
  const listening = listen(fake.url);
  await listening.activity('IDLE');
  const asked = async (path: string) => {
    listening.ask({ source: '/api/files/local/', parameters: { path } });
    return listening.until(({ messages }) => messages.find(({ parameters }) => at(parameters, 'path') === path));
  };
  expect((await asked('parts/cube.gcode')).body).toMatchObject({ path: 'parts/cube.gcode' });
  expect((await asked('parts/ü ?#.gcode')).failed).toBe(true);
  for (const path of ['../../settings', 'a/./b', 'a//b', '']) expect((await asked(path)).failed).toBe(true);
  expect(fake.paths.slice(2)).toEqual([
    '/api/files/local/parts/cube.gcode',
    '/api/files/local/parts/%C3%BC%20%3F%23.gcode',
  ]);
});

test('a key that is no longer taken is found within a minute', async () => {
  const fake = await start();
  const listening = listen(fake.url, { checkMs: 30 });
  await listening.until(({ messages }) => messages.some(({ source }) => source === '/api/version'));
  Object.assign(fake, { secret: 'another' });
  expect(await listening.ended()).toBe('CREDENTIALS_REFUSED');
});

test.each([
  ['a wrong key', 'wrong'],
  ['no key', null],
  ['a key that cannot be sent', 'ключ'],
])('%s is refused', async (_what, secret) => {
  const fake = await start();
  expect(await listen(fake.url, {}, secret).ended()).toBe('CREDENTIALS_REFUSED');
});

test('a program that is restarted, one that falls silent, and nobody', async () => {
  const fake = await start();
  const [restarted, silent] = [listen(fake.url), listen(fake.url, { pingMs: 50 })];
  await Promise.all([restarted.activity('IDLE'), silent.activity('IDLE')]);
  fake.silence(true);
  expect(await silent.ended()).toBe('SILENT');
  expect(await listen(fake.url, { connectMs: 80 }).ended()).toBe('TIMED_OUT');
  expect(await listen(fake.url, { answerMs: 80 }).ended()).toBe('TIMED_OUT');
  fake.restart();
  expect(await restarted.ended()).toBe('NOT_REACHABLE');
  expect(await listen(await nobody()).ended()).toBe('NOT_REACHABLE');
});

test.each<[string, number, string | Buffer, string]>([
  ['a redirect', 302, '', 'NOT_THIS_KIND'],
  ['a page', 200, '<!doctype html>', 'NOT_THIS_KIND'],
  ['nothing at this path', 404, '{}', 'NOT_THIS_KIND'],
  ['another product', 200, '{"name":"_api","user":true}', 'NOT_THIS_KIND'],
  ['a proxy without its machine', 502, '<html>', 'NOT_REACHABLE'],
  ['an error', 500, '{}', 'PROTOCOL_ERROR'],
  ['JSON that ends too early', 200, '{"name":', 'PROTOCOL_ERROR'],
  ['bytes that are not UTF-8', 200, Buffer.from([0x22, 0xff, 0x22]), 'PROTOCOL_ERROR'],
  ['more than a mebibyte', 200, `"${'x'.repeat(1 << 20)}"`, 'TOO_MUCH_DATA'],
])('%s', async (_what, status, body, fault) => {
  const asked: string[] = [];
  const address = await httpServer((request, response) => {
    asked.push(request.url as string);
    response.writeHead(status, { location: '/elsewhere' }).end(body);
  });
  expect(await listen(address).ended()).toBe(fault);
  expect(asked).toEqual(['/api/login']);
});

test('an answer that comes a byte at a time', async () => {
  const address = await httpServer((_request, response) => {
    const timer = setInterval(() => response.write(' '), 10);
    response.on('close', () => clearInterval(timer));
  });
  expect(await listen(address, { answerMs: 150 }).ended()).toBe('TIMED_OUT');
});
