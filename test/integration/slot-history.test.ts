// What was in the slots of a printer at an instant and between two instants, for the amounts of prints.
import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/database/database';
import { PrinterSlotStore } from '../../src/farm/inventory/printer-slot.store';
import { makeSpools } from '../support/farm-rows';
import { provideDatabase } from '../support/gateway';

describe('the history of a printer', () => {
  const [printerId, one, two] = [randomUUID(), randomUUID(), randomUUID()];
  const MINUTES = ['08:00', '09:00', '10:00', '11:00', '12:00', '13:00'].map((time) => `2026-03-01T${time}:00.000Z`);
  const [AT_8, AT_9, AT_10, AT_11, AT_12, NOW] = MINUTES as [string, string, string, string, string, string];
  const AHEAD = '2026-03-02T00:00:00.000Z';
  const opened = provideDatabase();
  let database: Database;
  let store: PrinterSlotStore;
  beforeAll(async () => {
    database = opened();
    store = new PrinterSlotStore(database);
    await makeSpools(database, printerId, one, two);
  });
  afterEach(() => database.prisma.slotLoad.deleteMany());

  const nameSpool = (spoolId: string) => (spoolId === one ? 'one' : 'two');
  const write = (slot: string, spoolId: string, from: string, to: string | null = null) =>
    database.prisma.slotLoad.create({ data: { printerId, slot, spoolId, from, to } });
  const at = async (instant: string) =>
    (await store.loadsBetween(printerId, instant, instant, NOW))
      .filter(({ from, to }) => (from === null || from <= instant) && (to === null || to > instant))
      .map(({ slot, spoolId }) => `${slot} ${nameSpool(spoolId)}`)
      .sort();
  const hour = (instant: string | null) => (instant === null ? '' : Number(instant.slice(11, 13)));
  const between = async (after: string, until: string) =>
    (await store.loadsBetween(printerId, after, until, NOW)).map(
      ({ slot, spoolId, from, to }) => `${slot} ${nameSpool(spoolId)} ${hour(from)}-${hour(to)}`,
    );

  test('shows which spool was in which slot at an instant, and what changed between two instants', async () => {
    await write('tool:0', one, AT_8, AT_10);
    await write('tool:0', two, AT_10, AT_11);
    await write('tool:1', one, AT_10);
    expect(await at('2026-03-01T07:59:59.999Z')).toEqual([]);
    expect(await at(AT_8)).toEqual(['tool:0 one']);
    expect(await at(AT_10)).toEqual(['tool:0 two', 'tool:1 one']);
    expect(await at(AT_12)).toEqual(['tool:1 one']);
    expect((await between(AT_8, AT_12)).sort()).toEqual(['tool:0 one 8-10', 'tool:0 two 10-11', 'tool:1 one 10-']);
    expect(await between('2026-03-01T00:00:00.000Z', AT_9)).toEqual(['tool:0 one 8-10']);
    expect(await between(AT_11, AT_12)).toEqual(['tool:1 one 10-']);
  });

  test('treats a spool with a load time from a clock that was ahead as loaded since the end of the load before', async () => {
    await write('tool:0', one, AT_8, AT_9);
    await write('tool:0', two, AHEAD);
    expect(await at(AT_8)).toEqual(['tool:0 one']);
    expect(await at(AT_10)).toEqual(['tool:0 two']);
    expect(await between('2026-03-01T00:00:00.000Z', AT_12)).toEqual(['tool:0 one 8-9', 'tool:0 two 9-']);
    await write('tool:1', one, AHEAD);
    expect(await at(AT_8)).toEqual(['tool:0 one', 'tool:1 one']);
    expect((await between(AT_9, AT_12)).sort()).toEqual(['tool:0 two -', 'tool:1 one -']);
  });

  test('ignores a load whose two times are both from such a clock, and treats a load without a valid end as present', async () => {
    await write('tool:0', one, AHEAD, '2026-03-03T00:00:00.000Z');
    await write('tool:1', two, AT_8, AHEAD);
    expect(await at(AT_10)).toEqual(['tool:1 two']);
    expect(await between('2026-03-01T00:00:00.000Z', AT_12)).toEqual(['tool:1 two 8-']);
  });
});
