// Small machines that speak as real ones do: the farm of the demonstration, and the tests, listen to them.

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

/** Starts one on loopback. With a script that rests, it prints or records again and again by itself, from now on. */
export async function startFake(kind: DeviceKind, options: FakeOptions = {}): Promise<FakeMachine> {
  const fake = new FAKES[kind](options);
  await fake.listen(options.port ?? 0);
  if (fake.print.script.restSeconds !== null) fake.run();
  return fake;
}
