// How many SQL statements each operation costs, whatever the number of rows: a number that grows is a decision.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Farm,
  jobRequest,
  jobUpdate,
  makeCamera,
  makeFarm,
  makeJob,
  recordStatuses,
  unique,
} from '../support/farm';
import { expectData, expectStatus, type Gateway, test, useGateway } from '../support/gateway';
import { addSightings, makeDevice, makePrint, setState } from '../support/prints';
import { statementsOf } from '../support/statements';

/** Enough rows of each kind that a statement per row would show. */
const ROWS = 10;
const farms: Farm[] = [];
const cameras: string[] = [];
const jobs: string[] = [];

const farm = () => farms[0] as Farm;
const camera = () => cameras[0] as string;

const CAMERA = 'id friendlyName macAddress createdAt updatedAt lastStatus { recordedAt batteryPct online }';
const SPOOL = 'id spoolSerial material { id name densityGPerCm3 }';
const JOB = `id printName status allowedTransitions gramsDerived printer { id name } spool { ${SPOOL} }`;
const PAGE = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor }';

/** The comment of a statement that says where it comes from. */
const NAMED = /^\/\* \w+\.\w+ \*\/|\/\*query='\w+\.\w+'\*\/$/;

const queries: [name: string, statements: number, document: string | (() => string), variables?: () => unknown][] = [
  ['the cameras with their latest status', 1, `{ cameras(first: 5) { totalCount nodes { ${CAMERA} } ${PAGE} } }`],
  ['the cameras that are online', 1, `{ cameras(filter: { online: true }) { nodes { ${CAMERA} } } }`],
  [
    'the cameras with two stretches of their histories',
    2,
    '{ cameras { nodes { id today: history { id } ever: history(from: "2020-01-01T00:00:00Z", first: 1) { id } } } }',
  ],
  [
    'the printers with their slots, states and prints',
    5,
    '{ printers { nodes { slots { slot spool { id } } state { activity } observedPrints(first: 2) { totalCount nodes { id } } } } }',
  ],
  [
    'the observed prints with all that is behind them',
    5,
    '{ observedPrints { totalCount nodes { id waitsFor printer { name } job { id } filament { basis spool { id } } sightings { nodes { text } } } } }',
  ],
  [
    'the cameras with series and availability',
    3,
    '{ cameras(first: 20) { nodes { series { records } two: series(points: 2) { online } week: availability(from: "2026-01-01T00:00:00Z") { fraction } availability { gaps { from } } } } }',
  ],
  [
    'the printers and the spools with what was in which slot',
    6,
    `{ printers { nodes { slotLoads(first: 2) { nodes { slot spool { id } } ${PAGE} } } }
       spools { nodes { slotLoads { nodes { from printer { id } } } } } }`,
  ],
  ['the spools with their slots', 3, '{ spools { nodes { loadedIn { slot printer { name } } } } }'],
  [
    'the spools with their tags and details',
    3,
    '{ spools { nodes { lotNumber comment tags { uid } extra { key } externalIds { id } } } }',
  ],
  [
    'the filaments with their details',
    2,
    '{ filaments { nodes { colorHexes comment extra { key } externalIds { id } } } }',
  ],
  ['two spools by their tags', 2, '{ a: spoolByTag(uid: "A1") { id } b: spoolByTag(uid: "0xa2") { id } }'],
  ['the jobs with the basis of their amounts', 2, '{ printJobs { nodes { filamentBasis observedPrint { id } } } }'],
  [
    'jobs with one spool with their parts',
    1,
    '{ printJobs(filter: { status: [QUEUED] }) { nodes { parts { spool { id } cost } } } }',
  ],
  [
    'all jobs with the parts of those that are divided, at one moment, and the spools of these parts',
    2,
    '{ printJobs { nodes { parts { spool { material { id } } cost } } } }',
  ],
  [
    'the printers with two lists of their jobs',
    3,
    '{ printers { nodes { queued: jobs(filter: { status: [QUEUED] }) { nodes { id } } jobs(first: 1) { nodes { id } } } } }',
  ],
  ['the jobs of the spools of the jobs', 2, '{ printJobs { nodes { spool { jobs(first: 1) { nodes { id } } } } } }'],
  [
    'what needs attention, with its objects',
    3,
    '{ alerts { kind camera { id lastStatus { online } liveness } printJob { id printer { name } } } }',
  ],
  [
    'the cameras, their liveness, and the camera of every status, found at two depths,',
    5,
    '{ cameras { nodes { id liveness lastStatus { camera { id } } history { camera { friendlyName } } } } }',
  ],
  [
    'ten cameras one by one with their histories',
    2,
    () => `{ ${aliases((n) => `camera(id: ${JSON.stringify(cameras[n])}) { history { id } }`)} }`,
  ],
  [
    'a page of jobs with everything and their number',
    1,
    `{ printJobs(first: 20, filter: { status: [QUEUED] }) { totalCount nodes { ${JOB} } ${PAGE} } }`,
  ],
  [
    'the spools with their materials, their jobs and the numbers of these',
    2,
    `{ spools { nodes { ${SPOOL} jobs { totalCount nodes { id printer { name } } } } } }`,
  ],
  [
    'the cameras with their printers and the cameras of these',
    3,
    '{ cameras { nodes { printer { id cameras { id lastStatus { id } } } } } }',
  ],
  [
    'ten nodes of each of two types one by one',
    2,
    () =>
      `{ ${aliases((n) => `node(nodeId: "${nodeId('PrintJob', guid(n))}") { nodeId }`)}
         ${aliases((n) => `node(nodeId: "${nodeId('CameraStatus', camera(), '2026-01-01T00:00:00.000Z', String(n))}") { nodeId }`, 's')} }`,
  ],
  [
    'the objects of 1,500 keys of each of two types, a statement for 1,000 of one type,',
    4,
    'query ($keys: [_Any!]!) { _entities(representations: $keys) { __typename } }',
    () => ({
      keys: Array.from({ length: 1500 }, (_, n) => [
        { __typename: 'PrintJob', id: guid(n) },
        { __typename: 'Camera', nodeId: nodeId('Camera', String(n)) },
      ]).flat(),
    }),
  ],
  [
    'the stock',
    5,
    '{ filaments { nodes { name stock { freeGrams } spools { nodes { id } } } } materials { name } places }',
  ],
  [
    'what is connected, and the machine of each printer',
    3,
    '{ printers { nodes { device { kind } } } notificationTargets { name } }',
  ],
  ['the summary of the farm', 7, '{ farm { cameras camerasLive printers jobs jobsByStatus { jobs } } }'],
  ['the viewer', 0, '{ viewer { name } }'],
  [
    'the spools with their grams, and the derivations of their jobs,',
    3,
    '{ spools { nodes { usedGrams plannedGrams remainingGrams jobs { nodes { derivation { cost } } } } } }',
  ],
  [
    'a report by everything',
    4,
    '{ filamentUsage(groupBy: [MONTH, PRINTER, SPOOL, MATERIAL]) { from printer { name } spool { spoolSerial } material { name } } }',
  ],
  [
    'one of each of the inventory',
    3,
    `query ($printer: ID!, $spool: ID!, $material: ID!) {
      printer(id: $printer) { name } spool(id: $spool) { ${SPOOL} } material(id: $material) { name }
    }`,
    () => ({ printer: farm().printerId, spool: farm().spoolId, material: farm().materialId }),
  ],
];

const mutations: [name: string, statements: number, variables: () => Record<string, unknown>][] = [
  ['updateCamera(id: ID!, input: UpdateCameraInput!)', 2, () => ({ id: camera(), input: { friendlyName: 'c' } })],
  [
    'recordCameraStatuses(input: [CameraStatusInput!]!)',
    1,
    () => ({ input: cameras.flatMap((cameraId) => Array(10).fill({ cameraId, online: true })) }),
  ],
  ['createMaterial(input: CreateMaterialInput!)', 2, () => ({ input: { name: unique('m'), densityGPerCm3: 1 } })],
  ['updateSpool(id: ID!, input: UpdateSpoolInput!)', 2, () => ({ id: farm().spoolId, input: { purchasePrice: 20 } })],
  [
    'linkTag(spoolId: ID!, uid: String!)',
    2,
    () => ({ spoolId: farm().spoolId, uid: unique('').replaceAll(/[^0-9a-f]/g, '') }),
  ],
  ['archivePrinter(id: ID!, archived: Boolean!)', 2, () => ({ id: farm().printerId, archived: false })],
  // The request decides about the rows of three slots, in a transaction in which no other gateway changes one. The last one finds prints.
  [
    'loadSpool(printerId: ID!, slot: String!, spoolId: ID)',
    13,
    () => ({ printerId: farm().printerId, slot: 'tool:1', spoolId: (farms[1] as Farm).spoolId }),
  ],
];

const routes: [method: string, path: string, statements: number, status: number, body?: () => unknown][] = [
  ['GET', '/cameras', 1, 200],
  ['POST', '/cameras', 2, 201, () => ({ camera_id: unique('c'), friendly_name: 'c' })],
  ['GET', '/cameras/{camera}', 2, 200],
  ['GET', '/api/printjobs', 1, 200],
  ['POST', '/api/printjobs', 2, 201, () => jobRequest(farms[1] as Farm)],
  ['GET', '/api/printjobs/{job}', 1, 200],
  ['PUT', '/api/printjobs/{job}', 3, 200, () => jobUpdate(farm(), { AutoDeriveGrams: true })],
  ['PATCH', '/api/printjobs/{job}/status', 2, 200, () => ({ Status: 'Printing' })],
  ['DELETE', '/api/printjobs/{job}', 2, 204],
  ['GET', '/readyz', 1, 200],
  ['GET', '/healthz', 0, 200],
];

async function fill(gateway: Gateway): Promise<void> {
  for (const ids of [farms, cameras, jobs]) ids.length = 0;
  for (let n = 0; n < ROWS; n += 1) {
    const farm = await makeFarm(gateway);
    const camera = await makeCamera(gateway);
    await recordStatuses(gateway, camera, [{ batteryPct: 15 }, { batteryPct: 14 }]);
    await gateway.sql(`update cameras set printer_id = '${farm.printerId}' where camera_id = '${camera}'`);
    farms.push(farm);
    const filament = 'mutation ($input: CreateFilamentInput!) { createFilament(input: $input) { id } }';
    const sold = { materialId: farm.materialId, filamentDiameterMm: '1.75', weightTotalGrams: '1000' };
    expectData(await gateway.graphql(filament, { input: { name: unique('f'), ...sold } }));
    const members = { filament: [{ slot: 'tool:0', mm: '1', grams: null, basis: 'MEASURED' }] };
    const observed = { ...members, jobId: (await makeJob(gateway, farm)).Id, spools: { 'tool:0': farm.spoolId } };
    await addSightings(gateway, await makePrint(gateway, farm.printerId, observed), 'It paused');
    await makeDevice(gateway, { printerId: farm.printerId });
    await setState(gateway, farm.printerId, {});
    const load = 'mutation ($p: ID!, $s: ID) { loadSpool(printerId: $p, spoolId: $s) { id } }';
    expectData(await gateway.graphql(load, { p: farm.printerId, s: farm.spoolId }));
    const link = 'mutation ($s: ID!, $uid: String!) { linkTag(spoolId: $s, uid: $uid) { id } }';
    expectData(await gateway.graphql(link, { s: farm.spoolId, uid: `A${n}` }));
    cameras.push(camera);
    for (let job = 0; job < 2; job += 1) jobs.push((await makeJob(gateway, farm)).Id);
    const divided = await makeJob(gateway, farm, {}, 'Failed');
    const spoolId = (farms[0] as Farm).spoolId;
    const parts = [farm.spoolId, spoolId].map((spoolId) => ({ spoolId, mmExtruded: 1 }));
    const set =
      'mutation ($id: ID!, $parts: [PrintJobPartInput!]!) { setPrintJobParts(id: $id, parts: $parts) { id } }';
    expectData(await gateway.graphql(set, { id: divided.Id, parts }));
  }
}

describe('on the embedded database', () => {
  const gateway = useGateway('embedded');
  beforeAll(() => fill(gateway));

  test('every query, mutation and route is answered too', async () => {
    for (const [, , document, variables] of queries)
      expectData(await gateway.graphql(readText(document), variables?.()));
    for (const [signature, , variables] of mutations)
      expectData(await gateway.graphql(createMutation(signature), variables()));
    for (const [method, path, , status, body] of routes)
      expectStatus(await gateway.rest(method, completePath(path), body?.()), status);
  });
});

// Every statement is a round trip; the embedded database gets the same statements.
describe('on a server', () => {
  const gateway = useGateway('server');
  beforeAll(() => fill(gateway));

  // psql takes the values of the variables from the lines with \set.
  test('every statement in a file NAME.query.sql can be pasted into psql', async () => {
    const source = join(__dirname, '../../src');
    const paths = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.query.sql'),
    );
    expect(paths).not.toEqual([]);
    for (const path of paths) {
      const text = readFileSync(join(source, path), 'utf8');
      const values = new Map(
        [...text.matchAll(/^\\set (\w+) (?:'(.*)'|(.*))$/gm)].map(([, name, quoted, plain]) => [
          name as string,
          quoted?.replaceAll("''", "'") ?? plain,
        ]),
      );
      const statement = text
        .replace(/^\\set .*$/gm, '')
        .replace(/^--.*$/gm, '')
        .replace(/(?<![:\w]):([a-z_]+)/g, (_, name) => values.get(name) ?? `no value of ${name}`);
      await gateway.sql(statement);
    }
  });

  for (const [name, statements, document, variables] of queries) {
    test(`a query reads ${name} in ${statements}`, async () => {
      const sent = await statementsOf(async () => expectData(await gateway.graphql(readText(document), variables?.())));
      expect(sent).toHaveLength(statements);
      expect(sent.filter((text) => !NAMED.test(text))).toEqual([]);
    });
  }

  for (const [signature, statements, variables] of mutations) {
    test(`the mutation ${signature} takes ${statements}`, async () => {
      const sent = await statementsOf(async () =>
        expectData(await gateway.graphql(createMutation(signature), variables())),
      );
      expect(sent).toHaveLength(statements);
    });
  }

  for (const [method, path, statements, status, body] of routes) {
    test(`${method} ${path} takes ${statements}`, async () => {
      const sent = await statementsOf(async () =>
        expectStatus(await gateway.rest(method, completePath(path), body?.()), status),
      );
      expect(sent).toHaveLength(statements);
      expect(sent.filter((text) => !NAMED.test(text))).toEqual([]);
    });
  }
});

const readText = (document: string | (() => string)) => (typeof document === 'string' ? document : document());

function createMutation(signature: string): string {
  const [name, parameters] = signature.split(/[()]/) as [string, string];
  const passed = parameters.replace(/(\w+): [^,]+/g, '$1: $$$1');
  const declared = parameters.replace(/(\w+):/g, '$$$1:');
  return `mutation (${declared}) { ${name}(${passed}) { __typename } }`;
}

const completePath = (path: string) =>
  path.replace('{camera}', encodeURIComponent(camera())).replace('{job}', jobs[2] as string);

function aliases(field: (n: number) => string, name = 'n'): string {
  return Array.from({ length: ROWS }, (_, n) => `${name}${n}: ${field(n)}`).join('\n');
}

function nodeId(...parts: string[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

function guid(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
}
