// The slots of printers: a spool is in one of them at a time, and watchers are told.
import { changesOf, short } from '../support/changes';
import { describeOnDatabases } from '../support/databases';
import { expectNow, type Farm, makeFarm } from '../support/farm';
import { expectCode, expectData, type Parsed, test, useGateway } from '../support/gateway';

const LOAD =
  'mutation ($p: ID!, $slot: String! = "tool:0", $s: ID) { loadSpool(printerId: $p, slot: $slot, spoolId: $s) { id } }';
const EMPTY = { slot: 'tool:0', spool: null, loadedAt: null, reported: null };

describeOnDatabases('the slots of a printer', (kind) => {
  const gateway = useGateway(kind);
  let one: Farm;
  let two: Farm;
  beforeEach(async () => {
    [one, two] = [await makeFarm(gateway), await makeFarm(gateway)];
  });
  const load = async (printer: string, spool: string | null, slot?: string) =>
    expectData(await gateway.graphql(LOAD, { p: printer, s: spool, slot })).loadSpool;
  const slotsOf = async (id: string): Promise<Parsed[]> => {
    const query = `query ($id: ID!) { printer(id: $id) { slots { slot spool { id } loadedAt reported } } }`;
    return expectData(await gateway.graphql(query, { id })).printer.slots;
  };
  const brief = async (id: string) => (await slotsOf(id)).map(({ slot, spool }) => `${slot} ${spool?.id ?? '-'}`);

  test('are one empty slot at first, and the spool is in it when it was put there', async () => {
    expect(await slotsOf(one.printerId)).toEqual([EMPTY]);
    const since = Date.now();
    expect(await load(one.printerId, one.spoolId)).toEqual({ id: one.printerId });
    const [slot] = await slotsOf(one.printerId);
    expect(slot).toEqual({ ...EMPTY, spool: { id: one.spoolId }, loadedAt: expect.any(String) });
    expectNow(slot.loadedAt, since);
    const query = 'query ($id: ID!) { spool(id: $id) { loadedIn { slot loadedAt printer { id } spool { id } } } }';
    expect(expectData(await gateway.graphql(query, { id: one.spoolId })).spool.loadedIn).toEqual({
      ...{ slot: 'tool:0', loadedAt: slot.loadedAt },
      ...{ printer: { id: one.printerId }, spool: { id: one.spoolId } },
    });
    // Once more is no change.
    await gateway.sql(`update printer_slots set loaded_at = '2020-01-01Z'`);
    await load(one.printerId, one.spoolId);
    expect((await slotsOf(one.printerId))[0].loadedAt).toBe('2020-01-01T00:00:00.000Z');
  });

  test('come in the order of their numbers', async () => {
    for (const slot of ['ams:0:10', 'tool:0', 'ext:0', 'ams:0:2']) await load(one.printerId, one.spoolId, slot);
    expect(await brief(one.printerId)).toEqual([`ams:0:2 ${one.spoolId}`, 'ams:0:10 -', 'ext:0 -', 'tool:0 -']);
  });

  test('are those that the machine tells of, where it does', async () => {
    await gateway.sql(
      `insert into printer_slots (printer_id, slot, reported) values ('${one.printerId}', 'ams:0:0', 'PLA, red')`,
    );
    expect(await slotsOf(one.printerId)).toEqual([{ ...EMPTY, slot: 'ams:0:0', reported: 'PLA, red' }]);
    await load(one.printerId, one.spoolId, 'ams:0:0');
    await load(one.printerId, null, 'ams:0:0');
    expect(await slotsOf(one.printerId)).toEqual([{ ...EMPTY, slot: 'ams:0:0', reported: 'PLA, red' }]);
  });

  test('have a spool once: it is moved, and another one takes its place', async () => {
    await load(one.printerId, one.spoolId);
    await load(two.printerId, one.spoolId, 'tool:1');
    expect(await brief(one.printerId)).toEqual(['tool:0 -']);
    expect(await brief(two.printerId)).toEqual(['tool:0 -', `tool:1 ${one.spoolId}`]);
    await load(two.printerId, two.spoolId, 'tool:1');
    expect(await brief(two.printerId)).toEqual(['tool:0 -', `tool:1 ${two.spoolId}`]);
    await load(two.printerId, null, 'tool:1');
    expect(await brief(two.printerId)).toEqual(['tool:0 -', 'tool:1 -']);
  });

  test('have a spool once, also when many put it somewhere at the same moment', async () => {
    const places = Array.from(
      { length: 12 },
      (_, n) => [n % 2 ? one.printerId : two.printerId, `tool:${n % 4}`] as const,
    );
    await Promise.all(places.map(([printer, slot]) => load(printer, one.spoolId, slot)));
    const [{ n }] = await gateway.sql(`select count(*)::int as n from printer_slots where spool_id = '${one.spoolId}'`);
    expect(n).toBe(1);
  });

  test('take no spool and no printer that is archived, and give back what is in them', async () => {
    await load(one.printerId, one.spoolId);
    const run = async (mutation: string) => expectData(await gateway.graphql(`mutation { ${mutation} }`));
    await run(`archiveSpool(id: "${two.spoolId}") { id }`);
    await run(`archivePrinter(id: "${one.printerId}") { id }`);
    for (const [p, s, member] of [
      [two.printerId, two.spoolId, 'spoolId'],
      [one.printerId, one.spoolId, 'printerId'],
    ] as const) {
      const answer = await gateway.graphql(LOAD, { p, s });
      expect(expectCode(answer, 'BAD_USER_INPUT')).toContain(`${member} must be the id of`);
      expect(answer.errors[0]?.extensions['issues']).toMatchObject([{ path: [member] }]);
    }
    expect(await brief(one.printerId)).toEqual([`tool:0 ${one.spoolId}`]);
    await load(one.printerId, null);
    expect(await brief(one.printerId)).toEqual(['tool:0 -']);
  });

  test('are members of the printer and of the spool, so that a change of them is a change of both', async () => {
    const told = async (step: () => Promise<unknown>) => (await changesOf(gateway, step)).map(short).sort();
    const changed = (...ids: string[]) =>
      ids.map((id) => `${id === one.spoolId ? 'SPOOL' : 'PRINTER'} UPDATED ${id}`).sort();
    expect(await told(() => load(one.printerId, one.spoolId))).toEqual(changed(one.printerId, one.spoolId));
    expect(await told(() => load(one.printerId, one.spoolId))).toEqual([]);
    const moved = new Set(await told(() => load(two.printerId, one.spoolId)));
    expect([...moved].sort()).toEqual(changed(one.printerId, two.printerId, one.spoolId));
    expect(
      await told(() => gateway.sql(`update printer_slots set reported = 'PLA' where spool_id = '${one.spoolId}'`)),
    ).toEqual(changed(two.printerId, one.spoolId));
    const gone = await told(() => gateway.sql(`delete from spools where id = '${one.spoolId}'`));
    expect(gone).toEqual([`PRINTER UPDATED ${two.printerId}`, `SPOOL DELETED ${one.spoolId}`]);
    expect(await told(() => gateway.sql(`delete from printers where id = '${two.printerId}'`))).toEqual([
      `PRINTER DELETED ${two.printerId}`,
    ]);
  });
});
