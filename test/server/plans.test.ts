// What PostgreSQL reads for each operation, by its own account: never more for a longer log or a longer list of jobs.
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
const GROWING = /^(print_jobs|camera_status)/;

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

describe('an operation reads no more rows than it answers, however many there are', () => {
  const operations: [name: string, document: string, variables?: () => unknown][] = [
    ['all cameras with their latest status', '{ cameras { nodes { id lastStatus { recordedAt } } totalCount } }'],
    ['one camera with its history', '{ camera(id: "cam 7") { lastStatus { recordedAt } history { recordedAt } } }'],
    [
      'one camera with its whole log, the first 200',
      '{ camera(id: "cam 7") { history(from: "2000-01-01T00:00:00Z", first: 200) { recordedAt } } }',
    ],
    [
      'three cameras with their histories',
      '{ a: camera(id: "cam 1") { ...H } b: camera(id: "cam 2") { ...H } c: camera(id: "cam 3") { ...H } } fragment H on Camera { history(first: 50) { recordedAt } }',
    ],
    [
      'three cameras with what they reported long ago',
      `query ($from: DateTime!, $to: DateTime!) { a: camera(id: "cam 1") { ...H } b: camera(id: "cam 2") { ...H } c: camera(id: "cam 3") { ...H } }
        fragment H on Camera { history(from: $from, to: $to, first: 50) { recordedAt } }`,
      () => ({ from: daysAgo(60), to: daysAgo(59) }),
    ],
    ['the first page of those that ended last', `{ printJobs(first: 50, orderBy: COMPLETED_AT_DESC) ${PAGE} }`],
    ['the first page of the oldest', `{ printJobs(first: 50, orderBy: CREATED_AT_ASC) ${PAGE} }`],
    [
      'the first page of the oldest of a printer',
      `query ($id: ID!) { printJobs(first: 50, filter: { printerId: $id }, orderBy: CREATED_AT_ASC) ${PAGE} }`,
      () => ({ id: ids.printer }),
    ],
    [
      'a page of the oldest jobs of every printer',
      '{ printers(first: 30) { nodes { jobs(first: 2, orderBy: CREATED_AT_ASC) { nodes { id } } } } }',
    ],
    [
      'a record by its nodeId, among all partitions',
      'query ($nodeId: ID!) { node(nodeId: $nodeId) { nodeId } }',
      () => ({ nodeId: Buffer.from('["CameraStatus","cam 7","2026-01-01T00:00:00.000Z","7"]').toString('base64url') }),
    ],
    ['one job', 'query ($id: ID!) { printJob(id: $id) { id } }', () => ({ id: ids.job })],
    ['the first page', `{ printJobs(first: 50) ${PAGE} }`],
    ['the first page of a status', `{ printJobs(first: 50, filter: { status: [COMPLETED] }) ${PAGE} }`],
    ['the first page of a source', `{ printJobs(first: 50, filter: { dataSource: MQTT }) ${PAGE} }`],
    [
      'the first page of a printer',
      `query ($id: ID!) { printJobs(first: 50, filter: { printerId: $id }) ${PAGE} }`,
      () => ({ id: ids.printer }),
    ],
    [
      'the first page of a spool',
      `query ($id: ID!) { printJobs(first: 50, filter: { spoolId: $id }) ${PAGE} }`,
      () => ({ id: ids.spool }),
    ],
    [
      'how many there are, of all and of some',
      `query ($id: ID!) { all: printJobs { totalCount } done: printJobs(filter: { status: [COMPLETED, FAILED] }) { totalCount }
        its: printJobs(filter: { printerId: $id, dataSource: MANUAL }) { totalCount } }`,
      () => ({ id: ids.printer }),
    ],
    ['a page of the jobs of every printer', '{ printers(first: 30) { nodes { jobs(first: 2) { nodes { id } } } } }'],
  ];

  for (const [name, document, variables] of operations) {
    test(name, async () => {
      const sent = await sentBy(async () => expectData(await gateway.graphql(document, variables?.())));
      await expectFewRows(sent);
    });
  }

  test('what needs attention reads the jobs of the spools that jobs wait for, by their index', async () => {
    const [sent] = await sentBy(async () => expectData(await gateway.graphql('{ alerts { kind } }')));
    const { text, values } = sent as Sent;
    const [{ 'QUERY PLAN': plan }] = await gateway.sql(`explain (format json) ${withValues(text, values)}`);
    expect(JSON.stringify(plan[0].Plan)).toContain('"Index Name":"print_jobs_by_spool"');
  });

  test('the REST lists and single rows', async () => {
    for (const path of ['/cameras', '/cameras/cam%207', `/api/printjobs/${ids.job}`, '/api/printjobs?PageSize=100']) {
      await expectFewRows(await sentBy(async () => expectStatus(await gateway.rest('GET', path), 200)));
    }
  });

  test('a page deep in the list is read like the first', async () => {
    for (const filter of ['', ', filter: { status: [COMPLETED] }']) {
      const deep = (
        await gateway.sql(`select created_at, id from print_jobs ${filter && "where status = 'Completed'"}
          order by created_at desc, id desc offset ${filter ? 3500 : 18_000} limit 1`)
      )[0] as { created_at: Date; id: string };
      const after = Buffer.from(JSON.stringify(['printJobs', deep.created_at.toISOString(), deep.id])).toString(
        'base64url',
      );
      const sent = await sentBy(async () => {
        const { printJobs } = expectData(
          await gateway.graphql(`query ($after: String) { printJobs(first: 50, after: $after${filter}) ${PAGE} }`, {
            after,
          }),
        );
        expect(printJobs.nodes).toHaveLength(50);
      });
      await expectFewRows(sent);
    }
  });
});

test('a page deep in the list of those that ended last is read like the first, and so are those that did not end', async () => {
  for (const deep of [15_000, 17_990, 19_000]) {
    const [{ at, id }] = await gateway.sql(`select completed_at as at, id from print_jobs
      order by completed_at desc nulls last, id desc offset ${deep - 1} limit 1`);
    const place = ['printJobs COMPLETED_AT_DESC', at === null ? '' : at.toISOString(), id];
    const after = Buffer.from(JSON.stringify(place)).toString('base64url');
    const sent = await sentBy(async () => {
      const { printJobs } = expectData(
        await gateway.graphql(
          'query ($after: String) { printJobs(first: 50, after: $after, orderBy: COMPLETED_AT_DESC) { nodes { id } } }',
          { after },
        ),
      );
      const next = await gateway.sql(`select id from print_jobs
        order by completed_at desc nulls last, id desc offset ${deep} limit 50`);
      expect(printJobs.nodes).toEqual(next);
    });
    await expectFewRows(sent.slice(0, 1));
  }
});

test('rows that are all there are need not be counted again', async () => {
  const search = (first: number, offset = 0) =>
    `{ printJobs(first: ${first}, offset: ${offset}, filter: { search: "part 777" }) { nodes { id } totalCount } }`;
  const reads = async (document: string) => {
    const sent = await sentBy(async () => {
      expect(expectData(await gateway.graphql(document)).printJobs.totalCount).toBe(11);
    });
    expect(sent).toHaveLength(1);
    const [{ text, values }] = sent as [Sent];
    const [{ 'QUERY PLAN': plan }] = await gateway.sql(`explain (analyze, format json) ${withValues(text, values)}`);
    const ofJobs = stepsOf(plan[0].Plan).filter((step) => step['Relation Name'] === 'print_jobs');
    return ofJobs.filter((step) => step['Actual Loops'] > 0).length;
  };
  expect({ page: await reads(search(11)), some: await reads(search(10)), later: await reads(search(11, 1)) }).toEqual({
    page: 1,
    some: 2,
    later: 2,
  });
});

test('answers are stored under their keys by the index, also by a plan that was made while the table was empty', async () => {
  const sent = await sentBy(async () => {
    const camera = { camera_id: 'keyed', friendly_name: 'Door' };
    expectStatus(await gateway.rest('POST', '/cameras', camera, { 'idempotency-key': 'a' }), 201);
  });
  const store = sent.find(({ text }) => text.includes('idempotency.store')) as Sent;
  await gateway.sql('delete from idempotency_keys');
  await gateway.sql('vacuum analyze idempotency_keys');
  const [{ 'QUERY PLAN': plan }] = await gateway.sql(`explain (format json) ${withValues(store.text, store.values)}`);
  const ways = stepsOf(plan[0].Plan).map((step) => step['Node Type']);
  expect(ways).not.toContain('Seq Scan');
});

async function expectFewRows(sent: Sent[]): Promise<void> {
  expect(sent.length).toBeGreaterThan(0);
  for (const { text, values } of sent) {
    const [{ 'QUERY PLAN': plan }] = await gateway.sql(`explain (analyze, format json) ${withValues(text, values)}`);
    const steps = stepsOf(plan[0].Plan);
    const greedy = steps.filter((step) => {
      const touched = (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)) * step['Actual Loops'];
      return (
        GROWING.test(step['Relation Name'] ?? '') && touched > MOST_ROWS && step['Relation Name'] !== 'print_job_counts'
      );
    });
    if (greedy.length > 0) throw new Error(`${text}\n${JSON.stringify(greedy, null, 1)}`);
    expect(steps.filter((step) => step['Node Type'] === 'Sort' && step['Actual Rows'] > MOST_ROWS)).toEqual([]);
  }
}

function stepsOf(step: Step): Step[] {
  return [step, ...(step.Plans ?? []).flatMap(stepsOf)];
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
