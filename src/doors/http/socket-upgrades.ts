// Decides which requests for another protocol are accepted: only a WebSocket at a path that has one. All others are handled without the upgrade.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { runInTurn } from './limits/connections';
import { readPath } from './url';

/** The headers that request an upgrade. HTTP2-Settings belongs to `Upgrade: h2c`. */
const UPGRADE_HEADERS = new Set(['connection', 'upgrade', 'http2-settings']);

/**
 * Makes a server that never listens, for @fastify/websocket. It emits only upgrades to a WebSocket at a path that has one.
 *
 * As soon as a server has a listener for upgrades, Node passes it the connection of every request with an upgrade, and does not
 * read the body. Java's HttpClient requests HTTP/2 with its first request, even with a POST. A server may ignore an upgrade (RFC
 * 9110, 7.8), so all other requests are replayed without the upgrade. Remove this when Node 20 is no longer supported:
 * shouldUpgradeCallback of Node 24.9 does the same.
 */
export function createUpgradeServer(server: Server, isSocketPath: (path: string) => boolean): Server {
  const upgrades = createServer();
  server.on('upgrade', (request, socket, head) => {
    const { method, url = '', headers } = request;
    const isWebSocket =
      method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && isSocketPath(readPath(url));
    runInTurn(socket, () => {
      if (isWebSocket) upgrades.emit('upgrade', request, socket, head);
      else replayRequest(server, request, socket, head);
    });
  });
  return upgrades;
}

/** Connections on which a request was replayed. Node leaves listeners behind at each replay, so the second replay closes. */
const replayed = new WeakSet<Duplex>();

function replayRequest(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, headers, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (!UPGRADE_HEADERS.has(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[index + 1]}`);
  }
  if (replayed.has(socket) || /\bclose\b/i.test(headers.connection ?? '')) lines.push('Connection: close');
  replayed.add(socket);
  // Node reads headers as Latin-1.
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}
