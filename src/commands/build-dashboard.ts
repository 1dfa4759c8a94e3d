// Builds the dashboard by Vite, unless the built files are newer than all of their sources.
import { readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Pages import rules of the gateway, too. */
const SOURCES = ['src', 'package-lock.json'];
const BUILT = join('dist', 'dashboard');

const timeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** When a file was changed, or a folder with all that is in it: a file that was removed is seen by its folder. */
function newest(path: string): number {
  const inside = statSync(path).isDirectory() ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : [];
  return Math.max(timeOf(path), ...inside.map((name) => timeOf(join(path, name))));
}

async function build(): Promise<void> {
  const { build } = await import('vite');
  const fresh = `${BUILT}-${process.pid}`;
  const config = { configFile: join('src', 'web', 'vite.config.mts'), build: { outDir: join('..', '..', fresh) } };
  await build({ ...config, logLevel: 'error' });
  // A gateway that runs reads its files from here.
  rmSync(BUILT, { recursive: true, force: true });
  renameSync(fresh, BUILT);
}

if (timeOf(join(BUILT, 'index.html')) < Math.max(...SOURCES.map(newest))) void build();
