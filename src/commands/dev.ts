// Runs `npm run dev`: whenever a file is saved, builds and restarts the gateway, or lets Vite reload the page of the dashboard.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, relative, sep } from 'node:path';
import { readConfig } from '../config';
import { setTimeout } from '../values/timers';

/** The pause between the last save and the build. An editor that saves all files writes them one after the other. */
const QUIET_MS = 100;

const run = (file: string[], ...args: string[]) =>
  spawn(process.execPath, [join(...file), ...args], { stdio: ['ignore', 'inherit', 'inherit'] });

/** Whether a file belongs to the gateway. Vite itself watches the files of the dashboard. */
const belongsToGateway = (path: string) => !/^src\/web\/[^/]+\//.test(path);

let gateway: ChildProcess | undefined;
let building: ChildProcess | undefined;
let isWorking = false;
let isStale = false;
let isEnding = false;
let quiet: NodeJS.Timeout | undefined;

const startGateway = () => {
  gateway = run(['dist', 'src', 'main.js']);
};

/** Resolves when the gateway has ended, because only one process at a time can use a data directory. */
async function stopGateway(): Promise<void> {
  if (gateway === undefined || gateway.exitCode !== null || gateway.signalCode !== null) return;
  gateway.kill('SIGTERM');
  await once(gateway, 'exit');
}

/** @returns whether the build succeeded; after an error, the gateway of the last good build keeps running */
async function build(): Promise<boolean> {
  building = run(['node_modules', 'typescript', 'bin', 'tsc'], '-b', '.', join('src', 'web', 'tsconfig.pages.json'));
  const [code] = await once(building, 'exit');
  return code === 0;
}

async function rebuild(): Promise<void> {
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
  const stop = async () => {
    isEnding = true;
    clearTimeout(quiet);
    building?.kill('SIGTERM');
    await stopGateway();
    process.exit(0);
  };
  // A terminal sends Ctrl-C to all its processes, and npm sends it once more.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void (isEnding || stop()));
  startGateway();
  pages.watcher.add(['src', 'prisma']);
  pages.watcher.on('all', (event, file) => {
    if (event.endsWith('Dir') || !belongsToGateway(relative('.', file).split(sep).join('/'))) return;
    isStale = true;
    clearTimeout(quiet);
    quiet = setTimeout(rebuild, QUIET_MS);
  });
  await pages.listen();
  pages.printUrls();
}

dev().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
