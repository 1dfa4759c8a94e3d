// The work items: the requests, the same for the gateway and for the competitor.
import { createHash, randomUUID } from 'node:crypto';
import type { Size } from './dataset';

export interface Ask {
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Item {
  name: string;
  what: string;
  /** The item of the competitor that it is compared with, where it is not its own. */
  against?: string;
  writes?: boolean;
  ask(n: number, size: Size): Ask;
}

const JOB = `id printName gcodeFilePath mmExtruded gramsDerived costPerPrint startedAt completedAt status dataSource
  filamentDiameterAtPrintMm materialDensityAtPrint notes createdAt updatedAt`;
const STATUS = 'recordedAt batteryPct videoRemainingSec recordingState mode resolution fps online';
const STATUSES = ['QUEUED', 'PRINTING', 'COMPLETED', 'CANCELLED', 'FAILED'];

const graph = (query: string, variables: unknown): Ask => ({
  method: 'POST',
  path: '/graphql',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ query, variables }),
});
const chooseCamera = (n: number, { cameras }: Size) => `cam${String(1 + ((n * 7919) % cameras)).padStart(6, '0')}`;
const createGuid = (kind: string, n: number) =>
  createHash('md5')
    .update(`${kind} ${n}`)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
const chooseJob = (n: number, { jobs }: Size) => createGuid('job', 1 + ((n * 104_729) % jobs));

export const ITEMS: Item[] = [
  {
    name: 'W1',
    what: 'every camera with its latest status',
    ask: () => graph(`query Cameras { cameras { nodes { id friendlyName lastStatus { ${STATUS} } } } }`, {}),
  },
  { name: 'W1R', what: 'the same over REST', against: 'W1', ask: () => ({ method: 'GET', path: '/cameras' }) },
  {
    name: 'W2',
    what: 'a page of 50 jobs with printer, spool, material and total',
    ask: (n) =>
      graph(
        `query Jobs($status: [PrintJobStatus!], $first: Int) { printJobs(filter: { status: $status }, first: $first) {
          totalCount nodes { ${JOB} printer { id name } spool { id spoolSerial material { name } } } } }`,
        { status: [STATUSES[n % STATUSES.length]], first: 50 },
      ),
  },
  {
    name: 'W3',
    what: 'one camera with its latest status and 24 hours of history',
    ask: (n, size) =>
      graph(
        `query Camera($id: ID!) { camera(id: $id) { id friendlyName macAddress createdAt updatedAt
          lastStatus { id cameraId ${STATUS} rawBatteryPct } history { id cameraId ${STATUS} rawBatteryPct } } }`,
        { id: chooseCamera(n, size) },
      ),
  },
  {
    name: 'W4',
    what: 'one job with printer and spool',
    ask: (n, size) =>
      graph(`query Job($id: ID!) { printJob(id: $id) { ${JOB} printer { id name } spool { id spoolSerial } } }`, {
        id: chooseJob(n, size),
      }),
  },
  {
    name: 'W4R',
    what: 'the same over REST',
    against: 'W4',
    ask: (n, size) => ({ method: 'GET', path: `/api/printjobs/${chooseJob(n, size)}` }),
  },
  {
    name: 'W5',
    what: 'record one status',
    writes: true,
    ask: (n, size) =>
      graph(
        'mutation Record($input: [CameraStatusInput!]!) { recordCameraStatuses(input: $input) { id cameraId recordedAt batteryPct } }',
        { input: [{ cameraId: chooseCamera(n, size), batteryPct: n % 100, mode: 'video', fps: 30, online: true }] },
      ),
  },
  {
    name: 'W6',
    what: 'create a job with derived grams',
    writes: true,
    ask: (n) =>
      graph(
        'mutation Create($input: CreatePrintJobInput!) { createPrintJob(input: $input) { id gramsDerived status createdAt } }',
        {
          input: {
            printerId: createGuid('printer', 1 + (n % 50)),
            spoolId: createGuid('spool', 1 + (n % 500)),
            printName: `bench ${randomUUID()}`,
            gcodeFilePath: '/gcode/bench.gcode',
            mmExtruded: `${1000 + (n % 9000)}.5`,
            costPerPrint: '1.2500',
            dataSource: 'MQTT',
            notes: 'bench',
            autoDeriveGrams: true,
          },
        },
      ),
  },
];
