// Brokers that violate MQTT neither block the process nor cause more work than the farm's topics need.
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { generate, type Packet, parser } from 'mqtt-packet';
import { BrokerRegistry } from '../../../src/notifications/mqtt/broker-registry';
import { sendMqtt } from '../../../src/notifications/mqtt/send-mqtt';
import { createTimeoutSignal } from '../../../src/values/timers';
import { LIMITS, type Limits } from '../../../src/wire/connection-limits';
import { Reach } from '../../../src/wire/networks';
import { LOOPBACK } from '../../support/device-session';
import { closeServers, startTcpServer, startTlsServer } from '../../support/hostile-machine';
import { atLeast, inTime, until } from '../../support/waiting';

const file = (name: string) => readFileSync(join(__dirname, '..', '..', 'support', 'certificates', name));

afterEach(closeServers);

/** @param answers the answers to a packet; none for other packets */
async function fakeBroker(answers: (packet: Packet) => Packet[], certificate?: { key: Buffer; cert: Buffer }) {
  const receivedPackets: Packet[] = [];
  const connected = (socket: Socket) => {
    const packets = parser({ protocolVersion: 4 });
    packets.on('packet', (packet: Packet) => {
      receivedPackets.push(packet);
      for (const answer of answers(packet)) socket.write(generate(answer));
    });
    socket.on('data', (bytes) => packets.parse(bytes));
  };
  const address = await (certificate ? startTlsServer(certificate, connected) : startTcpServer(connected));
  return {
    heard: receivedPackets,
    address,
    of: (cmd: string) => receivedPackets.filter((packet) => packet.cmd === cmd),
  };
}

function civil(packet: Packet): Packet[] {
  if (packet.cmd === 'connect') return [{ cmd: 'connack', returnCode: 0, sessionPresent: false }];
  if (packet.cmd === 'subscribe') {
    return [{ cmd: 'suback', messageId: packet.messageId as number, granted: packet.subscriptions.map(() => 0) }];
  }
  if (packet.cmd === 'publish') return [{ cmd: 'puback', messageId: packet.messageId as number }];
  return packet.cmd === 'pingreq' ? [{ cmd: 'pingresp' }] : [];
}

function publishing(address: string, limits: Partial<Limits> = {}, targets = 1) {
  const faults: (string | null)[] = [];
  const brokers = new BrokerRegistry({
    store: { listBrokers: async () => [], updateConnectionState: async (_id, fault) => faults.push(fault) },
    secrets: { decrypt: () => null },
    reach: new Reach(LOOPBACK, LOOPBACK, []),
    publicUrl: null,
    limits: { ...LIMITS, ...limits },
    readStates: async () => ({
      name: 'f00d',
      printers: [],
      cameras: [],
      filaments: [],
      farm: { alerts: 0, jobsPrinting: 0 },
    }),
  });
  const login = { username: null, secret: null, certificateFingerprint: null };
  const settings = { ...login, printerIds: null, events: [], version: '1' };
  brokers.setTargets(
    Array.from({ length: targets }, (_, id) => ({ id: `${id}`, url: `mqtt://${address}`, ...settings })),
  );
  return { brokers, faults, publish: () => brokers.publish('2026-11-26T12:00:00.000Z') };
}

test('a broker that accepts the connection and stays silent does not delay the stop of the process', async () => {
  const broker = await fakeBroker(() => []);
  const { brokers } = publishing(broker.address, { connectMs: 600_000 });
  await until('it receives the request', () => broker.of('connect'), atLeast(1));
  await inTime('the stop', brokers.stop());
});

test('a broker that acknowledges no state is connected to again, and reported as late', async () => {
  let isSaid = false;
  const broker = await fakeBroker((packet) => {
    // Acknowledges only that the farm is online.
    if (packet.cmd === 'publish' && packet.topic !== 'print-farm/status') return [];
    return civil(packet);
  });
  const { brokers, faults, publish } = publishing(broker.address, { answerMs: 100 });
  await until('it is connected to again', async () => {
    isSaid ||= faults.includes('TIMED_OUT');
    await publish();
    return isSaid && broker.of('connect').length > 1;
  });
  await brokers.stop();
});

test('retained messages that a broker reports are cleared only below the topics of the objects', async () => {
  const topics = ['other/topic', 'homeassistant/device/other/config', 'print-farm/printers/gone', 'print-farm/notes'];
  const broker = await fakeBroker((packet) => [
    ...civil(packet),
    ...(packet.cmd === 'subscribe'
      ? topics.map((topic): Packet => ({ cmd: 'publish', topic, payload: 'x', qos: 0, dup: false, retain: true }))
      : []),
  ]);
  const { brokers, publish } = publishing(broker.address);
  const emptied = () =>
    broker.heard.flatMap((packet) => (packet.cmd === 'publish' && packet.payload.length === 0 ? [packet.topic] : []));
  await until('the ghost is gone', async () => {
    await publish();
    return emptied().includes('print-farm/printers/gone');
  });
  await brokers.stop();
  expect(emptied().sort()).toEqual(['homeassistant/device/f00d_printer_gone/config', 'print-farm/printers/gone']);
});

test('retained messages of all brokers share one memory limit, and are forgotten when their connection ends', async () => {
  // Just within the limit of one connection; four connections exceed the limit of the process.
  const topics = Array.from({ length: 1250 }, (_, id) => `print-farm/printers/${id}`.padEnd(3880, 'x'));
  const broker = await fakeBroker((packet) => [
    ...civil(packet),
    ...(packet.cmd === 'subscribe'
      ? topics.map((topic): Packet => ({ cmd: 'publish', topic, payload: 'x', qos: 0, dup: false, retain: true }))
      : []),
  ]);
  const { brokers, faults } = publishing(broker.address, {}, 6);
  await until(
    'a connection exceeds the limit',
    () => faults,
    (all) => all.includes('TOO_MUCH_DATA'),
  );
  await brokers.stop();
});

test('the test of a broker with an untrusted certificate shows its fingerprint and sends nothing; once pinned, it gets the message', async () => {
  const certificate = { key: file('server.key'), cert: file('server.crt') };
  const fingerprint = new X509Certificate(certificate.cert).fingerprint256.replaceAll(':', '').toLowerCase();
  const broker = await fakeBroker(civil, certificate);
  const reach = new Reach(LOOPBACK, LOOPBACK, []);
  const brokers = { send: () => Promise.reject(new Error('an event')) };
  const test = {
    id: '1',
    event: 'TEST',
    at: '',
    severity: null,
    title: '',
    text: 'Test',
    data: {},
    url: null,
  } as const;
  const target = { id: '1', kind: 'MQTT', url: `mqtts://${broker.address}`, formerSecret: null } as const;
  const login = { username: 'farm', secret: 'password' };
  const tested = (certificateFingerprint: string | null) =>
    sendMqtt(test, { ...target, ...login, certificateFingerprint }, reach, brokers, createTimeoutSignal(60_000));
  const shown = { fault: 'CERTIFICATE_NOT_TRUSTED', certificateFingerprint: fingerprint };
  expect(await tested(null)).toMatchObject(shown);
  expect(await tested('00'.repeat(32))).toMatchObject(shown);
  expect(broker.heard).toEqual([]);
  expect(await tested(fingerprint)).toMatchObject({
    fault: null,
    certificateFingerprint: fingerprint,
  });
  expect(broker.of('publish')).toMatchObject([{ topic: 'print-farm/events/test', retain: false }]);
});
