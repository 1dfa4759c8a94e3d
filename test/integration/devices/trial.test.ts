// A device is tried before it is added: what the trial finds, over plain sockets and over TLS.
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Target } from '../../../src/devices/connection';
import type { DeviceKind } from '../../../src/devices/kinds';
import { LIMITS } from '../../../src/devices/limits';
import { FakeMoonraker } from '../../../src/devices/moonraker/fake';
import { tryDevice } from '../../../src/devices/trial';
import { LOOPBACK, targetOf } from '../../support/device-listening';
import { nobody } from '../../support/hostile-machine';

let fake: FakeMoonraker;
let tls: Server;
let sent = '';

const file = (name: string) => readFileSync(join(__dirname, '..', '..', 'support', 'certificates', name));
const fingerprint = new X509Certificate(file('server.crt')).fingerprint256.replaceAll(':', '').toLowerCase();
const attempt = (target: Target, kind: DeviceKind = 'MOONRAKER', connectMs = LIMITS.connectMs) =>
  tryDevice(kind, target, LOOPBACK, { ...LIMITS, connectMs });

beforeAll(async () => {
  fake = new FakeMoonraker({ secret: 'key' });
  await fake.listen(0);
  tls = createServer({ cert: file('server.crt'), key: file('server.key') }, (request, response) => {
    sent += request.url;
    response.writeHead(404).end();
  });
  await new Promise<void>((done) => tls.listen(0, '127.0.0.1', done));
});

afterAll(async () => {
  await fake.close();
  await new Promise((done) => tls.close(done));
});

test('a machine, and what it does', async () => {
  const identity = { model: null, serial: null, firmware: 'v0.12.0-272', certificateFingerprint: null };
  const target = targetOf(fake.url, { secret: 'key' });
  expect(await attempt(target)).toEqual({ reached: true, fault: null, identity, activity: 'IDLE' });
  fake.klippy(false);
  expect(await attempt(target)).toMatchObject({ reached: true, fault: null, activity: 'ERROR' });
});

test.each([
  ['a wrong key', { secret: 'wrong' }, 'CREDENTIALS_REFUSED'],
  ['another kind', { secret: 'key' }, 'NOT_THIS_KIND'],
] as const)('%s: it is reached', async (what, members, fault) => {
  const trial = await attempt(targetOf(fake.url, members), what === 'another kind' ? 'PRUSALINK' : 'MOONRAKER');
  expect(trial).toEqual({ reached: true, fault, identity: null, activity: null });
});

test('nobody is not reached', async () => {
  const nothing = { reached: false, identity: null, activity: null };
  expect(await attempt(targetOf(await nobody()))).toEqual({ ...nothing, fault: 'NOT_REACHABLE' });
});

test('a machine that says nothing in time', async () => {
  fake.silence(true);
  const nothing = { reached: false, identity: null, activity: null };
  expect(await attempt(targetOf(fake.url), 'MOONRAKER', 100)).toEqual({ ...nothing, fault: 'TIMED_OUT' });
  fake.silence(false);
});

describe('a certificate that no authority signed', () => {
  const secured = (trusted: string | null) =>
    targetOf(`https://127.0.0.1:${(tls.address() as AddressInfo).port}`, {
      secret: 'key',
      certificateFingerprint: trusted,
    });

  test.each([
    ['is not trusted, and its fingerprint is told', null],
    ['is not trusted with another fingerprint', 'ab'.repeat(32)],
  ])('%s', async (_what, trusted) => {
    const identity = { model: null, serial: null, firmware: null, certificateFingerprint: fingerprint };
    const trial = await attempt(secured(trusted));
    expect(trial).toEqual({ reached: true, fault: 'CERTIFICATE_NOT_TRUSTED', identity, activity: null });
    expect(sent).toBe('');
  });

  test.each(['MOONRAKER', 'PRUSALINK'] as const)('is trusted by its fingerprint: %s', async (kind) => {
    expect(await attempt(secured(fingerprint.toUpperCase()), kind)).toMatchObject({ fault: 'NOT_THIS_KIND' });
    expect(sent).not.toBe('');
  });
});

test('plain text where TLS is expected', async () => {
  const target = targetOf(fake.url.replace('http:', 'https:'), { secret: 'key' });
  expect(await attempt(target)).toMatchObject({ reached: true, fault: 'NOT_THIS_KIND' });
});
