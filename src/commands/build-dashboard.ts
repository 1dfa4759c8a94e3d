// Builds the dashboard with Vite, unless the built files are newer than all of their sources.
import { readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The whole of src, because pages of the dashboard import rules of the gateway, too. */
const SOURCES = ['src', 'package-lock.json'];
const BUILT = join('dist', 'dashboard');

const changedAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** When a file, or anything in a folder, last changed. The time of a folder itself shows that a file in it was removed. */
function lastChangeIn(path: string): number {
  const names = statSync(path).isDirectory() ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : [];
  return Math.max(changedAt(path), ...names.map((name) => changedAt(join(path, name))));
}

async function build(): Promise<void> {
  const { build } = await import('vite');
  const fresh = `${BUILT}-${process.pid}`;
  const config = { configFile: join('src', 'web', 'vite.config.mts'), build: { outDir: join('..', '..', fresh) } };
  await build({ ...config, logLevel: 'error' });
  // A running gateway reads the files from this folder, so it is replaced only when the new files are complete.
  rmSync(BUILT, { recursive: true, force: true });
  renameSync(fresh, BUILT);
}

if (changedAt(join(BUILT, 'index.html')) < Math.max(...SOURCES.map(lastChangeIn))) void build();
