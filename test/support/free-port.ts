// Finds a port at which nothing listens.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that the system hands out, because another test may ask the system for one meanwhile. */
const PORTS = [15_000, 32_000] as const;

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...PORTS);
    const probe = createServer().listen(port, '127.0.0.1');
    try {
      await once(probe, 'listening');
    } catch {
      continue;
    }
    probe.close();
    await once(probe, 'close');
    return port;
  }
}
