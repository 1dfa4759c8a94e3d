// Keeps the example farm working until a signal arrives: its cameras report, and its printers print.
import { type Client, GatewayRequestError } from '../client/client';
import { RecordCameraStatusesDocument, SpoolsDocument } from '../generated/operations';
import { isLoopback } from '../values/loopback';
import { sleep } from '../values/timers';
import { cameras, makeReports } from './example-cameras';
import { Machines } from './example-machines';
import { ExamplePrograms, type SpoolNumbers } from './example-programs';
import type { Gateway } from './fill';

/** What the printer without a connection feeds. */
const MM_PER_SECOND = 2.5;

/** @param seconds the time between two reports of a camera */
export async function runLiveFarm(gateway: Gateway, seconds: number): Promise<void> {
  const { url, key, client, say } = gateway;
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop.abort());
  const programs = new ExamplePrograms(url, key);
  const machines = new Machines(client, programs);
  try {
    // The gateway can reach the machines only if both run on this computer.
    if (isLoopback(new URL(url).hostname)) {
      await machines.start().catch(async (error) => {
        showRefusal('The example has no simulated printers', error);
        await machines.close();
      });
    }
    const { cameras: polled, printers } = machines;
    say(`${cameras.length} cameras report every ${seconds} s, and ${printers} printers print. Stop them with Ctrl-C.`);
    for (const id of polled) say(`The camera ${id} sends no status. The gateway polls it every 30 s.`);
    const numbers = await readSpoolNumbers(client);
    const reportUse = async () => {
      await programs.reportUse(numbers, MM_PER_SECOND * seconds);
      await machines.reportUse();
    };
    await reportUntil(stop.signal, gateway, seconds, polled, reportUse);
  } finally {
    await machines.close();
  }
}

async function readSpoolNumbers(client: Client): Promise<SpoolNumbers> {
  const { spools } = await client.request(SpoolsDocument, { first: 1000 });
  return new Map(spools.nodes.map(({ spoolSerial, number }) => [spoolSerial, number]));
}

/**
 * @param reportUse lets the programs that use Spoolman's API report
 * @param polled the cameras that the gateway polls
 */
async function reportUntil(
  stop: AbortSignal,
  { url, client, say }: Gateway,
  seconds: number,
  polled: readonly string[],
  reportUse: () => Promise<void>,
): Promise<void> {
  let isAway = false;
  for (const startedAt = Date.now(); !stop.aborted; ) {
    const input = makeReports((Date.now() - startedAt) / 60_000, polled);
    const wasAway = isAway;
    isAway = await client.request(RecordCameraStatusesDocument, { input }).then(() => false, isGatewayAway);
    if (isAway && !wasAway) console.error(`No gateway answers at ${url}. The cameras keep trying.`);
    if (wasAway && !isAway) say('The gateway answers again.');
    if (!isAway) await reportUse();
    await sleep(seconds * 1000, undefined, { signal: stop }).catch(() => {});
  }
}

/**
 * Shows why a part of the example is missing. If the key may not add devices, or the gateway has no DEVICE_KEY, the rest of the
 * farm still works.
 */
export function showRefusal(consequence: string, error: unknown): void {
  if (!(error instanceof GatewayRequestError) || error.errors.length === 0) throw error;
  console.error(`${consequence}: ${error.message}`);
}

/** Returns true if the gateway does not answer, as during a restart. Throws any other error. */
function isGatewayAway(error: unknown): true {
  if (error instanceof GatewayRequestError && (error.status === 0 || error.status === 503)) return true;
  throw error;
}
