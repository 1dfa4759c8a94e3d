// The table of faults on the wire: each row by a peer that shows it, and the one sentence that a person reads.
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTls } from 'node:tls';
import { generate, type Packet, parser } from 'mqtt-packet';
import { openMqttConnection } from '../../src/notifications/mqtt/mqtt-connection';
import { sendMqtt } from '../../src/notifications/mqtt/send-mqtt';
import { createTimeoutSignal } from '../../src/values/timers';
import {
  CONNECTION_FAULTS,
  describeMachineFault,
  describeReceiverFault,
  RECEIVER_FAULTS,
} from '../../src/wire/fault-sentences';
import type { ReceiverFault } from '../../src/wire/faults';
import type { Endpoint } from '../../src/wire/machine-address';
import { createNetwork, Reach } from '../../src/wire/networks';
import { post } from '../../src/wire/post';
import {
  closeServers,
  findUnusedAddress,
  startHttpServer,
  startTcpServer,
  startTlsServer,
} from '../support/hostile-machine';

const file = (name: string) => readFileSync(join(__dirname, '..', 'support', 'certificates', name));
const CERTIFICATE = { key: file('server.key'), cert: file('server.crt') };
/** What TLS says to plain text. */
const ALERT = Buffer.from([0x15, 3, 1, 0, 2, 2, 0x46]);
const LOOPBACK = createNetwork({ allowed: [], gatewayPort: null });

afterEach(closeServers);

const createEndpoint = (address: string, secure = false): Endpoint => {
  const [host = '', port] = address.split(':');
  return { secure, host, port: Number(port) };
};
const ADDRESSES = (...addresses: string[]) =>
  createNetwork({ allowed: [], gatewayPort: null }, async () => addresses.map((address) => ({ address, family: 4 })));

async function findFault(endpoint: Endpoint, network = LOOPBACK, signal = createTimeoutSignal(60_000)) {
  const request = { endpoint, path: '/', headers: {}, body: '{}', trusted: null };
  return (await post(request, network, signal)).fault;
}

const POSTS: [name: string, fault: ReceiverFault | null, made: () => Promise<ReceiverFault | null>][] = [
  ['a name without an address', 'NOT_RESOLVED', () => findFault(createEndpoint('receiver.test:80'), ADDRESSES())],
  ['a public address', 'NOT_ALLOWED', () => findFault(createEndpoint('receiver.test:80'), ADDRESSES('198.51.100.1'))],
  ['a public literal', 'NOT_ALLOWED', () => findFault(createEndpoint('198.51.100.1:80'))],
  [
    'a receiver that is down, whose name has a private and a public address',
    'NOT_REACHABLE',
    async () => {
      const { port } = createEndpoint(await findUnusedAddress());
      return findFault(createEndpoint(`receiver.test:${port}`), ADDRESSES('127.0.0.1', '198.51.100.1'));
    },
  ],
  ['nothing at the port', 'NOT_REACHABLE', async () => findFault(createEndpoint(await findUnusedAddress()))],
  [
    'no answer',
    'TIMED_OUT',
    async () => findFault(createEndpoint(await startTcpServer(() => undefined)), LOOPBACK, createTimeoutSignal(200)),
  ],
  [
    'an end at once',
    'CLOSED_AT_ONCE',
    async () => findFault(createEndpoint(await startTcpServer((socket) => socket.end()))),
  ],
  [
    'a greeting of SSH',
    'NOT_THIS_KIND',
    async () => findFault(createEndpoint(await startTcpServer((socket) => socket.write('SSH-2.0-OpenSSH_9.9\r\n')))),
  ],
  [
    'an answer that is no HTTP',
    'NOT_THIS_KIND',
    async () =>
      findFault(createEndpoint(await startTcpServer((socket) => socket.once('data', () => socket.end('ok\n'))))),
  ],
  [
    'bytes without letters',
    'NOT_THIS_KIND',
    async () =>
      findFault(createEndpoint(await startTcpServer((socket) => socket.write(Buffer.from([0, 0, 18, 4, 0, 0]))))),
  ],
  [
    'a port with TLS that is asked without',
    'HTTPS_REQUIRED',
    async () => findFault(createEndpoint(await startTcpServer((socket) => socket.write(ALERT)))),
  ],
  [
    'a port without TLS that is asked with it',
    'TLS_NOT_SPOKEN',
    async () => findFault(createEndpoint(await startHttpServer((_request, answer) => answer.end()), true)),
  ],
  ['TLS 1.1 alone', 'TLS_TOO_OLD', () => oldTls((port) => findFault(createEndpoint(`127.0.0.1:${port}`, true)))],
  [
    'a certificate of nobody',
    'CERTIFICATE_NOT_TRUSTED',
    async () => findFault(createEndpoint(await startTlsServer(CERTIFICATE, () => undefined), true)),
  ],
  ['an answer', null, async () => findFault(createEndpoint(await startHttpServer((_request, answer) => answer.end())))],
];

test.each(POSTS)('a receiver with %s is %s', async (_name, fault, made) => {
  expect(await made()).toBe(fault);
});

async function oldTls<Result>(ask: (port: number) => Promise<Result>): Promise<Result> {
  const server = createTls({
    ...CERTIFICATE,
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.1',
    ciphers: 'DEFAULT@SECLEVEL=0',
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  try {
    return await ask((server.address() as { port: number }).port);
  } finally {
    await new Promise((done) => server.close(done));
  }
}

/** A broker of MQTT that closes the connection where it is said to. */
async function broker(closesAt: (packet: Packet) => boolean, returnCode = 0): Promise<string> {
  return startTcpServer((socket: Socket) => {
    const packets = parser({ protocolVersion: 4 });
    packets.on('error', () => socket.destroy());
    packets.on('packet', (packet: Packet) => {
      if (closesAt(packet)) return socket.destroy();
      if (packet.cmd === 'connect') socket.write(generate({ cmd: 'connack', returnCode, sessionPresent: false }));
      if (packet.cmd === 'subscribe')
        socket.write(generate({ cmd: 'suback', messageId: packet.messageId as number, granted: [0] }));
      if (packet.cmd === 'publish') socket.write(generate({ cmd: 'puback', messageId: packet.messageId as number }));
      return undefined;
    });
    socket.on('data', (bytes) => packets.parse(bytes));
  });
}

async function brokerFault(address: string, payload = 'x', username: string | null = null) {
  const target = { id: 't', url: `mqtt://${address}`, username, secret: null, certificateFingerprint: null };
  try {
    const connected = await openMqttConnection(target, {
      reach: new Reach(LOOPBACK, LOOPBACK, []),
      clientId: 'farm',
      topics: ['a'],
      signal: createTimeoutSignal(60_000),
      receive: () => undefined,
      onEnd: () => undefined,
    });
    try {
      await connected.publish('a', payload, { qos: 1, retain: true });
      return null;
    } finally {
      connected.close();
    }
  } catch (error) {
    return (error as { fault: ReceiverFault }).fault;
  }
}

const isPublish = (packet: Packet) => packet.cmd === 'publish';
const BROKERS: [name: string, fault: ReceiverFault | null, made: () => Promise<ReceiverFault | null>][] = [
  ['all it needs', null, async () => brokerFault(await broker(() => false))],
  ['no room for one more client', 'CLOSED_AT_ONCE', async () => brokerFault(await broker(() => true))],
  ['no service at this time', 'CLOSED_AT_ONCE', async () => brokerFault(await broker(() => false, 3))],
  ['another password', 'CREDENTIALS_REFUSED', async () => brokerFault(await broker(() => false, 5))],
  [
    'no retained last will',
    'RETAIN_REFUSED',
    async () => brokerFault(await broker((packet) => packet.cmd === 'connect' && packet.will !== undefined)),
  ],
  ['no retained message', 'RETAIN_REFUSED', async () => brokerFault(await broker(isPublish))],
  [
    'a limit of bytes',
    'MESSAGE_TOO_LARGE',
    async () =>
      brokerFault(await broker((packet) => packet.cmd === 'publish' && packet.payload.length > 2000), 'x'.repeat(3000)),
  ],
  [
    'HTTP',
    'NOT_THIS_KIND',
    async () => brokerFault(await startTcpServer((socket) => socket.end('HTTP/1.1 400 \r\n\r\n'))),
  ],
];

test.each(BROKERS)('a broker with %s is %s', async (_name, fault, made) => {
  expect(await made()).toBe(fault);
});

test('the test of a target reports the fault as well', async () => {
  const reach = new Reach(LOOPBACK, LOOPBACK, []);
  const brokers = { send: async () => undefined };
  const target = { id: 't', kind: 'MQTT', username: null, secret: null, formerSecret: null } as const;
  const message = { id: '1', event: 'TEST', at: '', severity: null, title: '', text: '', data: {}, url: null } as const;
  const url = `mqtt://${await broker(() => true)}`;
  expect(
    await sendMqtt(
      message,
      { ...target, url, certificateFingerprint: null },
      reach,
      brokers,
      createTimeoutSignal(60_000),
    ),
  ).toMatchObject({ fault: 'CLOSED_AT_ONCE' });
});

const KINDS = ['WEBHOOK', 'NTFY', 'MQTT'] as const;

test.each(KINDS)('%s: each fault has a sentence, which says what to do', (kind) => {
  for (const fault of [...CONNECTION_FAULTS, ...RECEIVER_FAULTS]) {
    expect(describeReceiverFault(fault, kind)).toMatch(/^[A-Z].+\. [A-Z].+\.$/);
  }
});

test('each remedy belongs to a fault', () => {
  const network = /NOTIFY_HOSTS|DEVICE_NETWORKS/;
  for (const fault of CONNECTION_FAULTS) {
    expect([fault, network.test(describeReceiverFault(fault, 'WEBHOOK'))]).toEqual([fault, fault === 'NOT_ALLOWED']);
    expect([fault, network.test(describeMachineFault(fault, 'MOONRAKER'))]).toEqual([fault, fault === 'NOT_ALLOWED']);
  }
  expect(describeMachineFault('TOO_MUCH_DATA', 'OCTOPRINT')).toContain('cut-off');
  expect(describeReceiverFault('RETAIN_REFUSED', 'MQTT')).toContain('retain_available');
  expect(describeReceiverFault('MESSAGE_TOO_LARGE', 'MQTT')).toContain('max_packet_size');
  expect(describeReceiverFault('CLOSED_AT_ONCE', 'MQTT')).toContain('one more client');
});
