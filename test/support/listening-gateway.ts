// The gateway on a port, in the process of the test: for tests of what comes over a socket. A process of its own costs 1.4 s of
// CPU time more, and is for its log, its memory, its signals and its end.
import { type App, createApp } from '../../src/app';
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
  // Its log would stand among the reports of the tests. A request may wait for a busy machine.
  const usual = { DATABASE_URL: `${fresh?.url}`, PORT: '0', LOG_LEVEL: 'silent', REQUEST_TIMEOUT_MS: '100000' };
  let app: App | undefined;
  const stop = async () => {
    await app?.close();
    await fresh?.drop();
  };
  let url: string;
  try {
    app = await createApp(readConfig({ ...usual, ...env }));
    url = await app.listen();
  } catch (error) {
    await stop();
    throw error;
  }
  let stopped: Promise<void> | undefined;
  return {
    url,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}
