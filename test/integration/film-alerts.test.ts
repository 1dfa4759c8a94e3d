// Tests the alerts of films: what cameras report while their printer prints, and the limits of each kind.
import { selectPlanName } from '../../src/farm/print-plans/print-plan.store';
import { planName } from '../../src/farm/print-rules/sliced-plan';
import { holdClock } from '../support/clock';
import { anyDatabase } from '../support/databases';
import { ago, makeFarm, makeJob, recordStatuses, type Status, unique } from '../support/farm';
import { expectData, type Parsed, test, useGateway } from '../support/gateway';
import { makeDevice, makePrint, setState } from '../support/prints';

type Members = Record<string, unknown>;

/** The differences from a camera that should record a job that started an hour ago. */
interface Scene {
  records: ReturnType<typeof is>[];
  camera?: Members;
  job?: Members;
  /** null: the job has not started. */
  beganSecondsAgo?: number | null;
  status?: Status;
  /** The state of the printer, from its machine. */
  state?: Members;
  /** The last contact with the machine. */
  heardSecondsAgo?: number;
  plans?: { fileName: string; seconds: number }[];
  /** The print that the machine reported. */
  observed?: Members;
}

const HOUR = 3600;
/** A record made that many seconds ago. */
const is = (recordingState: string | null, secondsAgo: number, members: Members = {}) => ({
  recordingState,
  secondsAgo,
  ...members,
});
const idle = (secondsAgo: number, members?: Members) => is('idle', secondsAgo, members);
const recording = (secondsAgo: number, members?: Members) => is('recording', secondsAgo, members);
/** One record every five minutes, the last of them now. */
const battery = (...levels: number[]) =>
  levels.map((batteryPct, at) => recording((levels.length - 1 - at) * 295 + 5, { batteryPct }));
const remaining = (remainingSec: number | null) => ({ remainingSec });

describe('alerts of films', () => {
  const gateway = useGateway(anyDatabase);
  // However long a scene takes, its times stay the same.
  beforeEach(() => void holdClock());
  afterEach(() => void jest.useRealTimers());

  /** The alerts of the camera of a scene. */
  async function play({
    records,
    camera,
    job,
    beganSecondsAgo = HOUR,
    status,
    state,
    heardSecondsAgo = 1,
    plans,
    observed,
  }: Scene) {
    const now = Date.now();
    const earlier = (seconds: number) => new Date(now - seconds * 1000).toISOString();
    const farm = await makeFarm(gateway);
    const { printerId } = farm;
    const { registerCamera } = expectData(
      await gateway.graphql('mutation ($input: RegisterCameraInput!) { registerCamera(input: $input) { id } }', {
        input: { id: unique('cam'), friendlyName: 'Bay', printerId, recordsPrints: true },
      }),
    );
    const { id } = registerCamera;
    const change = 'mutation ($id: ID!, $input: UpdateCameraInput!) { updateCamera(id: $id, input: $input) { id } }';
    if (camera) expectData(await gateway.graphql(change, { id, input: camera }));
    const StartedAt = beganSecondsAgo === null ? null : earlier(beganSecondsAgo);
    const made = await makeJob(gateway, farm, { StartedAt, ...job }, status ?? 'Printing');
    if (state) {
      const lastMessageAt = earlier(heardSecondsAgo);
      await makeDevice(gateway, { printerId, lastMessageAt: lastMessageAt });
      await setState(gateway, printerId, { heardAt: lastMessageAt, ...state });
    }
    if (observed) await makePrint(gateway, printerId, { ...observed, jobId: made.Id, jobUpdatedAt: made.UpdatedAt });
    for (const { fileName, seconds } of plans ?? []) {
      const input = { fileName, plates: [{ plate: 1, seconds, slots: [] }] };
      const document = 'mutation ($input: RecordPlanInput!) { recordPlan(input: $input) { name } }';
      expectData(await gateway.graphql(document, { input }));
    }
    // Written one by one, so that the later record of one time has the greater id.
    for (const { secondsAgo, ...record } of records)
      await recordStatuses(gateway, id, [{ recordedAt: earlier(secondsAgo), ...record }]);
    const { alerts } = expectData(
      await gateway.graphql('{ alerts { kind severity message since camera { id } printJob { id } } }'),
    );
    const own = alerts.filter((alert: Parsed) => alert.camera?.id === id);
    return {
      id,
      earlier,
      job: made,
      alerts: own as Parsed[],
      kinds: own.map((alert: Parsed) => alert.kind) as string[],
    };
  }

  test('NOT_FILMED: the camera has recorded nothing since the job started', async () => {
    const { id, job, alerts } = await play({ records: [idle(200), idle(20)] });
    const message = `Camera Bay (${id}) is not recording the print Benchy. Start its recording.`;
    const about = { camera: { id }, printJob: null };
    expect(alerts).toEqual([{ kind: 'NOT_FILMED', severity: 'WARNING', message, since: job.StartedAt, ...about }]);
  });

  const NOT_FILMED: [title: string, scene: Scene, kinds: string[]][] = [
    ['an unknown recording state', { records: [is('ready', 20)] }, ['NOT_FILMED']],
    ['no state', { records: [is(null, 20)] }, ['NOT_FILMED']],
    [
      'the camera recorded before the job started',
      { records: [recording(HOUR + 60), idle(HOUR + 1), idle(20)] },
      ['NOT_FILMED'],
    ],
    ['of two records at one time the later one counts', { records: [recording(20), idle(20)] }, ['NOT_FILMED']],
    ['a record from the future does not count yet', { records: [idle(20), recording(-HOUR)] }, ['NOT_FILMED']],
    ['the recording state, in any case', { records: [is('Recording', 20)] }, []],
    ['the camera is not expected to record', { records: [idle(20)], camera: { recordsPrints: false } }, []],
    ['the camera watches no printer', { records: [idle(20)], camera: { printerId: null } }, []],
    ['the job is queued', { records: [idle(20)], status: 'Queued', beganSecondsAgo: null }, []],
    ['the job is finished', { records: [idle(20)], status: 'Completed' }, []],
    ['the job started half a minute ago', { records: [idle(20)], beganSecondsAgo: 30 }, []],
    ['the job starts in the future', { records: [idle(20)], beganSecondsAgo: -HOUR }, []],
    ['the camera never reported', { records: [] }, []],
    ['the camera has not reported yet', { records: [recording(-HOUR)] }, []],
    ['the camera is silent', { records: [idle(310)] }, ['CAMERA_LOST']],
    ['the camera is offline', { records: [idle(60), idle(20, { online: false })] }, ['CAMERA_LOST']],
  ];
  for (const [title, scene, kinds] of NOT_FILMED) {
    test(`NOT_FILMED or nothing: ${title}`, async () => expect((await play(scene)).kinds).toEqual(kinds));
  }

  test('FILM_STOPPED: the camera recorded, and then did not for longer than its interval', async () => {
    const { id, earlier, alerts } = await play({ records: [recording(1500), idle(1200), idle(20)] });
    const message = `Camera Bay (${id}) stopped recording the print Benchy, which is still printing. Start its recording again.`;
    const about = { camera: { id }, printJob: null };
    expect(alerts).toEqual([{ kind: 'FILM_STOPPED', severity: 'WARNING', message, since: earlier(1200), ...about }]);
    // Without a next record in its interval, the record counted for the whole interval.
    const silent = await play({ records: [recording(1200), idle(20)] });
    expect(silent.alerts).toMatchObject([{ kind: 'FILM_STOPPED', since: silent.earlier(900) }]);
  });

  const STOPPED: [title: string, scene: Scene, kinds: string[]][] = [
    [
      'an earlier record still counted when the print started',
      { records: [recording(HOUR + 100), idle(20)] },
      ['FILM_STOPPED'],
    ],
    ['not for longer than 300 seconds', { records: [recording(500), idle(240), idle(20)] }, []],
    [
      'for longer than the interval of the camera',
      { records: [recording(300), idle(240), idle(20)], camera: { expectedIntervalSec: 200 } },
      ['FILM_STOPPED'],
    ],
    ['the camera records again', { records: [recording(2000), idle(1500), recording(20)] }, []],
    [
      'a recording of an offline camera does not count',
      { records: [recording(600, { online: false }), idle(20)] },
      ['NOT_FILMED'],
    ],
  ];
  for (const [title, scene, kinds] of STOPPED) {
    test(`FILM_STOPPED or nothing: ${title}`, async () => expect((await play(scene)).kinds).toEqual(kinds));
  }

  test('a recording of another printer is no film of this print; a recording before the camera was moved away is', async () => {
    const records = [recording(2000), idle(1500), recording(1000), idle(500), idle(20)];
    const { id, earlier, job } = await play({ records });
    const watched = async (...watches: [from: number, to: number | null, isOther?: boolean][]) => {
      const other = (await makeFarm(gateway)).printerId;
      await gateway.sql(`delete from camera_watches where camera_id = '${id}'`);
      for (const [from, to, isOther = false] of watches)
        await gateway.sql(`insert into camera_watches select '${id}', '${earlier(from)}', ${to === null ? 'null' : `'${earlier(to)}'`},
          ${isOther ? `'${other}'` : 'c.printer_id'} from cameras c where c.camera_id = '${id}'`);
      const all = expectData(await gateway.graphql('{ alerts { kind since camera { id } } }')).alerts;
      return all.flatMap(({ camera, kind, since }: Parsed) => (camera?.id === id ? [[kind, since]] : []));
    };
    expect(await watched([9000, null])).toEqual([['FILM_STOPPED', earlier(700)]]);
    expect(await watched([9000, 900], [900, 600, true], [600, null])).toEqual([['FILM_STOPPED', earlier(900)]]);
    expect(await watched([9000, 1200], [1200, 600, true], [600, null])).toEqual([['FILM_STOPPED', earlier(1700)]]);
    expect(await watched([9000, 600, true], [600, null])).toEqual([['NOT_FILMED', job.StartedAt]]);
  });

  test('a film that stopped is found among a thousand cameras that record', async () => {
    const { printerId } = await makeFarm(gateway);
    const name = unique('many');
    await gateway.sql(`insert into cameras (camera_id, friendly_name, printer_id, records_prints)
      select '${name} ' || n, 'x', '${printerId}', true from generate_series(1, 1000) n`);
    await gateway.sql(`insert into camera_status (camera_id, recorded_at, online, recording_state)
      select '${name} ' || n, now() - interval '5 s', true, 'recording' from generate_series(1, 1000) n`);
    const spoken = Array.from({ length: 150 }, (_, n) => idle(5 + n * 10));
    expect((await play({ records: [], job: { PrinterId: printerId } })).kinds).toEqual([]);
    const { kinds } = await play({ records: [recording(2000), ...spoken.toReversed()] });
    await gateway.sql(`delete from cameras where friendly_name = 'x'`);
    expect(kinds).toEqual(['FILM_STOPPED']);
  });

  test('among several jobs, the newest that started at least a minute ago counts', async () => {
    const farm = await makeFarm(gateway);
    for (const [seconds, PrintName] of [
      [HOUR, 'Old'],
      [600, 'New'],
      [10, 'Youngest'],
    ] as const)
      await makeJob(gateway, farm, { PrintName, StartedAt: ago(seconds) }, 'Printing');
    const { alerts, job } = await play({ records: [idle(20)], job: { PrinterId: farm.printerId } });
    expect([alerts, job.PrinterId]).toEqual([[], farm.printerId]);
    const { id } = await play({ records: [idle(20)], camera: { printerId: farm.printerId } });
    const all = expectData(await gateway.graphql('{ alerts { message camera { id } } }')).alerts;
    expect(all.filter(({ camera }: Parsed) => camera?.id === id)).toMatchObject([
      { message: expect.stringContaining('the print New. Start') },
    ]);
  });

  const early = (seconds: number, members: Members = {}) => [recording(5, { videoRemainingSec: seconds, ...members })];
  const EARLY: [title: string, scene: Scene, message: RegExp | null][] = [
    [
      'the video',
      { records: early(3000), state: remaining(3600) },
      /out of card space about 10 minutes before the print Benchy ends\. Free space/,
    ],
    ['a tenth of the remaining time is no alert', { records: early(3300), state: remaining(3600) }, null],
    ['five missing minutes are an alert', { records: early(600), state: remaining(1000) }, / 7 minutes/],
    ['less than five missing minutes are no alert', { records: early(800), state: remaining(1000) }, null],
    ['a film that ends before its last minutes', { records: early(0), state: remaining(240) }, null],
    [
      'the film cannot end in the past',
      { records: [recording(240, { videoRemainingSec: 0 })], state: remaining(240) },
      null,
    ],
    [
      'the age of the record counts',
      { records: [recording(240, { videoRemainingSec: 3400 })], state: remaining(3600) },
      / 7 minutes/,
    ],
    ['the age of the state counts', { records: early(2900), state: remaining(3600), heardSecondsAgo: 600 }, null],
    ['the print has ended', { records: early(0), state: remaining(0) }, null],
    ['a time lapse', { records: early(100, { mode: 'TimeLapse' }), state: remaining(3600) }, null],
    ['neither recording time nor battery is known', { records: [recording(5)], state: remaining(3600) }, null],
    ['the end of the print is unknown', { records: early(100) }, null],
    ['the printer does not report it', { records: early(100), state: remaining(null) }, null],
    [
      'the camera does not record',
      { records: [recording(100), idle(5, { videoRemainingSec: 0 })], state: remaining(3600) },
      null,
    ],
    [
      'the battery',
      { records: battery(20, 18, 16, 14), state: remaining(3600) },
      /out of battery about 2\d minutes before the print Benchy ends\. Charge/,
    ],
    [
      'the battery of a time lapse',
      {
        records: battery(20, 18, 16, 14).map((record) => ({ ...record, mode: 'timelapse', videoRemainingSec: 0 })),
        state: remaining(3600),
      },
      /battery/,
    ],
    [
      'the recording time, before the battery',
      {
        records: battery(20, 18, 16, 14).map((record) => ({ ...record, videoRemainingSec: 60 })),
        state: remaining(3600),
      },
      /59 minutes .* card/,
    ],
    ['a battery that lasts', { records: battery(90, 88, 86, 84), state: remaining(3600) }, null],
    ['three records of the battery', { records: battery(18, 16, 14), state: remaining(3600) }, null],
    ['less than two percent fallen', { records: battery(4.9, 4.2, 3.6, 3), state: remaining(7200) }, null],
    ['two percent fallen', { records: battery(5, 4.2, 3.6, 3), state: remaining(7200) }, /battery/],
    ['the battery is the same as before', { records: battery(6, 6, 4, 4), state: remaining(7200) }, /battery/],
    ['the battery rises', { records: battery(6, 4, 4.5, 2), state: remaining(7200) }, null],
    [
      'the battery rises while the camera does not record',
      { records: [...battery(6, 5, 4, 2), idle(450, { batteryPct: 50 })], state: remaining(7200) },
      /battery/,
    ],
    [
      'records older than half an hour',
      { records: [recording(1900, { batteryPct: 10 }), ...battery(6, 5, 3)], state: remaining(7200) },
      null,
    ],
    [
      'the end of the print by its plan',
      {
        records: early(1000),
        job: { GcodeFilePath: 'C:\\gcode\\By plan.GCODE' },
        plans: [{ fileName: '/slices/By plan.bgcode', seconds: 7200 }],
      },
      /4\d minutes/,
    ],
    [
      'by its plan, if the printer does not report it',
      {
        records: early(1000),
        state: remaining(null),
        job: { PrintName: 'By name' },
        plans: [{ fileName: 'By name.gcode.3mf', seconds: 7200 }],
      },
      /4\d minutes/,
    ],
    [
      'a plan whose time has passed',
      { records: early(0), job: { PrintName: 'Over' }, plans: [{ fileName: 'Over.gcode', seconds: 3000 }] },
      null,
    ],
    [
      'by the plan of the print that the machine reported',
      { records: early(1000), observed: { outcome: 'RUNNING', endedAt: null, plan: { seconds: 7200, slots: [] } } },
      /4\d minutes/,
    ],
  ];
  for (const [title, scene, message] of EARLY) {
    test(`FILM_ENDS_EARLY or nothing: ${title}`, async () => {
      const { id, earlier, alerts } = await play(scene);
      const found = alerts.filter((alert) => alert['kind'] === 'FILM_ENDS_EARLY');
      const since = earlier(Math.min(...scene.records.map(({ secondsAgo }) => secondsAgo)));
      const alert = { severity: 'WARNING', since, camera: { id } };
      expect(found).toMatchObject(message === null ? [] : [{ ...alert, message: expect.stringMatching(message) }]);
      expect(found.filter((one) => !/^Camera Bay \(.+\) will run out of /.test(one['message']))).toEqual([]);
    });
  }

  test('a plan has the same name in SQL and in the rules', async () => {
    const paths = [
      'a',
      'a.gcode',
      'A.GCode.3MF',
      '.gcode',
      '.gcode.3mf',
      'x/y\\z.bgcode',
      'a.gco',
      'a.gcode.gcode',
      'a.3mf',
      'a/',
      '',
      'u\u0308.gcode',
      'a.b.gcode',
    ];
    const rows = paths.map((path) => `('${path}')`).join();
    const found = await gateway.sql(`select ${selectPlanName('x.path').sql} as name from (values ${rows}) x (path)`);
    expect(found.map(({ name }) => name)).toEqual(paths.map(planName));
  });
});
