// One MQTT session with the broker of a machine: bounded packets, bounded bytes, and a ping that finds dead ones.
import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { generate, type Packet, parser } from 'mqtt-packet';
import { setInterval } from '../values/timers';
import type { DeviceFault } from './connection';
import type { ConnectionLifetime } from './connection-lifetime';
import type { Dialled } from './dial';
import { Failure, faultOf } from './error-faults';
import { Gathered } from './gathered';
import type { Limits } from './limits';
import { readingJson } from './socket-bounds';

/** The broker of a machine that prints may be busy. */
const MAX_UNANSWERED = 3;
const KEEPALIVE_SEC = 30;
const NOT_GRANTED = 128;

interface Subscriber {
  topic: string;
  username: string;
  password: string;
}

interface MqttParts {
  lifetime: ConnectionLifetime;
  limits: Limits;
  /** Gets each message as parsed JSON. */
  hear(message: unknown): void;
  /** The broker answered a ping. */
  pong(): void;
}

/**
 * Opens a session that lives as long as the connection, and subscribes to one topic. What it returns publishes. Everything has
 * QoS 0: the brokers of some printers lose acknowledgements. Every other packet ends the connection.
 */
export function openMqtt(
  { socket }: Dialled,
  { topic, ...credentials }: Subscriber,
  { lifetime, limits, hear, pong }: MqttParts,
): Promise<(topic: string, message: unknown) => void> {
  const read = readingJson(lifetime, hear);
  const packets = parser({ protocolVersion: 4 });
  const send = (packet: Packet) => socket.write(generate(packet));
  let isAccepted = false;
  let unanswered = 0;

  function ping(): void {
    if (unanswered === MAX_UNANSWERED) lifetime.end('SILENT');
    else send({ cmd: 'pingreq' });
    unanswered += 1;
  }

  return new Promise((resolve, reject) => {
    const fail = (fault: DeviceFault) => {
      lifetime.end(fault);
      reject(new Failure(fault));
    };
    const wrong = () => fail(isAccepted ? 'PROTOCOL_ERROR' : 'NOT_THIS_KIND');
    const publish = (to: string, message: unknown) =>
      send({ cmd: 'publish', topic: to, payload: JSON.stringify(message), qos: 0, dup: false, retain: false });

    function accept(): void {
      isAccepted = true;
      send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic, qos: 0 }] });
      const timer = setInterval(ping, limits.heartbeatMs);
      lifetime.onClose(() => clearInterval(timer));
    }

    function take(packet: Packet): void {
      if (packet.cmd === 'connack' && !isAccepted) {
        if (packet.returnCode === 0) accept();
        else fail(refusalOf(packet.returnCode));
      } else if (!isAccepted) wrong();
      else if (packet.cmd === 'suback') {
        if (packet.granted[0] === NOT_GRANTED) fail('WRONG_DEVICE');
        else resolve(publish);
      } else if (packet.cmd === 'pingresp') {
        unanswered = 0;
        pong();
      } else if (packet.cmd !== 'publish' || packet.qos !== 0) wrong();
      else if (packet.topic === topic) read(utf8Of(packet.payload as Buffer));
    }

    // One in each turn: other machines come between.
    packets.on('error', () => lifetime.meter.turn(wrong));
    packets.on('packet', (packet: Packet) => lifetime.meter.turn(() => take(packet)));
    const parse = (bytes: Buffer) => !lifetime.signal.aborted && packets.parse(bytes);
    const collect = wholePackets(limits.maxBytes, {
      head: parse,
      whole(rest) {
        lifetime.meter.whole();
        parse(rest);
      },
    });
    socket.on('data', (chunk: Buffer) => {
      if (!lifetime.signal.aborted && !collect(chunk)) lifetime.end('TOO_MUCH_DATA');
    });
    // Behind what came before it, which may say why.
    socket.on('error', (error) => lifetime.meter.turn(() => fail(faultOf(error))));
    socket.on('close', () => lifetime.meter.turn(() => fail('CLOSED_AT_ONCE')));
    send({
      ...{ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, clean: true, keepalive: KEEPALIVE_SEC },
      clientId: `farm${randomBytes(6).toString('hex')}`,
      username: credentials.username,
      password: Buffer.from(credentials.password),
    });
  });
}

const utf8Of = (bytes: Buffer) => (isUtf8(bytes) ? bytes : Buffer.from(bytes.toString()));

function refusalOf(returnCode: number | undefined): DeviceFault {
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
function wholePackets(maxBytes: number, parts: { head(byte: Buffer): void; whole(rest: Buffer): void }) {
  let gathered = new Gathered(maxBytes);
  /** Bytes of the packet that are still to come. */
  let rest = 0;
  let length = 0;
  /** Of the next seven bits of the length; null: the first byte of a packet comes next. */
  let weight: number | null = null;
  function whole(): void {
    parts.whole(gathered.bytes());
    gathered = new Gathered(maxBytes);
  }
  return (chunk: Buffer): boolean => {
    for (let at = 0; at < chunk.length; ) {
      if (rest > 0) {
        const here = Math.min(rest, chunk.length - at);
        gathered.add(chunk.subarray(at, at + here));
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
