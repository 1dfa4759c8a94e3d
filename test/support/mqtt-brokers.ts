// Starts real MQTT brokers, and a client of another library that watches what they retain.
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import { connect as openTcp } from 'node:net';
import { join } from 'node:path';
import { connectAsync } from 'mqtt';
import { readPage } from './docs';
import { freePort } from './free-port';
import { pathOf } from './programs';
import { temporaryFolder } from './temporary-folder';
import { atLeast, is, until } from './waiting';

export interface RunningBroker {
  port: number;
  /** Stops with SIGKILL; what the broker retained is lost. */
  stop(): Promise<void>;
}

/** @param port the port of an earlier broker, which restarts there @param password the password of the user `farm`; without one, any is accepted */
export type StartBroker = (port?: number, password?: string) => Promise<RunningBroker>;

export const startAedes: StartBroker = async (port, password) => {
  const found = port ?? (await freePort());
  const file = join(__dirname, 'aedes.cjs');
  return waitUntilListening(
    found,
    spawn(process.execPath, [file, `${found}`, ...(password === undefined ? [] : [password])]),
  );
};

/** The configuration for a mosquitto with passwords from docs/guides/home-assistant.md. */
const RECIPE = /printf '(listener 1883[^']+)\\n' \| sudo tee/.exec(
  readPage('docs/guides/home-assistant.md'),
)?.[1] as string;

export const startMosquitto: StartBroker = async (port, password) => {
  const found = port ?? (await freePort());
  const folder = temporaryFolder('mosquitto');
  const lines = [`listener ${found} 127.0.0.1`, 'persistence false'];
  if (password === undefined) lines.push('allow_anonymous true');
  else {
    const users = join(folder, 'users');
    const program = join(pathOf('mosquitto') ?? '', '..', '..', 'bin', 'mosquitto_passwd');
    await waitForExit(spawn(program, ['-c', '-b', users, 'farm', password]));
    // Started as root, mosquitto becomes another user, who must be able to read the file.
    fs.chmodSync(folder, 0o755);
    fs.chmodSync(users, 0o644);
    lines.splice(
      0,
      1,
      ...RECIPE.replace('1883', `${found} 127.0.0.1`).replace('/etc/mosquitto/passwd', users).split('\\n'),
    );
  }
  const file = join(folder, 'mosquitto.conf');
  fs.writeFileSync(file, lines.join('\n'));
  return waitUntilListening(found, spawn(pathOf('mosquitto') ?? 'mosquitto', ['-c', file]));
};

async function waitUntilListening(port: number, child: ChildProcess): Promise<RunningBroker> {
  const ended = waitForExit(child);
  const stopAtOnce = () => child.kill('SIGKILL');
  process.once('exit', stopAtOnce);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text) => {
      output += text;
    });
  const answers = () =>
    new Promise((resolve) => {
      const socket = openTcp(port, '127.0.0.1', () => resolve(true));
      socket.once('error', () => resolve(output));
      socket.once('connect', () => socket.destroy());
    });
  await until('the broker accepts connections', answers, is(true as unknown));
  return {
    port,
    async stop() {
      process.off('exit', stopAtOnce);
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const waitForExit = (child: ChildProcess) => new Promise<void>((resolve) => child.once('close', () => resolve()));

/** Watches all topics of a broker as a client that has been connected since the first message. */
export async function watchBroker(port: number, login: { username?: string; password?: string } = {}) {
  const client = await connectAsync(`mqtt://127.0.0.1:${port}`, { ...login, reconnectPeriod: 0 });
  const held = new Map<string, string>();
  const retained: { topic: string; text: string; retain: boolean; qos: number }[] = [];
  client.on('message', (topic, payload, { retain, qos }) => {
    const text = payload.toString();
    retained.push({ topic, text, retain, qos });
    if (text === '') held.delete(topic);
    else held.set(topic, text);
  });
  await client.subscribeAsync('#', { qos: 1 });
  return {
    /** The last text of each topic whose text is not empty. */
    held,
    heard: retained,
    publish: (topic: string, text: string, retain = false) => client.publishAsync(topic, text, { qos: 1, retain }),
    stop: () => client.endAsync(),
  };
}

/** The messages that a broker sends to a new client: what it retains. */
export async function readRetained(port: number): Promise<Map<string, string>> {
  const watcher = await watchBroker(port);
  // Brokers send retained messages before the answer to this subscription.
  const mark = `mark/${Math.random()}`;
  await watcher.publish(mark, 'here');
  await until('the mark returns', () => watcher.heard.filter(({ topic }) => topic === mark).length, atLeast(1));
  await watcher.stop();
  const held = watcher.heard.flatMap(({ topic, text, retain }) => (retain ? [[topic, text] as const] : []));
  return new Map(held.sort(([a], [b]) => (a < b ? -1 : 1)));
}
