// Real brokers of MQTT, and a client of another maker that watches what they hold.
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import { connect as openTcp } from 'node:net';
import { join } from 'node:path';
import { connectAsync } from 'mqtt';
import { page } from './docs';
import { freePort } from './free-port';
import { pathOf } from './programs';
import { temporaryFolder } from './temporary-folder';
import { atLeast, is, until } from './waiting';

export interface RunningBroker {
  port: number;
  /** With SIGKILL; what it held is gone. */
  stop(): Promise<void>;
}

/** @param port of an earlier broker, that it comes back at @param password of the user `farm`; any is right without it */
export type StartBroker = (port?: number, password?: string) => Promise<RunningBroker>;

export const startAedes: StartBroker = async (port, password) => {
  const found = port ?? (await freePort());
  const file = join(__dirname, 'aedes.cjs');
  return running(found, spawn(process.execPath, [file, `${found}`, ...(password === undefined ? [] : [password])]));
};

/** The configuration that docs/guides/home-assistant.md gives to a mosquitto with passwords. */
const RECIPE = /printf '(listener 1883[^']+)\\n' \| sudo tee/.exec(
  page('docs/guides/home-assistant.md'),
)?.[1] as string;

export const startMosquitto: StartBroker = async (port, password) => {
  const found = port ?? (await freePort());
  const folder = temporaryFolder('mosquitto');
  const lines = [`listener ${found} 127.0.0.1`, 'persistence false'];
  if (password === undefined) lines.push('allow_anonymous true');
  else {
    const users = join(folder, 'users');
    const program = join(pathOf('mosquitto') ?? '', '..', '..', 'bin', 'mosquitto_passwd');
    await over(spawn(program, ['-c', '-b', users, 'farm', password]));
    // Started as root it becomes a user of its own, who must read the file.
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
  return running(found, spawn(pathOf('mosquitto') ?? 'mosquitto', ['-c', file]));
};

async function running(port: number, child: ChildProcess): Promise<RunningBroker> {
  const ended = over(child);
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
  await until('the broker takes connections', answers, is(true as unknown));
  return {
    port,
    async stop() {
      process.off('exit', stopAtOnce);
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const over = (child: ChildProcess) => new Promise<void>((resolve) => child.once('close', () => resolve()));

/** Watches all topics of a broker as a client that was there from the first message on. */
export async function watchBroker(port: number, login: { username?: string; password?: string } = {}) {
  const client = await connectAsync(`mqtt://127.0.0.1:${port}`, { ...login, reconnectPeriod: 0 });
  const held = new Map<string, string>();
  const heard: { topic: string; text: string; retain: boolean; qos: number }[] = [];
  client.on('message', (topic, payload, { retain, qos }) => {
    const text = payload.toString();
    heard.push({ topic, text, retain, qos });
    if (text === '') held.delete(topic);
    else held.set(topic, text);
  });
  await client.subscribeAsync('#', { qos: 1 });
  return {
    /** The last text of each topic that is not empty. */
    held,
    heard,
    publish: (topic: string, text: string, retain = false) => client.publishAsync(topic, text, { qos: 1, retain }),
    stop: () => client.endAsync(),
  };
}

/** What a broker gives to a client that comes now: what it holds. */
export async function heldBy(port: number): Promise<Map<string, string>> {
  const watcher = await watchBroker(port);
  // Brokers send what they hold before the answer to this, which they have to themselves.
  const mark = `mark/${Math.random()}`;
  await watcher.publish(mark, 'here');
  await until('the mark comes back', () => watcher.heard.filter(({ topic }) => topic === mark).length, atLeast(1));
  await watcher.stop();
  const held = watcher.heard.flatMap(({ topic, text, retain }) => (retain ? [[topic, text] as const] : []));
  return new Map(held.sort(([a], [b]) => (a < b ? -1 : 1)));
}
