// How many SQL statements each operation costs, whatever the number of rows: a number that grows is a decision.
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
import { expectData, expectStatus, test, useGateway } from '../support/gateway';
import { makeDevice, makePrint, setState, sight } from '../support/prints';
import { statementsOf } from '../support/statements';

/** Enough rows of each kind for a statement per row to show. */
const ROWS = 10;
const farms: Farm[] = [];
const cameras: string[] = [];
const jobs: string[] = [];

const farm = () => farms[0] as Farm;
const camera = () => cameras[0] as string;
const job = () => jobs[0] as string;

const CAMERA = 'id friendlyName macAddress createdAt updatedAt lastStatus { recordedAt batteryPct online }';
const SPOOL = 'id spoolSerial material { id name densityGPerCm3 }';
const JOB = `id printName status allowedTransitions gramsDerived printer { id name } spool { ${SPOOL} }`;
const PAGE = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor }';

const queries: [name: string, statements: number, document: string | (() => string), variables?: () => unknown][] = [
  ['the cameras with their latest status', 1, `{ cameras { nodes { ${CAMERA} } ${PAGE} } }`],
  ['the cameras and how many there are', 1, `{ cameras(first: 5) { totalCount nodes { ${CAMERA} } } }`],
  ['the cameras that are online', 1, `{ cameras(filter: { online: true }) { nodes { ${CAMERA} } } }`],
  ['the cameras with their histories', 2, `{ cameras { nodes { ${CAMERA} history { id recordedAt } } } }`],
  [
    'the cameras with two stretches of their histories',
    2,
    '{ cameras { nodes { id today: history { id } ever: history(from: "2020-01-01T00:00:00Z", first: 1) { id } } } }',
  ],
  ['the cameras with their liveness', 2, '{ cameras { nodes { id liveness lastStatus { online } } } }'],
  [
    'the cameras with series and availability',
    3,
    '{ cameras(first: 20) { nodes { series { records } two: series(points: 2) { online } week: availability(from: "2026-01-01T00:00:00Z") { fraction } availability { gaps { from } } } } }',
  ],
  ['what needs attention', 1, '{ alerts { kind severity message since } }'],
  [
    'the printers with their slots, states and prints',
    5,
    '{ printers { nodes { slots { slot spool { id } } state { activity } observedPrints(first: 2) { totalCount nodes { id } } } } }',
  ],
  ['the spools with their slots', 3, '{ spools { nodes { loadedIn { slot printer { name } } } } }'],
  ['the jobs with the basis of their amounts', 2, '{ printJobs { nodes { filamentBasis observedPrint { id } } } }'],
  [
    'the observed prints with all that is behind them',
    5,
    '{ observedPrints { totalCount nodes { id waitsFor printer { name } job { id } filament { basis spool { id } } sightings { nodes { text } } } } }',
  ],
  [
    'what needs attention, with its objects',
    3,
    '{ alerts { kind camera { id lastStatus { online } liveness } printJob { id printer { name } } } }',
  ],
  [
    'the cameras, and the camera of every status, found at two depths,',
    4,
    '{ cameras { nodes { id lastStatus { camera { id } } history { camera { friendlyName } } } } }',
  ],
  [
    'a camera with its history',
    2,
    `query ($id: ID!) { camera(id: $id) { ${CAMERA} history { id batteryPct } } }`,
    () => ({ id: camera() }),
  ],
  [
    'a camera with a stretch of its history',
    2,
    `query ($id: ID!, $from: DateTime, $first: Int) { camera(id: $id) { ...H } } fragment H on Camera { history(from: $from, first: $first) { id } }`,
    () => ({ id: camera(), from: '2020-01-01T00:00:00Z', first: 1 }),
  ],
  [
    'a camera with two stretches of its history',
    2,
    `query ($id: ID!) { camera(id: $id) { history { id } ever: history(from: "2020-01-01T00:00:00Z", first: 1) { id } } }`,
    () => ({ id: camera() }),
  ],
  [
    'ten cameras one by one with their histories',
    2,
    () => `{ ${aliases((n) => `camera(id: ${JSON.stringify(cameras[n])}) { history { id } }`)} }`,
  ],
  ['ten cameras one by one', 1, `{ ${aliases((n) => `camera(id: "camera ${n}") { id }`)} }`],
  ['a page of jobs with everything', 1, `{ printJobs(first: 20) { nodes { ${JOB} } ${PAGE} } }`],
  [
    'a page of jobs with everything and their number',
    1,
    `{ printJobs(first: 20, filter: { status: [QUEUED] }) { totalCount nodes { ${JOB} } } }`,
  ],
  ['the number of jobs alone', 1, '{ printJobs { totalCount } }'],
  ['a job with everything', 1, `query ($id: ID!) { printJob(id: $id) { ${JOB} } }`, () => ({ id: job() })],
  ['ten jobs one by one', 1, `{ ${aliases((n) => `printJob(id: "${guid(n)}") { ${JOB} }`)} }`],
  ['the printers', 1, `{ printers { nodes { id name createdAt } ${PAGE} } }`],
  [
    'the printers with their jobs and the numbers of these',
    2,
    `{ printers(first: ${ROWS}) { nodes { name jobs(first: 5) { totalCount nodes { ${JOB} } } } } }`,
  ],
  [
    'the printers with two lists of their jobs',
    3,
    '{ printers { nodes { queued: jobs(filter: { status: [QUEUED] }) { nodes { id } } jobs(first: 1) { nodes { id } } } } }',
  ],
  [
    'the spools with their materials, their jobs and the numbers of these',
    2,
    `{ spools { nodes { ${SPOOL} jobs { totalCount nodes { id printer { name } } } } } }`,
  ],
  ['the jobs of the spools of the jobs', 2, '{ printJobs { nodes { spool { jobs(first: 1) { nodes { id } } } } } }'],
  [
    'the cameras with their printers and the cameras of these',
    3,
    '{ cameras { nodes { printer { id cameras { id } } } } }',
  ],
  ['the printers with their cameras', 2, '{ printers { nodes { cameras { id lastStatus { id } } } } }'],
  [
    'ten nodes of each of two types one by one',
    2,
    () =>
      `{ ${aliases((n) => `node(nodeId: "${nodeId('PrintJob', guid(n))}") { nodeId }`)}
         ${aliases((n) => `node(nodeId: "${nodeId('CameraStatus', camera(), '2026-01-01T00:00:00.000Z', String(n))}") { nodeId }`, 's')} }`,
  ],
  ['the summary of the farm', 6, '{ farm { cameras camerasLive printers jobs jobsByStatus { jobs } } }'],
  ['the viewer', 0, '{ viewer { name } }'],
  ['the jobs that ended last', 1, `{ printJobs(orderBy: COMPLETED_AT_DESC) { totalCount nodes { ${JOB} } } }`],
  [
    'the spools with their grams, and the derivations of their jobs,',
    3,
    '{ spools { nodes { usedGrams plannedGrams remainingGrams jobs { nodes { derivation { cost } } } } } }',
  ],
  ['a report by time', 1, '{ filamentUsage(groupBy: [DAY]) { from completedGrams } }'],
  [
    'a report by everything',
    4,
    '{ filamentUsage(groupBy: [MONTH, PRINTER, SPOOL, MATERIAL]) { from printer { name } spool { spoolSerial } material { name } } }',
  ],
  ['the materials', 1, '{ materials { id name densityGPerCm3 } }'],
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
  ['registerCamera(input: RegisterCameraInput!)', 2, () => ({ input: { id: unique('c'), friendlyName: 'c' } })],
  ['updateCamera(id: ID!, input: UpdateCameraInput!)', 2, () => ({ id: camera(), input: { friendlyName: 'c' } })],
  [
    'recordCameraStatuses(input: [CameraStatusInput!]!)',
    1,
    () => ({ input: cameras.flatMap((cameraId) => Array(10).fill({ cameraId, online: true })) }),
  ],
  [
    'createPrintJob(input: CreatePrintJobInput!)',
    2,
    () => ({ input: { printerId: farm().printerId, spoolId: farm().spoolId, printName: 'x', dataSource: 'MANUAL' } }),
  ],
  [
    'updatePrintJob(id: ID!, input: UpdatePrintJobInput!)',
    3,
    () => ({
      id: job(),
      input: { printerId: farm().printerId, spoolId: farm().spoolId, printName: 'x', autoDeriveGrams: true },
    }),
  ],
  ['changePrintJobStatus(id: ID!, status: PrintJobStatus!)', 2, () => ({ id: job(), status: 'PRINTING' })],
  ['cancelPrintJob(id: ID!)', 2, () => ({ id: job() })],
  ['createMaterial(input: CreateMaterialInput!)', 2, () => ({ input: { name: unique('m'), densityGPerCm3: 1 } })],
  [
    'updateMaterial(id: ID!, input: UpdateMaterialInput!)',
    2,
    () => ({ id: farm().materialId, input: { densityGPerCm3: '1.25' } }),
  ],
  [
    'createSpool(input: CreateSpoolInput!)',
    2,
    () => ({
      input: {
        spoolSerial: unique('s'),
        filamentDiameterMm: '1.75',
        weightTotalGrams: 1000,
        materialId: farm().materialId,
      },
    }),
  ],
  ['updateSpool(id: ID!, input: UpdateSpoolInput!)', 2, () => ({ id: farm().spoolId, input: { purchasePrice: 20 } })],
  ['createPrinter(input: CreatePrinterInput!)', 2, () => ({ input: { name: 'p' } })],
  ['updatePrinter(id: ID!, input: UpdatePrinterInput!)', 2, () => ({ id: farm().printerId, input: { name: 'p' } })],
  ['archivePrinter(id: ID!, archived: Boolean!)', 2, () => ({ id: farm().printerId, archived: false })],
  ['archiveSpool(id: ID!, archived: Boolean!)', 2, () => ({ id: farm().spoolId, archived: false })],
  [
    'loadSpool(printerId: ID!, slot: String!, spoolId: ID)',
    3,
    () => ({ printerId: farm().printerId, slot: 'tool:1', spoolId: (farms[1] as Farm).spoolId }),
  ],
  ['archiveMaterial(id: ID!, archived: Boolean!)', 2, () => ({ id: farm().materialId, archived: false })],
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

// On a server every statement is a round trip; the embedded database is sent the same ones.
describe('on a server', () => {
  const gateway = useGateway('server');

  beforeAll(async () => {
    for (let n = 0; n < ROWS; n += 1) {
      const farm = await makeFarm(gateway);
      const camera = await makeCamera(gateway);
      await recordStatuses(gateway, camera, [{ batteryPct: 15 }, { batteryPct: 14 }]);
      await gateway.sql(`update cameras set printer_id = '${farm.printerId}' where camera_id = '${camera}'`);
      farms.push(farm);
      const members = { filament: [{ slot: 'tool:0', mm: '1', grams: null, basis: 'MEASURED' }] };
      const observed = { ...members, jobId: (await makeJob(gateway, farm)).Id, spools: { 'tool:0': farm.spoolId } };
      await sight(gateway, await makePrint(gateway, farm.printerId, observed), 'It paused');
      await makeDevice(gateway, { printerId: farm.printerId });
      await setState(gateway, farm.printerId, {});
      const load = 'mutation ($p: ID!, $s: ID) { loadSpool(printerId: $p, spoolId: $s) { id } }';
      expectData(await gateway.graphql(load, { p: farm.printerId, s: farm.spoolId }));
      cameras.push(camera);
      for (let job = 0; job < 2; job += 1) jobs.push((await makeJob(gateway, farm)).Id);
      await makeJob(gateway, farm, {}, 'Failed');
    }
  });

  describe('a query reads', () => {
    for (const [name, statements, document, variables] of queries) {
      test(`${name} in ${statements}`, async () => {
        const sent = await statementsOf(async () => expectData(await gateway.graphql(textOf(document), variables?.())));
        expect(sent).toHaveLength(statements);
      });
    }
  });

  describe('a mutation', () => {
    for (const [signature, statements, variables] of mutations) {
      test(`${signature} takes ${statements}`, async () => {
        const [name, parameters] = signature.split(/[()]/) as [string, string];
        const passed = parameters.replace(/(\w+): [^,]+/g, '$1: $$$1');
        const declared = parameters.replace(/(\w+):/g, '$$$1:');
        const document = `mutation (${declared}) { ${name}(${passed}) { __typename } }`;
        const sent = await statementsOf(async () => expectData(await gateway.graphql(document, variables())));
        expect(sent).toHaveLength(statements);
      });
    }
  });

  test('every statement begins or ends with a comment that names where it comes from', async () => {
    const sent = await statementsOf(async () => {
      for (const [, , document, variables] of queries) await gateway.graphql(textOf(document), variables?.());
      for (const [method, path, , , body] of routes) {
        await gateway.rest(method, path.replace('{camera}', camera()).replace('{job}', job()), body?.());
      }
    });
    const nameless = sent.filter(
      (text) => !/^\/\* \w+\.\w+ \*\//.test(text) && !/\/\*query='\w+\.\w+'\*\/$/.test(text),
    );
    expect(nameless).toEqual([]);
    expect(sent.length).toBeGreaterThan(queries.length);
  });

  describe('the REST door', () => {
    for (const [method, path, statements, status, body] of routes) {
      test(`${method} ${path} takes ${statements}`, async () => {
        const url = path.replace('{camera}', encodeURIComponent(camera())).replace('{job}', jobs[2] as string);
        const sent = await statementsOf(async () => expectStatus(await gateway.rest(method, url, body?.()), status));
        expect(sent).toHaveLength(statements);
      });
    }
  });
});

const textOf = (document: string | (() => string)) => (typeof document === 'string' ? document : document());

function aliases(field: (n: number) => string, name = 'n'): string {
  return Array.from({ length: ROWS }, (_, n) => `${name}${n}: ${field(n)}`).join('\n');
}

function nodeId(...parts: string[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

function guid(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
}
