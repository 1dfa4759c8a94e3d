// Bytes to a running gateway through a bare socket, as no client library would send them.
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningGateway } from './running-gateway';
import { inTime } from './waiting';

/** @param look answers what the error shows when the connection stays open */
export const closed = (socket: Socket, look?: () => unknown) =>
  inTime(
    'the connection is closed',
    new Promise<void>((resolve) => (socket.closed ? resolve() : socket.once('close', () => resolve()))),
    look,
  );

/**
 * Everything that comes back until the gateway hangs up.
 * @param text of a list, each piece is sent some time after the one before
 */
export async function say(
  { url }: Pick<RunningGateway, 'url'>,
  text: string | Buffer | readonly string[],
): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let answer = '';
  socket.on('error', () => {});
  socket.on('data', (data) => {
    answer += data;
  });
  for (const piece of Array.isArray(text) ? text : [text]) {
    socket.write(piece);
    if (Array.isArray(text)) await sleep(100);
  }
  await closed(socket, () => answer);
  return answer;
}
