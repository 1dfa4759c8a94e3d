// The connection to a Bambu printer, beside a fake one and beside brokers that do not keep to the protocol.
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTls, type TLSSocket } from 'node:tls';
import { generate, type Packet, parser } from 'mqtt-packet';
import { networkOf } from '../../../src/devices/address';
import { connectBambu } from '../../../src/devices/bambu/connection';
import { FakeBambu, type FakeBambuOptions } from '../../../src/devices/bambu/fake';
import type { Target } from '../../../src/devices/connection';
import { ownCertificate } from '../../../src/devices/fake/certificate';
import { LIMITS, type Limits } from '../../../src/devices/limits';
import { tryDevice } from '../../../src/devices/trial';
import type { Reading } from '../../../src/observed-prints/readings';
import { closedAfterEach, Listening, LOOPBACK, targetOf } from '../../support/device-listening';
import { nobody, tcpServer } from '../../support/hostile-machine';

const CODE = '73914206';
const SERIAL = '01P00A000000001';

/** Says what a test wants. */
class Lying extends FakeBambu {
  readonly requests: string[] = [];
  isMute = false;

  say(payload: unknown): void {
    const text = typeof payload === 'string' || payload instanceof Buffer ? payload : JSON.stringify(payload);
    this.broker.publish(`device/${this.serial}/report`, text);
  }
  bytes(bytes: Buffer): void {
    this.broker.sendAll(bytes);
  }
  protected override asked(topic: string, payload: Buffer): void {
    this.requests.push(`${topic} ${payload}`);
    if (!this.isMute) super.asked(topic, payload);
  }
}

const closed = closedAfterEach();

async function start(options: FakeBambuOptions = {}): Promise<Lying> {
  const fake = new Lying({ secret: CODE, serial: SERIAL, ...options });
  await fake.listen(0);
  return closed(fake);
}

const targetFor = (fake: FakeBambu, members: Partial<Target> = {}): Target =>
  targetOf(`127.0.0.1:${fake.port}`, {
    secret: CODE,
    serial: fake.serial,
    certificateFingerprint: fake.certificateFingerprint,
    ...members,
  });

const listenTo = (target: Target, limits: Partial<Limits> = {}, network = LOOPBACK) =>
  closed(
    new Listening('BAMBU', target, {
      connect: (its, listener, permitted) => connectBambu(its, listener, permitted, { ...LIMITS, ...limits }),
      network,
    }),
  );
const listen = (fake: FakeBambu, members: Partial<Target> = {}, limits: Partial<Limits> = {}) =>
  listenTo(targetFor(fake, members), limits);

/** Takes TLS with a certificate of its own, and notes what it is sent. */
async function tlsServer(
  certificate: { key: string; cert: string },
  greet: (socket: TLSSocket) => void = () => {},
): Promise<{ port: number; sent: () => number }> {
  let sent = 0;
  const server = createTls(certificate, (socket) => {
    socket.on('error', () => {});
    socket.on('data', ({ length }) => {
      sent += length;
    });
    greet(socket);
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closed({
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((done) => server.close(done));
    },
  });
  return { port: (server.address() as AddressInfo).port, sent: () => sent };
}

/** A broker that answers each packet as a test wants. */
async function broker(answer: (packet: Packet) => Packet | null): Promise<Target> {
  const certificate = ownCertificate(SERIAL);
  const { port } = await tlsServer(certificate, (socket) => {
    const packets = parser();
    socket.on('data', (bytes) => packets.parse(bytes));
    packets.on('packet', (packet: Packet) => {
      const answered = answer(packet);
      if (answered !== null) socket.write(generate(answered));
    });
  });
  return targetOf(`127.0.0.1:${port}`, { serial: SERIAL, certificateFingerprint: certificate.fingerprint });
}
const CONNACK: Packet = { cmd: 'connack', returnCode: 0, sessionPresent: false };

test('the printer tells what it is, and is only asked for that and for its state', async () => {
  const fake = await start();
  const listening = listen(fake);
  expect(await listening.connected()).toEqual({
    model: 'Bambu Lab P1S',
    serial: SERIAL,
    firmware: '01.08.02.00',
    certificateFingerprint: fake.certificateFingerprint,
  });
  await listening.activity('IDLE');
  expect(fake.requests).toEqual([
    `device/${SERIAL}/request {"info":{"sequence_id":"1","command":"get_version"}}`,
    `device/${SERIAL}/request {"pushing":{"sequence_id":"2","command":"pushall"}}`,
  ]);
});

test('a whole print is heard, with the slot that feeds', async () => {
  const fake = await start();
  const listening = listen(fake);
  await listening.activity('IDLE');
  fake.print.begin();
  fake.print.advance(60);
  await listening.activity('PRINTING');
  fake.print.pause();
  await listening.activity('PAUSED');
  fake.print.resume();
  fake.print.advance(540);
  await listening.activity('FINISHED');
  expect(listening.ends).toEqual([{ name: 'cube', outcome: 'COMPLETED', mm: null }]);
  const print = listening.readings.findLast((reading) => typeof reading.print === 'object')?.print;
  expect(print).toMatchObject({ plan: { slots: [{ slot: 'ams:0:0' }] } });
});

test('a cancel has its code, and a failure waits for one, as long as the broker answers', async () => {
  const fake = await start();
  const listening = listen(fake, {}, { heartbeatMs: 20 });
  await listening.activity('IDLE');
  fake.print.begin();
  fake.print.advance(300);
  await listening.activity('PRINTING');
  fake.print.cancel();
  await listening.until(({ ends }) => ends.length > 0);
  expect(listening.ends).toEqual([{ name: 'cube', outcome: 'CANCELLED', mm: null }]);
  await listening.until(({ messages }) => messages.filter(({ source }) => source === 'pingresp').length > 2);
});

test('a printer that does not tell its version is known by its serial number', async () => {
  const fake = await start();
  Object.assign(fake, { version: () => ({ system: { command: 'none' } }) });
  const listening = listen(fake, {}, { versionMs: 50 });
  expect(await listening.connected()).toMatchObject({ model: 'Bambu Lab P1S', firmware: null });
  // What it said before is not lost.
  await listening.activity('IDLE');
});

test('a number keeps all of its digits, and bytes that are no UTF-8 are replaced', async () => {
  const fake = await start();
  const listening = listen(fake);
  await listening.activity('IDLE');
  const report = (name: string) =>
    Buffer.from(
      `{"print":{"command":"push_status","msg":1,"gcode_state":"RUNNING","print_type":"cloud","task_id":12345678901234567890,"subtask_name":"${name}","gcode_file":"a.3mf","mc_percent":3,"layer_num":1}}`,
      'latin1',
    );
  fake.say(report('M\xfctze'));
  const named = await listening.named('M\uFFFDtze');
  expect((named.print as { externalId: string }).externalId).toBe('12345678901234567890');
});

describe('before the access code is sent', () => {
  test('without a certificate that is trusted nothing is sent, and its fingerprint is told', async () => {
    const fake = await start();
    const target = targetFor(fake, { certificateFingerprint: null });
    expect(await listenTo(target).ended()).toBe('CERTIFICATE_NOT_TRUSTED');
    const identity = {
      model: null,
      serial: null,
      firmware: null,
      certificateFingerprint: fake.certificateFingerprint,
    };
    expect(await tryDevice('BAMBU', target, LOOPBACK)).toEqual({
      ...{ reached: true, fault: 'CERTIFICATE_NOT_TRUSTED', identity, activity: null },
    });
    expect(await tryDevice('BAMBU', targetFor(fake), LOOPBACK)).toMatchObject({ fault: null, activity: 'IDLE' });
  });

  test('a man in the middle with another certificate gets no byte', async () => {
    const fake = await start();
    const { port, sent } = await tlsServer(ownCertificate(SERIAL));
    for (const pinned of [fake.certificateFingerprint, null]) {
      const target = targetFor(fake, { address: `127.0.0.1:${port}`, certificateFingerprint: pinned });
      expect(await listenTo(target).ended()).toBe('CERTIFICATE_NOT_TRUSTED');
    }
    expect(sent()).toBe(0);
  });

  test('a certificate of another printer is told, even where it is trusted', async () => {
    const { fingerprint, ...certificate } = ownCertificate('01P00A000000002');
    const { port, sent } = await tlsServer(certificate);
    const target = targetOf(`127.0.0.1:${port}`, {
      ...{ secret: CODE, serial: SERIAL, certificateFingerprint: fingerprint },
    });
    expect(await listenTo(target).ended()).toBe('WRONG_DEVICE');
    expect(sent()).toBe(0);
  });

  test('a serial number in small letters is that of the certificate', async () => {
    const fake = await start();
    const listening = listen(fake, { serial: SERIAL.toLowerCase() });
    expect((await listening.connected()).serial).toBe(SERIAL);
  });

  test.each(['01P00A000000001/report', '+', '#', ''])('the serial number %j chooses no other topic', async (serial) => {
    expect(await listen(await start(), { serial }).ended()).toBe('WRONG_DEVICE');
  });
});

describe('what a person may have done wrong', () => {
  test.each([
    ['a wrong access code', 'wrong'],
    ['no access code', null],
  ])('%s', async (_what, secret) => {
    const listening = listen(await start(), { secret });
    expect(await listening.ended()).toBe('CREDENTIALS_REFUSED');
    expect(listening.identity).toBeNull();
  });

  test('a wrong serial number, where the certificate names nobody: it is never heard', async () => {
    const fake = await start({ serial: 'printer' });
    const target = targetFor(fake, { serial: '01P00A000000009' });
    const listening = listenTo(target, { firstMessageMs: 50 });
    expect(await listening.ended()).toBe('WRONG_DEVICE');
    expect(listening.identity).toBeNull();
    const tried = await tryDevice('BAMBU', target, LOOPBACK, { ...LIMITS, connectMs: 2000 });
    expect(tried).toMatchObject({ reached: true, fault: 'WRONG_DEVICE' });
  });

  test('a broker that refuses the topic', async () => {
    const target = await broker((packet) =>
      packet.cmd === 'connect'
        ? CONNACK
        : packet.cmd === 'subscribe'
          ? { cmd: 'suback', messageId: packet.messageId as number, granted: [128] }
          : null,
    );
    expect(await listenTo(target).ended()).toBe('WRONG_DEVICE');
  });

  test('nobody, and a name that there is not', async () => {
    expect(await listenTo(targetOf(await nobody(), { serial: SERIAL })).ended()).toBe('NOT_REACHABLE');
    const network = networkOf({ allowed: [], ownPort: null }, async () => []);
    expect(await listenTo(targetOf('printer.test', { serial: SERIAL }), {}, network).ended()).toBe('NOT_RESOLVED');
  });

  test('a machine that says nothing, before and behind TLS', async () => {
    const mute = targetOf(await tcpServer(() => {}), { serial: SERIAL });
    expect(await listenTo(mute, { connectMs: 100 }).ended()).toBe('TIMED_OUT');
    expect(await listenTo(await broker(() => null), { connectMs: 300 }).ended()).toBe('TIMED_OUT');
    const half = await broker(({ cmd }) => (cmd === 'connect' ? CONNACK : null));
    expect(await listenTo(half, { connectMs: 300 }).ended()).toBe('TIMED_OUT');
  });

  test('another kind: plain text, and HTTP behind TLS', async () => {
    const address = await tcpServer((socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n'));
    expect(await listenTo(targetOf(address, { serial: SERIAL })).ended()).toBe('NOT_THIS_KIND');
    const { fingerprint, ...certificate } = ownCertificate('printer.local');
    const server = createHttps(certificate, (_request, response) => response.end());
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    closed({ close: () => new Promise((done) => server.close(done)) });
    const { port } = server.address() as AddressInfo;
    const target = targetOf(`127.0.0.1:${port}`, { serial: SERIAL, certificateFingerprint: fingerprint });
    expect(await listenTo(target).ended()).toBe('NOT_THIS_KIND');
  });
});

describe('a printer that falls silent', () => {
  test('with its broker', async () => {
    const fake = await start();
    const listening = listen(fake, {}, { heartbeatMs: 20 });
    await listening.activity('IDLE');
    fake.silence(true);
    expect(await listening.ended()).toBe('SILENT');
  });

  test('is asked for all once, and is dead when it does not answer', async () => {
    const fake = await start();
    const listening = listen(fake, {}, { heartbeatMs: 20, quietMs: 60, askAgainMs: 200 });
    await listening.activity('IDLE');
    fake.isMute = true;
    expect(await listening.ended()).toBe('SILENT');
    expect(fake.requests.filter((request) => request.includes('pushall'))).toHaveLength(2);
  });

  test('is asked again, not too often, when it has not told all', async () => {
    const fake = await start();
    fake.whole = () => ({ print: { command: 'push_status', msg: 1, wifi_signal: '-47dBm' } });
    const listening = listen(fake, {}, { heartbeatMs: 10, askAgainMs: 100 });
    const since = performance.now();
    await listening.until(() => fake.requests.filter((request) => request.includes('pushall')).length === 4);
    expect(performance.now() - since).toBeGreaterThan(200);
  });

  test('and is restarted', async () => {
    const fake = await start();
    const listening = listen(fake);
    await listening.activity('IDLE');
    fake.restart();
    expect(await listening.ended()).toBe('NOT_REACHABLE');
  });

  test('nothing is heard of a connection that was closed', async () => {
    const fake = await start();
    const listening = listen(fake);
    await listening.activity('IDLE');
    const { length } = listening.messages;
    listening.close();
    fake.print.begin();
    await fake.close();
    expect([listening.messages.length, listening.fault]).toEqual([length, null]);
  });
});

describe('a printer that does not keep to its protocol', () => {
  const head = (bytes: number) => Buffer.from([0x30, (bytes & 127) | 128, ((bytes >> 7) & 127) | 128, bytes >> 14]);

  test.each<[string, (fake: Lying) => void, string]>([
    ['a message of more than a mebibyte', (fake) => fake.say('x'.repeat(1 << 20)), 'TOO_MUCH_DATA'],
    ['the head of one alone, before it is stored', (fake) => fake.bytes(head((1 << 20) + 1)), 'TOO_MUCH_DATA'],
    ['a length without an end', (fake) => fake.bytes(Buffer.from([0x30, 255, 255, 255, 255])), 'TOO_MUCH_DATA'],
    ['a packet that there is not', (fake) => fake.bytes(Buffer.from([0x00, 0x00])), 'PROTOCOL_ERROR'],
    ['a topic that is longer than its packet', (fake) => fake.bytes(Buffer.from([0x30, 2, 0, 9])), 'PROTOCOL_ERROR'],
    ['a message that wants to be acknowledged', (fake) => fake.bytes(qos2(SERIAL)), 'PROTOCOL_ERROR'],
    ['two messages that are no JSON', (fake) => void [fake.say('x'), fake.say('{"print":')], 'PROTOCOL_ERROR'],
    ['a second CONNACK', (fake) => fake.bytes(generate(CONNACK)), 'PROTOCOL_ERROR'],
  ])('%s', async (_what, act, fault) => {
    const fake = await start();
    const listening = listen(fake);
    await listening.activity('IDLE');
    act(fake);
    expect(await listening.ended()).toBe(fault);
  });

  test('too many bytes, and very many small messages', async () => {
    for (const [payload, times] of [
      ['x'.repeat(1 << 16), 2],
      ['1', 400],
    ] as const) {
      const fake = await start();
      const listening = listen(fake, {}, { floodBytes: 100_000 });
      await listening.activity('IDLE');
      for (let time = 0; time < times; time += 1) fake.say(`"${payload}"`);
      expect(await listening.ended()).toBe('TOO_MUCH_DATA');
    }
  });

  test.each(['x', '[]', 'null', '7', '{"print":null}', '{"print":{"msg":{}}}', '{"info":{"module":[null]}}', ''])(
    'one message of %j is left out',
    async (text) => {
      const fake = await start();
      const listening = listen(fake);
      await listening.activity('IDLE');
      fake.say(text);
      fake.print.begin();
      fake.print.advance(1);
      await listening.activity('PRINTING');
    },
  );

  test('texts with NUL, too long and with halves of pairs', async () => {
    const fake = await start();
    const listening = listen(fake);
    await listening.activity('IDLE');
    const name = `a\0b\uD800${'c'.repeat(2000)}`;
    const members = { gcode_state: 'RUNNING', print_type: 'local', task_id: '0', subtask_name: name, layer_num: 1 };
    fake.say({ print: { command: 'push_status', msg: 1, ...members } });
    const { print } = await listening.until(({ readings }) =>
      readings.find((reading: Reading) => typeof reading.print === 'object'),
    );
    expect((print as { name: string }).name).toBe(`a\uFFFDb\uFFFD${'c'.repeat(496)}`);
  });

  test('packets of any bytes end the connection, or are left out', async () => {
    const fake = await start();
    for (let first = 0; first < 256; first += 5) {
      const listening = listen(fake);
      await listening.connected();
      fake.bytes(Buffer.from([first, 5, 0, first & 3, 1, 2, first]));
      fake.bytes(Buffer.from([first, 0]));
      fake.bytes(generate({ cmd: 'pingresp' }));
      await listening.until(({ fault, messages }) => fault ?? messages.some(({ source }) => source === 'pingresp'));
      if (listening.fault !== null) expect(['PROTOCOL_ERROR', 'TOO_MUCH_DATA']).toContain(listening.fault);
      listening.close();
    }
  });
});

const qos2 = (serial: string) =>
  generate({
    ...{ cmd: 'publish', topic: `device/${serial}/report`, payload: '{}', qos: 2, messageId: 7, dup: false },
    retain: false,
  });
