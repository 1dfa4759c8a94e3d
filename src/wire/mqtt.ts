// One MQTT session with a broker: bounded packets, bounded bytes, and a ping that finds dead ones.
import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { generate, type Packet, parser } from 'mqtt-packet';
import { setInterval } from '../values/timers';
import type { ConnectionLifetime } from './connection-lifetime';
import type { Limits } from './connection-limits';
import type { Dialled } from './dial';
import { type ConnectionFault, connectionFaultOf, Failure } from './faults';
import { GatheredBytes } from './gathered-bytes';

/** The broker of a machine that prints may be busy. */
const MAX_UNANSWERED = 3;
const KEEPALIVE_SEC = 30;
const SUBSCRIPTION_REFUSED = 128;

interface Login {
  username: string | null;
  password: string | null;
  /** A client that comes with the same id takes the place of this one. Made up when it is left out. */
  clientId?: string;
  /** What the broker publishes, retained, when the connection is lost. */
  will?: { topic: string; payload: string };
  topics: string[];
}

export interface Heard {
  topic: string;
  payload: Buffer;
  /** Whether the broker held it already. */
  retain: boolean;
}

interface MqttParts {
  lifetime: ConnectionLifetime;
  limits: Limits;
  hear(message: Heard): void;
  /** The broker answered a ping. */
  pong(): void;
  /** The broker does not let the client hear one of the topics. */
  notGranted(): void;
}

interface PublishOptions {
  /** 1: the promise waits for the broker's acknowledgement. */
  qos?: 0 | 1;
  retain?: boolean;
}

export interface MqttSession {
  /** Rejects when the connection ends before the broker has it. */
  publish(topic: string, payload: string, options?: PublishOptions): Promise<void>;
  unsubscribe(topics: string[]): void;
  /** The broker keeps the last will to itself. */
  disconnect(): void;
}

/**
 * Opens a session that lives as long as the connection, and subscribes to the topics with QoS 0: the brokers of some printers
 * lose acknowledgements. A packet that does not belong here ends the connection.
 */
export function openMqtt(
  { socket }: Dialled,
  { topics, clientId = `farm${randomBytes(6).toString('hex')}`, will, username, password }: Login,
  { lifetime, limits, hear, pong, notGranted }: MqttParts,
): Promise<MqttSession> {
  const packets = parser({ protocolVersion: 4 });
  const send = (packet: Packet) => socket.write(generate(packet));
  const unacknowledged = new Map<number, { done(): void; lost(why: Error): void }>();
  /** 1 is the id of the subscription. */
  let messageId = 1;
  let isAccepted = false;
  let unanswered = 0;

  lifetime.onClose(() => {
    for (const { lost } of unacknowledged.values()) lost(new Failure('NOT_REACHABLE'));
  });

  function ping(): void {
    if (unanswered === MAX_UNANSWERED) lifetime.end('SILENT');
    else send({ cmd: 'pingreq' });
    unanswered += 1;
  }

  return new Promise((resolve, reject) => {
    const fail = (fault: ConnectionFault) => {
      lifetime.end(fault);
      reject(new Failure(fault));
    };
    const failUnexpected = () => fail(isAccepted ? 'PROTOCOL_ERROR' : 'NOT_THIS_KIND');
    const session: MqttSession = {
      publish: (topic, payload, { qos = 0, retain = false } = {}) =>
        new Promise((done, lost) => {
          if (lifetime.signal.aborted) return lost(new Failure('NOT_REACHABLE'));
          if (qos === 0) done();
          else unacknowledged.set(++messageId, { done, lost });
          // 0 is no id, and 65,535 the last one.
          send({ cmd: 'publish', topic, payload, qos, retain, dup: false, messageId });
          if (messageId === 65_535) messageId = 1;
        }),
      unsubscribe: (topics) => send({ cmd: 'unsubscribe', messageId: 1, unsubscriptions: topics }),
      disconnect() {
        send({ cmd: 'disconnect' });
        socket.end();
      },
    };

    function accept(): void {
      isAccepted = true;
      send({ cmd: 'subscribe', messageId: 1, subscriptions: topics.map((topic) => ({ topic, qos: 0 })) });
      const timer = setInterval(ping, limits.heartbeatMs);
      lifetime.onClose(() => clearInterval(timer));
    }

    function handlePacket(packet: Packet): void {
      if (packet.cmd === 'connack' && !isAccepted) {
        if (packet.returnCode === 0) accept();
        else fail(toLoginFault(packet.returnCode));
      } else if (!isAccepted) failUnexpected();
      else if (packet.cmd === 'suback') {
        if (packet.granted.includes(SUBSCRIPTION_REFUSED)) notGranted();
        resolve(session);
      } else if (packet.cmd === 'puback') {
        unacknowledged.get(packet.messageId as number)?.done();
        unacknowledged.delete(packet.messageId as number);
      } else if (packet.cmd === 'pingresp') {
        unanswered = 0;
        pong();
      } else if (packet.cmd === 'publish' && packet.qos < 2) {
        const { topic, payload, retain } = packet;
        // Some brokers give what they hold with the QoS that it came with.
        if (packet.qos === 1) send({ cmd: 'puback', messageId: packet.messageId as number });
        hear({ topic, payload: toUtf8(payload as Buffer), retain });
      } else if (packet.cmd !== 'unsuback') failUnexpected();
    }

    // One in each turn: other connections come between.
    packets.on('error', () => lifetime.meter.runInTurn(failUnexpected));
    packets.on('packet', (packet: Packet) => lifetime.meter.runInTurn(() => handlePacket(packet)));
    const parse = (bytes: Buffer) => !lifetime.signal.aborted && packets.parse(bytes);
    const collect = collectPackets(limits.maxBytes, {
      head: parse,
      whole(rest) {
        lifetime.meter.endMessage();
        parse(rest);
      },
    });
    socket.on('data', (chunk: Buffer) => {
      if (!lifetime.signal.aborted && !collect(chunk)) lifetime.end('TOO_MUCH_DATA');
    });
    // The end has its turn behind what came before it, which may say why.
    socket.on('error', (error) => lifetime.meter.runInTurn(() => fail(connectionFaultOf(error))));
    socket.on('close', () => lifetime.meter.runInTurn(() => fail('CLOSED_AT_ONCE')));
    send({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: true,
      keepalive: KEEPALIVE_SEC,
      clientId,
      ...(username === null ? {} : { username }),
      ...(password === null ? {} : { password: Buffer.from(password) }),
      ...(will === undefined ? {} : { will: { ...will, payload: Buffer.from(will.payload), qos: 1, retain: true } }),
    });
  });
}

const toUtf8 = (bytes: Buffer) => (isUtf8(bytes) ? bytes : Buffer.from(bytes.toString()));

function toLoginFault(returnCode: number | undefined): ConnectionFault {
  if (returnCode === 4 || returnCode === 5) return 'CREDENTIALS_REFUSED';
  // 3: it cannot serve one more.
  return returnCode === 3 ? 'CLOSED_AT_ONCE' : 'PROTOCOL_ERROR';
}

/**
 * Hands over the head of a packet as it comes, and the rest when it is whole: the parser would store up to 256 MiB until then,
 * each part for itself, and every byte can be a part.
 * @param parts.whole a packet is whole; its rest is handed over then
 * @returns whether the bytes can be packets of the size that is allowed
 */
function collectPackets(maxBytes: number, parts: { head(byte: Buffer): void; whole(rest: Buffer): void }) {
  let gathered = new GatheredBytes(maxBytes);
  /** Bytes of the packet that are still to come. */
  let rest = 0;
  let length = 0;
  /** The weight of the next seven bits of the length; null: the first byte of a packet comes next. */
  let weight: number | null = null;
  function whole(): void {
    parts.whole(gathered.toBuffer());
    gathered = new GatheredBytes(maxBytes);
  }
  return (chunk: Buffer): boolean => {
    for (let at = 0; at < chunk.length; ) {
      if (rest > 0) {
        const here = Math.min(rest, chunk.length - at);
        gathered.append(chunk.subarray(at, at + here));
        [rest, at] = [rest - here, at + here];
        if (rest === 0) whole();
        continue;
      }
      const byte = chunk[at] as number;
      parts.head(Buffer.of(byte));
      at += 1;
      if (weight === null) {
        [weight, length] = [1, 0];
        continue;
      }
      length += (byte & 127) * weight;
      if (length > maxBytes) return false;
      if (byte < 128) [rest, weight] = [length, null];
      else weight *= 128;
      if (weight === null && rest === 0) whole();
    }
    return true;
  };
}
