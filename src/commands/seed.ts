// Runs the command `seed`, which fills an empty running gateway with the example farm. With --live the farm keeps working until Ctrl-C.
import { createClient } from '../client/client';
import { readGateway } from '../config';
import { cameras } from '../demo/example-cameras';
import { startReceiver } from '../demo/example-target';
import { type ExistingRows, existingRows, fill } from '../demo/fill';
import { runLiveFarm } from '../demo/live-farm';
import { gatewayFailure } from './gateway-failures';
import { showProgress } from './progress';

/**
 * @param force add the farm even if the gateway is not empty
 * @param live the seconds between two reports of a camera. If the gateway has the example's cameras already, nothing is added.
 */
export async function seed({ force = false, live }: { force?: boolean; live?: number } = {}): Promise<void> {
  const { url, key } = readGateway();
  const progress = showProgress((requests) => `${requests} requests sent`);
  const client = createClient({
    url: `${url}/graphql`,
    fetch: (...request) => {
      progress.add(1);
      return fetch(...request);
    },
    ...(key !== null && { headers: { authorization: `Bearer ${key}` } }),
  });
  const say = (text: string) => {
    progress.end();
    console.log(text);
  };
  try {
    const gateway = { url, key, client, say };
    const existing = await existingRows(client);
    if (live === undefined || !hasAllCameras(existing)) {
      if (!force) refuseUnlessEmpty(existing, url);
      await fill(gateway, existing);
    }
    const endReceiver = await startReceiver(gateway);
    try {
      if (live !== undefined) await runLiveFarm(gateway, live);
    } finally {
      await endReceiver();
    }
  } catch (error) {
    throw gatewayFailure(error, url, key, 'the scopes read and write for all cameras, and devices for --live');
  } finally {
    progress.end();
  }
}

function hasAllCameras(existing: ExistingRows): boolean {
  const ids = new Set(existing.cameras.map(({ id }) => id));
  return cameras.every(({ id }) => ids.has(id));
}

function refuseUnlessEmpty({ counts }: ExistingRows, url: string): void {
  const found = Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []));
  if (found.length === 0) return;
  throw new Error(
    `The gateway at ${url} is not empty (${found.join(', ')}). Nothing was changed.\nTo add the example farm nevertheless, use the option --force.`,
  );
}
