// Slots that follow the tags which a Bambu Lab printer reads, with a simulated printer and a real database.
import { randomUUID } from 'node:crypto';
import type { Database } from '../../../src/database/database';
import { FakeBambu, type FakeTag } from '../../../src/demo/machines/bambu';
import { DeviceStore } from '../../../src/farm/devices/device.store';
import { PrinterSlotStore } from '../../../src/farm/inventory/printer-slot.store';
import type { Collector } from '../../../src/machines/collector/collector';
import { createCollector } from '../../support/collectors';
import { provideDatabase } from '../../support/gateway';
import { is, until } from '../../support/waiting';

const [MATERIAL, SECRET] = [randomUUID(), '73914206'];
const times = { createdAt: new Date(), updatedAt: new Date() };
const A: FakeTag = { trayUuid: 'A0B1C2D3E4F5A0B1C2D3E4F5A0B1C2D3', tagUid: '4E7F5A2A00000100' };
const A_OTHER_CHIP: FakeTag = { ...A, tagUid: '5E7F5A2A00000100' };
const B: FakeTag = { trayUuid: 'B0B1C2D3E4F5A0B1C2D3E4F5A0B1C2D3', tagUid: '6E7F5A2A00000100' };
const UNKNOWN: FakeTag = { trayUuid: 'C0B1C2D3E4F5A0B1C2D3E4F5A0B1C2D3', tagUid: '7E7F5A2A00000100' };

const opened = provideDatabase();
let database: Database;
let machine: FakeBambu;
let device: { id: string; printerId: string };
let spools: { a: string; b: string; other: string };
const open: { close(): Promise<unknown> }[] = [];

async function addSpool(...uids: string[]): Promise<string> {
  const id = randomUUID();
  const weight = { filamentDiameterMm: '1.75', weightTotalGrams: '1000', purchasePrice: '20' };
  await database.prisma.spool.create({ data: { id, spoolSerial: id, materialId: MATERIAL, ...weight, ...times } });
  for (const uid of uids) await database.prisma.spoolTag.create({ data: { uid, spoolId: id } });
  return id;
}

beforeAll(async () => {
  database = opened();
  await database.prisma.material.create({ data: { id: MATERIAL, name: 'PLA', densityGPerCm3: '1.24' } });
});
beforeEach(async () => {
  machine = new FakeBambu({ secret: SECRET });
  await machine.listen(0);
  open.push(machine);
  // A reader saw only the chip of B.
  spools = { a: await addSpool(A.trayUuid), b: await addSpool(B.tagUid), other: await addSpool() };
  device = { id: randomUUID(), printerId: randomUUID() };
  await database.prisma.printer.create({ data: { id: device.printerId, name: 'P1S', ...times } });
  const { serial, certificateFingerprint } = machine;
  const target = { address: `127.0.0.1:${machine.port}`, serial, certificateFingerprint };
  await database.prisma.device.create({ data: { ...device, kind: 'BAMBU', state: 'CONNECTING', ...target, ...times } });
});
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
  await database.prisma.device.deleteMany();
  await database.prisma.spoolTag.deleteMany();
});

function collect(): Collector {
  const collector = createCollector(database, { readSecret: () => SECRET });
  open.push(collector);
  collector.start();
  return collector;
}

const load = (slot: string, spoolId: string) =>
  database.prisma.slotLoad.create({ data: { printerId: device.printerId, slot, spoolId, from: new Date() } });
const readSlot = async (slot: string) => {
  const slots = (await new PrinterSlotStore(database).slotsOfPrinter.load(device.printerId)) ?? [];
  return slots.find((one) => one.slot === slot);
};
const readSpool = async (slot: string) => (await readSlot(slot))?.spoolId ?? null;
const readTag = async (slot: string) => (await readSlot(slot))?.tag ?? null;

test('a known tag loads its spool, and a tag that goes takes its spool out', async () => {
  collect();
  machine.setTray(0, A);
  machine.setTray(1, B);
  await until('the first spool is loaded', () => readSpool('ams:0:0'), is(spools.a));
  await until('the chip decides for the second spool', () => readSpool('ams:0:1'), is(spools.b));
  expect([await readTag('ams:0:0'), await readTag('ams:0:1')]).toEqual([A.trayUuid, B.trayUuid]);
  machine.setTray(0, null);
  await until('the first slot is empty', () => readSpool('ams:0:0'), is(null));
  await until('the tag is gone', () => readTag('ams:0:0'), is(null));
  machine.setTray(2, A);
  await until('the spool is in another slot', () => readSpool('ams:0:2'), is(spools.a));
});

test('at first contact a full slot stays, because empty cores are refilled, and its tag is shown', async () => {
  await load('ams:0:0', spools.other);
  machine.setTray(0, A);
  const collector = collect();
  await until('the tag is shown', () => readTag('ams:0:0'), is(A.trayUuid));
  expect(await readSpool('ams:0:0')).toBe(spools.other);
  // The other chip of the same spool is no change, and neither is a restart of the gateway or the printer.
  machine.setTray(0, A_OTHER_CHIP);
  await collector.close();
  open.splice(open.indexOf(collector), 1);
  collect();
  machine.restart();
  machine.setTray(0, A_OTHER_CHIP);
  machine.setTray(1, B);
  await until('the next tray is handled', () => readSpool('ams:0:1'), is(spools.b));
  expect(await readSpool('ams:0:0')).toBe(spools.other);
  // The tag of the refilled core goes. The spool of the user was never its spool.
  machine.setTray(0, 'NO_TAG');
  await until('the tag is gone', () => readTag('ams:0:0'), is(null));
  expect(await readSpool('ams:0:0')).toBe(spools.other);
});

test('an unknown tag is shown, takes the spool of the tag before out, and loads its spool once it is linked', async () => {
  machine.setTray(0, A);
  const collector = collect();
  await until('the spool is loaded', () => readSpool('ams:0:0'), is(spools.a));
  machine.setTray(0, UNKNOWN);
  await until('the unknown tag is shown', () => readTag('ams:0:0'), is(UNKNOWN.trayUuid));
  expect(await readSpool('ams:0:0')).toBeNull();
  await database.prisma.spoolTag.create({ data: { uid: UNKNOWN.trayUuid, spoolId: spools.other } });
  await collector.close();
  open.splice(open.indexOf(collector), 1);
  collect();
  await until('the linked spool is loaded', () => readSpool('ams:0:0'), is(spools.other));
});

test('a printer that is not followed shows its tags, until its device is removed', async () => {
  await database.prisma.device.update({ where: { id: device.id }, data: { followsSpools: false } });
  machine.setTray(0, A);
  collect();
  await until('the tag is shown', () => readTag('ams:0:0'), is(A.trayUuid));
  expect(await readSpool('ams:0:0')).toBeNull();
  await new DeviceStore(database).remove(device.id, new Date().toISOString());
  expect(await readTag('ams:0:0')).toBeNull();
});
