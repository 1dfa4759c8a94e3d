// Writes prints and their cameras as rows, with times that a test chooses.
import { randomUUID } from 'node:crypto';
import type { Farm } from './farm';
import type { SceneCamera, SceneJob, SceneRecord } from './film-model';
import { expectData, type Gateway, type Parsed } from './gateway';

interface Database {
  sql(toLiteral: string): Promise<unknown>;
}

export const FILMING =
  'filming { cameraId from to windowSec recordedSec share resolutionSec gaps { from to reason } otherGapsSec final }';

const text = (value: unknown) => (value === null ? 'null' : `'${value}'`);
export const toInstant = (ms: number) => new Date(ms).toISOString();
const toInstantOrNull = (ms: number | null) => (ms === null ? null : toInstant(ms));

export interface StoredJob extends SceneJob {
  id: string;
  /** As the database spells it: `Completed`. */
  status: string;
  /** Whether the job ends at its updated_at. */
  isUpdated?: boolean;
}

export async function storeJobs(
  gateway: Database,
  farm: Pick<Farm, 'spoolId'>,
  jobs: readonly StoredJob[],
): Promise<void> {
  const rows = jobs.map(({ id, printer, status, from, to, isUpdated }) => {
    const end = status === 'Printing' || isUpdated ? null : toInstant(to);
    return `('${id}', '${printer}', '${farm.spoolId}', 'part', '', 0, 0, 0, '${toInstant(from)}', ${text(end)}, '${status}', 'Manual', 0, 0,
      '${toInstant(from)}', '${toInstant(to)}')`;
  });
  await gateway.sql(`insert into print_jobs (id, printer_id, spool_id, print_name, gcode_file_path, mm_extruded, grams_derived,
    cost_per_print, started_at, completed_at, status, data_source, filament_diameter_at_print_mm, material_density_at_print,
    created_at, updated_at) values ${rows.join()}`);
}

export async function storePrinters(gateway: Database, ids: readonly string[]): Promise<void> {
  const rows = ids.map((id) => `('${id}', 'Voron', now(), now())`);
  await gateway.sql(`insert into printers (id, name, created_at, updated_at) values ${rows.join()}`);
}

export async function storeCameras(gateway: Database, cameras: readonly SceneCamera[]): Promise<void> {
  const rows = cameras.map(({ id, intervalSec }) => `('${id}', 'x', ${intervalSec})`);
  await gateway.sql(`insert into cameras (camera_id, friendly_name, expected_interval_sec) values ${rows.join()}`);
  const watches = cameras.flatMap(({ id, watches: all }) =>
    all.map(({ printer, from, to }) => `('${id}', '${toInstant(from)}', ${text(toInstantOrNull(to))}, '${printer}')`),
  );
  if (watches.length > 0) await gateway.sql(`insert into camera_watches values ${watches.join()}`);
  await storeAll(gateway, cameras);
}

export const storeRecords = (gateway: Database, camera: string, records: readonly SceneRecord[]): Promise<void> =>
  storeAll(gateway, [{ id: camera, records }]);

async function storeAll(
  gateway: Database,
  cameras: readonly { id: string; records: readonly SceneRecord[] }[],
): Promise<void> {
  const rows = cameras.flatMap(({ id, records }) =>
    records.map((one) => `('${id}', '${toInstant(one.at)}', ${one.online}, ${text(one.state)})`),
  );
  if (rows.length > 0)
    await gateway.sql(
      `insert into camera_status (camera_id, recorded_at, online, recording_state) values ${rows.join()}`,
    );
}

/** A camera that has watched the printer for years. */
export async function storeCamera(
  gateway: Database,
  printer: string,
  records: SceneRecord[] = [],
  members: Partial<SceneCamera> = {},
): Promise<string> {
  const id = `cam ${randomUUID()}`;
  const watches = [{ printer, from: Date.parse('2020-01-01T00:00:00Z'), to: null }];
  await storeCameras(gateway, [{ id, intervalSec: null, records, watches, ...members }]);
  return id;
}

export async function storeJob(
  gateway: Database,
  farm: Pick<Farm, 'spoolId'>,
  printer: string,
  [from, to]: [from: number, to: number],
  status = 'Completed',
): Promise<string> {
  const id = randomUUID();
  await storeJobs(gateway, farm, [{ id, printer, status, from, to }]);
  return id;
}

/** Records with this recording state, one every so many milliseconds. */
export function createRecords(state: string | null, from: number, to: number, everyMs = 60_000): SceneRecord[] {
  const count = Math.ceil((to - from) / everyMs);
  return Array.from({ length: count }, (_, n) => ({ at: from + n * everyMs, online: true, state }));
}

export async function readFilming(gateway: Gateway, job: string): Promise<Parsed[]> {
  const query = `query ($id: ID!) { printJob(id: $id) { ${FILMING} } }`;
  return expectData(await gateway.graphql(query, { id: job })).printJob.filming;
}
