// The lock on a data directory: one process at a time, whatever path it came by, and free again however that one ended.
import { chmodSync, statSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join, relative } from 'node:path';

export interface DirectoryLock {
  /** From now on whoever comes through the door is answered, and not just turned away. */
  answer(visitor: (socket: Socket) => void): void;
  release(): Promise<void>;
}

/** Lies in the directory while it is open, and after a crash until the next start. */
export const LOCK_FILE = 'gateway.sock';

/**
 * A lock file outlives a crash, and Node has no lock that the system gives back; but a listening socket ends with its
 * process. On Linux its abstract name, on Windows a pipe, is made of the directory's identity: two cannot have it, and
 * nothing is left behind. A socket file in the directory is what other systems have; on Linux it also shows a process
 * in another container that has the same volume, where abstract names are not seen.
 */
export async function lockDirectory(path: string): Promise<DirectoryLock> {
  const held: Server[] = [];
  const visitors = new Set<Socket>();
  const release = async () => {
    for (const socket of visitors) socket.destroy();
    for (const server of held.splice(0)) await new Promise((resolve) => server.close(resolve));
  };
  let answered: ((socket: Socket) => void) | undefined;
  const visit = (socket: Socket) => {
    if (!answered) return void socket.destroy();
    visitors.add(socket);
    socket.once('close', () => visitors.delete(socket));
    answered(socket);
  };
  try {
    for (const address of addresses(path)) {
      const server = await listen(address);
      if (!server) continue;
      held.push(server);
      server.on('connection', address === doorOf(path) ? visit : (socket: Socket) => socket.destroy());
      if (address === socketFile(path)) chmodSync(address, 0o600);
    }
  } catch (error) {
    await release();
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(`The data directory ${path} is in use by another process: one gateway at a time can have it.`);
  }
  return {
    answer(visitor) {
      answered = visitor;
    },
    release,
  };
}

/**
 * Where the process that has the directory can be spoken to. Who may is the file system's to say: the socket file is
 * its owner's alone, like the data beside it; an abstract name would be open to every account. Windows lets other
 * accounts read from a pipe but not write to it, so nothing is sent that was not asked for.
 */
export function doorOf(path: string): string {
  return addresses(path).at(-1) as string;
}

/** What is listened on to hold the directory, the first being the one that decides. */
export function addresses(path: string): string[] {
  const { dev, ino } = statSync(path, { bigint: true });
  const name = `print-farm-gateway-${dev}-${ino}`;
  if (process.platform === 'win32') return [`\\\\.\\pipe\\${name}`];
  return process.platform === 'linux' ? [`\0${name}`, socketFile(path)] : [socketFile(path)];
}

/** A socket's path has at most 107 bytes (103 on macOS), so the shorter way of writing it is taken. */
function socketFile(path: string): string {
  const absolute = join(path, LOCK_FILE);
  const fromHere = relative('.', absolute);
  return fromHere.length < absolute.length ? fromHere : absolute;
}

/** Undefined where the file system has no sockets or the path is too long, and the abstract name has to do. */
async function listen(address: string): Promise<Server | undefined> {
  try {
    return await listening(address);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (address.startsWith('\0') || process.platform === 'win32') throw error;
    if (code === 'EADDRINUSE') {
      if (await answers(address)) throw error;
      unlinkSync(address);
      return await listening(address);
    }
    if (process.platform === 'linux') return undefined;
    throw error;
  }
}

function listening(address: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(address, () => resolve(server));
    server.unref();
  });
}

function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'ECONNREFUSED'));
  });
}
