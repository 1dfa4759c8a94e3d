// Opens one MQTT session with a broker, with limits on packets and bytes, and a ping that detects a dead connection.
import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { generate, type Packet, parser } from 'mqtt-packet';
import { setInterval } from '../values/timers';
import type { ConnectionLifetime } from './connection-lifetime';
import type { Limits } from './connection-limits';
import type { Dialled } from './dial';
import { type ConnectionFault, Failure, toConnectionFault } from './faults';
import { GatheredBytes } from './gathered-bytes';

/** The connection ends only after several unanswered pings, because the broker inside a printer may be busy while the printer prints. */
const MAX_UNANSWERED = 3;
const KEEPALIVE_SEC = 30;
const SUBSCRIPTION_REFUSED = 128;

interface Login {
  username: string | null;
  password: string | null;
  /** A client with the same id replaces this client at the broker. A random id is used if this is left out. */
  clientId?: string;
  /** The message that the broker publishes, retained, when the connection is lost. */
  will?: { topic: string; payload: string };
  topics: string[];
}

export interface ReceivedMessage {
  topic: string;
  payload: Buffer;
  /** Whether the broker had stored the message before this session. */
  retain: boolean;
}

interface MqttParts {
  lifetime: ConnectionLifetime;
  limits: Limits;
  onMessage(message: ReceivedMessage): void;
  /** The broker answered a ping. */
  onPong(): void;
  /** The broker refuses the subscription to one of the topics. */
  onTopicRefused(): void;
}

interface PublishOptions {
  /** With 1, the promise waits for the acknowledgement of the broker. */
  qos?: 0 | 1;
  retain?: boolean;
}

export interface MqttSession {
  /** Rejects if the connection ends before the broker has the message. */
  publish(topic: string, payload: string, options?: PublishOptions): Promise<void>;
  unsubscribe(topics: string[]): void;
  /** Ends the session so that the broker does not publish the last will. */
  disconnect(): void;
}

/**
 * Opens a session that lasts as long as the connection, and subscribes to the topics with QoS 0, because the brokers of some printers
 * lose acknowledgements. An unexpected packet ends the connection.
 */
export function openMqtt(
  { socket }: Dialled,
  { topics, clientId = `farm${randomBytes(6).toString('hex')}`, will, username, password }: Login,
  { lifetime, limits, onMessage, onPong, onTopicRefused }: MqttParts,
): Promise<MqttSession> {
  const packets = parser({ protocolVersion: 4 });
  const send = (packet: Packet) => socket.write(generate(packet));
  const unacknowledged = new Map<number, { done(): void; lost(why: Error): void }>();
  /** The id of the last message. The subscription has the id 1. */
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
          // Ids end at 65,535, and 0 is not allowed.
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
        if (packet.granted.includes(SUBSCRIPTION_REFUSED)) onTopicRefused();
        resolve(session);
      } else if (packet.cmd === 'puback') {
        unacknowledged.get(packet.messageId as number)?.done();
        unacknowledged.delete(packet.messageId as number);
      } else if (packet.cmd === 'pingresp') {
        unanswered = 0;
        onPong();
      } else if (packet.cmd === 'publish' && packet.qos < 2) {
        const { topic, payload, retain } = packet;
        // Some brokers send stored messages with the QoS with which they were published.
        if (packet.qos === 1) send({ cmd: 'puback', messageId: packet.messageId as number });
        onMessage({ topic, payload: toUtf8(payload as Buffer), retain });
      } else if (packet.cmd !== 'unsuback') failUnexpected();
    }

    // Each packet has its own turn, so that other connections come in between.
    packets.on('error', () => lifetime.meter.runInTurn(failUnexpected));
    packets.on('packet', (packet: Packet) => lifetime.meter.runInTurn(() => handlePacket(packet)));
    const parse = (bytes: Buffer) => !lifetime.signal.aborted && packets.parse(bytes);
    const collect = collectPackets(limits.maxBytes, {
      onHeaderByte: parse,
      onBody(body) {
        lifetime.meter.endMessage();
        parse(body);
      },
    });
    socket.on('data', (chunk: Buffer) => {
      if (!lifetime.signal.aborted && !collect(chunk)) lifetime.end('TOO_MUCH_DATA');
    });
    // The end has its turn after the packets before it, because they may contain the reason.
    socket.on('error', (error) => lifetime.meter.runInTurn(() => fail(toConnectionFault(error))));
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
  // 3: the broker cannot serve another client.
  return returnCode === 3 ? 'CLOSED_AT_ONCE' : 'PROTOCOL_ERROR';
}

/**
 * Passes the header of a packet on as it arrives, and its body when it is complete. The parser alone would store up to 256 MiB until
 * then, each part separately, and every byte can be a part.
 * @param parts.onBody is called with the body of each complete packet
 * @returns whether the bytes can be packets of the allowed size
 */
function collectPackets(maxBytes: number, parts: { onHeaderByte(byte: Buffer): void; onBody(body: Buffer): void }) {
  let gathered = new GatheredBytes(maxBytes);
  /** The bytes of the packet that have not arrived yet. */
  let remaining = 0;
  let length = 0;
  /** The weight of the next seven bits of the length; `null` if the next byte is the first byte of a packet. */
  let weight: number | null = null;
  function finishPacket(): void {
    parts.onBody(gathered.toBuffer());
    gathered = new GatheredBytes(maxBytes);
  }
  return (chunk: Buffer): boolean => {
    for (let at = 0; at < chunk.length; ) {
      if (remaining > 0) {
        const available = Math.min(remaining, chunk.length - at);
        gathered.append(chunk.subarray(at, at + available));
        [remaining, at] = [remaining - available, at + available];
        if (remaining === 0) finishPacket();
        continue;
      }
      const byte = chunk[at] as number;
      parts.onHeaderByte(Buffer.of(byte));
      at += 1;
      if (weight === null) {
        [weight, length] = [1, 0];
        continue;
      }
      length += (byte & 127) * weight;
      if (length > maxBytes) return false;
      if (byte < 128) [remaining, weight] = [length, null];
      else weight *= 128;
      if (weight === null && remaining === 0) finishPacket();
    }
    return true;
  };
}
