// A farm that prints by itself: a fake machine of each kind plays its prints without being told to.

import { startFake } from '../../../src/devices/fakes';
import type { DeviceKind } from '../../../src/devices/kinds';
import { Listening, targetOf } from '../../support/device-listening';

test.each<DeviceKind>(['MOONRAKER', 'OCTOPRINT', 'PRUSALINK'])('%s', async (kind) => {
  const fake = await startFake(kind, { secret: 'key', script: { seconds: 20, restSeconds: 1, file: 'bracket.gcode' } });
  const listening = new Listening(kind, targetOf(fake.url, { secret: 'key' }));
  await listening.named('bracket.gcode');
  listening.close();
  await fake.close();
});
