// Starts servers on loopback that are not machines, or machines that violate their protocol.
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTls, type TLSSocket } from 'node:tls';

interface Certificate {
  key: string | Buffer;
  cert: string | Buffer;
}

const started: { server: Server; sockets: Set<Socket> }[] = [];

async function listenOnLoopback(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  started.push({ server, sockets });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Answers its address. */
export const startHttpServer = (listener: RequestListener) => listenOnLoopback(createHttp(listener));
export const startHttpsServer = (certificate: Certificate, listener: RequestListener) =>
  listenOnLoopback(createHttps(certificate, listener));
export const startTcpServer = (connected: (socket: Socket) => void) => listenOnLoopback(createServer(connected));
export const startTlsServer = (certificate: Certificate, connected: (socket: TLSSocket) => void) =>
  listenOnLoopback(createTls(certificate, (socket) => connected(socket.on('error', () => {}))));

/** Finds an address where nothing listens. */
export async function findUnusedAddress(): Promise<string> {
  const address = await startTcpServer(() => {});
  await closeServers();
  return address;
}

export async function closeServers(): Promise<void> {
  for (const { server, sockets } of started.splice(0)) {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
  }
}
