// Whether two devices are the same machine: by their addresses, by their names as they resolve, and by their serial numbers.

import { createDuplicates } from '../../src/farm/devices/device.duplicate.service';
import type { MachineAddress } from '../../src/wire/duplicates';
import { createNetwork } from '../../src/wire/networks';

const NAMES: Record<string, string[]> = {
  'voron.local': ['10.0.0.5', 'fd00::5'],
  voron: ['10.0.0.5'],
  mk4: ['10.0.0.6'],
};

function placesWith(names = NAMES) {
  const asked: string[] = [];
  const network = createNetwork({ allowed: [], gatewayPort: null }, async (name) => {
    asked.push(name);
    if (names[name] === undefined) throw new Error('ENOTFOUND');
    return names[name].map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  });
  return { places: createDuplicates(network), asked };
}

const device = (address: string, members: Partial<MachineAddress> = {}): MachineAddress & { id: string } => ({
  id: address,
  kind: 'MOONRAKER',
  address,
  serial: null,
  ...members,
});

test.each([
  ['10.0.0.5', 'voron.local', true],
  ['voron', 'VORON.local.', true],
  ['[fd00::5]:7125', 'http://voron.local:7125', true],
  ['[::ffff:10.0.0.5]', '10.0.0.5', true],
  ['localhost', '127.0.0.1', true],
  ['nobody.local', 'Nobody.local:7125', true],
  ['10.0.0.5', '10.0.0.5:7126', false],
  ['10.0.0.5', 'http://10.0.0.5', false],
  ['voron', 'mk4', false],
  ['nobody.local', '10.0.0.5', false],
])('%s and %s: %s', async (one, other, isSame) => {
  const { places } = placesWith();
  const devices = [device(one), device(other)] as const;
  await places.lookUp(devices, 1000);
  expect(places.findAmong(devices).get(devices[0])).toEqual(isSame ? devices[1] : undefined);
});

test('the kind gives the port, and a serial number is enough', async () => {
  const { places } = placesWith();
  const devices = [
    device('10.0.0.5:80'),
    device('10.0.0.5', { kind: 'OCTOPRINT' }),
    device('10.0.0.7', { kind: 'BAMBU', serial: '01P00A000000001' }),
    device('10.0.0.8', { kind: 'BAMBU', serial: '01p00a000000001' }),
  ] as const;
  const [plain, octoprint, one, other] = devices;
  expect([...places.findAmong(devices)]).toEqual([
    [octoprint, plain],
    [plain, octoprint],
    [other, one],
    [one, other],
  ]);
});

test('a name is looked up at intervals, and a reader does not wait for the lookup', async () => {
  const { places, asked } = placesWith();
  const devices = [device('voron'), device('10.0.0.5'), device('nobody')];
  expect(places.findAmong(devices).size).toBe(0);
  expect(places.findAmong(devices).size).toBe(0);
  await places.lookUp(devices, 1000);
  expect(places.findAmong(devices).size).toBe(2);
  await places.lookUp(devices, 1000);
  expect(asked).toEqual(['voron', 'nobody']);
});

test('a name that no server resolves is not waited for', async () => {
  let fail = () => {};
  const network = createNetwork(
    { allowed: [], gatewayPort: null },
    () => new Promise((_, reject) => (fail = () => reject(new Error('ENOTFOUND')))),
  );
  const devices = [device('voron'), device('voron:7125')];
  const places = createDuplicates(network);
  await places.lookUp(devices, 1);
  expect(places.findAmong(devices).size).toBe(2);
  // A process looks names up one by one, so the names of later test files would wait for this one.
  fail();
});
