// Tests the connections to printers without a broker: what is the same for all kinds, and servers that are not printers.

import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { FakePrusaLink } from '../../../src/demo/machines/prusalink';
import type { MachineLimits } from '../../../src/machines/machine-connection';
import { MachineTester } from '../../../src/machines/trial';
import { LIMITS } from '../../../src/wire/connection-limits';
import { createTarget, LOOPBACK } from '../../support/device-session';
import { findUnusedAddress, startHttpServer, startHttpsServer, startTcpServer } from '../../support/hostile-machine';
import { FAKES, type Kind, listen, startMoonraker, startOctoPrint, startPrusaLink } from '../../support/web-printers';

test.each<[string, Kind, () => ReturnType<(typeof FAKES)[Kind]>, object, string | null]>([
  ['Moonraker', 'MOONRAKER', startMoonraker, { name: 'fake', firmware: 'v0.12.0-272' }, '990.25'],
  ['OctoPrint', 'OCTOPRINT', startOctoPrint, { firmware: 'OctoPrint 1.10.3' }, null],
  ...(['KEY', 'BUDDY', 'RASPBERRY'] as const).map(
    (login): [string, Kind, () => ReturnType<typeof startPrusaLink>, object, null] => [
      `PrusaLink with ${login}`,
      'PRUSALINK',
      () => startPrusaLink(login),
      { name: 'fake', model: 'PrusaLink MK4', serial: '10589-3742441630', firmware: '2.1.2' },
      null,
    ],
  ),
])('%s reports what it is, and a whole print is received', async (_name, kind, start, identity, mm) => {
  const fake = await start();
  const listening = listen(kind, fake.url);
  const nothing = { name: null, model: null, serial: null, firmware: null, certificateFingerprint: null };
  expect(await listening.waitForConnection()).toEqual({ ...nothing, ...identity });
  await listening.waitForActivity('IDLE');
  fake.print.start();
  fake.print.advance(60);
  await listening.waitForPrint('cube.gcode');
  fake.print.pause();
  await listening.waitForActivity('PAUSED');
  fake.print.resume();
  fake.print.advance(540);
  await listening.waitForActivity('FINISHED');
  expect(listening.endedPrints).toEqual([{ name: 'cube.gcode', outcome: 'COMPLETED', mm }]);
  // A closed connection delivers nothing.
  listening.close();
  const { length } = listening.messages;
  fake.print.start();
  await fake.close();
  expect([listening.messages.length, listening.fault]).toEqual([length, null]);
});

test.each<[Kind, secret: string | null, start: () => ReturnType<(typeof FAKES)[Kind]>]>([
  ['MOONRAKER', 'wrong', startMoonraker],
  ['MOONRAKER', null, startMoonraker],
  ['OCTOPRINT', 'wrong', startOctoPrint],
  ['OCTOPRINT', null, startOctoPrint],
  ['OCTOPRINT', 'ключ', startOctoPrint],
  ['PRUSALINK', 'wrong', startPrusaLink],
  ['PRUSALINK', null, startPrusaLink],
  ['PRUSALINK', 'wrong', () => startPrusaLink('BUDDY')],
  ['PRUSALINK', 'wrong', () => startPrusaLink('RASPBERRY')],
  ['PRUSALINK', null, () => startPrusaLink('BUDDY')],
])('%s refuses the secret %j', async (kind, secret, start) => {
  const fake = await start();
  const listening = listen(kind, fake.url, { secret });
  expect(await listening.waitForEnd()).toBe('CREDENTIALS_REFUSED');
  expect(listening.identity).toBeNull();
  if (fake instanceof FakePrusaLink) expect(fake.requests.length).toBeLessThanOrEqual(3);
});

test.each(['MOONRAKER', 'OCTOPRINT', 'PRUSALINK'] as const)(
  'a %s that is switched off, and an address where nothing answers',
  async (kind) => {
    const fake = await FAKES[kind]();
    const listening = listen(kind, fake.url);
    await listening.waitForActivity('IDLE');
    await fake.close();
    expect(await listening.waitForEnd()).toBe('NOT_REACHABLE');
    expect(await listen(kind, await findUnusedAddress()).waitForEnd()).toBe('NOT_REACHABLE');
  },
);

test.each<[Kind, Partial<MachineLimits>, string]>([
  ['MOONRAKER', { pingMs: 300 }, 'SILENT'],
  ['OCTOPRINT', { pingMs: 300 }, 'SILENT'],
  ['PRUSALINK', { answerMs: 80 }, 'TIMED_OUT'],
])('%s that falls silent', async (kind, limits, fault) => {
  const fake = await FAKES[kind]();
  const listening = listen(kind, fake.url, kind === 'PRUSALINK' ? {} : limits);
  await listening.waitForActivity('IDLE');
  fake.setSilent(true);
  Object.assign(listening.limits, limits);
  expect(await listening.waitForEnd()).toBe(fault);
  expect(await listen(kind, fake.url, { connectMs: 80 }).waitForEnd()).toBe('TIMED_OUT');
});

/** One client reads the HTTP answers of all kinds. */
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
])('%s instead of %s: %i', async (_what, kind, status, body, fault) => {
  const asked: string[] = [];
  const address = await startHttpServer((request, response) => {
    asked.push(request.url as string);
    response.writeHead(status, { location: '/elsewhere' }).end(body);
  });
  expect(await listen(kind, address).waitForEnd()).toBe(fault);
  expect(new Set(asked).size).toBe(1);
});

const KINDS_OF_HTTP = ['MOONRAKER', 'OCTOPRINT', 'PRUSALINK'] as const;
const PLAIN_AT_TLS = '<html>The plain HTTP request was sent to HTTPS port</html>';

/** The answers of a program in front of a machine, such as nginx and Caddy. */
test.each<[string, number, Record<string, string>, string, string]>([
  ['leads to https', 301, { location: 'https://printer.local/x' }, '', 'HTTPS_REQUIRED'],
  ['leads to https in other letters', 308, { location: 'HTTPS://10.0.0.4:8443/' }, '', 'HTTPS_REQUIRED'],
  ['answers that its port uses TLS', 400, {}, PLAIN_AT_TLS, 'HTTPS_REQUIRED'],
  ['asks for Basic', 401, { 'www-authenticate': 'Basic realm="farm"' }, '<html>', 'PROXY_REFUSED'],
  ['asks for Basic in small letters', 401, { 'www-authenticate': 'basic realm="farm"' }, '<html>', 'PROXY_REFUSED'],
  ['asks for the password of a proxy', 407, { 'proxy-authenticate': 'Basic' }, '', 'PROXY_REFUSED'],
])('a proxy that %s is named in the fault', async (_what, status, headers, body, fault) => {
  const address = await startHttpServer((_request, response) => response.writeHead(status, headers).end(body));
  for (const kind of KINDS_OF_HTTP) {
    expect([kind, await listen(kind, address).waitForEnd()]).toEqual([kind, fault]);
  }
});

test('a machine that uses TLS but is addressed without it, and one that closes the connections it accepts', async () => {
  const alert = Buffer.from('15030100020246', 'hex');
  const withTls = await startTcpServer((socket) => socket.once('data', () => socket.end(alert)));
  const full = await startTcpServer((socket) => socket.resetAndDestroy());
  const polite = await startTcpServer((socket) => socket.once('data', () => socket.end()));
  for (const kind of KINDS_OF_HTTP) {
    expect([kind, await listen(kind, withTls).waitForEnd()]).toEqual([kind, 'HTTPS_REQUIRED']);
    for (const address of [full, polite]) {
      expect([kind, await listen(kind, address).waitForEnd()]).toEqual([kind, 'CLOSED_AT_ONCE']);
    }
  }
});

test.each<[string, Kind, (socket: Socket) => void, string]>([
  ['SSH', 'MOONRAKER', (socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n'), 'NOT_THIS_KIND'],
  ['SSH', 'PRUSALINK', (socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n'), 'NOT_THIS_KIND'],
  ['a wrong handshake', 'MOONRAKER', (socket) => socket.write(WRONG_HANDSHAKE), 'NOT_THIS_KIND'],
  ['a byte at a time', 'MOONRAKER', (socket) => trickle(socket, 'HTTP/1.1 404 Not Found\r\nX: '), 'TIMED_OUT'],
  ['a byte at a time', 'OCTOPRINT', (socket) => trickle(socket, 'HTTP/1.1 200 OK\r\n\r\n'), 'TIMED_OUT'],
])('a server that answers %s instead of %s', async (_what, kind, speak, fault) => {
  const address = await startTcpServer((socket) => socket.once('data', () => speak(socket)));
  const limits = fault === 'TIMED_OUT' ? { connectMs: 150, answerMs: 150 } : {};
  expect(await listen(kind, address, limits).waitForEnd()).toBe(fault);
});

/** A body without an end, however much is read. */
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
])('%s without an end instead of %s', async (_what, kind, head, part) => {
  const address = await startTcpServer((socket) => socket.once('data', () => endless(socket, head, part)));
  const fault = await listen(kind, address, { maxBytes: 64 << 10, connectMs: 60_000, answerMs: 60_000 }).waitForEnd();
  expect(fault).toBe(part === 'x' ? 'NOT_THIS_KIND' : 'TOO_MUCH_DATA');
});

test('an answer in chunks of one byte is read', async () => {
  const text = '{"api":"0.1","text":"OctoPrint 1.10.3"}';
  const chunks = [...text].map((byte) => `1\r\n${byte}\r\n`).join('');
  const address = await startTcpServer((socket) =>
    socket.on('data', () => socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`)),
  );
  expect(await listen('PRUSALINK', address).waitForEnd()).toBe('NOT_THIS_KIND');
});

const WRONG_HANDSHAKE =
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n';

function trickle(socket: Socket, head: string): void {
  socket.write(head);
  const timer = setInterval(() => socket.write(' '), 10);
  socket.on('close', () => clearInterval(timer));
}

describe('a test before a device is added', () => {
  const file = (name: string) => readFileSync(join(__dirname, '..', '..', 'support', 'certificates', name));
  const fingerprint = new X509Certificate(file('server.crt')).fingerprint256.replaceAll(':', '').toLowerCase();
  const unknown = { name: null, model: null, serial: null, firmware: null, certificateFingerprint: null };
  const attempt = (kind: Kind, address: string, members: object = {}, connectMs = LIMITS.connectMs) =>
    new MachineTester().test(kind, createTarget(address, { secret: 'key', ...members }), LOOPBACK, {
      ...LIMITS,
      connectMs,
    });

  test('reports what answers and what it does, or its fault', async () => {
    const fake = await startMoonraker();
    const identity = { ...unknown, name: 'fake', firmware: 'v0.12.0-272' };
    const well = { reached: true, fault: null, identity, activity: 'IDLE' };
    expect(await attempt('MOONRAKER', fake.url)).toEqual(well);
    const failed = (fault: string, reached: boolean) => ({ reached, fault, identity: null, activity: null });
    expect(await attempt('MOONRAKER', fake.url, { secret: 'wrong' })).toEqual(failed('CREDENTIALS_REFUSED', true));
    expect(await attempt('PRUSALINK', fake.url)).toEqual(failed('NOT_THIS_KIND', true));
    expect(await attempt('MOONRAKER', fake.url.replace('http:', 'https:'))).toEqual(failed('TLS_NOT_SPOKEN', true));
    expect(await attempt('MOONRAKER', await findUnusedAddress())).toEqual(failed('NOT_REACHABLE', false));
    fake.setSilent(true);
    expect(await attempt('MOONRAKER', fake.url, {}, 100)).toEqual(failed('TIMED_OUT', false));
  });

  test('sends nothing if the certificate is not trusted, and reports its fingerprint', async () => {
    let sent = '';
    const certificate = { cert: file('server.crt'), key: file('server.key') };
    const machine = await startHttpsServer(certificate, (request, response) => {
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
