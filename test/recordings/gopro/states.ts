// States of GoPros, and the status record that each must become.
import { hero4, hero5, hero9 } from '../../../src/demo/machines/gopro';
import type { CameraReading } from '../../../src/machines/machine-adapter';

type Told = Omit<CameraReading, 'kind' | 'at'>;

export interface RecordedState {
  name: string;
  path: string;
  body: unknown;
  /** null: nothing is written. */
  expected: Told | null;
}

const OPEN = '/gopro/camera/state';
const OLD = '/gp/gpControl/status';

const createReading = (members: Partial<Told>): Told => ({
  batteryPct: null,
  videoRemainingSec: null,
  recordingState: null,
  mode: null,
  resolution: null,
  fps: null,
  online: true,
  rawBatteryPct: null,
  ...members,
});

/** What `hero9` says. */
const NINE = { batteryPct: 36, rawBatteryPct: 36, videoRemainingSec: 2954, recordingState: 'idle' };
const REST = { ...NINE, mode: 'video', resolution: '1080', fps: 30 };

const state = (name: string, path: string, body: unknown, expected: Partial<Told> | null): RecordedState => ({
  name,
  path,
  body,
  expected: expected && createReading(expected),
});

export const GOPRO: RecordedState[] = [
  state('HERO4 Black', OLD, hero4(), {
    rawBatteryPct: 2,
    videoRemainingSec: 664,
    recordingState: 'idle',
    mode: 'video',
    resolution: '1080',
    fps: 30,
  }),
  state(
    'HERO4 Black that is charged in its time lapse',
    OLD,
    hero4({ 2: 4, 8: 1, 10: 1, 43: 2, 44: 1 }, { 2: 8, 3: 12 }),
    {
      rawBatteryPct: 4,
      videoRemainingSec: 664,
      recordingState: 'recording',
      mode: 'timelapse',
      resolution: '1080 SuperView',
      fps: 12.5,
    },
  ),
  state('HERO5 Black that records', OLD, hero5({ 8: 1, 10: 1, 13: 73, 35: 5438 }, { 2: 17, 3: 0 }), {
    batteryPct: 87,
    rawBatteryPct: 87,
    videoRemainingSec: 5438,
    recordingState: 'recording',
    mode: 'video',
    resolution: '480',
    fps: 240,
  }),
  state('HERO7 Black in its photo mode', OLD, hero5({ 2: 1, 43: 1, 44: 1, 70: 22 }, { 2: 18, 3: 8 }), {
    batteryPct: 22,
    rawBatteryPct: 22,
    videoRemainingSec: 5511,
    recordingState: 'idle',
    mode: 'photo',
    resolution: '4K 4:3',
    fps: 30,
  }),
  state('HERO7 Black in its time warp', OLD, hero5({ 44: 4 }, { 2: 4, 3: 13 }), {
    batteryPct: 87,
    rawBatteryPct: 87,
    videoRemainingSec: 5511,
    recordingState: 'idle',
    mode: 'timelapse',
    resolution: '2.7K',
    fps: 200,
  }),
  state('HERO9 Black', OPEN, hero9({}, { 2: 24, 3: 10 }), { ...REST, resolution: '5K', fps: 24 }),
  state('HERO9 Black with an old program, at the old path', OLD, hero9({ 10: 1 }), {
    ...REST,
    recordingState: 'recording',
  }),
  state('HERO10 Black that is charged', OPEN, hero9({ 2: 4, 70: 100 }, { 2: 100, 3: 5 }), {
    ...REST,
    batteryPct: 100,
    rawBatteryPct: 100,
    resolution: '5.3K',
    fps: 60,
  }),
  state('HERO11 Black without a battery, fed by its cable', OPEN, hero9({ 1: 0, 2: 0, 70: 0 }, { 2: 26, 3: 8 }), {
    ...REST,
    batteryPct: null,
    rawBatteryPct: 0,
    resolution: '5.3K 8:7',
  }),
  state(
    'HERO11 Black in a time lapse that records',
    OPEN,
    hero9({ 8: 1, 10: 1, 89: 24, 96: 1002, 97: 131072 }, { 2: 1, 3: 8 }),
    { ...REST, recordingState: 'recording', mode: 'timelapse', resolution: '4K' },
  ),
  state('HERO12 Black in its photo mode', OPEN, hero9({ 89: 17, 96: 1001, 97: 65536 }, { 2: 109, 3: 1 }), {
    ...REST,
    mode: 'photo',
    resolution: '4K 9:16',
    fps: 120,
  }),
  state(
    'HERO13 Black in burst slow motion, with its second setting for frames',
    OPEN,
    hero9({ 89: 32 }, { 2: 38, 3: undefined, 234: 16 }),
    { ...REST, resolution: '900', fps: 360 },
  ),
  state('a full card', OPEN, hero9({ 33: 1, 34: 0, 35: 0, 54: 0 }), { ...REST, videoRemainingSec: 0 }),
  state('no card, told by numbers that are none', OPEN, hero9({ 33: 2, 34: 0, 35: 4294967295, 54: 0 }), {
    ...REST,
    videoRemainingSec: null,
  }),
  state('no preset group: the mode itself tells it', OPEN, hero9({ 96: undefined, 89: 26 }), {
    ...REST,
    mode: 'timelapse',
  }),
  state('ids that nobody knows', OPEN, hero9({ 10: 2, 89: 99, 96: 1099 }, { 2: 200, 3: 99 }), {
    ...NINE,
    recordingState: null,
  }),
  state(
    'texts, halves and values out of range',
    OPEN,
    hero9({ 1: 'yes', 2: -1, 10: 'on', 35: 12.5, 70: 255, 89: null, 96: '1000' }, { 2: '9', 3: 8.5 }),
    { rawBatteryPct: 255 },
  ),
  state('below zero', OPEN, hero9({ 35: -1, 70: -1, 96: -1, 89: -1 }, { 2: -1, 3: -1 }), {
    ...NINE,
    batteryPct: null,
    rawBatteryPct: -1,
    videoRemainingSec: null,
  }),
  state(
    'names of what every object has',
    OPEN,
    { status: { 96: 'constructor', 70: {}, 1: [] }, settings: 'toString' },
    {},
  ),
  state('nothing in its state', OPEN, { status: {}, settings: {} }, {}),
  state('no settings', OPEN, { status: { 1: 1, 70: 50 } }, { batteryPct: 50, rawBatteryPct: 50 }),
  state('no state', OPEN, { settings: { 2: 9 } }, null),
  state('a state that is none', OPEN, { status: 'asleep' }, null),
  state('no body', OPEN, null, null),
  state('another answer', '/gopro/camera/info', hero9(), null),
];
