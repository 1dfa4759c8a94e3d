// Makes sure that only one process at a time uses a data directory, whatever path it uses, and that the lock ends with the process.
import { chmodSync, readFileSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join, relative } from 'node:path';

export interface DirectoryLock {
  /** From now on, `visitor` answers connections of other processes. Earlier connections are closed. */
  answer(visitor: (socket: Socket) => void): void;
  release(): Promise<void>;
}

/** Exists while the directory is open, and after a crash until the next start. */
export const LOCK_FILE = 'gateway.sock';

/** The file with the id of the process, for the message to other processes. It is no lock, and it remains after a crash. */
export const HOLDER_FILE = 'gateway.pid';

/**
 * Locks the directory, or throws EADDRINUSE if another process uses it. A lock file would remain after a crash, and Node has no
 * lock that the system releases. But a listening socket ends with its process. On Linux and Windows, the socket has a name that
 * is made from the identity of the directory: only one process can listen at it, and it leaves no file. Other systems have a
 * socket file in the directory. Linux has both, because a process in another container with the same volume does not see the
 * abstract names of sockets.
 */
export async function lockDirectory(path: string): Promise<DirectoryLock> {
  const held: Server[] = [];
  const visitors = new Set<Socket>();
  const release = async () => {
    for (const socket of visitors) socket.destroy();
    for (const server of held.splice(0)) await new Promise((resolve) => server.close(resolve));
  };
  let answerVisitor: ((socket: Socket) => void) | undefined;
  const visit = (socket: Socket) => {
    if (!answerVisitor) return void socket.destroy();
    visitors.add(socket);
    socket.once('close', () => visitors.delete(socket));
    answerVisitor(socket);
  };
  try {
    for (const address of lockAddresses(path)) {
      const server = await listen(address);
      if (!server) continue;
      held.push(server);
      server.on('connection', address === requestAddress(path) ? visit : (socket: Socket) => socket.destroy());
      if (address === socketFile(path)) chmodSync(address, 0o600);
    }
  } catch (error) {
    await release();
    throw error;
  }
  writeHolder(path);
  return {
    answer(visitor) {
      answerVisitor = visitor;
    },
    async release() {
      rmSync(join(path, HOLDER_FILE), { force: true });
      await release();
    },
  };
}

/**
 * The address for requests to the process that uses the directory. It is the socket file, which only its owner can use, like the
 * data. An abstract name would be open to every account. On Windows, other accounts can read from the pipe but not write to it,
 * so the process sends nothing unless it is asked.
 */
export function requestAddress(path: string): string {
  return lockAddresses(path).at(-1) as string;
}

/** The addresses that lock the directory. The first address decides. */
export function lockAddresses(path: string): string[] {
  const { dev, ino } = statSync(path, { bigint: true });
  const name = `print-farm-gateway-${dev}-${ino}`;
  if (process.platform === 'win32') return [`\\\\.\\pipe\\${name}`];
  return process.platform === 'linux' ? [`\0${name}`, socketFile(path)] : [socketFile(path)];
}

/** The shorter one of the absolute and the relative path, because the path of a socket may have only 107 bytes (103 on macOS). */
function socketFile(path: string): string {
  const absolute = join(path, LOCK_FILE);
  const fromHere = relative('.', absolute);
  return fromHere.length < absolute.length ? fromHere : absolute;
}

/** Listens at the address. Undefined on Linux if the file system has no sockets or the path is too long: there the abstract name is enough. */
async function listen(address: string): Promise<Server | undefined> {
  try {
    return await listenAt(address);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (address.startsWith('\0') || process.platform === 'win32') throw error;
    if (code === 'EADDRINUSE') {
      if (await isAnswering(address)) throw error;
      unlinkSync(address);
      return await listenAt(address);
    }
    if (process.platform === 'linux') return undefined;
    throw error;
  }
}

function listenAt(address: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(address, () => resolve(server));
    server.unref();
  });
}

function isAnswering(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'ECONNREFUSED'));
  });
}

function writeHolder(path: string): void {
  try {
    writeFileSync(join(path, HOLDER_FILE), `${process.pid}\n`);
  } catch {
    // A gateway must start even if the disk is full.
  }
}

/** The id of the process that uses the directory; undefined if it is unknown. */
export function readHolder(path: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(join(path, HOLDER_FILE), 'utf8'), 10) || undefined;
  } catch {
    return undefined;
  }
}
