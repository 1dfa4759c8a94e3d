// Builds the dashboard and the libraries of the playground by Vite, each unless its built files are newer than all of its sources.
import { readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

interface Bundle {
  /** The folder below dist. */
  folder: string;
  /** The file that is written last. */
  last: string;
  config: string;
  sources: string[];
}

const CONFIGS = join('src', 'web');
const BUNDLES: Bundle[] = [
  // Pages import rules of the gateway, too.
  { folder: 'dashboard', last: 'index.html', config: 'vite.config.mts', sources: ['src', 'package-lock.json'] },
  {
    folder: 'playground',
    last: 'graphiql.js',
    config: 'graphiql.vite.config.mts',
    sources: [join(CONFIGS, 'graphiql.ts'), join(CONFIGS, 'graphiql.vite.config.mts'), 'package-lock.json'],
  },
];

const changedAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** When a file, or anything in a folder, last changed. The time of a folder itself shows that a file in it was removed. */
function lastChangeIn(path: string): number {
  const names = statSync(path).isDirectory() ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : [];
  return Math.max(changedAt(path), ...names.map((name) => changedAt(join(path, name))));
}

async function build({ folder, config }: Bundle): Promise<void> {
  const { build } = await import('vite');
  const built = join('dist', folder);
  const fresh = `${built}-${process.pid}`;
  const options = { configFile: join(CONFIGS, config), build: { outDir: join('..', '..', fresh) } };
  await build({ ...options, logLevel: 'error' });
  // A gateway that runs reads its files from here.
  rmSync(built, { recursive: true, force: true });
  renameSync(fresh, built);
}

async function buildOutdated(): Promise<void> {
  for (const bundle of BUNDLES) {
    const builtAt = changedAt(join('dist', bundle.folder, bundle.last));
    if (builtAt >= Math.max(...bundle.sources.map(lastChangeIn))) continue;
    // Other commands are built by the same script, and their output on stdout belongs to them.
    console.error(`Building the ${bundle.folder} …`);
    await build(bundle);
  }
}

void buildOutdated();
