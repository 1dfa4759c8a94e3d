// Runs the process: starts the gateway, stops it at a signal, and sets the exit code.
import type { App } from './app';
import { sleep as pause } from './values/timers';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** npm, `timeout` and terminals send the same signal several times. A copy within this time does not count as a second signal. */
const COPIES_MS = 1000;

/**
 * At exit, Node 24 can wait forever for a compiling thread that itself waits for a garbage collection (nodejs/node#54918).
 * This happened after 8 of 100 signals that arrived while packages were loaded. After an idle pause of this length the
 * thread has ended: it happened after 0 of 300 signals.
 */
const IDLE_BEFORE_EXIT_MS = 100;

/** Whether this is the command `collect`, which collects from machines and serves no clients. */
const COLLECTS_ONLY = process.argv[2] === 'collect';

let app: App | undefined;
let logLevel = 'info';
/** When the first signal arrived, in milliseconds of performance.now(). */
let stoppedAt: number | undefined;

async function main(): Promise<void> {
  for (const signal of SIGNALS) process.on(signal, () => stop().catch(fail));
  // A log that cannot be written, for example on a full disk, must not end the process.
  process.stdout.on('error', () => {});
  console.log(COLLECTS_ONLY ? 'Starting the collector …' : 'Starting the gateway …');
  // These modules take a second to load, and process 1 of a container ignores signals until it has handlers for them.
  const [{ createApp }, { readConfig }] = await Promise.all([import('./app.js'), import('./config.js')]);
  const config = readConfig();
  logLevel = config.logLevel;
  app = await createApp(config, COLLECTS_ONLY ? 'PROBES' : 'CLIENTS', undefined, console.log);
  if (COLLECTS_ONLY) {
    const url = await app.collect();
    console.log(`Print Farm Gateway collects from machines. It serves no clients.
${url === null ? '  To see its health and metrics, set PORT to a free port.' : `  ${url}/healthz, ${url}/readyz, ${url}/metrics`}`);
    return;
  }
  const url = await app.listen();
  if (stoppedAt !== undefined) return;
  console.log(`Print Farm Gateway is ready:
  ${url}/            the dashboard
  ${url}/graphql     the GraphQL API, with a playground in the browser
  ${url}/openapi     the reference of the REST API
  ${url}/cameras     REST: cameras
  ${url}/api/printjobs  REST: print jobs`);
}

/** A second signal ends the process immediately. A signal during the start does, too: nothing has been written by then. */
async function stop(): Promise<void> {
  if (stoppedAt !== undefined && performance.now() < stoppedAt + COPIES_MS) return;
  if (stoppedAt !== undefined) process.exit(1);
  stoppedAt = performance.now();
  await app?.close();
  await pause(IDLE_BEFORE_EXIT_MS);
  process.exit(0);
}

/** Shows the operator one sentence. The stack is in the log at the level `debug`. */
async function fail(error: Error): Promise<void> {
  console.error(error.message);
  const { createLog } = await import('./observability/log.js');
  createLog(logLevel).debug({ err: error }, 'The process ends because of this error.');
  await app?.close().catch(() => {});
  await pause(IDLE_BEFORE_EXIT_MS);
  process.exit(1);
}

main().catch(fail);
