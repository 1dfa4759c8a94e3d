// The competitor of the benchmark: Mercurius with its compiler, hand-written SQL in prepared statements, and loaders.
import Fastify from 'fastify';
import { GraphQLScalarType } from 'graphql';
import mercurius, { type IResolvers, type MercuriusLoaders } from 'mercurius';
import { Pool, types } from 'pg';

type Row = Record<string, unknown>;

const TIMESTAMPTZ = 1184;
types.setTypeParser(TIMESTAMPTZ, (text) => new Date(text));
// Every connection is open from the start. A plan is never worth compiling here.
const CONNECTIONS = 10;
const pool = new Pool({
  connectionString: process.argv[2],
  min: CONNECTIONS,
  max: CONNECTIONS,
  idleTimeoutMillis: 0,
  options: '-c TimeZone=UTC -c jit=off',
});
const rows = async (name: string, text: string, values: unknown[] = []): Promise<Row[]> =>
  (await pool.query({ name, text, values })).rows;

const CAMERA = `camera_id as id, friendly_name as "friendlyName", mac_address as "macAddress",
  created_at as "createdAt", updated_at as "updatedAt"`;
const STATUS = `id, camera_id as "cameraId", recorded_at as "recordedAt", battery_pct as "batteryPct",
  video_remaining_sec as "videoRemainingSec", recording_state as "recordingState", mode, resolution, fps, online,
  raw_battery_pct as "rawBatteryPct"`;
const JOB = `id, printer_id as "printerId", spool_id as "spoolId", print_name as "printName",
  gcode_file_path as "gcodeFilePath", mm_extruded as "mmExtruded", grams_derived as "gramsDerived",
  cost_per_print as "costPerPrint", started_at as "startedAt", completed_at as "completedAt", status,
  data_source as "dataSource", filament_diameter_at_print_mm as "filamentDiameterAtPrintMm",
  material_density_at_print as "materialDensityAtPrint", notes, created_at as "createdAt", updated_at as "updatedAt"`;

const schema = `
  scalar DateTime
  scalar Decimal
  enum PrintJobStatus { QUEUED PRINTING COMPLETED CANCELLED FAILED }
  enum DataSource { MQTT PRINTER_API MANUAL }
  type Status { id: ID! cameraId: ID! recordedAt: DateTime! batteryPct: Float videoRemainingSec: Int recordingState: String
    mode: String resolution: String fps: Float online: Boolean! rawBatteryPct: Float }
  type Camera { id: ID! friendlyName: String! macAddress: String createdAt: DateTime! updatedAt: DateTime!
    lastStatus: Status history: [Status!]! }
  type Cameras { nodes: [Camera!]! }
  type Material { id: ID! name: String! }
  type Printer { id: ID! name: String! }
  type Spool { id: ID! spoolSerial: String! material: Material! }
  type PrintJob { id: ID! printName: String! gcodeFilePath: String! mmExtruded: Decimal! gramsDerived: Decimal!
    costPerPrint: Decimal! startedAt: DateTime completedAt: DateTime status: PrintJobStatus! dataSource: DataSource!
    filamentDiameterAtPrintMm: Decimal! materialDensityAtPrint: Decimal! notes: String createdAt: DateTime!
    updatedAt: DateTime! printer: Printer! spool: Spool! }
  type PrintJobs { totalCount: Int! nodes: [PrintJob!]! }
  input PrintJobFilter { status: [PrintJobStatus!] }
  input CameraStatusInput { cameraId: ID! batteryPct: Float videoRemainingSec: Int recordingState: String mode: String
    resolution: String fps: Float online: Boolean rawBatteryPct: Float }
  input CreatePrintJobInput { printerId: ID! spoolId: ID! printName: String gcodeFilePath: String mmExtruded: Decimal
    gramsDerived: Decimal costPerPrint: Decimal dataSource: DataSource! filamentDiameterAtPrintMm: Decimal
    materialDensityAtPrint: Decimal notes: String autoDeriveGrams: Boolean }
  type Query { cameras: Cameras! camera(id: ID!): Camera
    printJobs(filter: PrintJobFilter, first: Int, offset: Int): PrintJobs! printJob(id: ID!): PrintJob }
  type Subscription { cameraStatusRecorded: Status! }
  type Mutation { recordCameraStatuses(input: [CameraStatusInput!]!): [Status!]!
    createPrintJob(input: CreatePrintJobInput!): PrintJob! }`;

/** The tables hold the spellings of the documents, the schema those of GraphQL. */
const STORED: Record<string, string> = {
  QUEUED: 'Queued',
  PRINTING: 'Printing',
  COMPLETED: 'Completed',
  CANCELLED: 'Cancelled',
  FAILED: 'Failed',
  MQTT: 'Mqtt',
  PRINTER_API: 'PrinterApi',
  MANUAL: 'Manual',
};
const SHOWN = Object.fromEntries(Object.entries(STORED).map(([shown, stored]) => [stored, shown]));
const shown = { serialize: (stored: unknown) => SHOWN[stored as string] };

/** Of a cylinder of filament, as the document derives it: square millimetres with eight decimals. */
const crossSection = (diameter: number) => Number((Math.PI * (diameter / 2) ** 2).toFixed(8));

const resolvers: IResolvers = {
  DateTime: new GraphQLScalarType<Date>({
    name: 'DateTime',
    serialize: (value) => (value as Date).toISOString() as unknown as Date,
    parseValue: (value) => new Date(value as string),
  }),
  // A NUMERIC arrives as its text, with every digit.
  Decimal: new GraphQLScalarType({ name: 'Decimal', serialize: (value) => value, parseValue: (value) => value }),
  PrintJobStatus: shown,
  DataSource: shown,
  Query: {
    cameras: async () => ({ nodes: await rows('cameras', `select ${CAMERA} from cameras order by camera_id`) }),
    camera: async (_, { id }) => (await rows('camera', `select ${CAMERA} from cameras where camera_id = $1`, [id]))[0],
    printJobs: async (_, { filter, first, offset }) => {
      const wanted = filter?.status?.map((status: string) => STORED[status]);
      // One status is an equality, which an index answers in the order of the list.
      const [name, where, status] =
        wanted === undefined
          ? ['all', '']
          : wanted.length === 1
            ? ['one', 'where status = $1', wanted[0]]
            : ['some', 'where status = any($1::text[])', wanted];
      const values = status === undefined ? [] : [status];
      const [at, from] = [values.length + 1, values.length + 2];
      const [nodes, [count]] = await Promise.all([
        rows(
          `jobs of ${name}`,
          `select ${JOB} from print_jobs ${where} order by created_at desc, id desc limit $${at} offset $${from}`,
          [...values, first ?? 20, offset ?? 0],
        ),
        rows(`count of ${name}`, `select count(*)::int as n from print_jobs ${where}`, values),
      ]);
      return { nodes, totalCount: count?.['n'] };
    },
    printJob: async (_, { id }) => (await rows('job', `select ${JOB} from print_jobs where id = $1`, [id]))[0],
  },
  Mutation: {
    recordCameraStatuses: async (_, { input }) =>
      Promise.all(
        input.map(async (status: Row) => {
          const [recorded] = await rows(
            'record',
            `insert into camera_status (camera_id, recorded_at, battery_pct, video_remaining_sec, recording_state, mode,
               resolution, fps, online, raw_battery_pct)
             values ($1, now(), $2, $3, $4, $5, $6, $7, coalesce($8, false), $9) returning ${STATUS}`,
            [
              status['cameraId'],
              status['batteryPct'],
              status['videoRemainingSec'],
              status['recordingState'],
              status['mode'],
              status['resolution'],
              status['fps'],
              status['online'],
              status['rawBatteryPct'],
            ],
          );
          return recorded;
        }),
      ),
    createPrintJob: async (_, { input }) => {
      // Read before the insert, because an error must name which of the two is unknown.
      const [of] = await rows(
        'printer and spool',
        `select p.id as printer, s.id as spool, s.filament_diameter_mm as diameter, m.density_g_per_cm3 as density
         from (select) as one left join printers p on p.id = $1 left join spools s on s.id = $2
           left join materials m on m.id = s.material_id`,
        [input.printerId, input.spoolId],
      );
      if (of?.['printer'] == null) throw new mercurius.ErrorWithProps('There is no such printer');
      if (of['spool'] == null) throw new mercurius.ErrorWithProps('There is no such spool');
      const derives = input.autoDeriveGrams === true;
      const diameter = derives ? of['diameter'] : (input.filamentDiameterAtPrintMm ?? '0');
      const density = derives ? of['density'] : (input.materialDensityAtPrint ?? '0');
      const grams = derives
        ? ((Number(input.mmExtruded ?? 0) * crossSection(Number(diameter)) * Number(density)) / 1000).toFixed(2)
        : (input.gramsDerived ?? '0');
      const [made] = await rows(
        'create',
        `insert into print_jobs (printer_id, spool_id, print_name, gcode_file_path, mm_extruded, grams_derived,
           cost_per_print, status, data_source, filament_diameter_at_print_mm, material_density_at_print, notes)
         values ($1, $2, $3, $4, $5, $6, $7, 'Queued', $8, $9, $10, $11) returning ${JOB}`,
        [
          input.printerId,
          input.spoolId,
          input.printName ?? '',
          input.gcodeFilePath ?? '',
          input.mmExtruded ?? '0',
          grams,
          input.costPerPrint ?? '0',
          STORED[input.dataSource],
          diameter,
          density,
          input.notes,
        ],
      );
      return made as Row;
    },
  },
};

interface Asked {
  obj: Row;
}

const byKey = async (name: string, text: string, asked: Asked[], member: string) => {
  const keys = asked.map(({ obj }) => obj[member]);
  const found = new Map((await rows(name, text, [[...new Set(keys)]])).map((row) => [row['id'], row]));
  return keys.map((key) => found.get(key));
};
const uncached = (loader: (asked: Asked[]) => Promise<unknown[]>) => ({ loader, opts: { cache: false } });

const loaders = {
  Camera: {
    lastStatus: uncached(async (asked) => {
      const latest = await rows(
        'latest',
        `select latest.* from unnest($1::text[]) asked (camera_id) cross join lateral (
           select ${STATUS} from camera_status s where s.camera_id = asked.camera_id
           order by recorded_at desc, id desc limit 1) latest`,
        [asked.map(({ obj }) => obj['id'])],
      );
      const found = new Map(latest.map((row) => [row['cameraId'], row]));
      return asked.map(({ obj }) => found.get(obj['id']) ?? null);
    }),
    history: uncached((asked) =>
      Promise.all(
        asked.map(({ obj }) =>
          rows(
            'history',
            `select ${STATUS} from camera_status where camera_id = $1 and recorded_at >= now() - interval '24 hours'
             order by recorded_at desc, id desc limit 100`,
            [obj['id']],
          ),
        ),
      ),
    ),
  },
  PrintJob: {
    printer: uncached((asked) =>
      byKey('printers', 'select id, name from printers where id = any($1::uuid[])', asked, 'printerId'),
    ),
    spool: uncached((asked) =>
      byKey(
        'spools',
        'select id, spool_serial as "spoolSerial", material_id as "materialId" from spools where id = any($1::uuid[])',
        asked,
        'spoolId',
      ),
    ),
  },
  Spool: {
    material: uncached((asked) =>
      byKey('materials', 'select id, name from materials where id = any($1::uuid[])', asked, 'materialId'),
    ),
  },
} as unknown as MercuriusLoaders;

const TOPIC = 'recorded';
resolvers['Subscription'] = {
  cameraStatusRecorded: {
    subscribe: async (_root, _given, { pubsub }) => {
      publishing ??= publish();
      await publishing;
      return pubsub.subscribe(TOPIC);
    },
  },
};

const app = Fastify();
app.register(mercurius, { schema, resolvers, loaders, jit: 1, subscription: true });

let publishing: Promise<void> | undefined;

/** From the first subscription on, asks for new records as often as the gateway does. It misses those that are committed late. */
async function publish(): Promise<void> {
  let [{ last } = { last: null }] = await rows('last', 'select coalesce(max(id), 0) as last from camera_status');
  setInterval(async () => {
    const text = `select ${STATUS} from camera_status where id > $1 order by id limit 500`;
    for (const status of await rows('new', text, [last])) {
      last = status['id'];
      app.graphql.pubsub.publish({ topic: TOPIC, payload: { cameraStatusRecorded: status } });
    }
  }, 100);
}

app.listen({ host: '127.0.0.1', port: Number(process.argv[3] ?? 0) }).then((url) => console.log(`${url} is ready`));
