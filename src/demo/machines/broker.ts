// Simulates the MQTT broker of a Bambu printer, with as much of MQTT as these printers have: TLS and QoS 0.
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { generate, type Packet, parser } from 'mqtt-packet';

/** What the printer decides for its broker. */
export interface BrokerParts {
  admits(username: string, password: string): boolean;
  /** Whether the broker answers nothing at the moment. */
  isSilent(): boolean;
  /** Called when a client published a message. */
  handleMessage(topic: string, payload: Buffer): void;
}

const NOT_AUTHORIZED = 5;

export class Broker {
  readonly server: Server;
  /** The clients that gave the right access code, with the topics to which they subscribe. */
  private readonly topicsOf = new Map<TLSSocket, Set<string>>();

  constructor(
    certificate: { key: string; cert: string },
    private readonly parts: BrokerParts,
  ) {
    this.server = createServer(certificate, (socket) => this.greet(socket));
  }

  /** Sends a message to the clients that subscribe to its topic. */
  publish(topic: string, payload: string | Buffer): void {
    for (const [socket, topics] of this.topicsOf) {
      if (topics.has(topic)) this.send(socket, { cmd: 'publish', topic, payload, qos: 0, dup: false, retain: false });
    }
  }

  /** Sends bytes to every client that was admitted. */
  sendAll(bytes: Buffer): void {
    for (const socket of this.topicsOf.keys()) socket.write(bytes);
  }

  private greet(socket: TLSSocket): void {
    const packets = parser();
    socket.on('error', () => {});
    socket.on('close', () => this.topicsOf.delete(socket));
    socket.on('data', (bytes) => packets.parse(bytes));
    packets.on('error', () => socket.destroy());
    packets.on('packet', (packet: Packet) => {
      if (this.parts.isSilent()) return;
      try {
        this.handlePacket(socket, packet);
      } catch {
        // If another program sends something wrong, only its connection ends, not the machine.
        socket.destroy();
      }
    });
  }

  private handlePacket(socket: TLSSocket, packet: Packet): void {
    if (packet.cmd === 'connect') {
      const { username = '', password = '' } = packet;
      const isAdmitted = this.parts.admits(username, String(password));
      if (isAdmitted) this.topicsOf.set(socket, new Set());
      this.send(socket, { cmd: 'connack', returnCode: isAdmitted ? 0 : NOT_AUTHORIZED, sessionPresent: false });
      if (!isAdmitted) socket.end();
      return;
    }
    const topics = this.topicsOf.get(socket);
    if (topics === undefined) return void socket.destroy();
    if (packet.cmd === 'pingreq') this.send(socket, { cmd: 'pingresp' });
    if (packet.cmd === 'publish') this.parts.handleMessage(packet.topic, Buffer.from(packet.payload));
    if (packet.cmd === 'subscribe') {
      for (const { topic } of packet.subscriptions) topics.add(topic);
      const granted = packet.subscriptions.map(() => 0);
      this.send(socket, { cmd: 'suback', messageId: packet.messageId as number, granted });
    }
  }

  private send(socket: TLSSocket, packet: Packet): void {
    if (!this.parts.isSilent()) socket.write(generate(packet));
  }
}
