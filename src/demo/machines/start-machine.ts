// Starts simulated machines, which send and answer like real ones, for the example farm and for tests.

import type { DeviceKind } from '../../machines/kind-code';
import { FakeBambu } from './bambu';
import { FakeGoPro } from './gopro';
import { FakeMoonraker } from './moonraker';
import { FakeOctoPrint } from './octoprint';
import { FakePrusaLink } from './prusalink';
import type { FakeMachine, FakeOptions } from './simulated-machine';

export type { FakeMachine };

const FAKES: Record<DeviceKind, new (options: FakeOptions) => FakeMachine> = {
  MOONRAKER: FakeMoonraker,
  OCTOPRINT: FakeOctoPrint,
  PRUSALINK: FakePrusaLink,
  BAMBU: FakeBambu,
  OPEN_GOPRO: FakeGoPro,
};

/** Starts a simulated machine on loopback. If its script has pauses (`restSeconds`), it prints or records again and again by itself. */
export async function startFake(kind: DeviceKind, options: FakeOptions = {}): Promise<FakeMachine> {
  const fake = new FAKES[kind](options);
  await fake.listen(options.port ?? 0);
  if (fake.print.script.restSeconds !== null) fake.run();
  return fake;
}
