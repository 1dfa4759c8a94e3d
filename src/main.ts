// The process: starts the gateway, stops it at a signal, and sets the exit code.
import { createApp } from './app';
import { ConfigError, readConfig } from './config';

async function main(): Promise<void> {
  const app = await createApp(readConfig());
  const stop = () => {
    // A second signal ends the process at once.
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
  ${url}/openapi     the REST description
  ${url}/cameras     REST: cameras
  ${url}/api/printjobs  REST: print jobs`);
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

main().catch((error: unknown) => {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exit(1);
});
