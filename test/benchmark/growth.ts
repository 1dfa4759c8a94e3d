// npm run bench:growth: the cost of more jobs, records and cameras for the reader.
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { startTestServer } from '../support/test-server';
import { BRIEF, GROWN, type Size, SMALL, WIDE } from './dataset';
import { startGateway, type Target } from './targets';

interface Growth {
  what: string;
  query: string;
  /** The target with more of it. */
  grown: 'grown' | 'wide';
  /** The time may become so many times that of the small farm. */
  limit: number;
}

const GROWTHS: Growth[] = [
  {
    what: 'filamentUsage of a year by day',
    query:
      '{ filamentUsage(groupBy: [DAY], timeZone: "Europe/Berlin") { from completedGrams wastedGrams completedCost } }',
    grown: 'grown',
    // A report adds up its jobs: 20 times as many.
    limit: 20,
  },
  {
    what: 'a page of 100 spools with remainingGrams',
    query: '{ spools(first: 100) { nodes { spoolSerial usedGrams plannedGrams remainingGrams } } }',
    grown: 'grown',
    limit: 1.3,
  },
  {
    what: 'Camera.series of a day',
    query: '{ camera(id: "cam000007") { series { from records batteryPct online } } }',
    grown: 'grown',
    limit: 1.3,
  },
  { what: 'alerts', query: '{ alerts { kind severity message } }', grown: 'wide', limit: 12 },
];

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      reads: { type: 'string', default: '30' },
      brief: { type: 'boolean', default: false },
    },
  });
  const reads = values.brief ? 3 : Number(values.reads);
  const sized = (size: Size) => (values.brief ? BRIEF : size);
  const server = await startTestServer();
  const targets: Record<string, Target> = {};
  const start = async (name: string, size: Size) => {
    const database = new URL(server.url);
    database.pathname = `/bench_${name}`;
    const target = await startGateway(name, server.url, sized(size));
    targets[name] = target;
    await withClient(database.toString(), async (client) => {
      await endJobsOverAYear(client, sized(size));
    });
    return target;
  };
  try {
    const small = await start('small', SMALL);
    for (const [name, size] of Object.entries({ grown: GROWN, wide: WIDE })) await start(name, size);
    for (const { what, query, grown, limit } of GROWTHS) {
      const [before, after] = [small, targets[grown] as Target];
      await Promise.all([read(before, query), read(after, query)]);
      const times: [number[], number[]] = [[], []];
      for (let n = 0; n < reads; n += 1) {
        times[0].push(await read(before, query));
        times[1].push(await read(after, query));
      }
      const [one, other] = times.map(median) as [number, number];
      console.log(
        `${what}: ${one.toFixed(1)} ms, ${other.toFixed(1)} ms (${(other / one).toFixed(2)} ×, at most ${limit})`,
      );
    }
  } finally {
    for (const target of Object.values(targets)) await target.stop();
    await server.stop();
  }
}

/** Spreads the ends of the jobs evenly over the last year, past the triggers. */
async function endJobsOverAYear(client: Client, { jobs }: Size): Promise<void> {
  await client.query('set session_replication_role = replica');
  await client.query(`update print_jobs j set updated_at = t.at, completed_at = case when j.completed_at is not null then t.at end
    from (select id, now() - row_number() over (order by id) * interval '365 days' / ${jobs} as at from print_jobs) t
    where t.id = j.id`);
  await client.query('reset session_replication_role');
  await client.query('vacuum analyze print_jobs');
}

async function withClient(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

async function ask({ url }: Target, body: string) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const text = await response.text();
  if (!text.startsWith('{"data":{')) throw new Error(`A request failed: ${text.slice(0, 1000)}`);
  return JSON.parse(text).data;
}

/** In ms. */
async function read(target: Target, query: string): Promise<number> {
  const began = performance.now();
  await ask(target, JSON.stringify({ query }));
  return performance.now() - began;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

main().then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
