// What PostgreSQL reads for each operation, by its own report: never more for a longer log or a longer list of jobs.
import { randomUUID } from 'node:crypto';
import { expectData, expectStatus, type Gateway, startGateway, test } from '../support/gateway';
import { type Sent, sentBy } from '../support/statements';

const CAMERAS = 50;
const STATUSES = 1000;
const JOBS = 20_000;
/**
 * No operation below asks for more than 200 rows, and a filter that one row in ten meets may read ten times its page: no
 * step of a plan may touch more of a table that grows.
 */
const MOST_ROWS = 600;
const GROWING = /^(print_jobs$|camera_status)/;

interface Step {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Step[];
}

const job = (n: number) => `md5('job ${n}')::uuid`;
let gateway: Gateway;
let ids: { job: string; printer: string; spool: string };

beforeAll(async () => {
  gateway = await startGateway('server');
  const guid = async (sql: string) => String((await gateway.sql(`select ${sql} as id`))[0].id);
  ids = { job: await guid(job(7)), printer: randomUUID(), spool: randomUUID() };
  const material = randomUUID();
  for (const statement of [
    `insert into materials values ('${material}', 'PLA', 1.24)`,
    `insert into printers values ('${ids.printer}', 'printer', now(), now())`,
    `insert into printers values (gen_random_uuid(), 'one that has never printed', now(), now())`,
    `insert into printers select md5('printer ' || n)::uuid, 'printer ' || n, now(), now() from generate_series(1, 20) n`,
    `insert into spools values ('${ids.spool}', 'spool', 1.75, 1000, 20, '${material}', now(), now())`,
    `insert into spools select md5('spool ' || n)::uuid, 'spool ' || n, 1.75, 1000, 20, '${material}', now(), now() from generate_series(1, 20) n`,
    `insert into print_jobs select md5('job ' || n)::uuid,
      case n % 10 when 0 then '${ids.printer}' else md5('printer ' || 1 + n % 20)::uuid end,
      case n % 10 when 0 then '${ids.spool}' else md5('spool ' || 1 + n % 20)::uuid end,
      'part ' || n, '', 1, 1, 1, null, case when n % 10 > 0 then now() - n * interval '1 minute' end, (array['Queued', 'Printing', 'Completed', 'Cancelled', 'Failed'])[1 + n % 5],
      (array['Mqtt', 'PrinterApi', 'Manual'])[1 + n % 3], 1.75, 1.24, null, now() - n * interval '1 minute', now()
      from generate_series(1, ${JOBS}) n`,
    `insert into cameras select 'cam ' || n, 'camera', null, now(), now() from generate_series(1, ${CAMERAS}) n`,
    `insert into camera_status (camera_id, recorded_at, online)
      select 'cam ' || 1 + n % ${CAMERAS}, now() - n * interval '3 minutes', true from generate_series(1, ${CAMERAS * STATUSES}) n`,
    'analyze',
  ]) {
    await gateway.sql(statement);
  }
});

afterAll(() => gateway?.close());

const JOB = 'id status printer { name } spool { spoolSerial material { name } }';
const PAGE = `{ nodes { ${JOB} } pageInfo { endCursor } }`;

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString();

const OPERATIONS: [name: string, document: string, variables?: () => unknown][] = [
  ['all cameras with their latest status', '{ cameras { nodes { id lastStatus { recordedAt } } totalCount } }'],
  [
    'cameras with their latest status, the last day, their whole log and what they reported long ago',
    `query ($from: DateTime!, $to: DateTime!) { a: camera(id: "cam 1") { ...H } b: camera(id: "cam 2") { ...H } }
      fragment H on Camera { lastStatus { recordedAt } today: history(first: 50) { recordedAt }
        all: history(from: "2000-01-01T00:00:00Z", first: 200) { recordedAt } history(from: $from, to: $to, first: 50) { recordedAt } }`,
    () => ({ from: daysAgo(60), to: daysAgo(59) }),
  ],
  [
    'a record by its nodeId, among all partitions',
    'query ($nodeId: ID!) { node(nodeId: $nodeId) { nodeId } }',
    () => ({ nodeId: Buffer.from('["CameraStatus","cam 7","2026-01-01T00:00:00.000Z","7"]').toString('base64url') }),
  ],
  ['one job', 'query ($id: ID!) { printJob(id: $id) { id } }', () => ({ id: ids.job })],
  ...['', 'status: [COMPLETED]', 'dataSource: MQTT'].map((filter): [string, string] => [
    `the first page of ${filter || 'all'}`,
    `{ printJobs(first: 50, filter: { ${filter} }) ${PAGE} }`,
  ]),
  ...(['printer', 'spool'] as const).map((owner): [string, string, () => unknown] => [
    `the first page of a ${owner}`,
    `query ($id: ID) { printJobs(first: 50, filter: { ${owner}Id: $id }) ${PAGE} }`,
    () => ({ id: ids[owner] }),
  ]),
  ['the first page of those that ended last', `{ printJobs(first: 50, orderBy: COMPLETED_AT_DESC) ${PAGE} }`],
  ['the first page of the oldest', `{ printJobs(first: 50, orderBy: CREATED_AT_ASC) ${PAGE} }`],
  [
    'the first page of the oldest of a printer',
    `query ($id: ID) { printJobs(first: 50, filter: { printerId: $id }, orderBy: CREATED_AT_ASC) ${PAGE} }`,
    () => ({ id: ids.printer }),
  ],
  [
    'pages of the newest and of the oldest jobs of every printer',
    `{ printers(first: 30) { nodes { jobs(first: 2) { nodes { id } } oldest: jobs(first: 2, orderBy: CREATED_AT_ASC) { nodes { id } } } } }`,
  ],
  [
    'how many there are, of all and of some',
    `query ($id: ID) { all: printJobs { totalCount } done: printJobs(filter: { status: [COMPLETED, FAILED] }) { totalCount }
      its: printJobs(filter: { printerId: $id, dataSource: MANUAL }) { totalCount } }`,
    () => ({ id: ids.printer }),
  ],
];

describe('a query reads no more rows than it answers, however many exist:', () => {
  for (const [name, document, variables] of OPERATIONS) {
    test(name, async () => {
      await expectFewRows(await sentBy(async () => expectData(await gateway.graphql(document, variables?.()))));
    });
  }

  for (const path of ['/cameras', '/cameras/cam%207', '/api/printjobs/{job}', '/api/printjobs?PageSize=100']) {
    test(path, async () => {
      const url = path.replace('{job}', ids.job);
      await expectFewRows(await sentBy(async () => expectStatus(await gateway.rest('GET', url), 200)));
    });
  }

  for (const [order, sql, deep] of [
    ['CREATED_AT_DESC', 'created_at desc', 18_000],
    ['COMPLETED_AT_DESC', 'completed_at desc nulls last', 15_000],
    // The end of jobs that ended, and of those that did not.
    ['COMPLETED_AT_DESC', 'completed_at desc nulls last', 17_990],
    ['COMPLETED_AT_DESC', 'completed_at desc nulls last', 19_000],
  ] as const) {
    test(`a page by ${order} from ${deep}`, async () => {
      const column = sql.split(' ')[0];
      const rows = await gateway.sql(`select ${column} as at, id from print_jobs order by ${sql}, id desc
      offset ${deep - 1} limit 51`);
      const [{ at, id }, ...next] = rows as [{ at: Date | null; id: string }, ...{ id: string }[]];
      const list = order === 'CREATED_AT_DESC' ? 'printJobs' : `printJobs ${order}`;
      const after = Buffer.from(JSON.stringify([list, at?.toISOString() ?? '', id])).toString('base64url');
      const query = `query ($after: String) { printJobs(first: 50, after: $after, orderBy: ${order}) { nodes { id } } }`;
      const sent = await sentBy(async () => {
        const { printJobs } = expectData(await gateway.graphql(query, { after }));
        expect(printJobs.nodes).toEqual(next.map(({ id }) => ({ id })));
      });
      await expectFewRows(sent);
    });
  }
});

test('the list of what needs attention reads the jobs of the spools that jobs wait for by their index', async () => {
  const [sent] = (await sentBy(async () => expectData(await gateway.graphql('{ alerts { kind } }')))) as [Sent];
  expect(JSON.stringify(await explain(sent, ''))).toContain('"Index Name":"print_jobs_by_spool"');
});

test('alerts of films read no record if no camera should record, and read those of the others by the key of the log', async () => {
  const readsOfLog = async () => {
    const [sent] = (await sentBy(async () => expectData(await gateway.graphql('{ alerts { kind } }')))) as [Sent];
    const steps = listSteps(await explain(sent)).filter((step) => /^camera_status/.test(step['Relation Name'] ?? ''));
    return steps.filter((step) => step['Actual Loops'] > 0).map((step) => step['Node Type']);
  };
  expect(await readsOfLog()).toEqual([]);
  const printing = `(select id from print_jobs where status = 'Printing' order by id limit 1)`;
  await gateway.sql(`update print_jobs set started_at = now() - interval '1 day' where id = ${printing}`);
  await gateway.sql(`update cameras set records_prints = true,
    printer_id = (select printer_id from print_jobs where id = ${printing})`);
  await gateway.sql(
    `insert into camera_status (camera_id, recorded_at, online) select camera_id, now(), true from cameras`,
  );
  expect(expectData(await gateway.graphql('{ alerts { kind } }')).alerts).toContainEqual({ kind: 'NOT_FILMED' });
  expect([...new Set(await readsOfLog())]).toEqual(['Index Scan']);
  await gateway.sql('update cameras set records_prints = false, printer_id = null');
});

test('a page that holds all rows needs no count', async () => {
  const reads = async (first: number, offset: number) => {
    const page = `first: ${first}, offset: ${offset}, filter: { search: "part 777" }`;
    const [sent, ...others] = await sentBy(async () => {
      const found = expectData(await gateway.graphql(`{ printJobs(${page}) { nodes { id } totalCount } }`));
      expect(found.printJobs.totalCount).toBe(11);
    });
    expect(others).toEqual([]);
    const steps = listSteps(await explain(sent as Sent)).filter((step) => step['Relation Name'] === 'print_jobs');
    return steps.filter((step) => step['Actual Loops'] > 0).length;
  };
  expect([await reads(11, 0), await reads(10, 0), await reads(11, 1)]).toEqual([1, 2, 2]);
});

test('answers are stored under their keys by the index, also with a plan that was made while the table was empty', async () => {
  const sent = await sentBy(async () => {
    const camera = { camera_id: 'keyed', friendly_name: 'Door' };
    expectStatus(await gateway.rest('POST', '/cameras', camera, { 'idempotency-key': 'a' }), 201);
  });
  const store = sent.find(({ text }) => text.includes('idempotency.store')) as Sent;
  await gateway.sql('delete from idempotency_keys');
  await gateway.sql('vacuum analyze idempotency_keys');
  expect(listSteps(await explain(store, '')).map((step) => step['Node Type'])).not.toContain('Seq Scan');
});

async function explain({ text, values }: Sent, options = 'analyze,'): Promise<Step> {
  const [{ 'QUERY PLAN': plan }] = await gateway.sql(`explain (${options} format json) ${withValues(text, values)}`);
  return plan[0].Plan;
}

async function expectFewRows(sent: Sent[]): Promise<void> {
  expect(sent.length).toBeGreaterThan(0);
  for (const one of sent) {
    const steps = listSteps(await explain(one));
    const greedy = steps.filter((step) => {
      const touched = (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)) * step['Actual Loops'];
      return GROWING.test(step['Relation Name'] ?? '') && touched > MOST_ROWS;
    });
    if (greedy.length > 0) throw new Error(`${one.text}\n${JSON.stringify(greedy, null, 1)}`);
    expect(steps.filter((step) => step['Node Type'] === 'Sort' && step['Actual Rows'] > MOST_ROWS)).toEqual([]);
  }
}

function listSteps(step: Step): Step[] {
  return [step, ...(step.Plans ?? []).flatMap(listSteps)];
}

/** EXPLAIN takes no parameters through a text alone. */
function withValues(text: string, values: unknown[]): string {
  const literal = (value: unknown): string => {
    if (value === null || value === undefined) return 'null';
    if (Array.isArray(value)) return `array[${value.map(literal).join(', ')}]`;
    return `'${String(value).replaceAll("'", "''")}'`;
  };
  return text.replace(/\$(\d+)/g, (_, n) => literal(values[Number(n) - 1]));
}
