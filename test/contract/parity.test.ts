// One list of cases through both doors: the same outcome, the same answer, the same rows.
import { randomUUID } from 'node:crypto';
import { parse } from 'lossless-json';
import { describeOnDatabases } from '../support/databases';
import {
  ago,
  cameraDetail,
  type Farm,
  makeCamera,
  makeFarm,
  makeJob,
  recordStatuses,
  STATUSES,
  type Status,
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

type Outcome = 'OK' | 'BAD_USER_INPUT' | 'NOT_FOUND' | 'CONFLICT';

const OUTCOME_OF: Record<number, Outcome> = {
  200: 'OK',
  201: 'OK',
  204: 'OK',
  400: 'BAD_USER_INPUT',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
};

/** `PRINTER_API` and `PrinterApi` are the same name. */
const plainName = (name: string) => name.replaceAll('_', '').toLowerCase();
const lowerFirst = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

const JOB_FIELDS = `id printer { id name } spool { id spoolSerial } printName gcodeFilePath mmExtruded gramsDerived
  costPerPrint startedAt completedAt status dataSource filamentDiameterAtPrintMm materialDensityAtPrint notes createdAt updatedAt`;

/** A job of either door in one form: GraphQL's names, every number as its digits. */
function jobOfRest(text: string): Parsed {
  const members = parse(text, undefined, { parseNumber: (digits) => digits }) as Record<string, Parsed>;
  const job = Object.fromEntries(Object.entries(members).map(([name, value]) => [lowerFirst(name), value]));
  return { ...job, status: plainName(job['status']), dataSource: plainName(job['dataSource']) };
}

function jobOfGraph({ printer, spool, status, dataSource, ...job }: Parsed): Parsed {
  return {
    ...job,
    printerId: printer.id,
    printerName: printer.name,
    spoolId: spool.id,
    spoolSerial: spool.spoolSerial,
    status: plainName(status),
    dataSource: plainName(dataSource),
  };
}

/** Without the members that differ between any two jobs: the id and the times of now, of which only the presence counts. */
function comparable(job: Parsed): Parsed {
  const { id: _, createdAt, updatedAt, completedAt, startedAt, ...rest } = job;
  const recent = (time: string | null) =>
    time !== null && Math.abs(Date.parse(time) - Date.now()) < 60_000 ? 'now' : time;
  return {
    ...rest,
    createdAt: recent(createdAt),
    updatedAt: recent(updatedAt),
    completedAt: recent(completedAt),
    startedAt: recent(startedAt),
  };
}

describeOnDatabases('both doors', (kind) => {
  const gateway = useGateway(kind);
  let farm: Farm;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
  });

  const outcomeOfRest = (answer: RestResponse): Outcome | number => OUTCOME_OF[answer.status] ?? answer.status;
  const outcomeOfGraph = (answer: GraphqlResponse): string => answer.errors[0]?.extensions.code ?? 'OK';

  /** The row as it is stored, without its id and the times of now. */
  async function storedJob(id: string): Promise<Parsed> {
    const [row] = await gateway.sql(`SELECT to_jsonb(t)::text AS row FROM print_jobs t WHERE id = '${id}'`);
    const {
      id: _,
      created_at,
      updated_at,
      completed_at,
      started_at,
      ...rest
    } = parse(row.row) as Record<string, Parsed>;
    const recent = (time: string | null) =>
      time !== null && Math.abs(Date.parse(time) - Date.now()) < 60_000 ? 'now' : time;
    return JSON.stringify([rest, recent(created_at), recent(updated_at), recent(completed_at), recent(started_at)]);
  }

  const camelMembers = (members: Record<string, unknown>) => {
    const { DataSource, ...others } = members;
    const source = { Mqtt: 'MQTT', PrinterApi: 'PRINTER_API', Manual: 'MANUAL' }[String(DataSource)] ?? DataSource;
    const renamed = Object.fromEntries(Object.entries(others).map(([name, value]) => [lowerFirst(name), value]));
    return { printName: '', ...renamed, ...(DataSource === undefined ? {} : { dataSource: source }) };
  };

  // ---- create and update ----

  const nobody = randomUUID();
  const AMOUNTS = {
    MmExtruded: '1000',
    GramsDerived: '3.50',
    CostPerPrint: '0.75',
    FilamentDiameterAtPrintMm: '1.75',
    MaterialDensityAtPrint: '1.24',
  };
  const REQUESTS: [title: string, members: Record<string, unknown>, outcome: Outcome][] = [
    [
      'every member',
      { PrintName: 'Benchy', GcodeFilePath: '/b.gcode', ...AMOUNTS, Notes: 'slow', AutoDeriveGrams: false },
      'OK',
    ],
    ['only what is required', { PrintName: '' }, 'OK'],
    ['grams to derive from the spool', { ...AMOUNTS, AutoDeriveGrams: true }, 'OK'],
    ['grams to derive from the request', { ...AMOUNTS, GramsDerived: 0, FilamentDiameterAtPrintMm: '2.85' }, 'OK'],
    ['nothing extruded', { ...AMOUNTS, MmExtruded: 0, AutoDeriveGrams: true }, 'OK'],
    ['a number with many digits', { MmExtruded: '12345678901234.123456789', GramsDerived: '0.10' }, 'OK'],
    ['a number with an exponent', { MmExtruded: '1.5e3', GramsDerived: 1e-7 }, 'OK'],
    ['notes of null', { Notes: null }, 'OK'],
    ['odd text', { PrintName: ' 😀 "\\\n', Notes: '' }, 'OK'],
    ['an unknown printer', { PrinterId: nobody }, 'BAD_USER_INPUT'],
    ['an unknown spool', { SpoolId: nobody }, 'BAD_USER_INPUT'],
    ['an unknown printer and an unknown spool', { PrinterId: nobody, SpoolId: nobody }, 'BAD_USER_INPUT'],
  ];
  const CREATE_ONLY: typeof REQUESTS = [
    ['a start', { StartedAt: '2026-11-20T08:30:00+02:00' }, 'OK'],
    ['the source Mqtt', { DataSource: 'Mqtt' }, 'OK'],
    ['the source PrinterApi', { DataSource: 'PrinterApi' }, 'OK'],
  ];

  async function expectSame(restAnswer: RestResponse, graphAnswer: GraphqlResponse, field: string, outcome: Outcome) {
    expect([outcomeOfRest(restAnswer), outcomeOfGraph(graphAnswer)]).toEqual([outcome, outcome]);
    if (outcome !== 'OK') return;
    const [viaRest, viaGraph] = [jobOfRest(restAnswer.text), jobOfGraph(graphAnswer.data[field])];
    expect(comparable(viaRest)).toEqual(comparable(viaGraph));
    expect(await storedJob(viaRest.id)).toBe(await storedJob(viaGraph.id));
  }

  for (const [title, members, outcome] of [...REQUESTS, ...CREATE_ONLY]) {
    test(`create a job with ${title}: ${outcome}`, async () => {
      const request = { PrinterId: farm.printerId, SpoolId: farm.spoolId, DataSource: 'Manual', ...members };
      const viaRest = await gateway.rest('POST', '/api/printjobs', request);
      const viaGraph = await gateway.graphql(
        `mutation ($input: CreatePrintJobInput!) { createPrintJob(input: $input) { ${JOB_FIELDS} } }`,
        { input: camelMembers(request) },
      );
      await expectSame(viaRest, viaGraph, 'createPrintJob', outcome);
    });
  }

  const UPDATE = `mutation ($id: ID!, $input: UpdatePrintJobInput!) { updatePrintJob(id: $id, input: $input) { ${JOB_FIELDS} } }`;

  for (const [title, allMembers, outcome] of REQUESTS) {
    test(`update a job with ${title}: ${outcome}`, async () => {
      const { FilamentDiameterAtPrintMm: _, MaterialDensityAtPrint: __, ...members } = allMembers;
      const request = { PrinterId: farm.printerId, SpoolId: farm.spoolId, ...members };
      const [one, other] = [await makeJob(gateway, farm), await makeJob(gateway, farm)];
      const viaRest = await gateway.rest('PUT', `/api/printjobs/${one.Id}`, request);
      const viaGraph = await gateway.graphql(UPDATE, { id: other.Id, input: camelMembers(request) });
      await expectSame(viaRest, viaGraph, 'updatePrintJob', outcome);
      if (outcome !== 'OK') expect(await storedJob(one.Id)).toBe(await storedJob(other.Id));
    });
  }

  // ---- read and list ----

  test('read a job', async () => {
    const { Id } = await makeJob(
      gateway,
      farm,
      { MmExtruded: '12.500', StartedAt: '2026-11-20T08:30:00Z' },
      'Completed',
    );
    const viaRest = expectStatus(await gateway.rest('GET', `/api/printjobs/${Id}`), 200);
    const viaGraph = await gateway.graphql(`query ($id: ID!) { printJob(id: $id) { ${JOB_FIELDS} } }`, { id: Id });
    expect(jobOfGraph(expectData(viaGraph).printJob)).toEqual(jobOfRest(viaRest.text));
  });

  test('list jobs: the same jobs, order, count and pages', async () => {
    const listed = await makeFarm(gateway);
    for (const status of [...STATUSES, 'Queued', 'Failed'] as Status[]) await makeJob(gateway, listed, {}, status);
    const filters: [query: string, filter: object][] = [
      ['', {}],
      [`&SpoolId=${listed.spoolId}`, { spoolId: listed.spoolId }],
      [`&SpoolId=${nobody}`, { spoolId: nobody }],
      ['&Status=queued', { status: ['QUEUED'] }],
      ['&Status=Paused', {}],
    ];
    for (const [query, filter] of filters) {
      for (const [page, size] of [
        [1, 20],
        [1, 3],
        [2, 3],
        [3, 3],
        [4, 3],
      ] as const) {
        const viaRest = expectStatus(
          await gateway.rest(
            'GET',
            `/api/printjobs?PrinterId=${listed.printerId}${query}&PageNumber=${page}&PageSize=${size}`,
          ),
          200,
        );
        const viaGraph = await gateway.graphql(
          `query ($filter: PrintJobFilter, $first: Int, $offset: Int) {
             printJobs(filter: $filter, first: $first, offset: $offset) { totalCount nodes { ${JOB_FIELDS} } } }`,
          { filter: { printerId: listed.printerId, ...filter }, first: size, offset: (page - 1) * size },
        );
        const { totalCount, nodes } = expectData(viaGraph).printJobs;
        const { Items, TotalCount } = parse(viaRest.text, undefined, { parseNumber: (digits) => digits }) as Parsed;
        expect(Number(TotalCount)).toBe(totalCount);
        expect(Items.map((item: Parsed) => jobOfRest(JSON.stringify(item)))).toEqual(nodes.map(jobOfGraph));
      }
    }
  });

  // ---- cameras ----

  const CAMERAS: [title: string, members: Record<string, Parsed>, outcome: Outcome][] = [
    ['every member', { friendly_name: 'Door', mac_address: () => unique('mac') }, 'OK'],
    ['no MAC address', { friendly_name: 'Door' }, 'OK'],
    ['a MAC address of null', { friendly_name: 'Door', mac_address: null }, 'OK'],
    ['odd text', { friendly_name: ' 😀\n"' }, 'OK'],
    ['an id that is taken', { camera_id: 'taken', friendly_name: 'Door' }, 'CONFLICT'],
    ['a MAC address that is taken', { friendly_name: 'Door', mac_address: 'taken' }, 'CONFLICT'],
    ['both taken', { camera_id: 'taken', friendly_name: 'Door', mac_address: 'taken' }, 'CONFLICT'],
    ['an empty name and a taken id', { camera_id: 'taken', friendly_name: '' }, 'BAD_USER_INPUT'],
  ];

  const REGISTER =
    'mutation ($input: RegisterCameraInput!) { registerCamera(input: $input) { id friendlyName macAddress createdAt updatedAt } }';

  for (const [title, members, outcome] of CAMERAS) {
    test(`register a camera with ${title}: ${outcome}`, async () => {
      await gateway.rest('POST', '/cameras', { camera_id: 'taken', friendly_name: 'Taken', mac_address: 'taken' });
      const request = () =>
        Object.fromEntries(
          Object.entries<Parsed>({ camera_id: unique('cam'), ...members }).map(([name, value]) => [
            name,
            typeof value === 'function' ? value() : value,
          ]),
        );
      const [one, other] = [request(), request()];
      const viaRest = await gateway.rest('POST', '/cameras', one);
      const { camera_id: id, friendly_name: friendlyName, mac_address: macAddress } = other;
      const viaGraph = await gateway.graphql(REGISTER, { input: { id, friendlyName, macAddress } });
      expect([outcomeOfRest(viaRest), outcomeOfGraph(viaGraph)]).toEqual([outcome, outcome]);
      if (outcome !== 'OK') return;
      for (const asked of [one, other]) {
        const [row] = await gateway.sql(
          `SELECT friendly_name, mac_address, updated_at = created_at AS fresh FROM cameras WHERE camera_id = '${asked['camera_id']}'`,
        );
        const { friendly_name, mac_address = null } = asked;
        expect(row).toEqual({ friendly_name, mac_address, fresh: true });
      }
    });
  }

  const STATUS_FIELDS =
    'id cameraId recordedAt batteryPct videoRemainingSec recordingState mode resolution fps online rawBatteryPct';
  const statusOfGraph = (status: Parsed): Parsed =>
    status && {
      ...Object.fromEntries(
        Object.entries(status).map(([name, value]) => [
          name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
          value,
        ]),
      ),
    };
  const withTextId = (status: Parsed) => status && { ...status, id: String(status.id) };

  test('read a camera', async () => {
    const id = await makeCamera(gateway, { mac_address: unique('mac') });
    const bare = await makeCamera(gateway);
    await recordStatuses(gateway, id, [
      { recordedAt: ago(10), batteryPct: 12.5, fps: 29.97, rawBatteryPct: -3.25, videoRemainingSec: 7, mode: 'a' },
      { recordedAt: ago(20), online: false },
      { recordedAt: ago(2 * 24 * 3600) },
    ]);
    for (const camera of [id, bare]) {
      const viaRest = await cameraDetail(gateway, camera);
      const viaGraph = await gateway.graphql(
        `query ($id: ID!) { camera(id: $id) { id friendlyName macAddress createdAt updatedAt
           lastStatus { ${STATUS_FIELDS} } history { ${STATUS_FIELDS} } } }`,
        { id: camera },
      );
      const {
        lastStatus,
        history,
        id: camera_id,
        friendlyName,
        macAddress,
        createdAt,
        updatedAt,
      } = expectData(viaGraph).camera;
      expect({
        camera: viaRest.camera,
        last_status: withTextId(viaRest.last_status),
        history: viaRest.history.map(withTextId),
      }).toEqual({
        camera: {
          camera_id,
          friendly_name: friendlyName,
          mac_address: macAddress,
          created_at: createdAt,
          updated_at: updatedAt,
        },
        last_status: statusOfGraph(lastStatus),
        history: history.map(statusOfGraph),
      });
    }
  });

  test('list cameras: the same cameras, order and latest status', async () => {
    for (const mode of ['a', 'b', undefined]) {
      const id = await makeCamera(gateway);
      if (mode) await recordStatuses(gateway, id, [{ mode, batteryPct: 50.5, recordedAt: ago(5) }]);
    }
    const viaRest = expectStatus(await gateway.rest('GET', '/cameras'), 200).body;
    const viaGraph = await gateway.graphql(
      `{ cameras { totalCount nodes { id friendlyName lastStatus {
           batteryPct videoRemainingSec recordingState mode resolution fps online recordedAt } } } }`,
    );
    const { totalCount, nodes } = expectData(viaGraph).cameras;
    expect(totalCount).toBe(viaRest.length);
    const without = {
      batteryPct: null,
      videoRemainingSec: null,
      recordingState: null,
      mode: null,
      resolution: null,
      fps: null,
      online: null,
      recordedAt: null,
    };
    expect(viaRest).toEqual(
      nodes.map(({ id, friendlyName, lastStatus }: Parsed) => ({
        camera_id: id,
        friendly_name: friendlyName,
        ...statusOfGraph(lastStatus ?? without),
      })),
    );
  });
});
