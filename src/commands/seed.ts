// The command `seed`: fills a running gateway with the example farm. With --live the farm goes on working.
import { createClient } from '../client/client';
import { readGateway } from '../config';
import { startTelling } from '../demo/example-target';
import { fill, isFilled } from '../demo/fill';
import { work } from '../demo/live-farm';
import { gatewayFailure } from './gateway-failures';
import { showProgress } from './progress';

/** @param live the seconds between two reports of a camera */
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
    const gateway = { url, client, say };
    if (live === undefined || !(await isFilled(client))) await fill(gateway, force);
    const endTelling = await startTelling(gateway);
    try {
      if (live !== undefined) await work(gateway, live);
    } finally {
      await endTelling();
    }
  } catch (error) {
    throw gatewayFailure(error, url, key, 'the scopes read and write (with --live also devices), for all cameras');
  } finally {
    progress.end();
  }
}
