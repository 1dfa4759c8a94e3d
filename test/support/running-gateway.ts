// Runs the built gateway as a separate process on a free port, with a new database unless the test names one.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, startChild } from './child-process';
import { freshDatabase } from './databases';

export const ROOT = join(__dirname, '..', '..');

/** The built command line. */
export const CLI = join(ROOT, 'dist', 'src', 'commands', 'cli.js');

export interface RunningGateway {
  url: string;
  readonly pid: number;
  /** Everything that the process has written. */
  readonly output: string;
  /** Resolves with the exit code, or the name of the signal. */
  stop(signal?: NodeJS.Signals): Promise<number | string>;
}

const MAIN = join(ROOT, 'dist', 'src', 'main.js');

/** Starts the process, without waiting until it is ready. */
export function startGatewayProcess(env: Record<string, string> = {}, cwd?: string, stdout?: number): Child {
  const usual = {
    DATABASE_URL: 'memory:',
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'warn',
    REQUEST_TIMEOUT_MS: '100000',
  };
  if (!existsSync(MAIN)) throw new Error('These tests run the built gateway: npm run build comes first.');
  return startChild(MAIN, [], { ...usual, ...env }, cwd, stdout);
}

/** Without DATABASE_URL it gets a new database of the test server, because one in memory takes 4 s to create. */
export async function runGateway(env: Record<string, string> = {}, cwd?: string): Promise<RunningGateway> {
  const fresh = env['DATABASE_URL'] === undefined ? await freshDatabase('server') : undefined;
  const child = startGatewayProcess({ ...(fresh && { DATABASE_URL: fresh.url }), ...env }, cwd);
  await child.waitForOutput('is ready');
  const url = /http:\/\/[^\s/"]+/.exec(child.output)?.[0];
  if (url === undefined) throw new Error(`The gateway says no URL:\n${child.output}`);
  return {
    url,
    pid: child.pid,
    get output() {
      return child.output;
    },
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      const end = await child.ended;
      await fresh?.drop();
      return end;
    },
  };
}
