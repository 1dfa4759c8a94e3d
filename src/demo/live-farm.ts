// Keeps the example farm at work: its cameras report and its printers print, until a signal comes.
import { GatewayRequestError } from '../client/client';
import { RecordCameraStatusesDocument } from '../generated/operations';
import { isLoopback } from '../values/loopback';
import { sleep } from '../values/timers';
import { cameras, reportsAfter } from './example-cameras';
import { Machines } from './example-machines';
import type { Gateway } from './fill';

/** @param seconds between two reports of a camera */
export async function work(gateway: Gateway, seconds: number): Promise<void> {
  const { url, client, say } = gateway;
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop.abort());
  const machines = new Machines(client);
  try {
    // The gateway must reach them on the loopback of this computer.
    if (isLoopback(new URL(url).hostname)) {
      await machines.start().catch(async (error) => {
        sayRefusal('The printers are', error);
        await machines.close();
      });
    }
    const { cameras: asked, printers } = machines;
    say(`${cameras.length} cameras report every ${seconds} s, and ${printers} printers print, until Ctrl+C.`);
    for (const id of asked) say(`The camera ${id} does not report: the gateway asks it each 30 s.`);
    await reportUntil(stop.signal, gateway, seconds, asked);
  } finally {
    await machines.close();
  }
}

/** @param asked cameras that report by themselves */
async function reportUntil(
  stop: AbortSignal,
  { url, client, say }: Gateway,
  seconds: number,
  asked: readonly string[],
): Promise<void> {
  let isAway = false;
  for (const begin = Date.now(); !stop.aborted; ) {
    const input = reportsAfter((Date.now() - begin) / 60_000, asked);
    const wasAway = isAway;
    isAway = await client.request(RecordCameraStatusesDocument, { input }).then(() => false, awayIn);
    if (isAway && !wasAway) console.error(`No gateway answers at ${url}: the cameras go on trying.`);
    if (wasAway && !isAway) say('The gateway answers again.');
    await sleep(seconds * 1000, undefined, { signal: stop }).catch(() => {});
  }
}

/** Without the right to add devices, or on a server without DEVICE_KEY, the rest works all the same. */
export function sayRefusal(what: string, error: unknown): void {
  if (!(error instanceof GatewayRequestError) || error.errors.length === 0) throw error;
  console.error(`${what} left out: ${error.message}`);
}

/** True when the gateway is away, as in a restart; any other error is thrown. */
function awayIn(error: unknown): true {
  if (error instanceof GatewayRequestError && (error.status === 0 || error.status === 503)) return true;
  throw error;
}
