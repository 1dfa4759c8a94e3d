// npm run dev: at each save, builds and restarts the gateway, or lets Vite load the dashboard's page again.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, relative, sep } from 'node:path';
import { readConfig } from '../config';
import { setTimeout } from '../values/timers';

/** Between the last save and the build: an editor that saves all files writes them one after the other. */
const QUIET_MS = 100;

const run = (file: string[], ...args: string[]) =>
  spawn(process.execPath, [join(...file), ...args], { stdio: ['ignore', 'inherit', 'inherit'] });

/** Vite watches the files of the dashboard by itself. */
const isOfGateway = (path: string) => !/^src\/web\/[^/]+\//.test(path);

let gateway: ChildProcess | undefined;
let building: ChildProcess | undefined;
let isWorking = false;
let isStale = false;
let isEnding = false;
let quiet: NodeJS.Timeout | undefined;

const startGateway = () => {
  gateway = run(['dist', 'src', 'main.js']);
};

/** The next one waits for its end: one process at a time can use a data directory. */
async function stopGateway(): Promise<void> {
  if (gateway === undefined || gateway.exitCode !== null || gateway.signalCode !== null) return;
  gateway.kill('SIGTERM');
  await once(gateway, 'exit');
}

/** @returns whether there was no error: with one, the gateway of the last good build runs on */
async function build(): Promise<boolean> {
  building = run(['node_modules', 'typescript', 'bin', 'tsc'], '-b', '.', join('src', 'web', 'tsconfig.pages.json'));
  const [code] = await once(building, 'exit');
  return code === 0;
}

async function work(): Promise<void> {
  if (isWorking) return;
  isWorking = true;
  while (isStale && !isEnding) {
    isStale = false;
    if (!(await build()) || isStale || isEnding) continue;
    await stopGateway();
    if (!isEnding) startGateway();
  }
  isWorking = false;
}

async function dev(): Promise<void> {
  const { port } = readConfig();
  const { createServer } = await import('vite');
  const target = `http://127.0.0.1:${port}`;
  const pages = await createServer({
    configFile: join('src', 'web', 'vite.config.mts'),
    server: { proxy: { '/graphql': { target, ws: true }, '/reports/': { target } } },
  });
  const end = async () => {
    isEnding = true;
    clearTimeout(quiet);
    building?.kill('SIGTERM');
    await stopGateway();
    process.exit(0);
  };
  // A terminal sends Ctrl-C to all processes; npm sends it again.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void (isEnding || end()));
  startGateway();
  pages.watcher.add(['src', 'prisma']);
  pages.watcher.on('all', (event, file) => {
    if (event.endsWith('Dir') || !isOfGateway(relative('.', file).split(sep).join('/'))) return;
    isStale = true;
    clearTimeout(quiet);
    quiet = setTimeout(work, QUIET_MS);
  });
  await pages.listen();
  pages.printUrls();
}

dev().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
