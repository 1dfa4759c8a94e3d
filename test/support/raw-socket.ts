// Sends bytes to a running gateway through a bare socket, in ways that no client library would.
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningGateway } from './running-gateway';
import { inTime } from './waiting';

/** @param look answers what the error shows if the connection stays open */
export const waitForClose = (socket: Socket, look?: () => unknown) =>
  inTime(
    'the connection is closed',
    new Promise<void>((resolve) => (socket.closed ? resolve() : socket.once('close', () => resolve()))),
    look,
  );

/**
 * Answers everything that the gateway sends until it closes the connection.
 * @param text the pieces of a list are sent one by one, with a pause between them
 */
export async function sendRaw(
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
  await waitForClose(socket, () => answer);
  return answer;
}
