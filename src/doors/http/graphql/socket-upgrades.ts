// Requests that ask for another protocol. The WebSocket is the only one that the gateway speaks.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { inTurn } from '../limits/connections';
import { requestPath } from '../url';

/** The headers that ask for an upgrade; HTTP2-Settings goes with `Upgrade: h2c`. */
const ASKING = new Set(['connection', 'upgrade', 'http2-settings']);

/**
 * A server that never listens, for @fastify/websocket: it has the upgrades to a WebSocket at one path.
 *
 * As soon as a server has a listener for upgrades, Node gives it the connection of every request that asks for one, and
 * reads no body. Java's HttpClient asks for HTTP/2 with its first request, also with a POST. A server may ignore an upgrade
 * (RFC 9110, 7.8), so all other requests come again without it. Remove this when Node 20 is no longer supported:
 * shouldUpgradeCallback, of Node 24.9, leaves these requests alone.
 */
export function webSocketUpgrades(server: Server, path: string): Server {
  const upgrades = createServer();
  server.on('upgrade', (request, socket, head) => {
    const { method, url = '', headers } = request;
    const isWebSocket = method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && requestPath(url) === path;
    inTurn(socket, () => {
      if (isWebSocket) upgrades.emit('upgrade', request, socket, head);
      else comeAgain(server, request, socket, head);
    });
  });
  return upgrades;
}

/** Connections on which a request has come again. Node leaves listeners behind at each time, so the next one is the last. */
const cameAgain = new WeakSet<Duplex>();

function comeAgain(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, headers, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (!ASKING.has(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[index + 1]}`);
  }
  if (cameAgain.has(socket) || /\bclose\b/i.test(headers.connection ?? '')) lines.push('Connection: close');
  cameAgain.add(socket);
  // Node reads headers as Latin-1.
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}
