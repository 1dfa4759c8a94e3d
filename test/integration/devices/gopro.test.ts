// Tests the connection to a GoPro: over USB and as COHN, for both generations, with each fault.
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FakeGoPro, type Generation } from '../../../src/demo/machines/gopro';
import { connectGoPro, GOPRO_LIMITS } from '../../../src/machines/gopro/connection';
import { MachineTester } from '../../../src/machines/trial';
import { closeAfterEach, createTarget, DeviceSession, LOOPBACK } from '../../support/device-session';
import { startHttpServer, startHttpsServer } from '../../support/hostile-machine';

const closed = closeAfterEach();
const QUICK = { pollMs: 20, pollPrintingMs: 20 };

async function start(generation: Generation = 'OPEN', secret: string | null = null): Promise<FakeGoPro> {
  const fake = new FakeGoPro({ generation, secret });
  await fake.listen(0);
  return closed(fake);
}

function listen(address: string, members: Parameters<typeof createTarget>[1] = {}) {
  return closed(
    new DeviceSession('OPEN_GOPRO', createTarget(address, members), {
      connect: (target, listener, network) => connectGoPro(target, listener, network, { ...GOPRO_LIMITS, ...QUICK }),
    }),
  );
}

const statuses = (count: number) => (listening: DeviceSession) => listening.statuses.length >= count;
const STATE = '{"status":{"1":1,"70":50,"96":1000},"settings":{"2":9,"3":8}}';

test('over USB, control by cable is requested first, then the state and the model', async () => {
  const fake = await start();
  const listening = listen(fake.url);
  expect(await listening.waitForConnection()).toEqual({
    name: 'GP0001',
    model: 'HERO12 Black',
    serial: 'C3501324500123',
    firmware: 'H23.01.02.32.00',
    certificateFingerprint: null,
  });
  await listening.until('it has told three states', statuses(3));
  expect(fake.requestedPaths.slice(0, 4)).toEqual([
    '/gopro/camera/control/wired_usb?p=1',
    '/gopro/camera/state',
    '/gopro/camera/info',
    '/gopro/camera/state',
  ]);
  expect(fake.requestedPaths.filter((path) => /keep_alive|wired/.test(path))).toHaveLength(1);
  const [status] = listening.statuses;
  expect(status).toMatchObject({ batteryPct: 100, recordingState: 'idle', mode: 'video', resolution: '1080', fps: 30 });
  fake.print.start();
  await listening.until('it records', (its) =>
    its.statuses.some(({ recordingState }) => recordingState === 'recording'),
  );
  listening.close();
  // A camera that refuses the request is already under control by cable.
  await listen(fake.url).until('it has told two states', statuses(2));
});

test('a HERO4 to HERO8 is asked at its old path', async () => {
  const fake = await start('OLD');
  const listening = listen(fake.url);
  const { model, serial, firmware } = await listening.waitForConnection();
  expect([model, serial, firmware]).toEqual(['HERO5 Black', 'C3161324500456', 'HD5.02.02.70.00']);
  await listening.until('it has told three states', statuses(3));
  expect(listening.statuses[0]).toMatchObject({ batteryPct: 100, mode: 'video', resolution: '1080' });
  expect(fake.requestedPaths.filter((path) => path === '/gopro/camera/state')).toHaveLength(1);
});

test('the model may be reported at the old path only, or nowhere', async () => {
  for (const [info, model] of [
    ['{"info":{"model_name":"HERO9 Black"}}', 'HERO9 Black'],
    ['', null],
  ]) {
    const address = await startHttpServer((request, response) => {
      if (request.url === '/gopro/camera/state') return response.end(STATE);
      if (request.url === '/gopro/camera/info') return response.end('{}');
      return info === '' ? response.writeHead(404).end() : response.end(info as string);
    });
    expect(await listen(address).waitForConnection()).toMatchObject({ model, serial: null });
  }
});

test('the password is sent as Basic authentication, with the usual user name or the one that was entered', async () => {
  const fake = await start('OPEN', 'geheim');
  await listen(fake.url, { secret: 'geheim' }).until('it has told a state', statuses(1));
  const given: unknown[] = [];
  const address = await startHttpServer(({ headers }, response) => {
    given.push(headers.authorization);
    response.end(STATE);
  });
  await listen(address, { username: 'küche', secret: 'ключ' }).until('it has told a state', statuses(1));
  expect(new Set(given)).toEqual(new Set([`Basic ${Buffer.from('küche:ключ').toString('base64')}`]));
});

test.each([
  ['a wrong password', 'wrong'],
  ['no password', null],
])('%s is refused', async (_what, secret) => {
  const fake = await start('OPEN', 'right');
  expect(await listen(fake.url, { secret }).waitForEnd()).toBe('CREDENTIALS_REFUSED');
});

test('a camera with COHN has a certificate, which is trusted by its fingerprint, and no cable', async () => {
  const file = (name: string) => readFileSync(join(__dirname, '..', '..', 'support', 'certificates', name));
  const fingerprint = new X509Certificate(file('server.crt')).fingerprint256.replaceAll(':', '').toLowerCase();
  const asked: string[] = [];
  const certificate = { cert: file('server.crt'), key: file('server.key') };
  const address = await startHttpsServer(certificate, (request, response) => {
    asked.push(`${request.url} ${request.headers.authorization}`);
    response.end(request.url === '/gopro/camera/info' ? '{"model_name":"HERO13 Black"}' : STATE);
  });
  const target = createTarget(`https://${address}`, { secret: 'geheim', certificateFingerprint: fingerprint });
  const other = { ...target, certificateFingerprint: null };
  const untrusted = await new MachineTester().test('OPEN_GOPRO', other, LOOPBACK);
  expect([untrusted.fault, untrusted.identity?.certificateFingerprint]).toEqual([
    'CERTIFICATE_NOT_TRUSTED',
    fingerprint,
  ]);
  expect(asked).toEqual([]);
  const trial = await new MachineTester().test('OPEN_GOPRO', target, LOOPBACK);
  expect(trial).toMatchObject({ reached: true, fault: null, activity: null, identity: { model: 'HERO13 Black' } });
  expect(asked[0]).toBe(`/gopro/camera/state Basic ${Buffer.from('gopro:geheim').toString('base64')}`);
});

test('the time limits let a camera answer after 45 s', () => {
  expect(GOPRO_LIMITS.answerMs).toBeGreaterThan(45_000);
  expect(GOPRO_LIMITS.connectMs).toBeGreaterThan(4 * 45_000);
  expect([GOPRO_LIMITS.pollMs, GOPRO_LIMITS.pollPrintingMs]).toEqual([30_000, 10_000]);
});

test.each([
  ['another program', 200, '{"text":"OctoPrint 1.10.3"}'],
  ['a list', 200, '[1]'],
  ['a server that has neither path', 404, ''],
])('%s is not recognised as this kind', async (_what, status, body) => {
  const address = await startHttpServer((_request, response) => response.writeHead(status).end(body));
  expect(await listen(address).waitForEnd()).toBe('NOT_THIS_KIND');
});
