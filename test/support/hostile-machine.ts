// Servers on loopback that are no machine, or a machine that does not keep to its protocol.
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTls, type TLSSocket } from 'node:tls';

interface Certificate {
  key: string | Buffer;
  cert: string | Buffer;
}

const started: { server: Server; sockets: Set<Socket> }[] = [];

async function listening(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  started.push({ server, sockets });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Its address. */
export const httpServer = (listener: RequestListener) => listening(createHttp(listener));
export const httpsServer = (certificate: Certificate, listener: RequestListener) =>
  listening(createHttps(certificate, listener));
export const tcpServer = (connected: (socket: Socket) => void) => listening(createServer(connected));
export const tlsServer = (certificate: Certificate, connected: (socket: TLSSocket) => void) =>
  listening(createTls(certificate, (socket) => connected(socket.on('error', () => {}))));

/** An address where nothing listens. */
export async function nobody(): Promise<string> {
  const address = await tcpServer(() => {});
  await closeServers();
  return address;
}

export async function closeServers(): Promise<void> {
  for (const { server, sockets } of started.splice(0)) {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
  }
}
