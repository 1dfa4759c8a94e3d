// Bytes to a running gateway through a bare socket, as no client library would send them.
import { connect, type Socket } from 'node:net';
import type { RunningGateway } from './running-gateway';

export const closed = (socket: Socket) =>
  new Promise<void>((resolve) => (socket.closed ? resolve() : socket.once('close', () => resolve())));

/** Everything that comes back until the gateway hangs up. */
export async function say({ url }: Pick<RunningGateway, 'url'>, text: string | Buffer): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let answer = '';
  socket.on('error', () => {});
  socket.on('data', (data) => {
    answer += data;
  });
  socket.write(text);
  await closed(socket);
  return answer;
}
