// The process: starts the gateway, stops it at a signal, and sets the exit code.
import type { App } from './app';
import { sleep as pause } from './values/timers';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** npm, `timeout` and terminals send copies of one signal: a copy within this time is no second signal. */
const COPIES_MS = 1000;

/**
 * Node 24 waits for ever at its exit for a compiling thread that waits for a garbage collection (nodejs/node#54918): seen
 * after 8 of 100 signals while the packages were loaded. In an idle pause of this length the thread ends: 0 of 300.
 */
const IDLE_BEFORE_EXIT_MS = 100;

/** The command `collect`: without the doors for clients. */
const COLLECTS_ALONE = process.argv[2] === 'collect';

let app: App | undefined;
let logLevel = 'info';
let stopped: number | undefined;

async function main(): Promise<void> {
  for (const signal of SIGNALS) process.on(signal, () => stop().catch(fail));
  // These modules take a second to load. Until there are handlers, process 1 of a container ignores signals.
  const [{ createApp }, { readConfig }] = await Promise.all([import('./app.js'), import('./config.js')]);
  const config = readConfig();
  logLevel = config.logLevel;
  app = await createApp(config, COLLECTS_ALONE ? 'PROBES' : 'CLIENTS');
  if (COLLECTS_ALONE) {
    const url = await app.collect();
    console.log(`Print Farm Gateway listens to machines. It serves no clients.
${url === null ? '  Set PORT to a free port for its health and metrics.' : `  ${url}/healthz, ${url}/readyz, ${url}/metrics`}`);
    return;
  }
  const url = await app.listen();
  if (stopped !== undefined) return;
  console.log(`Print Farm Gateway is ready:
  ${url}/            the farm
  ${url}/graphql     GraphQL, with a playground for browsers
  ${url}/openapi     the REST description
  ${url}/cameras     REST: cameras
  ${url}/api/printjobs  REST: print jobs`);
}

/** A second signal ends the process at once. So does a signal during the start, when no write has been acknowledged. */
async function stop(): Promise<void> {
  if (stopped !== undefined && performance.now() < stopped + COPIES_MS) return;
  if (stopped !== undefined) process.exit(1);
  stopped = performance.now();
  await app?.close();
  await pause(IDLE_BEFORE_EXIT_MS);
  process.exit(0);
}

/** One sentence for the operator; the stack is in the log at debug. */
async function fail(error: Error): Promise<void> {
  console.error(error.message);
  const { createLog } = await import('./observability/log.js');
  createLog(logLevel).debug({ err: error }, 'the process ends after a failure');
  await app?.close().catch(() => {});
  await pause(IDLE_BEFORE_EXIT_MS);
  process.exit(1);
}

main().catch(fail);
