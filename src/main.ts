// The process: configuration, start, signals, exit codes.
import { setFlagsFromString } from 'node:v8';
import { createApp } from './app';
import { ConfigError, readConfig } from './config';

// A request passes a thousand small functions, and V8 optimizes each of them when so many bytes of it have been run. With
// its own 67,584 a lone client's first 20,000 requests pass through slow code: 1.3 times as many of them a second.
// A V8 that does not know the flag says so and goes on.
setFlagsFromString('--interrupt-budget=8000');

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
