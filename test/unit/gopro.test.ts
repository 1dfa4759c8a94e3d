// How the states of GoPros become status records.
import { gopro } from '../../src/machines/gopro/adapter';
import { FLAT_MODES, FRAME_RATES, RESOLUTIONS } from '../../src/machines/gopro/status';
import { parseExactJson } from '../../src/values/json';
import { GOPRO } from '../recordings/gopro/states';

const AT = '2026-11-20T08:00:00.000Z';

test.each(GOPRO.map((state) => [state.name, state] as const))('%s', (_name, { path, body, expected }) => {
  const [reading, ...more] = gopro.receive(null, { source: path, body }, AT).readings;
  expect(more).toEqual([]);
  expect(reading ?? null).toEqual(expected && { kind: 'STATUS', at: AT, ...expected });
});

test('a sleeping camera does not answer, and nothing is recorded of it', () => {
  const { readings, asks } = gopro.receive(null, { source: '/gopro/camera/state', body: null, failed: true }, AT);
  expect([readings, asks]).toEqual([[], []]);
});

test('numbers with more digits than a float has', () => {
  const body = parseExactJson(
    Buffer.from(
      '{"status":{"1":1,"10":1,"35":600.0,"70":55.5,"96":1000,"107":12345678901234567890},"settings":{"2":1,"3":8}}',
    ),
  );
  expect(gopro.receive(null, { source: '/gopro/camera/state', body }, AT).readings).toEqual([
    {
      kind: 'STATUS',
      at: AT,
      batteryPct: 55.5,
      rawBatteryPct: 55.5,
      videoRemainingSec: 600,
      recordingState: 'recording',
      mode: 'video',
      resolution: '4K',
      fps: 30,
      online: true,
    },
  ]);
});

test('a loop is told apart from other videos, on new models and on old ones', () => {
  const readMode = (status: string) =>
    gopro.receive(
      null,
      { source: '/gopro/camera/state', body: parseExactJson(Buffer.from(`{"status":{${status}},"settings":{}}`)) },
      AT,
    ).readings[0];
  expect(readMode('"1":1,"89":15,"96":1000')).toMatchObject({ mode: 'looping' });
  expect(readMode('"1":1,"89":12,"96":1000')).toMatchObject({ mode: 'video' });
  expect(readMode('"1":1,"43":0,"44":3')).toMatchObject({ mode: 'looping' });
});

test('every id has a word that the database accepts', () => {
  for (const word of [...Object.values(RESOLUTIONS), ...Object.values(FLAT_MODES)])
    expect(word).toMatch(/^[\w.: ]{2,20}$/);
  for (const rate of Object.values(FRAME_RATES)) expect(rate).toBeGreaterThan(0);
});
