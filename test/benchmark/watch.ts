// npm run bench:live: measures how fast changes reach all watchers, and what idle watchers cost, beside the competitor.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startChild } from '../support/child-process';
import { startTestServer } from '../support/test-server';
import { BRIEF, SMALL } from './dataset';
import { BESIDE, cpuOf, memoryOf, startGateway, type Target } from './targets';

const QUERIES: Record<string, string> = {
  gateway: 'subscription { cameraStatusRecorded { status { id recordedAt batteryPct } } }',
  competitor: 'subscription { cameraStatusRecorded { id recordedAt batteryPct } }',
};
const RECORD = 'mutation ($input: [CameraStatusInput!]!) { recordCameraStatuses(input: $input) { id } }';

/** With --brief the pauses, in which nothing is counted or nothing happens, are so many times shorter. */
let haste = 1;
const pause = (ms: number) => sleep(ms / haste);

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      watchers: { type: 'string', default: '1000' },
      rate: { type: 'string', default: '100' },
      seconds: { type: 'string', default: '10' },
      idle: { type: 'string', default: '9000' },
      brief: { type: 'boolean', default: false },
    },
  });
  const [watchers, rate, seconds, idle] = values.brief
    ? [20, 20, 1, 50]
    : [Number(values.watchers), Number(values.rate), Number(values.seconds), Number(values.idle)];
  const size = values.brief ? BRIEF : SMALL;
  if (values.brief) haste = 5;
  const server = await startTestServer();
  const targets: Target[] = [];
  try {
    targets.push(await startGateway('gateway', server.url, size));
    const startOther = BESIDE['competitor'];
    if (startOther) targets.push(await startOther(server.url, size));
    for (const target of targets) {
      const delivered = await deliver(target, watchers, rate, seconds);
      const resting = await waitForIdle(target, idle);
      console.log(`\n${target.name}: ${watchers} watchers, ${rate} changes a second: to the last of them ${delivered}`);
      console.log(`${target.name}: ${idle} idle watchers: ${resting}`);
    }
  } finally {
    for (const target of targets) await target.stop();
    await server.stop();
  }
}

async function watch({ name, url }: Target, count: number) {
  const child = startChild(join(__dirname, 'watchers.ts'), [url, String(count), QUERIES[name] as string]);
  await child.waitForOutput(`${count} are watching`);
  return child;
}

async function deliver(target: Target, watchers: number, rate: number, seconds: number): Promise<string> {
  const child = await watch(target, watchers);
  await pause(1000);
  const writes: Promise<boolean>[] = [];
  const began = Date.now();
  for (let n = 0; n < rate * seconds; n += 1) {
    const wait = began + (n * 1000) / rate - Date.now();
    if (wait > 0) await sleep(wait);
    writes.push(
      record(target, n).then(
        () => true,
        () => false,
      ),
    );
  }
  const refused = (await Promise.all(writes)).filter((isDone) => !isDone).length;
  await pause(3000);
  child.end();
  await child.ended;
  const { changes, deliveries, delays } = JSON.parse(/RESULT (.*)/.exec(child.output)?.[1] ?? '') as {
    changes: number;
    deliveries: number[];
    delays: number[];
  };
  if (refused > 0 && target.name === 'gateway') throw new Error(`${refused} writes to the gateway failed`);
  const lost = (rate * seconds - refused) * watchers - deliveries.reduce((sum, times) => sum + times, 0);
  const sorted = delays.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return `${at(0.5)} ms at the median, ${at(0.99)} ms at p99 (${changes} changes, ${refused} writes failed, ${lost} deliveries missing)`;
}

async function record({ url }: Target, n: number): Promise<void> {
  const input = [{ cameraId: `cam${String(1 + (n % 50)).padStart(6, '0')}`, batteryPct: n % 100, online: true }];
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: RECORD, variables: { input } }),
  });
  const text = await response.text();
  if (!text.startsWith('{"data":{')) throw new Error(`The write failed: ${text}`);
}

async function waitForIdle(target: Target, idle: number): Promise<string> {
  const before = memoryOf(target.pid);
  const child = await watch(target, idle);
  await pause(2000);
  const memory = ((memoryOf(target.pid) - before) / idle) * 1024;
  const began = cpuOf(target.pid);
  const since = performance.now();
  await pause(5000);
  const cpu = ((cpuOf(target.pid) - began) * 1000) / (performance.now() - since);
  child.end();
  await child.ended;
  return `${memory.toFixed(1)} KB each, ${(cpu * 100).toFixed(1)} % of a core`;
}

main().then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
