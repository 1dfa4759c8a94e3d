// Tests the connection to a Bambu printer with a fake printer, and with brokers that violate the protocol.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate, type Packet, parser } from 'mqtt-packet';
import { FakeBambu, type FakeBambuOptions } from '../../../src/demo/machines/bambu';
import { CERTIFICATE, fingerprintOf } from '../../../src/demo/machines/certificate';
import { connectBambu } from '../../../src/machines/bambu/connection';
import type { MachineLimits, Target } from '../../../src/machines/machine-connection';
import { memberAt } from '../../../src/machines/message-values';
import { MachineTester } from '../../../src/machines/trial';
import { LIMITS } from '../../../src/wire/connection-limits';
import { closeAfterEach, createTarget, DeviceSession, LOOPBACK } from '../../support/device-session';
import { startTcpServer, startTlsServer } from '../../support/hostile-machine';

const CODE = '73914206';
const SERIAL = '01P00A000000001';

const file = (name: string) => readFileSync(join(__dirname, '..', '..', 'support', 'certificates', name), 'utf8');
const readCertificate = (name: string) => ({ cert: file(name), key: file('server.key') });
const certificateFingerprint = fingerprintOf(CERTIFICATE.cert);

/** A fake printer that sends what a test wants. */
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
  protected override answerRequest(topic: string, payload: Buffer): void {
    this.requests.push(`${topic} ${payload}`);
    if (!this.isMute) super.answerRequest(topic, payload);
  }
}

const closed = closeAfterEach();

async function start(options: FakeBambuOptions = {}): Promise<Lying> {
  const fake = new Lying({ secret: CODE, serial: SERIAL, ...options });
  await fake.listen(0);
  return closed(fake);
}

const targetFor = (fake: FakeBambu, members: Partial<Target> = {}): Target =>
  createTarget(`127.0.0.1:${fake.port}`, {
    secret: CODE,
    serial: fake.serial,
    certificateFingerprint: fake.certificateFingerprint,
    ...members,
  });

const listenTo = (target: Target, limits: Partial<MachineLimits> = {}) =>
  closed(
    new DeviceSession('BAMBU', target, {
      connect: (its, listener, permitted) => connectBambu(its, listener, permitted, { ...LIMITS, ...limits }),
    }),
  );
const listen = (fake: FakeBambu, members: Partial<Target> = {}, limits: Partial<MachineLimits> = {}) =>
  listenTo(targetFor(fake, members), limits);

/** A broker that answers each packet as a test wants. */
async function broker(answer: (packet: Packet) => Packet | null): Promise<Target> {
  const address = await startTlsServer(CERTIFICATE, (socket) => {
    const packets = parser();
    socket.on('data', (bytes) => packets.parse(bytes));
    packets.on('packet', (packet: Packet) => {
      const answered = answer(packet);
      if (answered !== null) socket.write(generate(answered));
    });
  });
  return createTarget(address, { serial: SERIAL, certificateFingerprint });
}
const CONNACK: Packet = { cmd: 'connack', returnCode: 0, sessionPresent: false };

test('the printer reports its model, and is asked only for its version and its state', async () => {
  const fake = await start();
  const listening = listen(fake);
  expect(await listening.waitForConnection()).toEqual({
    name: null,
    model: 'Bambu Lab P1S',
    serial: SERIAL,
    firmware: '01.08.02.00',
    certificateFingerprint: fake.certificateFingerprint,
  });
  await listening.waitForActivity('IDLE');
  expect(fake.requests).toEqual([
    `device/${SERIAL}/request {"info":{"sequence_id":"1","command":"get_version"}}`,
    `device/${SERIAL}/request {"pushing":{"sequence_id":"2","command":"pushall"}}`,
  ]);
});

test('a whole print is received, with the active slot and each heartbeat', async () => {
  const fake = await start();
  const listening = listen(fake, {}, { heartbeatMs: 100 });
  await listening.waitForActivity('IDLE');
  fake.print.start();
  fake.print.advance(60);
  await listening.waitForActivity('PRINTING');
  fake.print.pause();
  await listening.waitForActivity('PAUSED');
  fake.print.resume();
  fake.print.advance(540);
  await listening.waitForActivity('FINISHED');
  expect(listening.endedPrints).toEqual([{ name: 'cube', outcome: 'COMPLETED', mm: null }]);
  const print = listening.readings.findLast((reading) => typeof reading.print === 'object')?.print;
  expect(print).toMatchObject({ plan: { slots: [{ slot: 'ams:0:0' }] } });
  // The wait for the code of a cancel lasts as long as the broker answers.
  await listening.until(
    'the broker has answered three pings',
    ({ messages }) => messages.filter(({ source }) => source === 'pingresp').length > 2,
  );
  // A closed connection delivers nothing.
  listening.close();
  const { length } = listening.messages;
  await fake.close();
  expect([listening.messages.length, listening.fault]).toEqual([length, null]);
});

test('a printer that does not report its version is identified by its serial number', async () => {
  const fake = await start();
  Object.assign(fake, { version: () => ({ system: { command: 'none' } }) });
  const listening = listen(fake, {}, { versionMs: 50 });
  expect(await listening.waitForConnection()).toMatchObject({ model: 'Bambu Lab P1S', firmware: null });
  // What it sent before is not lost.
  await listening.waitForActivity('IDLE');
});

test('a number keeps all of its digits, and bytes that are not UTF-8 are replaced', async () => {
  const fake = await start();
  const listening = listen(fake);
  await listening.waitForActivity('IDLE');
  const report = (name: string) =>
    Buffer.from(
      `{"print":{"command":"push_status","msg":1,"gcode_state":"RUNNING","print_type":"cloud","task_id":12345678901234567890,"subtask_name":"${name}","gcode_file":"a.3mf","mc_percent":3,"layer_num":1}}`,
      'latin1',
    );
  fake.say(report('M\xfctze'));
  const named = await listening.waitForPrint('M\uFFFDtze');
  expect((named.print as { externalId: string }).externalId).toBe('12345678901234567890');
});

describe('before the access code is sent', () => {
  test('a man in the middle with another certificate, or with the certificate of another printer, gets no byte', async () => {
    const fake = await start();
    let sent = 0;
    for (const [name, isPinned, fault] of [
      ['same-printer.crt', false, 'CERTIFICATE_NOT_TRUSTED'],
      ['other-printer.crt', true, 'WRONG_DEVICE'],
    ] as const) {
      const certificate = readCertificate(name);
      const address = await startTlsServer(certificate, (socket) => {
        socket.on('data', ({ length }) => {
          sent += length;
        });
      });
      for (const pinned of isPinned ? [fingerprintOf(certificate.cert)] : [certificateFingerprint, null])
        expect(await listenTo(targetFor(fake, { address, certificateFingerprint: pinned })).waitForEnd()).toBe(fault);
    }
    expect(sent).toBe(0);
  });

  test('a serial number in lower case matches the certificate, and cannot choose another topic', async () => {
    const fake = await start();
    const listening = listen(fake, { serial: SERIAL.toLowerCase() });
    expect((await listening.waitForConnection()).serial).toBe(SERIAL);
    for (const serial of ['01P00A000000001/report', '+', '#', ''])
      expect(await listen(fake, { serial }).waitForEnd()).toBe('WRONG_DEVICE');
  });
});

describe('mistakes of a user', () => {
  test('a wrong or missing access code', async () => {
    const fake = await start();
    for (const secret of ['wrong', null]) {
      const listening = listen(fake, { secret });
      expect(await listening.waitForEnd()).toBe('CREDENTIALS_REFUSED');
      expect(listening.identity).toBeNull();
    }
  });

  test('another machine is recognised: no MQTT behind TLS, a handshake that never ends, or no TLS', async () => {
    const certificate = readCertificate('server.crt');
    const http = await startTlsServer(certificate, (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const target = createTarget(http, { serial: SERIAL, certificateFingerprint: fingerprintOf(certificate.cert) });
    expect(await listenTo(target).waitForEnd()).toBe('NOT_THIS_KIND');
    const half = await broker(({ cmd }) => (cmd === 'connect' ? CONNACK : null));
    expect(await listenTo(half, { connectMs: 300 }).waitForEnd()).toBe('TIMED_OUT');
    const none = await startTcpServer((socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n'));
    expect(await listenTo(createTarget(none, { serial: SERIAL })).waitForEnd()).toBe('TLS_NOT_SPOKEN');
  });

  test('a broker that has reached its limit of clients is recognised by each of its ways to refuse', async () => {
    const target = { serial: SERIAL, certificateFingerprint };
    const before = await startTcpServer((socket) => socket.resetAndDestroy());
    const closingServer = await startTlsServer(CERTIFICATE, (socket) => socket.end());
    const destroyingServer = await startTlsServer(CERTIFICATE, (socket) => socket.once('data', () => socket.destroy()));
    for (const address of [before, closingServer, destroyingServer]) {
      expect(await listenTo(createTarget(address, target)).waitForEnd()).toBe('CLOSED_AT_ONCE');
    }
    const refusingBroker = await broker(() => ({ ...CONNACK, returnCode: 3 }) as Packet);
    expect(await listenTo(refusingBroker).waitForEnd()).toBe('CLOSED_AT_ONCE');
    expect(await new MachineTester().test('BAMBU', createTarget(before, target), LOOPBACK)).toMatchObject({
      reached: true,
    });
  });

  test('a wrong serial number gets no data if the certificate names no printer', async () => {
    const fake = await start({ serial: 'printer', certificate: readCertificate('server.crt') });
    const target = targetFor(fake, { serial: '01P00A000000009' });
    const listening = listenTo(target, { firstMessageMs: 50 });
    expect(await listening.waitForEnd()).toBe('WRONG_DEVICE');
    expect(listening.identity).toBeNull();
    const tried = await new MachineTester().test('BAMBU', target, LOOPBACK, { ...LIMITS, connectMs: 2000 });
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
    expect(await listenTo(target).waitForEnd()).toBe('WRONG_DEVICE');
  });
});

describe('a printer that falls silent', () => {
  test('is disconnected if its broker is silent too', async () => {
    const fake = await start();
    const listening = listen(fake, {}, { heartbeatMs: 100 });
    await listening.waitForActivity('IDLE');
    fake.setSilent(true);
    expect(await listening.waitForEnd()).toBe('SILENT');
  });

  test('is asked for its full state again until it has reported all of it', async () => {
    const fake = await start();
    fake.makeFullReport = () => ({ print: { command: 'push_status', msg: 1, wifi_signal: '-47dBm' } });
    const listening = listen(fake, {}, { heartbeatMs: 100, askAgainMs: 20 });
    await listening.until(
      'it is asked for all a third time',
      () => fake.requests.filter((request) => request.includes('pushall')).length === 3,
    );
  });

  test('is asked for its full state once, and is disconnected if it does not answer', async () => {
    const fake = await start();
    const listening = listen(fake, {}, { heartbeatMs: 20, quietMs: 60, askAgainMs: 200 });
    await listening.waitForActivity('IDLE');
    fake.isMute = true;
    expect(await listening.waitForEnd()).toBe('SILENT');
    expect(fake.requests.filter((request) => request.includes('pushall'))).toHaveLength(2);
  });
});

describe('a printer that violates its protocol', () => {
  const head = (bytes: number) => Buffer.from([0x30, (bytes & 127) | 128, ((bytes >> 7) & 127) | 128, bytes >> 14]);

  test.each<[string, (fake: Lying) => void, string]>([
    ['a message of more than half a mebibyte', (fake) => fake.say('x'.repeat(1 << 19)), 'TOO_MUCH_DATA'],
    [
      'the head of such a message alone, before it is stored',
      (fake) => fake.bytes(head((1 << 19) + 1)),
      'TOO_MUCH_DATA',
    ],
    ['a length without an end', (fake) => fake.bytes(Buffer.from([0x30, 255, 255, 255, 255])), 'TOO_MUCH_DATA'],
    ['a packet type that does not exist', (fake) => fake.bytes(Buffer.from([0x00, 0x00])), 'PROTOCOL_ERROR'],
    ['a topic that is longer than its packet', (fake) => fake.bytes(Buffer.from([0x30, 2, 0, 9])), 'PROTOCOL_ERROR'],
    ['a message that requires an acknowledgement', (fake) => fake.bytes(qos2(SERIAL)), 'PROTOCOL_ERROR'],
    ['two messages that are not JSON', (fake) => void [fake.say('x'), fake.say('{"print":')], 'PROTOCOL_ERROR'],
    ['very many small messages', (fake) => void Array.from({ length: 400 }, () => fake.say('"1"')), 'TOO_MUCH_DATA'],
    ['a second CONNACK', (fake) => fake.bytes(generate(CONNACK)), 'PROTOCOL_ERROR'],
  ])('%s', async (_what, act, fault) => {
    const fake = await start();
    const listening = listen(fake, {}, { floodBytes: 100_000, steadyBytes: 0 });
    await listening.waitForActivity('IDLE');
    act(fake);
    expect(await listening.waitForEnd()).toBe(fault);
  });

  test('a message in records of one byte is read', async () => {
    const fake = await start();
    const listening = listen(fake);
    await listening.waitForActivity('IDLE');
    const report = { topic: `device/${SERIAL}/report`, payload: '{"print":{"command":"push_status","msg":1,"x":7}}' };
    const packet = generate({ cmd: 'publish', ...report, qos: 0, dup: false, retain: false });
    for (const byte of packet) fake.bytes(Buffer.of(byte));
    await listening.until('the message is read', ({ messages }) =>
      messages.some(({ body }) => memberAt(body, 'print', 'x') === 7),
    );
  });

  test('a single message that is not JSON is skipped', async () => {
    const fake = await start();
    const listening = listen(fake);
    await listening.waitForActivity('IDLE');
    fake.say('x');
    fake.print.start();
    fake.print.advance(1);
    await listening.waitForActivity('PRINTING');
  });
});

const qos2 = (serial: string) =>
  generate({
    cmd: 'publish',
    topic: `device/${serial}/report`,
    payload: '{}',
    qos: 2,
    messageId: 7,
    dup: false,
    retain: false,
  });
