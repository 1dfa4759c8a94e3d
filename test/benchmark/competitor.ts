// The competitor of the benchmark: Mercurius with its compiler, hand-written SQL in prepared statements, and loaders.
import Fastify from 'fastify';
import mercurius, { type IResolvers, type MercuriusLoaders } from 'mercurius';
import { Pool, types } from 'pg';

type Row = Record<string, unknown>;

const TIMESTAMPTZ = 1184;
types.setTypeParser(TIMESTAMPTZ, (text) => new Date(text).toISOString());
const pool = new Pool({
  connectionString: process.argv[2],
  max: 10,
  options: '-c TimeZone=UTC -c jit=off',
});
const rows = async (name: string, text: string, values: unknown[] = []): Promise<Row[]> =>
  (await pool.query({ name, text, values })).rows;

const CAMERA = `camera_id as id, friendly_name as "friendlyName", mac_address as "macAddress",
  created_at as "createdAt", updated_at as "updatedAt"`;
const STATUS = `s.id::text as id, s.camera_id as "cameraId", s.recorded_at as "recordedAt", s.battery_pct as "batteryPct",
  s.video_remaining_sec as "videoRemainingSec", s.recording_state as "recordingState", s.mode, s.resolution, s.fps,
  s.online, s.raw_battery_pct as "rawBatteryPct"`;
const JOB = `id, printer_id as "printerId", spool_id as "spoolId", print_name as "printName",
  gcode_file_path as "gcodeFilePath", mm_extruded::text as "mmExtruded", grams_derived::text as "gramsDerived",
  cost_per_print::text as "costPerPrint", started_at as "startedAt", completed_at as "completedAt",
  upper(status) as status, upper(regexp_replace(data_source, '(?<!^)([A-Z]+)', '_\\1')) as "dataSource",
  filament_diameter_at_print_mm::text as "filamentDiameterAtPrintMm",
  material_density_at_print::text as "materialDensityAtPrint", notes, created_at as "createdAt", updated_at as "updatedAt"`;

const schema = `
  enum PrintJobStatus { QUEUED PRINTING COMPLETED CANCELLED FAILED }
  type Status { id: ID! cameraId: ID! recordedAt: String! batteryPct: Float videoRemainingSec: Int recordingState: String
    mode: String resolution: String fps: Float online: Boolean! rawBatteryPct: Float }
  type Camera { id: ID! friendlyName: String! macAddress: String createdAt: String! updatedAt: String!
    lastStatus: Status history: [Status!]! }
  type Cameras { nodes: [Camera!]! }
  type Material { id: ID! name: String! }
  type Printer { id: ID! name: String! }
  type Spool { id: ID! spoolSerial: String! material: Material! }
  type PrintJob { id: ID! printName: String! gcodeFilePath: String! mmExtruded: String! gramsDerived: String!
    costPerPrint: String! startedAt: String completedAt: String status: String! dataSource: String!
    filamentDiameterAtPrintMm: String! materialDensityAtPrint: String! notes: String createdAt: String! updatedAt: String!
    printer: Printer! spool: Spool! }
  type PrintJobs { totalCount: Int! nodes: [PrintJob!]! }
  input PrintJobFilter { status: [PrintJobStatus!] }
  input CameraStatusInput { cameraId: ID! batteryPct: Float mode: String fps: Float online: Boolean }
  input CreatePrintJobInput { printerId: ID! spoolId: ID! printName: String! gcodeFilePath: String mmExtruded: String
    costPerPrint: String dataSource: String notes: String autoDeriveGrams: Boolean }
  type Query { cameras: Cameras! camera(id: ID!): Camera printJobs(filter: PrintJobFilter, first: Int): PrintJobs!
    printJob(id: ID!): PrintJob }
  type Subscription { cameraStatusRecorded: Status! }
  type Mutation { recordCameraStatuses(input: [CameraStatusInput!]!): [Status!]!
    createPrintJob(input: CreatePrintJobInput!): PrintJob! }`;

const stored = (status: string) => status.charAt(0) + status.slice(1).toLowerCase();

const resolvers: IResolvers = {
  Query: {
    cameras: async () => ({ nodes: await rows('cameras', `select ${CAMERA} from cameras order by camera_id`) }),
    camera: async (_, { id }) => (await rows('camera', `select ${CAMERA} from cameras where camera_id = $1`, [id]))[0],
    printJobs: async (_, { filter, first }) => {
      const status = stored(filter.status[0]);
      const [nodes, [count]] = await Promise.all([
        rows(
          'jobs',
          `select ${JOB} from print_jobs where status = $1 order by print_jobs.created_at desc, id desc limit $2`,
          [status, first],
        ),
        rows('count', 'select count(*)::int as n from print_jobs where status = $1', [status]),
      ]);
      return { nodes, totalCount: count?.['n'] };
    },
    printJob: async (_, { id }) => (await rows('job', `select ${JOB} from print_jobs where id = $1`, [id]))[0],
  },
  Mutation: {
    recordCameraStatuses: async (_, { input }) => {
      const [status] = input;
      return rows(
        'record',
        `insert into camera_status as s (camera_id, recorded_at, battery_pct, mode, fps, online)
         values ($1, now(), $2, $3, $4, $5) returning ${STATUS}`,
        [status.cameraId, status.batteryPct, status.mode, status.fps, status.online],
      );
    },
    createPrintJob: async (_, { input }) => {
      const [made] = await rows(
        'create',
        `insert into print_jobs (id, printer_id, spool_id, print_name, gcode_file_path, mm_extruded, grams_derived,
           cost_per_print, status, data_source, filament_diameter_at_print_mm, material_density_at_print, notes)
         select gen_random_uuid(), p.id, s.id, $3, $4, $5::numeric,
           round($5::numeric / 10 * round(3.141592653589793 * (s.filament_diameter_mm / 20) ^ 2, 8) * m.density_g_per_cm3, 2),
           $6::numeric, 'Queued', 'Mqtt', s.filament_diameter_mm, m.density_g_per_cm3, $7
         from printers p, spools s join materials m on m.id = s.material_id where p.id = $1 and s.id = $2
         returning ${JOB}`,
        [
          input.printerId,
          input.spoolId,
          input.printName,
          input.gcodeFilePath,
          input.mmExtruded,
          input.costPerPrint,
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
        `select s.* from unnest($1::text[]) k (camera_id) cross join lateral (
           select ${STATUS} from camera_status s where s.camera_id = k.camera_id
           order by s.recorded_at desc, s.id desc limit 1) s`,
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
            `select ${STATUS} from camera_status s where s.camera_id = $1 and s.recorded_at >= now() - interval '24 hours'
             order by s.recorded_at desc, s.id desc limit 100`,
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
  cameraStatusRecorded: { subscribe: (_root, _given, { pubsub }) => pubsub.subscribe(TOPIC) },
};

const app = Fastify();
app.register(mercurius, { schema, resolvers, loaders, jit: 1, subscription: true });

/** Asks for new records as often as the gateway does. It misses those whose transaction commits late. */
async function publish(): Promise<void> {
  let [{ last } = { last: null }] = await rows('last', 'select coalesce(max(id), 0)::text as last from camera_status');
  setInterval(async () => {
    const text = `select ${STATUS} from camera_status s where id > $1 order by s.id limit 500`;
    for (const status of await rows('new', text, [last])) {
      last = status['id'];
      app.graphql.pubsub.publish({ topic: TOPIC, payload: { cameraStatusRecorded: status } });
    }
  }, 100);
}

app.ready().then(publish);
app.listen({ host: '127.0.0.1', port: 0 }).then((url) => console.log(`${url} is ready`));
