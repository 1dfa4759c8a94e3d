// The connection to PrusaLink, with a key and with both kinds of digest.
import { LIMITS, type Limits } from '../../../src/devices/limits';
import { connectPrusaLink } from '../../../src/devices/prusalink/connection';
import { FakePrusaLink, type Login } from '../../../src/devices/prusalink/fake';
import { closedAfterEach, Listening, targetOf } from '../../support/device-listening';
import { httpServer, nobody, tcpServer } from '../../support/hostile-machine';

const closed = closedAfterEach();
const QUICK = { pollMs: 20, pollPrintingMs: 20 };

async function start(login: Login = 'KEY', secret = 'password'): Promise<FakePrusaLink> {
  const fake = new FakePrusaLink({ secret, login });
  await fake.listen(0);
  return closed(fake);
}

function listen(address: string, limits: Partial<Limits> = {}, secret: string | null = 'password') {
  return closed(
    new Listening('PRUSALINK', targetOf(address, { secret }), {
      connect: (target, listener, network) => connectPrusaLink(target, listener, network, { ...LIMITS, ...limits }),
    }),
  );
}

const polls = (count: number) => (listening: Listening) =>
  listening.messages.filter(({ source }) => source === '/api/v1/status').length >= count;

test.each(['KEY', 'BUDDY', 'RASPBERRY'] as const)('a whole print is heard, with %s', async (login) => {
  const fake = await start(login);
  const listening = listen(fake.url, QUICK);
  expect(await listening.connected()).toEqual({
    model: 'PrusaLink MK4',
    serial: '10589-3742441630',
    firmware: '2.1.2',
    certificateFingerprint: null,
  });
  await listening.activity('IDLE');
  fake.print.begin();
  fake.print.advance(60);
  await listening.named('cube.gcode');
  fake.print.pause();
  await listening.activity('PAUSED');
  fake.print.resume();
  fake.print.advance(540);
  await listening.activity('FINISHED');
  expect(listening.ends).toEqual([{ name: 'cube.gcode', outcome: 'COMPLETED', mm: null }]);
  const asked = fake.asked.map(({ by }) => by);
  expect(new Set(asked)).toEqual(new Set(login === 'KEY' ? ['Key'] : ['Key', 'Digest']));
  // The password was sent in clear once, and no more since the digest was asked for.
  expect(asked.filter((by) => by === 'Key').length === 1).toBe(login !== 'KEY');
});

test.each([
  ['cancel', 'CANCELLED'],
  ['complete', 'COMPLETED'],
] as const)('%s', async (how, outcome) => {
  const fake = await start();
  const listening = listen(fake.url, QUICK);
  await listening.activity('IDLE');
  fake.print.begin();
  fake.print.advance(300);
  await listening.named('cube.gcode');
  fake.print[how]();
  await listening.until(({ ends }) => ends.length > 0);
  expect(listening.ends).toEqual([{ name: 'cube.gcode', outcome, mm: null }]);
});

test('a failure is told when the printer leaves it', async () => {
  const fake = await start();
  const listening = listen(fake.url, QUICK);
  await listening.activity('IDLE');
  fake.print.begin();
  fake.print.advance(300);
  await listening.named('cube.gcode');
  fake.print.fail('Thermal runaway');
  await listening.activity('ERROR');
  fake.print.forget();
  await listening.until(({ ends }) => ends.length > 0);
  expect(listening.ends).toEqual([{ name: 'cube.gcode', outcome: 'FAILED', mm: null }]);
});

test('a nonce that got old is replaced, as often as it happens', async () => {
  const fake = await start('BUDDY');
  const listening = listen(fake.url, QUICK);
  await listening.until(polls(8));
  expect(fake.asked.filter(({ path }) => path === '/api/v1/status').length).toBeGreaterThan(8);
});

test.each([
  ['a wrong key', 'KEY', 'wrong'],
  ['no key', 'KEY', null],
  ['a wrong password, without qop', 'BUDDY', 'wrong'],
  ['a wrong password, with qop', 'RASPBERRY', 'wrong'],
  ['no password', 'BUDDY', null],
] as const)('%s is refused', async (_what, login, secret) => {
  const fake = await start(login);
  expect(await listen(fake.url, {}, secret).ended()).toBe('CREDENTIALS_REFUSED');
  expect(fake.asked.length).toBeLessThanOrEqual(3);
});

test('a password that cannot stand in a header is only digested', async () => {
  const fake = await start('BUDDY', 'пароль');
  await listen(fake.url, {}, 'пароль').connected();
  expect(fake.asked.map(({ by }) => by)).toEqual(['-', '-', 'Digest', 'Digest'].slice(-fake.asked.length));
});

test('Basic is never answered', async () => {
  const given: unknown[] = [];
  const address = await httpServer((request, response) => {
    given.push(request.headers.authorization);
    response.writeHead(401, { 'www-authenticate': 'Basic realm="Printer API"' }).end();
  });
  expect(await listen(address).ended()).toBe('CREDENTIALS_REFUSED');
  expect(given).toEqual([undefined, undefined]);
});

test('it is asked more often while it prints', async () => {
  const fake = await start();
  const listening = listen(fake.url, { pollMs: 60_000, pollPrintingMs: 10 });
  await listening.activity('IDLE');
  listening.printing(true);
  await listening.until(polls(5));
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
  const listening = listen(address, QUICK);
  await listening.connected();
  for (let times = 0; times < 10; times += 1) {
    listening.ask({ source: '/api/v1/job', parameters: { times } });
    listening.ask({ source: '/api/v1/job', parameters: { times } });
  }
  await listening.until(({ messages }) => messages.filter(({ source }) => source === '/api/v1/job').length >= 10);
  await listening.until(polls(3));
  const jobs = listening.messages.filter(({ source }) => source === '/api/v1/job');
  expect([most, jobs.length]).toEqual([1, 10]);
});

test('a printer that closes the connection between two requests is asked on another one', async () => {
  const fake = await start();
  const listening = listen(fake.url, QUICK);
  await listening.activity('IDLE');
  fake.drop();
  const { length } = listening.messages;
  await listening.until(({ messages }) => messages.length >= length + 3);
});

test('an answer that cannot be read is left out, two in a row are not', async () => {
  let unreadable = 1;
  const address = await httpServer((request, response) => {
    if (request.url === '/api/version') return response.end('{"text":"PrusaLink"}');
    if (request.url === '/api/v1/status' && unreadable-- > 0) return response.end('{"printer":');
    return response.end('{"printer":{"state":"IDLE"}}');
  });
  const listening = listen(address, QUICK);
  await listening.activity('IDLE');
  unreadable = 2;
  expect(await listening.ended()).toBe('PROTOCOL_ERROR');
});

test('a printer that falls silent, that is switched off, and nobody', async () => {
  const fake = await start();
  const listening = listen(fake.url, { ...QUICK, answerMs: 80 });
  await listening.activity('IDLE');
  fake.silence(true);
  expect(await listening.ended()).toBe('TIMED_OUT');
  fake.silence(false);
  const off = listen(fake.url, QUICK);
  await off.activity('IDLE');
  await fake.close();
  expect(await off.ended()).toBe('NOT_REACHABLE');
  expect(await listen(await nobody()).ended()).toBe('NOT_REACHABLE');
});

test.each([
  ['an OctoPrint', '{"api":"0.1","server":"1.10.3","text":"OctoPrint 1.10.3"}'],
  ['a page', '<html>'],
  ['nothing', ''],
])('%s is not of this kind', async (_what, body) => {
  const address = await httpServer((_request, response) => response.end(body));
  expect(await listen(address).ended()).toBe('NOT_THIS_KIND');
});

test('a server that speaks no HTTP', async () => {
  const address = await tcpServer((socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n'));
  expect(await listen(address).ended()).toBe('NOT_THIS_KIND');
});
