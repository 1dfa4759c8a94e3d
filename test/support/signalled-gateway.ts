// Starts a gateway under another command, as operators do, on its own database, and shows what it does at a signal.
import { type ChildProcess, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { lockAddresses } from '../../src/database/embedded/directory-lock';
import { type DatabaseKind, type FreshDatabase, freshDatabase } from './databases';
import { waitForClose } from './raw-socket';
import { ROOT } from './running-gateway';
import { inTime, until } from './waiting';

/** The database of the running test. */
export let fresh: FreshDatabase;
let command: ChildProcess | undefined;

/** A new database for each test of the surrounding describe or file. */
export function provideFresh(kind: DatabaseKind): void {
  beforeEach(async () => {
    fresh = await freshDatabase(kind);
  });
  afterEach(async () => {
    // Kills the whole group, in case one of its processes is left.
    if (command?.pid) {
      try {
        process.kill(-command.pid, 'SIGKILL');
      } catch {}
    }
    command = undefined;
    await fresh.drop();
  });
}

/** Starts the gateway by a command in its own process group; resolves when the gateway is ready. */
export async function start(
  file: string,
  args: string[],
): Promise<{ pid: number; url: string; ended: () => Promise<unknown> }> {
  const env = { ...process.env, DATABASE_URL: fresh.url, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn' };
  const child = spawn(file, args, { cwd: ROOT, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  command = child;
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const ended = new Promise((resolve) => child.once('close', (code, signal) => resolve(signal ?? code)));
  const url = await until(
    'the gateway prints its URL',
    () => output,
    (text) => /http:\/\/[^\s/"]+(?=\/graphql)/.exec(text)?.[0],
  );
  return { pid: child.pid as number, url, ended: () => inTime('the gateway ends', ended, () => output) };
}

/** Whether a process holds the directory of the database: then nobody else can listen on its first address. */
export function isLocked({ url }: Pick<FreshDatabase, 'url'> = fresh): Promise<boolean> {
  const [address] = lockAddresses(url.slice('file:'.length)) as [string];
  return new Promise((resolve) => {
    const socket = connect(address, () => resolve(true));
    socket.once('connect', () => socket.destroy());
    socket.once('error', () => resolve(false));
  });
}

/** Sends the head of a request. `finish` sends its body while the gateway stops, and resolves with the answer. */
export async function halfRequest(url: string): Promise<{ finish(): Promise<string> }> {
  const body = JSON.stringify({ camera_id: 'late', friendly_name: 'Late' });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (text) => (answer += text));
  const head = `POST /cameras HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`;
  socket.write(head);
  // The gateway has received the head when it asks for the body.
  await until(
    'the gateway asks for the body',
    () => answer,
    (text) => text.includes('100 Continue'),
  );
  return {
    async finish() {
      socket.write(body);
      await waitForClose(socket, () => answer);
      return answer;
    },
  };
}

export const stopsListening = (url: string) =>
  until('the gateway no longer listens', () =>
    fetch(`${url}/healthz`).then(
      () => false,
      () => true,
    ),
  );
