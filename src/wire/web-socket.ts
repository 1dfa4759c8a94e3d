// Opens one WebSocket to a machine, with limits on messages and bytes, and a ping that detects a dead connection.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import { setInterval } from '../values/timers';
import type { ConnectionLifetime } from './connection-lifetime';
import type { Limits } from './connection-limits';
import type { Dialled } from './dial';
import { findProxyFault, toConnectionFault } from './faults';
import type { Endpoint } from './machine-address';
import { createJsonReader } from './received-json';

/** The most frames and chunks of an incomplete message. Real servers send whole messages, in chunks of at least a network packet. */
const MAX_FRAGMENTS = 1024;

interface WebSocketParts {
  lifetime: ConnectionLifetime;
  limits: Limits;
  onMessage(message: unknown): void;
  /** The machine answered a ping. */
  onPong(): void;
}

/** Opens a WebSocket that lasts as long as the connection. The connection's time to connect also limits the handshake. */
export function openWebSocket(
  { secure, host, port }: Endpoint,
  path: string,
  { socket }: Dialled,
  { lifetime, limits, onMessage, onPong }: WebSocketParts,
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
  pingRegularly(webSocket, lifetime, limits.pingMs, onPong);
  const read = createJsonReader(lifetime, onMessage);
  webSocket.on('message', (bytes: Buffer) => {
    lifetime.meter.endMessage();
    // Each message has its own turn, so that the promise of an answer continues before the next message, and other machines come in between.
    lifetime.meter.runInTurn(() => read(bytes));
  });
  return new Promise((resolve, reject) => {
    webSocket.on('unexpected-response', (request, response) => {
      const endWithAnswer = (bytes: Buffer) => {
        request.destroy();
        lifetime.end(classifyAnswer(response, bytes, secure));
      };
      response.once('data', endWithAnswer).once('end', () => endWithAnswer(Buffer.alloc(0)));
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

/** The errors of the handshake have no code. */
function classifySocketError(error: Error) {
  return /^(Invalid (Sec-WebSocket|Upgrade)|Server sent)/.test(error.message)
    ? 'NOT_THIS_KIND'
    : toConnectionFault(error);
}

/** Counts pings and pongs, because they cost work too. Answers a ping only if the machine has read all earlier answers. */
function countFrames(webSocket: WebSocket, lifetime: ConnectionLifetime): void {
  webSocket.on('ping', (data) => {
    lifetime.meter.countControlFrame();
    if (webSocket.bufferedAmount === 0 && !lifetime.signal.aborted) webSocket.pong(data);
  });
  webSocket.on('pong', () => lifetime.meter.countControlFrame());
}

function pingRegularly(webSocket: WebSocket, lifetime: ConnectionLifetime, pingMs: number, onPong: () => void): void {
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
    if (lifetime.isConnected) onPong();
  });
}
