// Runs the gateway on a port in the process of the test, for tests of what arrives over a socket. A separate process takes 1.4 s of
// CPU time more; use one only for its log, its memory, its signals and its end.
import { type App, createApp } from '../../src/app';
import { readConfig } from '../../src/config';
import { freshDatabase } from './databases';

export interface ListeningGateway {
  readonly url: string;
  /** Stops it as SIGTERM does. A second call waits for the first. */
  stop(): Promise<void>;
}

/** @param env the environment, as of a process; without DATABASE_URL the gateway has a new database of the test server */
export async function listenInProcess(env: Record<string, string> = {}): Promise<ListeningGateway> {
  const fresh = env['DATABASE_URL'] === undefined ? await freshDatabase('server') : undefined;
  // Its log would appear among the reports of the tests. A request may wait for a busy machine.
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
