// How a row of each table leaves the database: as JSON that PostgreSQL builds, read into the members of the graph. One
// value per statement, parsed once, is several times faster than Prisma's mapping of cells (about 5 µs a cell).
import { Prisma } from '../generated/prisma/client';

export interface CameraRow {
  id: string;
  friendlyName: string;
  macAddress: string | null;
  createdAt: string;
  updatedAt: string;
  lastStatus: CameraStatusRow | null;
}

/** A camera, and its history where that was read together with it. */
export interface CameraWithHistory extends CameraRow {
  history?: CameraStatusRow[];
}

export interface CameraStatusRow {
  id: string;
  cameraId: string;
  recordedAt: string;
  batteryPct: number | null;
  videoRemainingSec: number | null;
  recordingState: string | null;
  mode: string | null;
  resolution: string | null;
  fps: number | null;
  online: boolean;
  rawBatteryPct: number | null;
}

export interface MaterialRow {
  id: string;
  name: string;
  densityGPerCm3: string;
}

export interface PrinterRow {
  id: string;
  name: string;
  createdAt: string;
  updatedAt: string;
}

export interface SpoolRow {
  id: string;
  spoolSerial: string;
  filamentDiameterMm: string;
  weightTotalGrams: string;
  purchasePrice: string | null;
  material: MaterialRow;
  createdAt: string;
  updatedAt: string;
}

/** A job as its table has it. */
export interface StoredJobRow {
  id: string;
  printerId: string;
  spoolId: string;
  printName: string;
  gcodeFilePath: string;
  mmExtruded: string;
  gramsDerived: string;
  costPerPrint: string;
  startedAt: string | null;
  completedAt: string | null;
  status: string;
  dataSource: string;
  filamentDiameterAtPrintMm: string;
  materialDensityAtPrint: string;
  notes: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface PrintJobRow extends StoredJobRow {
  printer: PrinterRow | null;
  spool: SpoolRow | null;
}

/** A member's SQL, and how what JSON has no type for is read. */
type Column = string | { sql: string; read: (cell: never) => unknown };

export interface RowShape<Row> {
  /** The row as a JSON array of its members' values. */
  json: Prisma.Sql;
  read(cells: unknown[]): Row;
  /** A bigint of the row's values: when one of them changes it is another, but for one case in 2^64. */
  digest: Prisma.Sql;
  /**
   * Rows as one JSON array with an array of values for each member; `from` is what follows the columns in the statement.
   * PostgreSQL writes a hundred values of one type faster than a hundred rows: a camera's history comes at a tenth more a
   * second. Fewer rows do not gain.
   */
  gathered(from: Prisma.Sql): Prisma.Sql;
  readGathered(columns: (unknown[] | null)[]): Row[];
}

/**
 * Arrays, because writing the members' names row by row was a third of PostgreSQL's work (1,000 cameras: 4.6 ms with them,
 * 2.9 ms without).
 */
function shapeOf<Row extends object>(columns: Record<keyof Row, Column>): RowShape<Row> {
  const members = Object.entries<Column>(columns).map(([name, column]) =>
    typeof column === 'string' ? { name, sql: column, read: undefined } : { name, ...column },
  );
  // An object literal of its own for each shape: filling an object name by name takes ten times as long, 3 ms for 1,000
  // cameras. The names are those of this file.
  const row = (cell: (at: number) => string) => {
    const cells = members.map(
      ({ name, read }, at) => `${name}: ${read ? `members[${at}].read(${cell(at)})` : cell(at)}`,
    );
    return `({ ${cells.join(', ')} })`;
  };
  const compiled = (text: string) => new Function('members', `return ${text}`)(members);
  const values = sql(members.map((member, at) => `${member.sql} as c${at}`).join(', '));
  const arrays = sql(members.map((_, at) => `json_agg(g.c${at})`).join(', '));
  const json = `json_build_array(${members.map((member) => member.sql).join(', ')})`;
  return {
    json: sql(json),
    digest: sql(`hashtextextended(${json}::text, 0)`),
    read: compiled(`(cells) => ${row((at) => `cells[${at}]`)}`),
    gathered: (from) => Prisma.sql`select json_build_array(${arrays}) from (select ${values} ${from}) g`,
    readGathered: compiled(`(columns) => (columns[0] ?? []).map((_, n) => ${row((at) => `columns[${at}][n]`)})`),
  };
}

/** Sessions are in UTC, so JSON has "2026-11-20T08:30:00.25+00:00"; to_char would take four times as long to write it in full. */
const instant = (column: string): Column => ({ sql: column, read: instantOf });

function instantOf(text: string | null): string | null {
  if (text === null || !text.endsWith('+00:00')) return text && new Date(text).toISOString();
  const local = text.slice(0, -'+00:00'.length);
  return local.includes('.') ? `${local.padEnd('2026-11-20T08:30:00.250'.length, '0')}Z` : `${local}.000Z`;
}

/** A row inside a row, or null; `select` says where it is found. */
const nested = <Row>({ json, read }: RowShape<Row>, select: (json: string) => string): Column => ({
  sql: select(json.sql),
  read: (cells: unknown[] | null) => cells && read(cells),
});

export const cameraStatusRow = (s: string) =>
  shapeOf<CameraStatusRow>({
    id: `${s}.id::text`,
    cameraId: `${s}.camera_id`,
    recordedAt: instant(`${s}.recorded_at`),
    batteryPct: `${s}.battery_pct`,
    videoRemainingSec: `${s}.video_remaining_sec`,
    recordingState: `${s}.recording_state`,
    mode: `${s}.mode`,
    resolution: `${s}.resolution`,
    fps: `${s}.fps`,
    online: `${s}.online`,
    rawBatteryPct: `${s}.raw_battery_pct`,
  });

/** `latest` is the alias of the camera's latest status record. */
export const cameraRow = (c: string, latest: string) =>
  shapeOf<CameraRow>({
    id: `${c}.camera_id`,
    friendlyName: `${c}.friendly_name`,
    macAddress: `${c}.mac_address`,
    createdAt: instant(`${c}.created_at`),
    updatedAt: instant(`${c}.updated_at`),
    lastStatus: nested(cameraStatusRow(latest), (json) => `case when ${latest}.id is not null then ${json} end`),
  });

export const materialRow = (m: string) =>
  shapeOf<MaterialRow>({ id: `${m}.id`, name: `${m}.name`, densityGPerCm3: `${m}.density_g_per_cm3::text` });

export const printerRow = (p: string) =>
  shapeOf<PrinterRow>({
    id: `${p}.id`,
    name: `${p}.name`,
    createdAt: instant(`${p}.created_at`),
    updatedAt: instant(`${p}.updated_at`),
  });

export const spoolRow = (s: string) =>
  shapeOf<SpoolRow>({
    id: `${s}.id`,
    spoolSerial: `${s}.spool_serial`,
    filamentDiameterMm: `${s}.filament_diameter_mm::text`,
    weightTotalGrams: `${s}.weight_total_grams::text`,
    purchasePrice: `${s}.purchase_price::text`,
    material: nested(materialRow('m'), (json) => `(select ${json} from materials m where m.id = ${s}.material_id)`),
    createdAt: instant(`${s}.created_at`),
    updatedAt: instant(`${s}.updated_at`),
  });

const storedJob = (j: string): Record<keyof StoredJobRow, Column> => ({
  id: `${j}.id`,
  printerId: `${j}.printer_id`,
  spoolId: `${j}.spool_id`,
  printName: `${j}.print_name`,
  gcodeFilePath: `${j}.gcode_file_path`,
  mmExtruded: `${j}.mm_extruded::text`,
  gramsDerived: `${j}.grams_derived::text`,
  costPerPrint: `${j}.cost_per_print::text`,
  startedAt: instant(`${j}.started_at`),
  completedAt: instant(`${j}.completed_at`),
  status: `${j}.status`,
  dataSource: `${j}.data_source`,
  filamentDiameterAtPrintMm: `${j}.filament_diameter_at_print_mm::text`,
  materialDensityAtPrint: `${j}.material_density_at_print::text`,
  notes: `${j}.notes`,
  createdAt: instant(`${j}.created_at`),
  updatedAt: instant(`${j}.updated_at`),
});

export const storedJobRow = (j: string) => shapeOf<StoredJobRow>(storedJob(j));

/**
 * Printer, spool and material come with every job that is read: three look-ups by primary key inside the statement instead
 * of two further round trips.
 */
export const printJobRow = (j: string) =>
  shapeOf<PrintJobRow>({
    ...storedJob(j),
    printer: nested(printerRow('p'), (json) => `(select ${json} from printers p where p.id = ${j}.printer_id)`),
    spool: nested(spoolRow('s'), (json) => `(select ${json} from spools s where s.id = ${j}.spool_id)`),
  });

/** A piece of SQL that is the program's own. */
export const sql = (text: string) => Prisma.raw(text);

/** What `text` makes of each of the columns, which are given with their types, in a list. */
export const eachOf = (columns: Record<string, string>, text: (name: string, type: string) => string) =>
  sql(
    Object.entries(columns)
      .map(([name, type]) => text(name, type))
      .join(', '),
  );

/** The members of records that come as JSON text: their names, these with the types that they are read as, and their columns. */
export const membersOf = (types: Record<string, string>) => ({
  names: eachOf(types, (name) => `"${name}"`),
  types: eachOf(types, (name, type) => `"${name}" ${type}`),
  columns: eachOf(types, (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
});

/** The condition that all of the given ones hold. */
export const allOf = (conditions: Prisma.Sql[]) =>
  conditions.length === 0 ? Prisma.sql`true` : Prisma.join(conditions, ' and ');

/**
 * A list as a parameter, of which PostgreSQL cannot see how long it is when it plans: it would hold a plan for ten to be
 * worse than one for fewer, and plan anew each time (10 jobs: 0.1 of 0.3 ms).
 */
export const listOf = (values: readonly (string | number | null)[], type: string) =>
  Prisma.sql`(select ${values as string[]}::${sql(type)}[])`;

/**
 * One of the values, as an equality when there is one alone: PostgreSQL then keeps the plan instead of making it anew
 * each time, which was half of a single job's 0.36 ms.
 */
export const isOneOf = (column: string, values: readonly string[], type: string) =>
  values.length === 1
    ? Prisma.sql`${sql(column)} = ${values[0]}::${sql(type)}`
    : Prisma.sql`${sql(column)} = any(${listOf(values, type)}::${sql(type)}[])`;

/** A LIKE pattern for texts that contain the given one, whatever characters it has. */
export const containing = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
