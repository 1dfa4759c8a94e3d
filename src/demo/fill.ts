// Fills a gateway with the example farm, through the public API.
import type { Client } from '../client/client';
import {
  CamerasDocument,
  CancelPrintJobDocument,
  ChangePrintJobStatusDocument,
  CreateFilamentDocument,
  CreateMaterialDocument,
  CreatePrinterDocument,
  CreatePrintJobDocument,
  CreateSpoolDocument,
  FilamentsDocument,
  LoadSpoolDocument,
  MaterialsDocument,
  PrintersDocument,
  type PrintJobStatus,
  PrintJobsDocument,
  RecordCameraStatusesDocument,
  RecordPlanDocument,
  RegisterCameraDocument,
  SetPrintJobPartsDocument,
  SilenceAlertDocument,
  SpoolsDocument,
  UpdateCameraDocument,
  UpdatePrintJobDocument,
  type UpdatePrintJobInput,
  WeighSpoolDocument,
} from '../generated/operations';
import { sleep } from '../values/timers';
import { cameras, IN_REPAIR, makeDayOfRecords, makePausedRecording, makeSettings } from './example-cameras';
import { filaments, loads, lots, materials, printers, spools, weighed } from './example-inventory';
import { type JobPlan, makeJobs, plans } from './example-jobs';
import { ExamplePrograms } from './example-programs';

/** The gateway that gets the farm, and a function that shows text to the user. */
export interface Gateway {
  url: string;
  /** The API key; `null` if the gateway needs none. */
  key: string | null;
  client: Client;
  say(text: string): void;
}

/** The largest page. Existing rows are looked for only on the first page. */
const ALL = 1_000;
/** The time of one step in the recording of prints, which has three steps. */
const FILM_STEP_MS = 1_000;

/**
 * Adds the farm.
 * @param existing the rows that the gateway has. A row with the same name is used instead of a new row.
 */
export async function fill({ url, key, client, say }: Gateway, existing: ExistingRows): Promise<void> {
  const isEmpty = Object.values(existing.counts).every((count) => count === 0);
  const now = Date.now();
  const materialIds = new Map(existing.materials.map(({ name, id }) => [name, id]));
  for (const [name, densityGPerCm3] of materials) {
    if (materialIds.has(name)) continue;
    const { createMaterial } = await client.request(CreateMaterialDocument, { input: { name, densityGPerCm3 } });
    materialIds.set(name, createMaterial.id);
  }

  const filamentIds = new Map(existing.filaments.map(({ name, id }) => [name, id]));
  for (const { material, ...input } of filaments) {
    if (filamentIds.has(input.name)) continue;
    const materialId = findId(materialIds, material);
    const { createFilament } = await client.request(CreateFilamentDocument, { input: { ...input, materialId } });
    filamentIds.set(input.name, createFilament.id);
  }

  const spoolIds = new Map(existing.spools.map(({ spoolSerial, id }) => [spoolSerial, id]));
  const newNumbers = new Map<string, number>();
  for (const [serial, material, diameter, weight, price, colorHex, vendor, place, filament] of spools) {
    if (spoolIds.has(serial)) continue;
    const input = {
      spoolSerial: serial,
      filamentDiameterMm: diameter,
      weightTotalGrams: weight,
      purchasePrice: price,
      colorHex,
      vendor,
      place: place ?? null,
      ...lots[serial],
      filamentId: filament === undefined ? null : findId(filamentIds, filament),
      materialId: findId(materialIds, material),
    };
    const { createSpool } = await client.request(CreateSpoolDocument, { input });
    spoolIds.set(serial, createSpool.id);
    newNumbers.set(serial, createSpool.number);
  }

  const printerIds = new Map(existing.printers.map(({ name, id }) => [name, id]));
  for (const name of printers) {
    if (printerIds.has(name)) continue;
    const { createPrinter } = await client.request(CreatePrinterDocument, { input: { name } });
    printerIds.set(name, createPrinter.id);
  }

  for (const input of plans) await client.request(RecordPlanDocument, { input });

  const createdJobs: Partial<Record<PrintJobStatus, number>> = {};
  /** Creates a job and returns its id. */
  const create = async ({ printer, spool, input }: JobPlan) => {
    const links = { printerId: findId(printerIds, printer), spoolId: findId(spoolIds, spool) };
    return (await client.request(CreatePrintJobDocument, { input: { ...input, ...links } })).createPrintJob.id;
  };
  /** Moves a job to its last status. */
  const finish = async (id: string, { status, printer, spool, parts, input }: JobPlan) => {
    const { startedAt, dataSource, ...replaceable } = input;
    const links = { printerId: findId(printerIds, printer), spoolId: findId(spoolIds, spool) };
    await moveToStatus(client, status, id, { ...replaceable, ...links });
    const partInputs = parts.map(({ spool, ...part }) => ({ spoolId: findId(spoolIds, spool), ...part }));
    if (partInputs.length > 0) await client.request(SetPrintJobPartsDocument, { id, parts: partInputs });
    createdJobs[status] = (createdJobs[status] ?? 0) + 1;
  };
  // The jobs are created one after the other, so that the newest job is the last job of the list.
  const plan = makeJobs(now);
  for (const job of plan.past) await finish(await create(job), job);

  let records = 0;
  const cameraIds = new Set(existing.cameras.map(({ id }) => id));
  for (const camera of cameras) {
    if (!cameraIds.has(camera.id)) {
      await client.request(RegisterCameraDocument, { input: camera });
      await client.request(UpdateCameraDocument, { id: camera.id, input: makeSettings(camera.id, printerIds) });
    }
    const day = await client.request(RecordCameraStatusesDocument, { input: makeDayOfRecords(camera.id, now) });
    records += day.recordCameraStatuses.length;
  }
  await client.request(SilenceAlertDocument, { kind: 'CAMERA_LOST', id: IN_REPAIR });

  const filmed: [id: string, job: JobPlan][] = [];
  for (const job of plan.filmed) {
    const id = await create(job);
    await client.request(ChangePrintJobStatusDocument, { id, status: 'PRINTING' });
    filmed.push([id, job]);
  }
  for (const input of makePausedRecording()) {
    await sleep(FILM_STEP_MS);
    await client.request(RecordCameraStatusesDocument, { input });
  }
  await sleep(FILM_STEP_MS);
  for (const [id, job] of filmed) await finish(id, job);
  for (const job of plan.unfinished) await finish(await create(job), job);

  // If the gateway already has the farm, it already has the loaded spools and the weighing.
  if (isEmpty) {
    await client.request(WeighSpoolDocument, { id: findId(spoolIds, weighed.spool), input: weighed.input });
  }
  for (const [hoursAgo, printer, slot, spool] of isEmpty ? loads : []) {
    const at = new Date(now - hoursAgo * 3_600_000).toISOString();
    const spoolId = spool === null ? null : findId(spoolIds, spool);
    await client.request(LoadSpoolDocument, { printerId: findId(printerIds, printer), slot, spoolId, at });
  }

  await new ExamplePrograms(url, key).fill(newNumbers);

  const statusCounts = Object.entries(createdJobs).map(([status, count]) => `${count} ${status.toLowerCase()}`);
  say(`The farm at ${url} now has:
  ${materials.length} materials, ${filaments.length} products, ${spools.length} spools, ${printers.length} printers
  ${cameras.length} cameras with ${records} status records of the last 24 hours
  ${plan.past.length + filmed.length + plan.unfinished.length} print jobs: ${statusCounts.join(', ')}
  ${filmed.length} of these jobs have just been printed and were recorded by cameras, one of them with a gap
Open ${url}/ to see it.`);
}

/** Makes the changes that a printer would report. A printed job gets its cost from the price of the spool. */
async function moveToStatus(
  client: Client,
  status: PrintJobStatus,
  id: string,
  input: UpdatePrintJobInput,
): Promise<void> {
  if (status === 'QUEUED') return;
  if (status === 'CANCELLED') {
    await client.request(CancelPrintJobDocument, { id });
    return;
  }
  // This changes nothing if the job is printing already.
  await client.request(ChangePrintJobStatusDocument, { id, status: 'PRINTING' });
  await client.request(UpdatePrintJobDocument, { id, input });
  if (status !== 'PRINTING') await client.request(ChangePrintJobStatusDocument, { id, status });
}

export type ExistingRows = Awaited<ReturnType<typeof existingRows>>;

/** Reads the rows that the gateway has before it is filled. */
export async function existingRows(client: Client) {
  const [{ materials }, { filaments }, { spools }, { printers }, { cameras }, { printJobs }] = await Promise.all([
    client.request(MaterialsDocument),
    client.request(FilamentsDocument, { first: ALL }),
    client.request(SpoolsDocument, { first: ALL }),
    client.request(PrintersDocument, { first: ALL }),
    client.request(CamerasDocument),
    client.request(PrintJobsDocument, { first: 1 }),
  ]);
  return {
    materials,
    filaments: filaments.nodes,
    spools: spools.nodes,
    printers: printers.nodes,
    cameras: cameras.nodes,
    counts: {
      materials: materials.length,
      filaments: filaments.totalCount,
      spools: spools.totalCount,
      printers: printers.totalCount,
      cameras: cameras.totalCount,
      'print jobs': printJobs.totalCount,
    },
  };
}

function findId(ids: Map<string, string>, name: string): string {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`The example farm uses ${name}, which it does not create.`);
  return id;
}
