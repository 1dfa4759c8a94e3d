// The command `seed`: fills a running gateway with an example farm through its public API. With --live its cameras go on reporting, and its printers print.
import { createClient, GatewayRequestError } from '../src/client/client';
import { gatewayFailure } from '../src/commands/gateway-failures';
import { showProgress } from '../src/commands/progress';
import { readGateway } from '../src/config';
import type { FakeMachine } from '../src/devices/fakes';
import {
  CamerasDocument,
  CancelPrintJobDocument,
  ChangePrintJobStatusDocument,
  CreateMaterialDocument,
  CreatePrinterDocument,
  CreatePrintJobDocument,
  CreateSpoolDocument,
  MaterialsDocument,
  PrintersDocument,
  type PrintJobStatus,
  PrintJobsDocument,
  RecordCameraStatusesDocument,
  RegisterCameraDocument,
  SpoolsDocument,
  UpdateCameraDocument,
  UpdatePrintJobDocument,
  type UpdatePrintJobInput,
} from '../src/generated/operations';
import { isLoopback } from '../src/values/loopback';
import { sleep } from '../src/values/timers';
import { cameras, dayOf, jobs, materials, printers, reportsAfter, settingsOf, spools } from './seed-farm';
import { startMachines } from './seed-machines';

const { url: gateway, key } = readGateway();
const progress = showProgress((requests) => `${requests} requests sent`);
const client = createClient({
  url: `${gateway}/graphql`,
  fetch: (...request) => {
    progress.add(1);
    return fetch(...request);
  },
  ...(key !== null && { headers: { authorization: `Bearer ${key}` } }),
});

/** Between two reports of a camera with --live. */
const REPORT_SECONDS = 10;

/** The largest page: the seed looks for existing rows only on the first page. */
const ALL = 1_000;

async function fill(force: boolean): Promise<void> {
  const existing = await existingRows();
  const counts = Object.entries(existing.counts).filter(([, count]) => count > 0);
  if (counts.length > 0 && !force) {
    const found = counts.map(([name, count]) => `${count} ${name}`).join(', ');
    throw new Error(
      `The gateway at ${gateway} is not empty (${found}). Nothing was changed.\nTo add the farm beside them, use the option --force.`,
    );
  }

  const now = Date.now();
  const materialIds = new Map(existing.materials.map(({ name, id }) => [name, id]));
  for (const [name, densityGPerCm3] of materials) {
    if (materialIds.has(name)) continue;
    const { createMaterial } = await client.request(CreateMaterialDocument, { input: { name, densityGPerCm3 } });
    materialIds.set(name, createMaterial.id);
  }

  const spoolIds = new Map(existing.spools.map(({ spoolSerial, id }) => [spoolSerial, id]));
  for (const { serial, material, diameter, weight, price, colorHex, vendor } of spools) {
    if (spoolIds.has(serial)) continue;
    const input = {
      spoolSerial: serial,
      filamentDiameterMm: diameter,
      weightTotalGrams: weight,
      purchasePrice: price,
      colorHex,
      vendor,
      materialId: idOf(materialIds, material),
    };
    const { createSpool } = await client.request(CreateSpoolDocument, { input });
    spoolIds.set(serial, createSpool.id);
  }

  const printerIds = new Map(existing.printers.map(({ name, id }) => [name, id]));
  for (const name of printers) {
    if (printerIds.has(name)) continue;
    const { createPrinter } = await client.request(CreatePrinterDocument, { input: { name } });
    printerIds.set(name, createPrinter.id);
  }

  let records = 0;
  const cameraIds = new Set(existing.cameras.map(({ id }) => id));
  for (const camera of cameras) {
    if (!cameraIds.has(camera.id)) {
      await client.request(RegisterCameraDocument, { input: camera });
      await client.request(UpdateCameraDocument, { id: camera.id, input: settingsOf(camera.id, printerIds) });
    }
    const day = await client.request(RecordCameraStatusesDocument, { input: dayOf(camera.id, now) });
    records += day.recordCameraStatuses.length;
  }

  // One after the other, so that the newest job is the last of the plan.
  const made: Partial<Record<PrintJobStatus, number>> = {};
  for (const { status, printer, spool, input } of jobs(now)) {
    const links = { printerId: idOf(printerIds, printer), spoolId: idOf(spoolIds, spool) };
    const { createPrintJob: job } = await client.request(CreatePrintJobDocument, { input: { ...input, ...links } });
    const { startedAt, dataSource, ...replaceable } = input;
    await bringTo(status, job.id, { ...replaceable, ...links });
    made[status] = (made[status] ?? 0) + 1;
  }

  progress.end();
  const standing = Object.entries(made).map(([status, count]) => `${count} ${status.toLowerCase()}`);
  console.log(`The farm at ${gateway} holds now:
  ${materials.length} materials, ${spools.length} spools, ${printers.length} printers
  ${cameras.length} cameras with ${records} status records of the last 24 hours
  ${jobs(now).length} print jobs: ${standing.join(', ')}
See it at ${gateway}/`);
}

/** Makes the changes that a printer would report. A printed job gets its cost from the spool's price. */
async function bringTo(status: PrintJobStatus, id: string, input: UpdatePrintJobInput): Promise<void> {
  if (status === 'QUEUED') return;
  if (status === 'CANCELLED') {
    await client.request(CancelPrintJobDocument, { id });
    return;
  }
  await client.request(ChangePrintJobStatusDocument, { id, status: 'PRINTING' });
  await client.request(UpdatePrintJobDocument, { id, input });
  if (status !== 'PRINTING') await client.request(ChangePrintJobStatusDocument, { id, status });
}

async function existingRows() {
  const [{ materials }, { spools }, { printers }, { cameras }, { printJobs }] = await Promise.all([
    client.request(MaterialsDocument),
    client.request(SpoolsDocument, { first: ALL }),
    client.request(PrintersDocument, { first: ALL }),
    client.request(CamerasDocument),
    client.request(PrintJobsDocument, { first: 1 }),
  ]);
  return {
    materials,
    spools: spools.nodes,
    printers: printers.nodes,
    cameras: cameras.nodes,
    counts: {
      materials: materials.length,
      spools: spools.totalCount,
      printers: printers.totalCount,
      cameras: cameras.totalCount,
      'print jobs': printJobs.totalCount,
    },
  };
}

function idOf(ids: Map<string, string>, name: string): string {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`The farm's plan names ${name}, which it does not make.`);
  return id;
}

/** The cameras report and the printers print until a signal comes. A farm without them is made first. */
async function report(force: boolean, seconds: number): Promise<void> {
  const { cameras: existing } = await existingRows();
  if (!cameras.every((camera) => existing.some(({ id }) => id === camera.id))) await fill(force);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop.abort());
  const machines: FakeMachine[] = [];
  try {
    // The gateway must reach them on the loopback of this computer.
    const asked = isLoopback(new URL(gateway).hostname)
      ? await startMachines(client, machines).catch(async (error) => {
          sayRefusal(error);
          await close(machines);
          return [];
        })
      : [];
    const printing = machines.length - asked.length;
    console.log(`${cameras.length} cameras report every ${seconds} s, and ${printing} printers print, until Ctrl+C.`);
    for (const id of asked) console.log(`The camera ${id} does not report: the gateway asks it each 30 s.`);
    await reportUntil(stop.signal, seconds, asked);
  } finally {
    // A machine that listens would keep the process.
    await close(machines);
  }
}

/** @param asked cameras that report by themselves */
async function reportUntil(stop: AbortSignal, seconds: number, asked: readonly string[]): Promise<void> {
  let isAway = false;
  for (const begin = Date.now(); !stop.aborted; ) {
    const input = reportsAfter((Date.now() - begin) / 60_000, asked);
    const wasAway = isAway;
    isAway = await client.request(RecordCameraStatusesDocument, { input }).then(() => false, awayIn);
    if (isAway && !wasAway) console.error(`No gateway answers at ${gateway}: the cameras go on trying.`);
    if (wasAway && !isAway) console.log('The gateway answers again.');
    await sleep(seconds * 1000, undefined, { signal: stop }).catch(() => {});
  }
}

async function close(machines: FakeMachine[]): Promise<void> {
  for (const machine of machines.splice(0)) await machine.close();
}

/** Without the right to add devices, or on a server without DEVICE_KEY, the cameras report all the same. */
function sayRefusal(error: unknown): void {
  if (!(error instanceof GatewayRequestError) || error.errors.length === 0) throw error;
  console.error(`The printers are left out: ${error.message}`);
}

/** True when the gateway is away, as in a restart; any other error is thrown. */
function awayIn(error: unknown): true {
  if (error instanceof GatewayRequestError && (error.status === 0 || error.status === 503)) return true;
  throw error;
}

export async function seed({ force = false, live }: { force?: boolean; live?: number | true }): Promise<void> {
  try {
    await (live === undefined ? fill(force) : report(force, live === true ? REPORT_SECONDS : live));
  } catch (error) {
    throw gatewayFailure(error, gateway, key, 'the scopes read and write (with --live also devices), for all cameras');
  } finally {
    progress.end();
  }
}
