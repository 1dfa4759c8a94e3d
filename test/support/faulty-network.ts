// A TCP connection to the database server that a test can refuse, freeze, reset and restore.
import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { inTime } from './waiting';

export interface FaultyNetwork {
  /** The URL of the database through this network. */
  url: string;
  /** Refuses new connections, and resets existing ones. */
  cut(): Promise<void>;
  /** Drops all bytes, without closing a connection. */
  freeze(): void;
  /** Waits until the frozen network has dropped something. */
  held(): Promise<void>;
  /** Resets connections, and accepts new ones. */
  reset(): void;
  mend(): Promise<void>;
  close(): Promise<void>;
}

export async function faultyNetwork(databaseUrl: string): Promise<FaultyNetwork> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let frozen = false;
  const swallowed = new EventEmitter();
  const accept = (near: Socket) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('data', (data) => {
        if (frozen) swallowed.emit('data');
        else other.write(data);
      });
      socket.on('close', () => {
        sockets.delete(socket);
        if (!frozen) other.destroy();
      });
    }
  };
  const reset = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const listen = (port: number) =>
    new Promise<Server>((resolve, reject) => {
      const server = createServer(accept).on('error', reject);
      server.listen(port, '127.0.0.1', () => resolve(server));
    });
  let server: Server | undefined = await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  const cut = async () => {
    const closing = server;
    server = undefined;
    const closed = new Promise((resolve) => (closing ? closing.close(resolve) : resolve(undefined)));
    frozen = false;
    reset();
    await closed;
  };
  return {
    url: url.toString(),
    cut,
    freeze() {
      frozen = true;
    },
    async held() {
      await inTime('the frozen network has swallowed something', once(swallowed, 'data'));
    },
    reset,
    async mend() {
      // Frozen connections have lost bytes, so they cannot be used any more.
      if (frozen) for (const socket of sockets) socket.destroy();
      frozen = false;
      server ??= await listen(port);
    },
    close: cut,
  };
}
