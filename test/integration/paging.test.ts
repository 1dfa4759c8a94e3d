// Pages of every list: their order, their edges, and rows that arrive meanwhile and must neither repeat nor disappear.
import { describeOnDatabases, isTestedAlready } from '../support/databases';
import { makeFarm } from '../support/farm';
import { expectCode, expectData, type Gateway, type Parsed, test, useGateway } from '../support/gateway';

interface PageAnswer {
  ids: string[];
  cursors: string[];
  totalCount: number;
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  startCursor: string | null;
  endCursor: string | null;
}

const ROWS = 23;
const LISTS = ['cameras', 'printers', 'spools', 'printJobs'] as const;
type List = (typeof LISTS)[number];
const NO_CURSOR = 'after must be a cursor from an earlier page of this list, in the same order';

// A server may sort texts differently.
describeOnDatabases('paging', (kind) => {
  const gateway = useGateway(kind);
  let all: Record<List, string[]>;

  beforeAll(async () => {
    await fill(gateway, 0, ROWS);
    all = {} as Record<List, string[]>;
    for (const list of LISTS) all[list] = (await readPage(list, { first: 1000 })).ids;
  });

  async function readPage(
    list: List,
    range: { first?: number | null; after?: string | null; offset?: number | null },
    filter?: Record<string, unknown>,
  ): Promise<PageAnswer> {
    const type = list === 'cameras' ? 'CameraFilter' : 'PrintJobFilter';
    const [declared, passed] = filter === undefined ? ['', ''] : [`, $filter: ${type}`, 'filter: $filter, '];
    const document = `query ($first: Int, $after: String, $offset: Int${declared}) {
      ${list}(${passed}first: $first, after: $after, offset: $offset) {
        totalCount nodes { id } edges { cursor node { id } }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      }
    }`;
    const found = expectData(await gateway.graphql(document, { ...range, filter }))[list];
    const ids = found.nodes.map((node: { id: string }) => node.id);
    expect(found.edges.map(({ node }: { node: { id: string } }) => node.id)).toEqual(ids);
    return {
      ids,
      cursors: found.edges.map(({ cursor }: { cursor: string }) => cursor),
      totalCount: found.totalCount,
      ...found.pageInfo,
    };
  }

  /** Reads the whole list, page by page. */
  async function walk(
    list: List,
    first: number,
    filter?: Record<string, unknown>,
    between?: () => Promise<void>,
  ): Promise<string[]> {
    const ids: string[] = [];
    let after: string | null = null;
    for (;;) {
      const answer: PageAnswer = await readPage(list, { first, after }, filter);
      ids.push(...answer.ids);
      expect(answer.hasPreviousPage).toBe(after !== null);
      expect(answer.startCursor).toBe(answer.cursors[0] ?? null);
      expect(answer.endCursor).toBe(answer.cursors.at(-1) ?? null);
      if (!answer.hasNextPage) return ids;
      expect(answer.ids).toHaveLength(first);
      after = answer.endCursor;
      await between?.();
    }
  }

  const NODES = 'nodes { id }';
  test('orders cameras by code point, printers by name and id, jobs by their time and id', async () => {
    expect(all.cameras).toEqual([...all.cameras].sort());
    // Upper case comes before lower case, unlike in any linguistic order.
    expect(all.cameras.findIndex((id) => id.startsWith('Z'))).toBeLessThan(
      all.cameras.findIndex((id) => id.startsWith('a')),
    );
    const { printers } = expectData(await gateway.graphql('{ printers { nodes { id name } } }'));
    const places = printers.nodes.map(({ name, id }: { name: string; id: string }) => `${name} ${id}`);
    expect(places).toEqual([...places].sort());
    const { printJobs } = expectData(await gateway.graphql('{ printJobs(first: 1000) { nodes { id createdAt } } }'));
    const times = printJobs.nodes.map(({ createdAt, id }: { createdAt: string; id: string }) => `${createdAt} ${id}`);
    expect(times).toEqual([...times].sort().reverse());
    // Several rows have one time, so the id decides.
    expect(new Set(printJobs.nodes.map(({ createdAt }: { createdAt: string }) => createdAt)).size).toBeLessThan(ROWS);
  });

  if (isTestedAlready(kind)) return;

  test('is the same however it is selected, and whichever fields are selected', async () => {
    const types = ['CameraConnection', 'PrinterConnection', 'SpoolConnection', 'PrintJobConnection'];
    for (const [index, list] of LISTS.entries()) {
      const page = `page: ${list}(first: 5)`;
      const fragments = `fragment Outer on ${types[index]} { ... { totalCount } ...Inner } fragment Inner on ${types[index]} { ${NODES} }`;
      for (const document of [
        `{ ${page} { totalCount } ${page} { ${NODES} } }`,
        `{ ${page} { ...Outer } } ${fragments}`,
        `query ($yes: Boolean = true) { ${page} { totalCount @include(if: $yes) nodes { id } edges @skip(if: $yes) { cursor } } }`,
        `{ ${page} { totalCount edges { node { id } } } }`,
      ]) {
        // Only the later executions of a document are compiled.
        for (let time = 0; time < 3; time += 1) {
          const { page } = expectData(await gateway.graphql(document));
          const { totalCount, edges = [], nodes = edges.map(({ node }: { node: unknown }) => node) } = page;
          expect([totalCount, nodes]).toEqual([ROWS, all[list].slice(0, 5).map((id) => ({ id }))]);
        }
      }
      const found = expectData(await gateway.graphql(`{ ${list}(first: 5) { pageInfo { hasNextPage endCursor } } }`));
      const { endCursor } = await readPage(list, { first: 5 });
      expect(found[list].pageInfo).toEqual({ hasNextPage: true, endCursor });
      // The total alone must also refuse a cursor.
      expectCode(await gateway.graphql(`{ ${list}(after: "garbage") { totalCount } }`), 'BAD_USER_INPUT');
    }
  });

  test('shows every row once and in order, whatever the size of a page', async () => {
    for (const list of LISTS) {
      expect(all[list]).toHaveLength(ROWS);
      expect(new Set(all[list]).size).toBe(ROWS);
      for (const first of [1, 7, ROWS, ROWS + 1]) expect(await walk(list, first)).toEqual(all[list]);
    }
  });

  test('answers any combination of first, after and offset with that section of the list', async () => {
    for (const list of LISTS) {
      const { cursors } = await readPage(list, { first: 1000 });
      for (const first of [5, 100]) {
        for (const at of [undefined, 0, ROWS - 2, ROWS - 1]) {
          for (const offset of [undefined, 3, 2_147_483_647]) {
            const after = at === undefined ? undefined : cursors[at];
            const from = (at === undefined ? 0 : at + 1) + (offset ?? 0);
            const expected = all[list].slice(from, from + first);
            expect(await readPage(list, { first, after, offset })).toMatchObject({
              ids: expected,
              hasNextPage: from + first < ROWS,
              hasPreviousPage: after !== undefined || (offset ?? 0) > 0,
              totalCount: ROWS,
            });
          }
        }
      }
    }
  });

  test('clamps numbers out of range to the nearest allowed value', async () => {
    for (const list of LISTS) {
      expect((await readPage(list, { first: -2_147_483_648 })).ids).toEqual([all[list][0]]);
      expect((await readPage(list, { first: 2_147_483_647, offset: -3 })).ids).toEqual(all[list]);
    }
    expect((await readPage('printJobs', { first: null })).ids).toEqual(all.printJobs.slice(0, 20));
  });

  test('keeps to the filter, and counts what matches it', async () => {
    const filter = { search: 'EVEN' };
    const even = await walk('printJobs', 3, filter);
    expect(even).toHaveLength(Math.ceil(ROWS / 2));
    expect(all.printJobs.filter((id) => even.includes(id))).toEqual(even);
    expect(await readPage('printJobs', { first: 2 }, filter)).toMatchObject({
      totalCount: even.length,
      hasNextPage: true,
    });
    const none = await readPage('cameras', {}, { search: 'no camera has this' });
    expect(none).toMatchObject({ ids: [], hasNextPage: false, hasPreviousPage: false, endCursor: null, totalCount: 0 });
    const found = (search: string, after: string | null) =>
      gateway.graphql(
        'query ($search: String, $after: String) { printers(search: $search, first: 1, after: $after) { totalCount nodes { id name } pageInfo { endCursor } } }',
        { search, after },
      );
    const { printers: first } = expectData(await found(' P1 ', null));
    expect(first).toMatchObject({ totalCount: Math.ceil((ROWS - 1) / 5), nodes: [{ name: 'p1' }] });
    const { printers: second } = expectData(await found(' P1 ', first.pageInfo.endCursor));
    expect(second).toMatchObject({ totalCount: first.totalCount, nodes: [{ name: 'p1' }] });
    expect(second.nodes[0].id > first.nodes[0].id).toBe(true);
    expect(expectData(await found('%', null)).printers.totalCount).toBe(0);
  });

  test('pages the jobs of every printer and spool independently', async () => {
    const document = `query ($after: String) {
      printers(first: 1000) { nodes { jobs(first: 1, after: $after) { nodes { id } totalCount pageInfo { hasNextPage endCursor } } } }
      spools(first: 1000) { nodes { jobs { nodes { id } } } }
    }`;
    const { printers, spools } = expectData(await gateway.graphql(document));
    const pages = printers.nodes.map(({ jobs }: { jobs: unknown }) => jobs);
    const busy = pages.filter(({ totalCount }: { totalCount: number }) => totalCount > 0);
    expect(busy).toHaveLength(1);
    expect(busy[0]).toMatchObject({
      totalCount: ROWS,
      nodes: [{ id: all.printJobs[0] }],
      pageInfo: { hasNextPage: true },
    });
    const second = expectData(await gateway.graphql(document, { after: busy[0].pageInfo.endCursor }));
    const ids = second.printers.nodes.flatMap(({ jobs }: { jobs: { nodes: { id: string }[] } }) => jobs.nodes);
    expect(ids).toEqual([{ id: all.printJobs[1] }]);
    expect(spools.nodes.flatMap(({ jobs }: { jobs: { nodes: unknown[] } }) => jobs.nodes)).toHaveLength(20);
  });

  test('refuses a cursor that the list did not issue', async () => {
    const cursors = {} as Record<List, string>;
    for (const list of LISTS) cursors[list] = (await readPage(list, { first: 1 })).endCursor as string;
    for (const list of LISTS) {
      const foreign = LISTS.filter((other) => other !== list).map((other) => cursors[other]);
      const forged = ['[]', '[1]', '["\\u0000"]', '[["a"]]', 'null'];
      const refused = ['', '%%%', ...forged.map((text) => Buffer.from(text).toString('base64url')), ...foreign];
      for (const after of refused) {
        const answer = await gateway.graphql(`query ($after: String) { ${list}(after: $after) { nodes { id } } }`, {
          after,
        });
        expect(expectCode(answer, 'BAD_USER_INPUT')).toBe(NO_CURSOR);
      }
    }
  });

  test('shows the jobs once in each of their orders, and refuses a cursor of another order', async () => {
    // A third of the jobs have no end, and several end at one time.
    await gateway.sql(`update print_jobs set completed_at = case when get_byte(uuid_send(id), 0) % 3 > 0
      then timestamptz '2026-02-01Z' + (get_byte(uuid_send(id), 1) % 4) * interval '1 hour' end`);
    const { printerId, spoolId } = await readLinks(gateway);
    const ORDERS = { CREATED_AT_DESC: 'createdAt', CREATED_AT_ASC: 'createdAt', COMPLETED_AT_DESC: 'completedAt' };
    const cursors: Record<string, string> = {};
    const ask = (list: string, variables: Record<string, unknown>) => {
      const jobs = `(orderBy: $order, filter: $filter, first: $first, after: $after, offset: $offset) {
        nodes { id createdAt completedAt } pageInfo { hasNextPage endCursor } }`;
      return gateway.graphql(
        `query ($order: PrintJobOrder, $filter: PrintJobFilter, $first: Int, $after: String, $offset: Int) {
           ${list === '' ? `printJobs${jobs}` : `${list} { jobs${jobs} }`} }`,
        variables,
      );
    };
    const read = async (list: string, variables: Record<string, unknown>) => {
      const [found] = Object.values<Parsed>(expectData(await ask(list, variables)));
      return found.jobs ?? found;
    };
    for (const [order, time] of Object.entries(ORDERS)) {
      for (const list of ['', `printer(id: "${printerId}")`, `spool(id: "${spoolId}")`]) {
        for (const filter of [{}, { search: 'even' }]) {
          const { nodes } = await read(list, { order, filter, first: 1000 });
          const places = nodes.map((job: Parsed) => `${job[time] ?? ''} ${job.id}`);
          const sorted = [...places].sort();
          expect(places).toEqual(order.endsWith('ASC') ? sorted : sorted.reverse());
          expect(places.length).toBe('search' in filter ? Math.ceil(ROWS / 2) : ROWS);
          const walked: unknown[] = [];
          for (let after: string | null = null, more = true; more; ) {
            const { nodes: rows, pageInfo } = await read(list, { order, filter, first: 4, after });
            walked.push(...rows);
            ({ hasNextPage: more, endCursor: after } = pageInfo);
            cursors[order] ??= after as string;
            const skipped = await read(list, { order, filter, first: 3, after, offset: 2 });
            expect(skipped.nodes).toEqual(nodes.slice(walked.length + 2, walked.length + 5));
          }
          expect(walked).toEqual(nodes);
        }
      }
    }
    for (const order of Object.keys(ORDERS)) {
      for (const other of Object.keys(ORDERS).filter((one) => one !== order))
        expect(expectCode(await ask('', { order, after: cursors[other] }), 'BAD_USER_INPUT')).toBe(NO_CURSOR);
    }
  });

  test('shows the jobs once in the orders by status, printer and spool, equal jobs newest first', async () => {
    const statuses = ['QUEUED', 'PRINTING', 'COMPLETED', 'CANCELLED', 'FAILED'];
    await gateway.sql(`update print_jobs set status =
      (array['Queued', 'Printing', 'Completed', 'Cancelled', 'Failed'])[1 + get_byte(uuid_send(id), 2) % 5]`);
    await gateway.sql(`update print_jobs j set printer_id = p.id, spool_id = s.id
      from (select id, row_number() over (order by id) - 1 as n, count(*) over () as all from printers) p,
        (select id, row_number() over (order by id) - 1 as n, count(*) over () as all from spools) s
      where p.n = get_byte(uuid_send(j.id), 3) % least(p.all, 4) and s.n = get_byte(uuid_send(j.id), 4) % least(s.all, 4)`);
    const keys: Record<string, (job: Parsed) => string> = {
      status: (job) => `${statuses.indexOf(job.status)}`,
      printer: (job) => job.printer.name.toLowerCase(),
      spool: (job) => job.spool.spoolSerial.toLowerCase(),
    };
    const ask = (variables: object) =>
      gateway.graphql(
        `query ($order: PrintJobOrder, $filter: PrintJobFilter, $first: Int, $after: String) {
          printJobs(orderBy: $order, filter: $filter, first: $first, after: $after) {
            nodes { id status createdAt printer { name } spool { spoolSerial } } pageInfo { hasNextPage endCursor } } }`,
        variables,
      );
    for (const [member, keyOf] of Object.entries(keys)) {
      for (const direction of ['ASC', 'DESC']) {
        const order = `${member.toUpperCase()}_${direction}`;
        for (const filter of [{}, { search: 'even' }, { spoolId: (await readLinks(gateway)).spoolId }]) {
          const { nodes } = expectData(await ask({ order, filter, first: 1000 })).printJobs;
          const places: [string, string][] = nodes.map((job: Parsed) => [keyOf(job), `${job.createdAt} ${job.id}`]);
          const sign = direction === 'ASC' ? 1 : -1;
          const compare = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);
          expect(places).toEqual([...places].sort((a, b) => sign * compare(a[0], b[0]) || compare(b[1], a[1])));
          const walked: unknown[] = [];
          for (let after: string | null = null, more = true; more; ) {
            const page: Parsed = expectData(await ask({ order, filter, first: 4, after })).printJobs;
            walked.push(...page.nodes);
            ({ hasNextPage: more, endCursor: after } = page.pageInfo);
            const other = order === 'STATUS_ASC' ? 'STATUS_DESC' : 'STATUS_ASC';
            if (walked.length === 4)
              expect(expectCode(await ask({ order: other, after }), 'BAD_USER_INPUT')).toBe(NO_CURSOR);
          }
          expect(walked).toEqual(nodes);
        }
      }
    }
  });

  // This test must be the last one, because it adds rows.
  test('neither repeats nor loses a row while others are inserted before, between and after', async () => {
    for (const list of LISTS) {
      let more = 0;
      const walked = await walk(list, 5, undefined, async () => {
        more += 1;
        await fill(gateway, 1000 * (LISTS.indexOf(list) + 1) + more * 10, 3);
      });
      expect(new Set(walked).size).toBe(walked.length);
      expect(walked.filter((id) => all[list].includes(id))).toEqual(all[list]);
      expect(more).toBeGreaterThan(4);
    }
  });
});

/** Rows of every kind, straight into the tables: their places in the lists are scattered, and many have one time or name. */
async function fill(gateway: Gateway, from: number, count: number): Promise<void> {
  const { printerId, spoolId, materialId } = await readLinks(gateway);
  const numbers = `generate_series(${from}, ${from + count - 1}) n`;
  const scattered = "(case n % 3 when 0 then 'Z' when 1 then 'a' else 'é' end) || md5(n::text)";
  const time = "timestamptz '2026-01-01Z' + (n * 7919 % 11) * interval '1 day'";
  await gateway.sql(`insert into cameras (camera_id, friendly_name) select ${scattered}, 'c' from ${numbers}`);
  await gateway.sql(
    `insert into printers (id, name) select gen_random_uuid(), 'p' || (n % 5) from ${numbers} where n > 0`,
  );
  await gateway.sql(`insert into spools (id, spool_serial, filament_diameter_mm, weight_total_grams, material_id)
    select gen_random_uuid(), ${scattered}, 1.75, 1000, '${materialId}' from ${numbers} where n > 0`);
  await gateway.sql(`insert into print_jobs (id, printer_id, spool_id, print_name, gcode_file_path, mm_extruded,
      grams_derived, cost_per_print, status, data_source, filament_diameter_at_print_mm, material_density_at_print,
      created_at)
    select gen_random_uuid(), '${printerId}', '${spoolId}', case n % 2 when 0 then 'even' else 'odd' end, '', 0, 0, 0,
      'Queued', 'Manual', 0, 0, ${time} from ${numbers}`);
}

type Links = { printerId: string; spoolId: string; materialId: string };
const links = new WeakMap<Gateway, Links>();

/** The printer and the spool of all jobs, themselves the first of their lists' rows. */
async function readLinks(gateway: Gateway): Promise<Links> {
  const known = links.get(gateway) ?? (await makeFarm(gateway));
  links.set(gateway, known);
  return known;
}
