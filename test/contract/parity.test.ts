// Runs one list of cases through REST and GraphQL: the same outcome, the same answer, the same rows.
import { randomUUID } from 'node:crypto';
import { parse } from 'lossless-json';
import { foldName } from '../../src/doors/rest/casing';
import { snake } from '../../src/values/spelling';
import { anyDatabase } from '../support/databases';
import {
  ago,
  cameraDetail,
  type Farm,
  makeCamera,
  makeFarm,
  makeJob,
  recordStatuses,
  STATUSES,
  unique,
} from '../support/farm';
import {
  expectData,
  expectStatus,
  type GraphqlResponse,
  type Parsed,
  type RestResponse,
  test,
  useGateway,
} from '../support/gateway';

type Outcome = 'OK' | 'BAD_USER_INPUT' | 'CONFLICT';
const OUTCOME_OF: Record<number, Outcome> = { 200: 'OK', 201: 'OK', 400: 'BAD_USER_INPUT', 409: 'CONFLICT' };

const renamed = (members: Parsed, rename: (name: string) => string): Parsed =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [rename(name), value]));
const lowerFirst = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);
const exactly = (text: string) => parse(text, undefined, { parseNumber: (digits) => digits }) as Parsed;

const JOB_FIELDS = `id printer { id name } spool { id spoolSerial } printName gcodeFilePath mmExtruded gramsDerived
  costPerPrint startedAt completedAt status dataSource filamentDiameterAtPrintMm materialDensityAtPrint notes createdAt updatedAt`;

/** A job of either interface in one form: GraphQL's names, every number as its digits. */
function jobOfRest(members: Parsed): Parsed {
  const job = renamed(members, lowerFirst);
  return { ...job, status: foldName(job.status), dataSource: foldName(job.dataSource) };
}
function jobOfGraph({ printer, spool, status, dataSource, ...job }: Parsed): Parsed {
  const linked = {
    printerId: printer.id,
    printerName: printer.name,
    spoolId: spool.id,
    spoolSerial: spool.spoolSerial,
  };
  return { ...job, ...linked, status: foldName(status), dataSource: foldName(dataSource) };
}

/** Without the id, and with one word for each current time: what differs between any two jobs. */
function comparable({ id: _, ...job }: Parsed): Parsed {
  const isNow = (name: string, value: Parsed) =>
    /at$/i.test(name) && value !== null && Math.abs(Date.parse(value) - Date.now()) < 60_000;
  return Object.fromEntries(Object.entries(job).map(([name, value]) => [name, isNow(name, value) ? 'now' : value]));
}

describe('REST and GraphQL agree', () => {
  const gateway = useGateway(anyDatabase);
  let farm: Farm;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
  });

  function expectOutcome(rest: RestResponse, graph: GraphqlResponse, outcome: Outcome) {
    const found = [OUTCOME_OF[rest.status] ?? rest.status, graph.errors[0]?.extensions.code ?? 'OK'];
    expect(found).toEqual([outcome, outcome]);
  }

  /** The row as it is stored. */
  async function storedJob(id: string): Promise<Parsed> {
    const [row] = await gateway.sql(`SELECT to_jsonb(t)::text AS row FROM print_jobs t WHERE id = '${id}'`);
    return comparable(exactly(row.row));
  }

  const createInput = ({ DataSource, ...others }: Record<string, unknown>) => {
    const dataSource = snake(lowerFirst(String(DataSource))).toUpperCase();
    return { printName: '', ...renamed(others, lowerFirst), ...(DataSource === undefined ? {} : { dataSource }) };
  };

  const nobody = randomUUID();
  const AMOUNTS = {
    MmExtruded: '1000',
    GramsDerived: '3.50',
    CostPerPrint: '0.75',
    FilamentDiameterAtPrintMm: '1.75',
    MaterialDensityAtPrint: '1.24',
  };
  const TEXTS = { PrintName: 'Benchy', GcodeFilePath: '/b.gcode', Notes: 'slow' };
  const REQUESTS: [title: string, members: Record<string, unknown>, outcome: Outcome][] = [
    ['every member', { ...TEXTS, ...AMOUNTS, AutoDeriveGrams: false }, 'OK'],
    ['only what is required', { PrintName: '' }, 'OK'],
    ['grams to derive from the spool', { ...AMOUNTS, AutoDeriveGrams: true }, 'OK'],
    ['grams to derive from the request', { ...AMOUNTS, GramsDerived: 0, FilamentDiameterAtPrintMm: '2.85' }, 'OK'],
    ['nothing extruded', { ...AMOUNTS, MmExtruded: 0, AutoDeriveGrams: true }, 'OK'],
    ['a number with many digits', { MmExtruded: '12345678901234.123456789', GramsDerived: '0.10' }, 'OK'],
    ['a number with an exponent', { MmExtruded: '1.5e3', GramsDerived: 1e-7 }, 'OK'],
    ['odd text, and notes of null', { PrintName: ' 😀 "\\\n', Notes: null }, 'OK'],
    ['an unknown printer', { PrinterId: nobody }, 'BAD_USER_INPUT'],
    ['an unknown spool', { SpoolId: nobody }, 'BAD_USER_INPUT'],
  ];
  const CREATE_ONLY: typeof REQUESTS = [
    ['a start', { StartedAt: '2026-11-20T08:30:00+02:00' }, 'OK'],
    ['the source Mqtt', { DataSource: 'Mqtt' }, 'OK'],
    ['the source PrinterApi', { DataSource: 'PrinterApi' }, 'OK'],
  ];

  async function expectSame(rest: RestResponse, graph: GraphqlResponse, field: string, outcome: Outcome) {
    expectOutcome(rest, graph, outcome);
    if (outcome !== 'OK') return;
    const [viaRest, viaGraph] = [jobOfRest(exactly(rest.text)), jobOfGraph(graph.data[field])];
    expect(comparable(viaRest)).toEqual(comparable(viaGraph));
    expect(await storedJob(viaRest.id)).toEqual(await storedJob(viaGraph.id));
  }

  for (const [title, members, outcome] of [...REQUESTS, ...CREATE_ONLY]) {
    test(`create a job with ${title}: ${outcome}`, async () => {
      const request = { PrinterId: farm.printerId, SpoolId: farm.spoolId, DataSource: 'Manual', ...members };
      const document = `mutation ($input: CreatePrintJobInput!) { createPrintJob(input: $input) { ${JOB_FIELDS} } }`;
      const viaRest = await gateway.rest('POST', '/api/printjobs', request);
      const viaGraph = await gateway.graphql(document, { input: createInput(request) });
      await expectSame(viaRest, viaGraph, 'createPrintJob', outcome);
    });
  }

  for (const [title, allMembers, outcome] of REQUESTS) {
    test(`update a job with ${title}: ${outcome}`, async () => {
      const { FilamentDiameterAtPrintMm: _, MaterialDensityAtPrint: __, ...members } = allMembers;
      const request = { PrinterId: farm.printerId, SpoolId: farm.spoolId, ...members };
      const [one, other] = [await makeJob(gateway, farm), await makeJob(gateway, farm)];
      const document = `mutation ($id: ID!, $input: UpdatePrintJobInput!) {
        updatePrintJob(id: $id, input: $input) { ${JOB_FIELDS} } }`;
      const viaRest = await gateway.rest('PUT', `/api/printjobs/${one.Id}`, request);
      const viaGraph = await gateway.graphql(document, { id: other.Id, input: createInput(request) });
      await expectSame(viaRest, viaGraph, 'updatePrintJob', outcome);
      if (outcome !== 'OK') expect(await storedJob(one.Id)).toEqual(await storedJob(other.Id));
    });
  }

  test('read a job', async () => {
    const members = { MmExtruded: '12.500', StartedAt: '2026-11-20T08:30:00Z' };
    const { Id } = await makeJob(gateway, farm, members, 'Completed');
    const viaRest = expectStatus(await gateway.rest('GET', `/api/printjobs/${Id}`), 200);
    const viaGraph = await gateway.graphql(`query ($id: ID!) { printJob(id: $id) { ${JOB_FIELDS} } }`, { id: Id });
    expect(jobOfGraph(expectData(viaGraph).printJob)).toEqual(jobOfRest(exactly(viaRest.text)));
  });

  test('list jobs: the same jobs, order, count and pages', async () => {
    const listed = await makeFarm(gateway);
    for (const status of [...STATUSES, 'Queued', 'Failed'] as const) await makeJob(gateway, listed, {}, status);
    const filters: [query: string, filter: object][] = [
      ['', {}],
      [`&SpoolId=${listed.spoolId}`, { spoolId: listed.spoolId }],
      [`&SpoolId=${nobody}`, { spoolId: nobody }],
      ['&Status=queued', { status: ['QUEUED'] }],
      ['&Status=Paused', {}],
    ];
    const document = `query ($filter: PrintJobFilter, $first: Int, $offset: Int) {
      printJobs(filter: $filter, first: $first, offset: $offset) { totalCount nodes { ${JOB_FIELDS} } } }`;
    for (const [query, given] of filters) {
      for (const [page, first] of [
        [1, 20],
        [1, 3],
        [3, 3],
        [4, 3],
      ] as const) {
        const path = `/api/printjobs?PrinterId=${listed.printerId}${query}&PageNumber=${page}&PageSize=${first}`;
        const { Items, TotalCount } = exactly(expectStatus(await gateway.rest('GET', path), 200).text);
        const filter = { printerId: listed.printerId, ...given };
        const viaGraph = await gateway.graphql(document, { filter, first, offset: (page - 1) * first });
        const { totalCount, nodes } = expectData(viaGraph).printJobs;
        expect([Number(TotalCount), Items.map(jobOfRest)]).toEqual([totalCount, nodes.map(jobOfGraph)]);
      }
    }
  });

  const GRAPH_NAMES: Record<string, string> = {
    camera_id: 'id',
    friendly_name: 'friendlyName',
    mac_address: 'macAddress',
  };
  const CAMERAS: [title: string, members: Record<string, Parsed>, outcome: Outcome][] = [
    ['every member', { friendly_name: 'Door', mac_address: 'NEW' }, 'OK'],
    ['no MAC address', { friendly_name: 'Door' }, 'OK'],
    ['a MAC address of null, and odd text', { friendly_name: ' 😀\n"', mac_address: null }, 'OK'],
    ['an id that is taken', { camera_id: 'taken', friendly_name: 'Door' }, 'CONFLICT'],
    ['a MAC address that is taken', { friendly_name: 'Door', mac_address: 'taken' }, 'CONFLICT'],
    ['an empty name and a taken id', { camera_id: 'taken', friendly_name: '' }, 'BAD_USER_INPUT'],
  ];
  for (const [title, members, outcome] of CAMERAS) {
    test(`register a camera with ${title}: ${outcome}`, async () => {
      await gateway.rest('POST', '/cameras', { camera_id: 'taken', friendly_name: 'Taken', mac_address: 'taken' });
      const request = () => ({
        camera_id: unique('cam'),
        ...members,
        ...(members['mac_address'] === 'NEW' && { mac_address: unique('mac') }),
      });
      const [one, other]: Parsed[] = [request(), request()];
      const input = renamed(other, (name) => GRAPH_NAMES[name] as string);
      const document = 'mutation ($input: RegisterCameraInput!) { registerCamera(input: $input) { id } }';
      const viaRest = await gateway.rest('POST', '/cameras', one);
      expectOutcome(viaRest, await gateway.graphql(document, { input }), outcome);
      if (outcome !== 'OK') return;
      for (const { camera_id, friendly_name, mac_address = null } of [one, other]) {
        const columns = 'friendly_name, mac_address, updated_at = created_at AS fresh';
        const [row] = await gateway.sql(`SELECT ${columns} FROM cameras WHERE camera_id = '${camera_id}'`);
        expect(row).toEqual({ friendly_name, mac_address, fresh: true });
      }
    });
  }

  const STATUS = 'batteryPct videoRemainingSec recordingState mode resolution fps online recordedAt';
  /** The id of a record is a number through REST, and a text in the graph. */
  const statusOfRest = (status: Parsed) => status && { ...status, id: String(status.id) };

  test('read a camera', async () => {
    const id = await makeCamera(gateway, { mac_address: unique('mac') });
    await recordStatuses(gateway, id, [
      { recordedAt: ago(10), batteryPct: 12.5, fps: 29.97, rawBatteryPct: -3.25, videoRemainingSec: 7, mode: 'a' },
      { recordedAt: ago(20), online: false },
      { recordedAt: ago(2 * 24 * 3600) },
    ]);
    const record = `id cameraId ${STATUS} rawBatteryPct`;
    const document = `query ($id: ID!) { camera(id: $id) { id friendlyName macAddress createdAt updatedAt
      lastStatus { ${record} } history { ${record} } } }`;
    for (const camera of [id, await makeCamera(gateway)]) {
      const { camera: members, last_status, history } = await cameraDetail(gateway, camera);
      const viaGraph = expectData(await gateway.graphql(document, { id: camera })).camera;
      const { lastStatus, history: records, id: camera_id, ...others } = viaGraph;
      expect(members).toEqual({ camera_id, ...renamed(others, snake) });
      expect(statusOfRest(last_status)).toEqual(lastStatus && renamed(lastStatus, snake));
      expect(history.map(statusOfRest)).toEqual(records.map((one: Parsed) => renamed(one, snake)));
    }
  });

  test('list cameras: the same cameras, order and latest status', async () => {
    for (const mode of ['a', 'b', undefined]) {
      const id = await makeCamera(gateway);
      if (mode) await recordStatuses(gateway, id, [{ mode, batteryPct: 50.5, recordedAt: ago(5) }]);
    }
    const viaRest = expectStatus(await gateway.rest('GET', '/cameras'), 200).body;
    const document = `{ cameras { totalCount nodes { id friendlyName lastStatus { ${STATUS} } } } }`;
    const { totalCount, nodes } = expectData(await gateway.graphql(document)).cameras;
    expect(totalCount).toBe(viaRest.length);
    const none = Object.fromEntries(STATUS.split(' ').map((name) => [name, null]));
    const items = nodes.map(({ id: camera_id, friendlyName: friendly_name, lastStatus }: Parsed) => ({
      camera_id,
      friendly_name,
      ...renamed(lastStatus ?? none, snake),
    }));
    expect(viaRest).toEqual(items);
  });
});
