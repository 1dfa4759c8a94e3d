// Makes a farm for a test: materials, spools, printers, cameras and statuses through GraphQL, print jobs through REST.
import { randomUUID } from 'node:crypto';
import { expectData, expectStatus, type Gateway, type Parsed } from './gateway';

/** A text that no other test uses. */
export function unique(text: string): string {
  return `${text} ${randomUUID()}`;
}

export interface Farm {
  materialId: string;
  spoolId: string;
  spoolSerial: string;
  printerId: string;
  printerName: string;
}

/** PLA of 1.24 g/cm3 on a full 1.75 mm spool of 1,000 g for 25, and a printer. */
export async function makeFarm(
  gateway: Gateway,
  spool: { diameter?: string; weight?: string; price?: string | null; density?: string } = {},
): Promise<Farm> {
  const { diameter = '1.75', weight = '1000', price = '25', density = '1.24' } = spool;
  const printerName = unique('Prusa');
  const spoolSerial = unique('SP');
  const { printer, material } = expectData(
    await gateway.graphql(
      `mutation ($printer: CreatePrinterInput!, $material: CreateMaterialInput!) {
         printer: createPrinter(input: $printer) { id }
         material: createMaterial(input: $material) { id }
       }`,
      { printer: { name: printerName }, material: { name: unique('PLA'), densityGPerCm3: density } },
    ),
  );
  const made = expectData(
    await gateway.graphql('mutation ($input: CreateSpoolInput!) { createSpool(input: $input) { id } }', {
      input: {
        spoolSerial,
        filamentDiameterMm: diameter,
        weightTotalGrams: weight,
        purchasePrice: price,
        materialId: material.id,
      },
    }),
  );
  return { materialId: material.id, spoolId: made.createSpool.id, spoolSerial, printerId: printer.id, printerName };
}

/** Adds a device to a printer, and answers its id. */
let devices = 0;

/** Each device has another address, because a machine can be only one device. */
export async function makeDevice(gateway: Gateway, printerId: string, members: object = {}): Promise<string> {
  devices += 1;
  const { addDevice } = expectData(
    await gateway.graphql('mutation ($input: AddDeviceInput!) { addDevice(input: $input) { id } }', {
      input: { kind: 'MOONRAKER', printerId, address: `10.64.${devices >> 8}.${devices & 255}`, ...members },
    }),
  );
  return addDevice.id;
}

/** The members of a print job in REST, in their order. */
export const JOB_MEMBERS = [
  'Id',
  'PrinterId',
  'PrinterName',
  'SpoolId',
  'SpoolSerial',
  'PrintName',
  'GcodeFilePath',
  'MmExtruded',
  'GramsDerived',
  'CostPerPrint',
  'StartedAt',
  'CompletedAt',
  'Status',
  'DataSource',
  'FilamentDiameterAtPrintMm',
  'MaterialDensityAtPrint',
  'Notes',
  'CreatedAt',
  'UpdatedAt',
];

/** A create request whose members are all valid; `members` replace some. */
export function jobRequest(farm: Farm, members: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    PrinterId: farm.printerId,
    SpoolId: farm.spoolId,
    PrintName: 'Benchy',
    GcodeFilePath: '/gcode/benchy.gcode',
    MmExtruded: 1000,
    GramsDerived: 3.5,
    CostPerPrint: 0.75,
    DataSource: 'Manual',
    FilamentDiameterAtPrintMm: 1.75,
    MaterialDensityAtPrint: 1.24,
    Notes: 'first layer slow',
    AutoDeriveGrams: false,
    ...members,
  };
}

/** An update request whose members are all valid. */
export function jobUpdate(farm: Farm, members: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    PrinterId: farm.printerId,
    SpoolId: farm.spoolId,
    PrintName: 'Benchy again',
    GcodeFilePath: '/gcode/again.gcode',
    MmExtruded: 2000,
    GramsDerived: 7.25,
    CostPerPrint: 1.5,
    Notes: 'second try',
    AutoDeriveGrams: false,
    ...members,
  };
}

export const STATUSES = ['Queued', 'Printing', 'Completed', 'Cancelled', 'Failed'] as const;
export type Status = (typeof STATUSES)[number];

const WAY_TO: Record<Status, Status[]> = {
  Queued: [],
  Printing: ['Printing'],
  Completed: ['Printing', 'Completed'],
  Cancelled: ['Cancelled'],
  Failed: ['Failed'],
};

/** Creates a job, brings it to the status with the status operation, and answers it as REST does. */
export async function makeJob(
  gateway: Gateway,
  farm: Farm,
  members: Record<string, unknown> = {},
  status: Status = 'Queued',
): Promise<Parsed> {
  let job = expectStatus(await gateway.rest('POST', '/api/printjobs', jobRequest(farm, members)), 201);
  for (const next of WAY_TO[status]) {
    job = expectStatus(await gateway.rest('PATCH', `/api/printjobs/${job.body.Id}/status`, { Status: next }), 200);
  }
  return job.body;
}

export async function readJob(gateway: Gateway, id: string): Promise<Parsed> {
  return expectStatus(await gateway.rest('GET', `/api/printjobs/${id}`), 200).body;
}

export async function makeCamera(gateway: Gateway, members: Record<string, unknown> = {}): Promise<string> {
  const body = { camera_id: unique('cam'), friendly_name: 'Over the printer', ...members };
  return expectStatus(await gateway.rest('POST', '/cameras', body), 201).body.camera_id;
}

/** Adds status records of one camera; each needs only the members that the test is about. */
export async function recordStatuses(
  gateway: Gateway,
  cameraId: string,
  records: Record<string, unknown>[],
): Promise<{ id: string; recordedAt: string }[]> {
  const answer = await gateway.graphql(
    'mutation ($input: [CameraStatusInput!]!) { recordCameraStatuses(input: $input) { id recordedAt } }',
    { input: records.map((record) => ({ cameraId, online: true, ...record })) },
  );
  return expectData(answer).recordCameraStatuses;
}

/** The item of a camera in the REST list. */
export async function cameraItem(gateway: Gateway, cameraId: string): Promise<Parsed> {
  const list = expectStatus(await gateway.rest('GET', '/cameras'), 200);
  return list.body.find((item: Parsed) => item.camera_id === cameraId);
}

export async function cameraDetail(gateway: Gateway, cameraId: string): Promise<Parsed> {
  return expectStatus(await gateway.rest('GET', `/cameras/${encodeURIComponent(cameraId)}`), 200).body;
}

const TABLES = [
  'cameras',
  'camera_status',
  'printers',
  'spools',
  'materials',
  'print_jobs',
  'print_job_parts',
  'printer_slots',
  'slot_loads',
  'observed_prints',
  'devices',
  'camera_watches',
  'job_filming',
];

/** The content of every table as one text each. The texts are equal before and after if nothing was written. */
export async function tables(gateway: Gateway): Promise<Parsed> {
  const digests = TABLES.map(
    (table) => `(SELECT count(*) || ' rows ' || coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '')
                 FROM ${table} t) AS ${table}`,
  );
  return (await gateway.sql(`SELECT ${digests.join(', ')}`))[0];
}

// ---- times -----------------------------------------------------------------------------------------------------------

export const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
export const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The instant that many seconds before now, as a text. */
export function ago(seconds: number): string {
  return new Date(Date.now() - seconds * 1000).toISOString();
}

/** Expects an instant between the start of the test's action and now, with a second of tolerance for the rounding of another clock. */
export function expectNow(text: string, since: number): void {
  expect(text).toMatch(INSTANT);
  expect(Date.parse(text)).toBeGreaterThanOrEqual(since - 1000);
  expect(Date.parse(text)).toBeLessThanOrEqual(Date.now() + 1000);
}
