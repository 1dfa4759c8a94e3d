// Gets a dump of a directory that another process has open, through the socket of its lock.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { doorOf } from './directory-lock';

const REQUEST = 'backup\n';

/** For the process that has the directory. A failed dump ends with the error instead of its end line. */
export function answerBackup(socket: Socket, dump: () => AsyncIterable<string | Buffer>): void {
  // A client may close the connection at any time, or connect only to test for a running gateway.
  socket.on('error', () => {});
  socket.once('data', (request) => {
    if (String(request) !== REQUEST) return void socket.destroy();
    pipeline(Readable.from(withReason(dump())), socket).catch(() => {});
  });
}

async function* withReason(dump: AsyncIterable<string | Buffer>): AsyncGenerator<string | Buffer> {
  try {
    yield* dump;
  } catch (error) {
    yield `\n-- The gateway says: ${(error as Error).message}\n`;
  }
}

/** For other processes; undefined when no process has the directory. */
export async function askForBackup(path: string): Promise<AsyncIterable<Buffer> | undefined> {
  const socket = connect(doorOf(path));
  try {
    await once(socket, 'connect');
  } catch (error) {
    if (['ENOENT', 'ECONNREFUSED'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
  socket.write(REQUEST);
  return socket;
}
