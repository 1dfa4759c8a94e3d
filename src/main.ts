// The process: configuration, start, signals, exit codes.
import { setFlagsFromString } from 'node:v8';
import { createApp } from './app';
import { ConfigError, readConfig } from './config';

// A V8 that does not know one of these flags says so and goes on.
//
// V8 optimizes what has run for long. PGlite's functions need not be compiled a second time because of what they do at the
// start alone: with ten times its own budget the gateway starts in 1.9 seconds instead of 2.4, with 50 MB less.
setFlagsFromString('--wasm-tiering-budget=18000000');
// Between two full collections the heap grows by as much again, not by more, while nothing comes slower: after a load the
// process takes 190 MB instead of 250, with the embedded database in it 340 instead of 380.
setFlagsFromString('--heap-growing-percent=100');

/**
 * A request passes a thousand small functions, and each of them is optimized when so many bytes of it have been run. With
 * V8's own 67,584 a lone client's first 20,000 requests pass through slow code: 1.3 times as many of them a second. The
 * start is over then: what runs but once is better left as it is.
 */
const optimizeSoon = () => setFlagsFromString('--interrupt-budget=8000');

async function main(): Promise<void> {
  const app = await createApp(readConfig());
  const stop = () => {
    // A second signal ends at once.
    for (const signal of SIGNALS) process.once(signal, () => process.exit(1));
    app.close().then(
      () => process.exit(0),
      (error) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  for (const signal of SIGNALS) process.once(signal, stop);
  const url = await app.listen();
  optimizeSoon();
  console.log(`Print Farm Gateway is ready:
  ${url}/            the farm
  ${url}/graphql     GraphQL, with a playground for browsers
  ${url}/cameras     REST: cameras
  ${url}/api/printjobs  REST: print jobs`);
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

main().catch((error: unknown) => {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exit(1);
});
