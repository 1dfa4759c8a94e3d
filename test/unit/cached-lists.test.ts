// How much of a list of jobs the dashboard reads again, and what its cache makes of the pages.

import { JobsDocument, type JobsQuery, type PrintJobOrder } from '../../src/generated/web-operations';
import { createApollo } from '../../src/web/app/apollo';
import { markOutdated } from '../../src/web/app/cached-lists';

type Job = JobsQuery['printJobs']['nodes'][number];

/** The jobs of a gateway in their order, and the number of pages that were requested. */
const gateway = { jobs: [] as string[], asked: 0 };

beforeEach(() => {
  gateway.asked = 0;
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
    gateway.asked += 1;
    const { after } = JSON.parse(`${init?.body}`).variables;
    const begin = after == null ? 0 : gateway.jobs.indexOf(after) + 1;
    const ids = gateway.jobs.slice(begin, begin + 50);
    const pageInfo = {
      __typename: 'PageInfo',
      hasNextPage: begin + 50 < gateway.jobs.length,
      endCursor: ids.at(-1) ?? null,
    };
    const totalCount = gateway.jobs.length;
    const printJobs = { __typename: 'PrintJobConnection', totalCount, nodes: ids.map(createJob), pageInfo };
    return Response.json({ data: { printJobs } });
  });
});

afterEach(() => jest.restoreAllMocks());

const createJob = (id: string) =>
  ({
    __typename: 'PrintJob',
    id,
    printName: id,
    status: 'QUEUED',
    allowedTransitions: [],
    gramsDerived: null,
    filamentBasis: 'MANUAL',
    costPerPrint: null,
    startedAt: null,
    completedAt: null,
    createdAt: '2026-11-20T08:30:00.000Z',
    updatedAt: '2026-11-20T08:30:00.000Z',
    printer: null,
    spool: null,
    parts: [],
  }) as unknown as Job;

const jobs = (count: number) => Array.from({ length: count }, (_, at) => `job ${at}`);

/** A list with some loaded pages, as the page of jobs loads them. */
async function loadList({ pages }: { pages: number }) {
  const apollo = createApollo(
    '/graphql',
    () => ({}),
    () => {},
    () => {},
  );
  const variables = { filter: {}, orderBy: 'CREATED_AT_DESC' as PrintJobOrder };
  const query = apollo.watchQuery({ query: JobsDocument, variables, context: { isPaged: true } });
  query.subscribe(() => {});
  const list = () => (apollo.readQuery({ query: JobsDocument, variables }) as JobsQuery).printJobs;
  const more = () => query.fetchMore({ variables: { after: list().pageInfo.endCursor ?? null } });
  await query.refetch();
  for (let page = 2; page <= pages; page += 1) await more();
  gateway.asked = 0;
  return { apollo, variables, more, again: () => query.refetch(), list, ids: () => list().nodes.map(({ id }) => id) };
}

test.each([10, 55, 120])('a new job at position %d of the loaded pages appears there', async (place) => {
  gateway.jobs = jobs(500);
  const { again, ids } = await loadList({ pages: 3 });
  gateway.jobs.splice(place, 0, 'new');
  await again();
  expect(ids().slice(0, 150)).toEqual(gateway.jobs.slice(0, 150));
});

test('the next page sorts rows that moved behind it into their order', async () => {
  gateway.jobs = jobs(70);
  const { again, more, ids } = await loadList({ pages: 1 });
  gateway.jobs.unshift('new');
  await again();
  gateway.jobs.splice(50, 0, 'between');
  await more();
  expect(ids()).toEqual(gateway.jobs);
});

test('jobs that arrive and leave do not make a list load further pages', async () => {
  gateway.jobs = jobs(1000);
  const { again, ids } = await loadList({ pages: 2 });
  for (let n = 1; n <= 60; n += 1) {
    gateway.jobs.splice(30, 1);
    gateway.jobs.unshift(`new ${n}`);
    await again();
    expect(gateway.asked).toBe(2 * n);
  }
  expect(ids()).toHaveLength(100 + 60);
});

test('an outdated list keeps its rows until it is read again, and then has only those that the gateway has', async () => {
  gateway.jobs = jobs(120);
  const { again, apollo, ids } = await loadList({ pages: 2 });
  apollo.cache.modify({ id: 'ROOT_QUERY', fields: { printJobs: markOutdated } });
  gateway.jobs.splice(30, 1);
  expect(ids()).toEqual(jobs(100));
  await again();
  expect(ids()).toEqual(gateway.jobs.slice(0, 100));
  gateway.jobs.splice(40, 1);
  await again();
  expect(ids()).toContain('job 41');
});
