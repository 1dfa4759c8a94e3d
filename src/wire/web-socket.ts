// One WebSocket to a machine: bounded messages, bounded bytes, and a ping that finds dead ones.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import { setInterval } from '../values/timers';
import type { ConnectionLifetime } from './connection-lifetime';
import type { Limits } from './connection-limits';
import type { Dialled } from './dial';
import { connectionFaultOf, findProxyFault } from './faults';
import type { Endpoint } from './machine-address';
import { createJsonReader } from './received-json';

/** Parts of a message that is not whole: frames, and what came at one time. Servers send whole messages, in parts of a packet or more. */
const MAX_FRAGMENTS = 1024;

interface WebSocketParts {
  lifetime: ConnectionLifetime;
  limits: Limits;
  onMessage(message: unknown): void;
  /** The machine answered a ping. */
  onPong(): void;
}

/** Opens a WebSocket that lives as long as the connection, whose time to connect bounds the handshake too. @param hear gets each message as parsed JSON */
export function openWebSocket(
  { secure, host, port }: Endpoint,
  path: string,
  { socket }: Dialled,
  { lifetime, limits, onMessage: hear, onPong: pong }: WebSocketParts,
): Promise<(message: unknown) => void> {
  const name = host.includes(':') ? `[${host}]` : host;
  const webSocket = new WebSocket(`${secure ? 'wss' : 'ws'}://${name}:${port}${path}`, {
    createConnection: () => socket as Socket,
    maxPayload: limits.maxBytes,
    followRedirects: false,
    perMessageDeflate: false,
    maxFragments: MAX_FRAGMENTS,
    maxBufferedChunks: MAX_FRAGMENTS,
    autoPong: false,
  });
  lifetime.onClose(() => webSocket.terminate());
  countFrames(webSocket, lifetime);
  pingRegularly(webSocket, lifetime, limits.pingMs, pong);
  const read = createJsonReader(lifetime, hear);
  webSocket.on('message', (bytes: Buffer) => {
    lifetime.meter.endMessage();
    // Promises of an answer go on before the next message of its packet is heard, and other machines come between.
    lifetime.meter.runInTurn(() => read(bytes));
  });
  return new Promise((resolve, reject) => {
    webSocket.on('unexpected-response', (request, response) => {
      const over = (bytes: Buffer) => {
        request.destroy();
        lifetime.end(classifyAnswer(response, bytes, secure));
      };
      response.once('data', over).once('end', () => over(Buffer.alloc(0)));
    });
    webSocket.on('error', (error) => {
      lifetime.meter.runInTurn(() => {
        lifetime.end(classifySocketError(error));
        reject(error);
      });
    });
    webSocket.on('close', () => lifetime.meter.runInTurn(() => lifetime.end('CLOSED_AT_ONCE')));
    webSocket.on('open', () => resolve((message) => webSocket.send(JSON.stringify(message))));
  });
}

function classifyAnswer({ statusCode: status = 0, headers }: IncomingMessage, bytes: Buffer, secure: boolean) {
  const isRefused = status === 401 || status === 403;
  return findProxyFault({ status, headers, bytes }, secure) ?? (isRefused ? 'CREDENTIALS_REFUSED' : 'NOT_THIS_KIND');
}

/** The handshake's own errors have no code. */
function classifySocketError(error: Error) {
  return /^(Invalid (Sec-WebSocket|Upgrade)|Server sent)/.test(error.message)
    ? 'NOT_THIS_KIND'
    : connectionFaultOf(error);
}

/** Messages alone are not enough: pings cost work too. Only one that the machine could read the answer to is answered. */
function countFrames(webSocket: WebSocket, lifetime: ConnectionLifetime): void {
  webSocket.on('ping', (data) => {
    lifetime.meter.countControlFrame();
    if (webSocket.bufferedAmount === 0 && !lifetime.signal.aborted) webSocket.pong(data);
  });
  webSocket.on('pong', () => lifetime.meter.countControlFrame());
}

function pingRegularly(webSocket: WebSocket, lifetime: ConnectionLifetime, pingMs: number, pong: () => void): void {
  let isAnswered = true;
  const timer = setInterval(() => {
    if (webSocket.readyState !== WebSocket.OPEN) return;
    if (!isAnswered) return lifetime.end('SILENT');
    isAnswered = false;
    webSocket.ping();
  }, pingMs);
  lifetime.onClose(() => clearInterval(timer));
  webSocket.on('pong', () => {
    if (isAnswered) return;
    isAnswered = true;
    if (lifetime.isConnected) pong();
  });
}
