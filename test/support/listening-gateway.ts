// The gateway on a port, in the process of the test: for tests of what comes over a socket. A process of its own costs 1.4 s of
// CPU time more, and is for its log, its memory, its signals and its end.
import { createApp } from '../../src/app';
import { readConfig } from '../../src/config';
import { freshDatabase } from './databases';

export interface ListeningGateway {
  readonly url: string;
  /** As at SIGTERM. A second call waits for the first one. */
  stop(): Promise<void>;
}

/** @param env as of a process; without DATABASE_URL it has a new database of the test server */
export async function listenHere(env: Record<string, string> = {}): Promise<ListeningGateway> {
  const fresh = env['DATABASE_URL'] === undefined ? await freshDatabase('server') : undefined;
  const usual = { DATABASE_URL: `${fresh?.url}`, PORT: '0', LOG_LEVEL: 'silent', REQUEST_TIMEOUT_MS: '100000' };
  const app = await createApp(readConfig({ ...usual, ...env }));
  const url = await app.listen();
  const stop = async () => {
    await app.close();
    await fresh?.drop();
  };
  let stopped: Promise<void> | undefined;
  return {
    url,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}
