// `npm run dev`: a gateway and a dashboard that reload with their files, and stop at Ctrl-C.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { join, relative } from 'node:path';
import { copyTemplate } from '../support/databases';
import { freePort } from '../support/free-port';
import { ROOT } from '../support/running-gateway';
import { temporaryFolder } from '../support/temporary-folder';
import { until } from '../support/waiting';

const COPIED = ['dist', 'prisma', 'src', 'package.json', 'package-lock.json', 'tsconfig.json'];

test('a saved line runs in the gateway and in the dashboard, and SIGINT ends everything', async () => {
  const folder = temporaryFolder('dev');
  for (const name of COPIED)
    fs.cpSync(join(ROOT, name), join(folder, name), { recursive: true, preserveTimestamps: true });
  // It is built: the copied folders are newer than the build, by fractions of a millisecond, which a date does not have.
  const later = new Date(Date.now() + 1000);
  fs.utimesSync(join(folder, 'dist', '.built'), later, later);
  const packages = join(ROOT, 'node_modules');
  fs.symlinkSync(packages, join(folder, 'node_modules'));
  // TypeScript names packages by where the link leads. With their other names it would check all files anew, for 4 s of CPU time.
  change(folder, 'dist/.tsbuildinfo', '"../node_modules/', `"${relative(join(folder, 'dist'), packages)}/`);
  // Without DATABASE_URL the gateway has this directory, which the next one opens when this one has ended.
  copyTemplate(join(folder, 'data-dev'));
  const { DATABASE_URL: _, ...inherited } = process.env;
  const PORT = String(await freePort());
  const env = { ...inherited, PORT, LOG_LEVEL: 'warn', NO_COLOR: '1' };
  const dev = spawn('npm', ['run', 'dev'], { cwd: folder, env, detached: true });
  let output = '';
  const closed = once(dev, 'close');
  /** Fails only if the command ends first: how long a build takes depends on the machine. */
  const waitForText = (text: RegExp) =>
    new Promise<string[]>((resolve, reject) => {
      const look = () => {
        const found = text.exec(output);
        if (found) resolve(found);
      };
      dev.stdout.on('data', look);
      closed.then(() => reject(new Error(`npm run dev ended without saying ${text}:\n${output}`)));
      look();
    });
  for (const stream of [dev.stdout, dev.stderr]) stream.prependListener('data', (text) => (output += text));
  try {
    await waitForText(/Print Farm Gateway is ready/);
    const [, pages = ''] = await waitForText(/Local:\s+(http:\S+\/)/);

    expect(await (await fetch(`${pages}graphql?query={__typename}`)).json()).toEqual({ data: { __typename: 'Query' } });

    change(folder, 'src/main.ts', 'Print Farm Gateway is ready', 'The changed gateway is ready');
    // A save is not noticed before the watcher has read all folders, so it is repeated.
    const main = join(folder, 'src/main.ts');
    const again = setInterval(() => fs.utimesSync(main, new Date(), new Date()), 15_000);
    await waitForText(/The changed gateway is ready/).finally(() => clearInterval(again));

    change(folder, 'src/web/index.html', '<title>Print Farm</title>', '<title>The changed farm</title>');
    const page = async () => (await fetch(pages)).text();
    await until('the page has its new title', page, (text) => text.includes('<title>The changed farm</title>'));
  } finally {
    // As a terminal sends it: to npm and to all that it has started.
    if (dev.exitCode === null) process.kill(-(dev.pid as number), 'SIGINT');
    if (dev.exitCode === null) await closed;
    fs.rmSync(folder, { recursive: true, force: true });
  }
  await expect(fetch(`http://127.0.0.1:${PORT}/healthz`)).rejects.toThrow();
}, 300_000);

function change(folder: string, path: string, from: string, to: string): void {
  const text = fs.readFileSync(join(folder, path), 'utf8');
  if (!text.includes(from)) throw new Error(`${path} has no "${from}"`);
  fs.writeFileSync(join(folder, path), text.replaceAll(from, to));
}
