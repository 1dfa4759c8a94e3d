// npm run bench: the work items against the gateway and another target, interleaved in one run, as ratios.
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { startTestServer } from '../support/test-server';
import { BRIEF, SMALL } from './dataset';
import { ITEMS, type Item } from './items';
import { BESIDE, memoryOf, startGateway, type Target } from './targets';

const USAGE = `npm run bench -- [--beside competitor] [--items W1,W4] [--connections 1,16,64] [--seconds 4] [--rounds 3] [--brief]
  --beside competitor   Mercurius with hand-written SQL over the same rows, whose answers must be the same
           grown        the gateway itself with 100 times the log and 20 times the jobs (filled within 15 minutes)
           wide         the gateway itself with 10 times the cameras
           embedded     the gateway itself with the same rows in the embedded database
  BENCH_DATABASE_URL    a PostgreSQL server to measure on (default: one of npm's, without fsync)`;
/** That many different requests of an item are sent in turn. */
const DIFFERENT = 500;

interface Run {
  item: string;
  connections: number;
  target: string;
  perSecond: number;
  p50: number;
  p99: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      beside: { type: 'string', default: 'competitor' },
      items: { type: 'string' },
      connections: { type: 'string', default: '1,16,64' },
      seconds: { type: 'string', default: '4' },
      rounds: { type: 'string', default: '3' },
      brief: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const startOther = BESIDE[values.beside];
  if (values.help || startOther === undefined) return console.log(USAGE);
  const items = ITEMS.filter(({ name }) => !values.items || values.items.split(',').includes(name));
  const connections = values.brief ? [4] : values.connections.split(',').map(Number);
  const seconds = values.brief ? 0.5 : Number(values.seconds);
  const rounds = values.brief ? 1 : Number(values.rounds);
  const size = values.brief ? BRIEF : SMALL;

  const server = process.env['BENCH_DATABASE_URL']
    ? { url: process.env['BENCH_DATABASE_URL'], stop: async () => {} }
    : await startTestServer();
  const targets: Target[] = [];
  try {
    targets.push(await startGateway('gateway', server.url, size), await startOther(server.url, size));
    const isSame = targets.every((target) => target.size === size);
    for (const item of items) if (isSame && !item.writes && !item.against) await sameAnswers(item, targets);
    const runs: Run[] = [];
    for (let round = 0; round < rounds; round += 1) {
      for (const item of items) {
        for (const target of targets) {
          if (item.against && target.name === 'competitor') continue;
          if (round === 0) await load(item, target, 16, values.brief ? 0.2 : 1);
          for (const many of connections) {
            runs.push({
              item: item.name,
              connections: many,
              target: target.name,
              ...(await load(item, target, many, seconds)),
            });
          }
        }
      }
    }
    print(items, connections, targets, runs);
  } finally {
    for (const target of targets) await target.stop();
    await server.stop();
  }
}

/** Speed means nothing if the answers differ. */
async function sameAnswers(item: Item, targets: Target[]): Promise<void> {
  for (let n = 0; n < 10; n += 1) {
    const texts = await Promise.all(
      targets.map(async ({ url, size }) => {
        const { path, ...ask } = item.ask(n, size);
        return (await fetch(url + path, ask)).text();
      }),
    );
    const [ours, theirs] = texts.map((text) => JSON.stringify(JSON.parse(text)));
    if (ours !== theirs || !ours?.startsWith('{"data":{"')) {
      throw new Error(`${item.name}: the answers differ\n${ours?.slice(0, 1500)}\n${theirs?.slice(0, 1500)}`);
    }
  }
}

async function load(item: Item, target: Target, connections: number, seconds: number) {
  const requests = Array.from({ length: DIFFERENT }, (_, n) => item.ask(n, target.size));
  const options = {
    url: target.url,
    connections,
    duration: seconds,
    requests,
    // The load stops only between two samples; without this a brief run takes a second.
    sampleInt: Math.min(seconds, 1) * 500,
    // The gateway closes a connection after its thousandth request, which autocannon would not notice.
    reconnectRate: 900,
    workers: 1,
  };
  const result = await autocannon(options);
  const failed = result.errors + result.timeouts + result.non2xx;
  if (failed > 0 || result.requests.total === 0) {
    throw new Error(`${item.name}: ${failed} of ${result.requests.total} requests failed at the ${target.name}`);
  }
  return { perSecond: result.requests.total / result.duration, p50: result.latency.p50, p99: result.latency.p99 };
}

function print(items: Item[], connections: number[], targets: Target[], runs: Run[]): void {
  const findResult = (item: string, many: number, target: string) => {
    const found = runs.filter((run) => run.item === item && run.connections === many && run.target === target);
    return found.length === 0 ? undefined : (key: 'perSecond' | 'p50' | 'p99') => median(found.map((run) => run[key]));
  };
  const other = (targets[1] as Target).name;
  console.log(`\nRequests a second as a multiple of those beside it (${other}); in brackets p50 / p99 in ms.\n`);
  console.log(`| item | ${connections.map((many) => `${many} connections`).join(' | ')} | |`);
  console.log(`|---|${connections.map(() => '---|').join('')}---|`);
  for (const item of items) {
    const cells = connections.map((many) => {
      const ours = findResult(item.name, many, 'gateway');
      const theirs = findResult((other === 'competitor' && item.against) || item.name, many, other);
      if (!ours) return '';
      const ratio = theirs ? `${(ours('perSecond') / theirs('perSecond')).toFixed(2)} ×` : ours('perSecond').toFixed(0);
      return `${ratio} (${ours('p50')} / ${ours('p99')})`;
    });
    console.log(`| ${item.name} | ${cells.join(' | ')} | ${item.what} |`);
  }
  for (const { name, pid, coldStartMs } of targets) {
    console.log(
      `\n${name}: start to first answer ${coldStartMs.toFixed(0)} ms, memory after the load ${memoryOf(pid).toFixed(0)} MB`,
    );
  }
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] as number;
}

main().then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
