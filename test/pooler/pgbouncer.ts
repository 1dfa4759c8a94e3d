// Starts a PgBouncer in transaction mode with its default settings, between a gateway and the test server.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/free-port';
import { pathOf } from '../support/programs';
import { unprivilegedAccount } from '../support/test-server';

export interface PgBouncer {
  /** The database's URL through the pooler. */
  url: string;
  stop(): Promise<void>;
}

/** @param settings further lines of the section [pgbouncer] */
export async function startPgBouncer(databaseUrl: string, settings: string[] = []): Promise<PgBouncer> {
  const { hostname, port, username, password } = new URL(databaseUrl);
  // PgBouncer refuses to run as root.
  const account = unprivilegedAccount();
  const folder = fs.mkdtempSync(join(tmpdir(), 'gateway-test-pgbouncer-'));
  if (account) fs.chownSync(folder, account.uid, account.gid);
  const own = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  const server = [
    `host=${hostname}`,
    `port=${port}`,
    `user=${username}`,
    ...(password ? [`password=${password}`] : []),
  ];
  const lines = [
    '[databases]',
    `* = ${server.join(' ')}`,
    '[pgbouncer]',
    'listen_addr=127.0.0.1',
    `listen_port=${own}`,
    'auth_type=any',
    'unix_socket_dir=',
    'pool_mode=transaction',
    'default_pool_size=8',
    ...settings,
  ];
  fs.writeFileSync(file, lines.join('\n'), { mode: 0o644 });
  const child = spawn(pathOf('pgbouncer') ?? 'pgbouncer', [file], {
    ...account,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stopAtOnce = () => child.kill('SIGKILL');
  process.once('exit', stopAtOnce);
  let log = '';
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`pgbouncer ended with code ${code}: ${log}`)));
    child.stderr.on('data', (text) => {
      if (log.length < 10_000) log += text;
      if (log.includes('process up')) resolve();
    });
  });
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(own);
  return {
    url: url.toString(),
    async stop() {
      process.off('exit', stopAtOnce);
      child.kill('SIGKILL');
      await gone;
      fs.rmSync(folder, { recursive: true });
    },
  };
}
