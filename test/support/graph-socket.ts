// Opens a WebSocket to /graphql, and keeps each message that arrives, parsed, and the close code.
import { once } from 'node:events';
import { type ClientOptions, WebSocket } from 'ws';
import type { Parsed } from './gateway';
import { inTime } from './waiting';

export const PROTOCOL = 'graphql-transport-ws';

/** @param sockets gets the socket as soon as it is created, so that a failing test leaves none open */
export async function openSocket(
  { url }: { url: string },
  sockets: WebSocket[],
  options: ClientOptions = {},
): Promise<{ socket: WebSocket; came: Parsed[]; send(message: unknown): void; closed(): Promise<[number, Buffer]> }> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, PROTOCOL, options);
  sockets.push(socket);
  const came: Parsed[] = [];
  socket.on('message', (data) => came.push(JSON.parse(String(data))));
  socket.on('error', () => {});
  const closed = once(socket, 'close') as Promise<[number, Buffer]>;
  await inTime('the socket is open', once(socket, 'open'));
  return {
    socket,
    came,
    send: (message) => socket.send(JSON.stringify(message)),
    closed: () => inTime('the socket is closed', closed, () => came),
  };
}
