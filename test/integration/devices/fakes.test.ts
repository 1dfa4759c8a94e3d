// A farm that works by itself: a fake machine of each kind plays its prints or recordings without being told to.

import { startFake } from '../../../src/devices/fakes';
import type { DeviceKind } from '../../../src/devices/kinds';
import { Listening, targetOf } from '../../support/device-listening';

test.each<[DeviceKind, string]>([
  ['MOONRAKER', 'bracket.gcode'],
  ['OCTOPRINT', 'bracket.gcode'],
  ['PRUSALINK', 'bracket.gcode'],
  ['BAMBU', 'bracket'],
])('%s', async (kind, name) => {
  const fake = await startFake(kind, { secret: 'key', script: { seconds: 20, restSeconds: 1, file: 'bracket.gcode' } });
  const { url, serial, certificateFingerprint } = fake;
  const listening = new Listening(kind, targetOf(url, { secret: 'key', serial, certificateFingerprint }));
  await listening.named(name);
  listening.close();
  await fake.close();
});

test('OPEN_GOPRO', async () => {
  const fake = await startFake('OPEN_GOPRO', { secret: 'key', script: { seconds: 20, restSeconds: 1 } });
  const listening = new Listening('OPEN_GOPRO', targetOf(fake.url, { secret: 'key' }));
  const recording = ({ statuses }: Listening) => statuses.find(({ recordingState }) => recordingState === 'recording');
  expect(await listening.until(recording)).toMatchObject({ batteryPct: 100, mode: 'video', videoRemainingSec: 28_800 });
  listening.close();
  await fake.close();
});
