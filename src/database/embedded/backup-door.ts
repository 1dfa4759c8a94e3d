// Lets a process get a backup of a data directory from the gateway that uses it, through the socket of the directory's lock.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { requestAddress } from './directory-lock';

const REQUEST = 'backup\n';

/** Answers another process, in the gateway that uses the directory. If the dump fails, its last line is the error. */
export function answerBackup(socket: Socket, dump: () => AsyncIterable<string | Buffer>): void {
  // A client may close the connection at any time, or connect only to find out whether a gateway is running.
  socket.on('error', () => {});
  socket.once('data', (request) => {
    if (String(request) !== REQUEST) return void socket.destroy();
    pipeline(Readable.from(addReason(dump())), socket).catch(() => {});
  });
}

async function* addReason(dump: AsyncIterable<string | Buffer>): AsyncGenerator<string | Buffer> {
  try {
    yield* dump;
  } catch (error) {
    yield `\n-- The gateway says: ${(error as Error).message}\n`;
  }
}

/** Requests a backup from the gateway that uses the directory; undefined if no process uses it. */
export async function requestBackup(path: string): Promise<AsyncIterable<Buffer> | undefined> {
  const socket = connect(requestAddress(path));
  try {
    await once(socket, 'connect');
  } catch (error) {
    if (['ENOENT', 'ECONNREFUSED'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
  socket.write(REQUEST);
  return socket;
}
