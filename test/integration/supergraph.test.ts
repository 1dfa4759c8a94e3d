// The gateway in a supergraph: what composers make of its schema, and the answers of two routers, compared with those of the gateway.

import { createHash } from 'node:crypto';
import { parse } from 'graphql';
import { createApp } from '../../src/app';
import { readConfig } from '../../src/config';
import { readSubgraph } from '../../src/doors/federation/subgraph';
import { anyDatabase, freshDatabase } from '../support/databases';
import { makeCamera, makeFarm, makeJob, recordStatuses } from '../support/farm';
import { type Gateway, PATIENT, type Parsed } from '../support/gateway';
import {
  type Ask,
  apolloGateway,
  composers,
  type Headers,
  type HiveRouter,
  hiveGateway,
  ORDERS,
  type Router,
  serveOrders,
} from '../support/supergraph';

const subgraphs = (farm = 'http://farm', orders = 'http://orders') => [
  { name: 'farm', url: farm, typeDefs: parse(readSubgraph()) },
  { name: 'orders', url: orders, typeDefs: parse(ORDERS) },
];

describe.each([
  ['alone', subgraphs().slice(0, 1)],
  ['with a subgraph that extends its types and has a PageInfo and a node of its own', subgraphs()],
])('the subgraph %s', (_name, services) => {
  test('is composed by @theguild/federation-composition', () => {
    expect(composers.ofTheGuild.composeServices(services)).toMatchObject({
      supergraphSdl: expect.stringContaining('type PrintJob'),
    });
  });

  test('is composed by @apollo/composition, without a hint', () => {
    expect(composers.ofApollo.composeServices(services)).toMatchObject({
      supergraphSdl: expect.any(String),
      hints: [],
    });
  });

  test('is composed by @wundergraph/composition, without a warning', () => {
    const given = services.map(({ typeDefs, ...service }) => ({ ...service, definitions: typeDefs }));
    const { federateSubgraphs, ROUTER_COMPATIBILITY_VERSION_ONE: version } = composers.ofWunderGraph;
    const made = federateSubgraphs({ subgraphs: given, version });
    expect(made).toMatchObject({ success: true, warnings: [] });
  });
});

const KEYS = ['router', 'reader'] as const;
const bearer = (name: string) => ({ authorization: `Bearer ${name}` });
const hashName = (name: string) => createHash('sha256').update(name).digest('hex');

describe('through a router', () => {
  const closing: (() => Promise<unknown>)[] = [];
  let url: string;
  let orders: Awaited<ReturnType<typeof serveOrders>>;
  let hive: HiveRouter;
  let routers: [name: string, router: Router][];
  let farm: Awaited<ReturnType<typeof makeFarm>>;
  let camera: string;
  let jobs: string[];
  const gone = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

  const direct: Ask = async (query, variables = {}, headers = bearer('router')) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables }),
    });
    return response.json();
  };
  /** For the programs that write rows. */
  const written = {
    graphql: async (query: string, variables?: object) => ({
      status: 200,
      errors: [],
      ...(await direct(query, variables)),
    }),
    async rest(method: string, path: string, body?: object) {
      const headers = { 'content-type': 'application/json', ...bearer('router') };
      const response = await fetch(new URL(path, url), { method, headers, body: JSON.stringify(body) });
      return { status: response.status, body: await response.json() };
    },
  } as unknown as Gateway;

  beforeAll(async () => {
    const fresh = await freshDatabase(anyDatabase);
    closing.push(() => fresh.drop());
    // Callers other than the router are limited to the manifest.
    const { graph, auth } = readConfig({
      API_KEYS: KEYS.map((name) => `${name}:read${name === 'router' ? '+write' : ''}:${hashName(name)}`).join(','),
      TRUSTED_OPERATIONS: KEYS.join(','),
      PERSISTED_ONLY: 'true',
    });
    const devices = { ...PATIENT.devices, collect: false };
    const app = await createApp({ ...PATIENT, database: fresh.target, port: 0, graph, auth, devices });
    closing.push(() => app.close());
    url = `${await app.listen()}/graphql`;
    orders = await serveOrders();
    closing.push(() => orders.close());

    farm = await makeFarm(written);
    camera = await makeCamera(written);
    await recordStatuses(written, camera, [{ batteryPct: 70 }, { batteryPct: 69, mode: 'Größe “é” \u{1f5a8}' }]);
    jobs = [];
    for (let n = 0; n < 5; n += 1) jobs.push((await makeJob(written, farm, { PrintName: `Part ${n}` })).Id);

    const { supergraphSdl } = composers.ofTheGuild.composeServices(subgraphs(url, orders.url));
    hive = hiveGateway(String(supergraphSdl));
    closing.push(() => hive.close());
    const apollo = await apolloGateway(String(supergraphSdl));
    closing.push(() => apollo.close());
    routers = [
      ['Hive', hive],
      ['Apollo', apollo],
    ];
  });
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
  });

  /** What a client reads: without locations in the document, and without the subgraph's name, which routers add. */
  const read = ({ data = null, errors = [] }: Parsed) => ({
    data,
    errors: errors.map(({ message, path, extensions: { code, issues } }: Parsed) => ({ message, path, code, issues })),
  });
  const JOB =
    'id nodeId printName status mmExtruded gramsDerived createdAt printer { name } spool { id spoolSerial material { name } }';
  const PAGE = 'totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { id } }';

  const operations: [name: string, query: string | (() => string), variables?: () => object][] = [
    ['the farm', '{ farm { cameras printers jobs jobsByStatus { status jobs } } currency }'],
    [
      'a page of cameras',
      `{ cameras(first: 1) { nodes { id lastStatus { batteryPct mode online recordedAt } } ${PAGE} } }`,
    ],
    [
      'a camera with its log',
      'query ($id: ID!) { camera(id: $id) { nodeId liveness history(first: 9) { id nodeId mode batteryPct } } }',
      () => ({ id: camera }),
    ],
    [
      'printers with what they do',
      `{ printers { nodes { name slots { slot } state { activity } jobs(first: 2) { ${PAGE} } } } }`,
    ],
    [
      'spools',
      '{ spools { nodes { spoolSerial purchasePrice weightTotalGrams usedGrams remainingGrams material { densityGPerCm3 } } } }',
    ],
    ['materials', '{ materials { id name densityGPerCm3 } }'],
    ['jobs in an order', `{ printJobs(first: 3, orderBy: CREATED_AT_ASC) { nodes { ${JOB} } ${PAGE} } }`],
    [
      'jobs by a filter',
      `query ($f: PrintJobFilter, $n: Int) { printJobs(filter: $f, first: $n) { totalCount nodes { printName } } }`,
      () => ({ f: { search: 'Part 3', printerId: farm.printerId }, n: 7 }),
    ],
    [
      'a job by fragments',
      `query ($id: ID!) { printJob(id: $id) { ...A parts { mmExtruded spool { id } } } } fragment A on PrintJob { ...B derivation { grams cost } } fragment B on PrintJob { ${JOB} allowedTransitions statusHistory { to at } }`,
      () => ({ id: jobs[0] }),
    ],
    [
      'a page after a cursor',
      '{ printJobs(first: 2, offset: 2) { nodes { id } pageInfo { hasPreviousPage endCursor } } }',
    ],
    ['observed prints', '{ observedPrints(first: 5) { totalCount nodes { id outcome } } }'],
    ['devices', '{ devices { id kind connection { state } } }'],
    ['what needs attention', '{ alerts { kind severity message since camera { id } spool { id } printJob { id } } }'],
    [
      'changes of every type',
      '{ changes(first: 20) { nodes { __typename cursor at ... on PrintJobChanged { jobId change job { printName } } ... on CameraChanged { cameraId camera { friendlyName } } } pageInfo { hasNextPage endCursor } } }',
    ],
    [
      'a report',
      '{ filamentUsage(from: "2020-01-01T00:00:00Z", groupBy: [PRINTER, SPOOL]) { printer { name } spool { id } completedJobs completedGrams } }',
    ],
    ['the caller', '{ viewer { name mayRead mayWrite cameraId } }'],
    [
      'aliases and missing objects',
      `query ($a: ID!, $b: ID!) { a: printJob(id: $a) { ${JOB} } b: printJob(id: $b) { id } a2: printJob(id: $a) { name: printName } }`,
      () => ({ a: jobs[1], b: gone }),
    ],
    [
      'skipped fields',
      'query ($id: ID!, $with: Boolean!) { printJob(id: $id) { id printName @include(if: $with) notes @skip(if: $with) } }',
      () => ({ id: jobs[2], with: true }),
    ],
    [
      'a derivation',
      '{ deriveFilament(mmExtruded: 1000.50, filamentDiameterMm: "1.750", densityGPerCm3: 1.24) { grams } }',
    ],
    [
      '400 look-ups',
      () => {
        const chooseId = (n: number) => (n % 7 === 0 ? gone : jobs[n % 5]);
        return `{ ${Array.from({ length: 400 }, (_, n) => `j${n}: printJob(id: "${chooseId(n)}") { id printName }`).join(' ')} }`;
      },
    ],
    [
      'a malformed id beside a valid one',
      'query ($id: ID!) { wrong: printJob(id: "abc") { id } camera(id: $id) { id } empty: camera(id: "") { id } }',
      () => ({ id: camera }),
    ],
    ['a cursor of another list', '{ printJobs(after: "abc") { nodes { id } } }'],
    [
      'a mutation',
      'mutation ($id: ID!) { updateCamera(id: $id, input: { friendlyName: "New" }) { friendlyName lastStatus { mode } } }',
      () => ({ id: camera }),
    ],
    [
      'a mutation of a missing object',
      'mutation ($id: ID!) { updatePrinter(id: $id, input: { name: "x" }) { id } }',
      () => ({ id: gone }),
    ],
    [
      'a mutation with faults',
      'mutation ($input: CreateSpoolInput!) { createSpool(input: $input) { id } }',
      () => ({
        input: { spoolSerial: '', filamentDiameterMm: 1, weightTotalGrams: '-1', materialId: farm.materialId },
      }),
    ],
  ];

  for (const [name, text, variables] of operations) {
    test(`${name}: the answer equals the answer of the farm`, async () => {
      const query = typeof text === 'string' ? text : text();
      const expected = read(await direct(query, variables?.()));
      for (const [router, { ask }] of routers)
        expect([router, read(await ask(query, variables?.(), bearer('router')))]).toEqual([router, expected]);
    });
  }

  test('the scopes are those of the caller, and refusals keep their codes', async () => {
    const codes = async (ask: Ask, query: string, headers: Headers) =>
      (await ask(query, {}, headers)).errors?.map(({ extensions }: Parsed) => extensions.code);
    for (const [query, headers, code] of [
      ['mutation { removeCamera(id: "x") }', bearer('reader'), 'FORBIDDEN'],
      ['{ printers { totalCount } }', bearer('nobody'), 'UNAUTHENTICATED'],
      ['{ printers { totalCount } }', {}, 'UNAUTHENTICATED'],
    ] as const) {
      for (const [router, { ask }] of [['none', { ask: direct }] as const, ...routers])
        expect([router, await codes(ask, query, headers)]).toEqual([router, [code]]);
    }
  });

  test('a variable that is refused keeps its code and its issues', async () => {
    const query = 'query ($from: DateTime!) { filamentUsage(from: $from) { from } }';
    const issues = [{ path: ['from'], message: expect.stringMatching(/must be a time with an offset/) }];
    for (const [router, { ask }] of [['none', { ask: direct }] as const, ...routers]) {
      const { errors } = await ask(query, { from: 'yesterday' }, bearer('router'));
      expect([router, errors]).toMatchObject([router, [{ extensions: { code: 'BAD_USER_INPUT', issues } }]]);
    }
  });

  test('a write with an Idempotency-Key is executed once', async () => {
    for (const [router, { ask }] of routers) {
      const headers = { ...bearer('router'), 'idempotency-key': router };
      const make = () => ask(`mutation { createPrinter(input: { name: "${router}" }) { id } }`, {}, headers);
      const first = await make();
      expect(first).toEqual({ data: { createPrinter: { id: expect.any(String) } } });
      expect(await make()).toEqual(first);
    }
  });

  test('a key is for one mutation: Hive sends each mutation of an operation separately, and the farm refuses the second', async () => {
    const outcomes = { Hive: 'IDEMPOTENCY_KEY_REUSED', Apollo: undefined };
    for (const [router, { ask }] of routers) {
      const two = ['first', 'second'].map((one) => `${one}: createPrinter(input: { name: "${router} ${one}" }) { id }`);
      const headers = { ...bearer('router'), 'idempotency-key': `${router}-twice` };
      const { errors } = await ask(`mutation { ${two.join(' ')} }`, {}, headers);
      expect([router, errors?.[0].extensions.code]).toEqual([router, outcomes[router as keyof typeof outcomes]]);
    }
  });

  test('other subgraphs extend jobs and spools by their keys, in the order of the keys, also for missing objects', async () => {
    const lines = [jobs[3], gone, jobs[0], jobs[3], jobs[1]] as string[];
    const place = 'mutation ($jobs: [ID!]!) { placeOrder(jobs: $jobs) { id lines { printName } } }';
    const names = lines.map((id) => (id === gone ? null : { printName: `Part ${jobs.indexOf(id)}` }));
    for (const [router, { ask }] of routers) {
      // Beside the null Hive reports an error, because the name of a job is never null.
      const { data } = await ask(place, { jobs: lines }, bearer('router'));
      expect([router, data.placeOrder.lines]).toEqual([router, names]);
      const read = await ask(
        `query ($id: ID!, $job: ID!) {
          node(id: $id) { id ... on Order { lines { printName spool { supplier spoolSerial } } } }
          printJob(id: $job) { printName order { lines { printName } } }
        }`,
        { id: data.placeOrder.id, job: jobs[4] },
        bearer('router'),
      );
      const spool = { supplier: expect.stringMatching(/^Supplier of \S+$/), spoolSerial: farm.spoolSerial };
      expect([router, read.data]).toEqual([
        router,
        {
          node: { id: data.placeOrder.id, lines: names.map((line) => line && { ...line, spool }) },
          printJob: { printName: 'Part 4', order: null },
        },
      ]);
    }
  });

  test('a subscription through Hive starts after a cursor, and continues', async () => {
    const { data } = await direct('{ latestChangeCursor }');
    const change = (friendlyName: string) =>
      direct('mutation ($id: ID!, $n: String) { updateCamera(id: $id, input: { friendlyName: $n }) { id } }', {
        id: camera,
        n: friendlyName,
      });
    await change('Before');
    const watch =
      'subscription ($after: String) { changes(after: $after) { cursor ... on CameraChanged { camera { id lastStatus { mode } } } } }';
    const events = hive.subscribe(watch, { after: data.latestChangeCursor }, bearer('router'));
    const came: Parsed[] = [];
    for await (const event of events) {
      came.push(event.data?.changes ?? event);
      if (came.length === 2) break;
      await change('After');
    }
    const { changes } = (
      await direct(
        watch
          .replace('subscription', 'query')
          .replace('changes(after: $after) {', 'changes(after: $after) { nodes {')
          .concat(' }'),
        { after: data.latestChangeCursor },
      )
    ).data;
    expect(came).toEqual(changes.nodes);
  });
});
