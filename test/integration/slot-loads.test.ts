// Which spool was in which slot, and when: what `loadSpool` writes, corrects and refuses, and how the histories are read.
import { randomUUID } from 'node:crypto';
import { openDatabase } from '../../src/database/database';
import { InventoryStore } from '../../src/farm/inventory/inventory.store';
import { PrinterSlotStore } from '../../src/farm/inventory/printer-slot.store';
import { SpoolLoadingService } from '../../src/farm/inventory/spool-loading.service';
import { SpoolLoadingStore } from '../../src/farm/inventory/spool-loading.store';
import { collectChanges, summarizeChange } from '../support/changes';
import { anyDatabase, freshDatabase } from '../support/databases';
import { ago, expectNow, type Farm, makeFarm, makeJob } from '../support/farm';
import { makeSpools } from '../support/farm-rows';
import { expectCode, expectData, PATIENT, type Parsed, test, useGateway } from '../support/gateway';
import { requestAt } from '../support/request-time';

const LOAD = `mutation ($p: ID!, $slot: String! = "tool:0", $s: ID, $at: DateTime) {
  loadSpool(printerId: $p, slot: $slot, spoolId: $s, at: $at) { id } }`;
const LOADS = 'nodes { slot from to printer { id } spool { id } } pageInfo { hasNextPage endCursor }';

describe('the loads of slots', () => {
  const gateway = useGateway(anyDatabase);
  let one: Farm;
  let two: Farm;
  beforeEach(async () => {
    [one, two] = [await makeFarm(gateway), await makeFarm(gateway)];
  });

  const send = (spool: string | null, at?: string, slot?: string, printer = one.printerId) =>
    gateway.graphql(LOAD, { p: printer, s: spool, slot, at });
  const load = async (...given: Parameters<typeof send>) => expectData(await send(...given)).loadSpool;
  const refusal = async (...given: Parameters<typeof send>) => {
    const answer = await send(...given);
    const message = expectCode(answer, 'BAD_USER_INPUT');
    expect(answer.errors[0]?.extensions['issues']).toMatchObject([{ path: ['at'] }]);
    return message;
  };
  const readLoads = async (owner: 'printer' | 'spool', id: string, range = ''): Promise<Parsed> => {
    const query = `query ($id: ID!) { ${owner}(id: $id) { slotLoads${range && `(${range})`} { ${LOADS} } } }`;
    return expectData(await gateway.graphql(query, { id }))[owner].slotLoads;
  };
  const nameSpool = (spool: string) => (spool === one.spoolId ? 'one' : 'two');
  /** Each as `slot spool from to`, newest first. */
  const history = async (printer = one.printerId): Promise<string[]> =>
    (await readLoads('printer', printer)).nodes.map(
      ({ slot, spool, from, to }: Parsed) => `${slot} ${nameSpool(spool.id)} ${from} ${to}`,
    );
  const [T1, T2, T3, T4, T5] = [ago(500), ago(400), ago(300), ago(200), ago(100)] as const;
  /** A load written by a clock that was ahead. */
  const ahead = (hours: number) => ago(-hours * 3600);

  test('start now or at a time in the past, end when another spool is loaded, and end when the spool is taken out', async () => {
    await load(one.spoolId, T1);
    await load(two.spoolId, T3);
    expect(await history()).toEqual([`tool:0 two ${T3} null`, `tool:0 one ${T1} ${T3}`]);
    await load(null, T4);
    const since = Date.now();
    await load(one.spoolId);
    const [newest, ...others] = (await readLoads('printer', one.printerId)).nodes;
    expectNow(newest.from, since);
    expect(newest).toMatchObject({ to: null, printer: { id: one.printerId }, spool: { id: one.spoolId } });
    expect(others).toMatchObject([
      { from: T3, to: T4 },
      { from: T1, to: T3 },
    ]);
    await load(null);
    const [ended] = (await readLoads('spool', one.spoolId)).nodes;
    expectNow(ended.to, since);
  });

  test('end in one slot when the spool is loaded into another slot, also of another printer', async () => {
    await load(one.spoolId, T1);
    await load(one.spoolId, T2, 'tool:1');
    await load(one.spoolId, T3, 'ams:0:2', two.printerId);
    expect(await history()).toEqual([`tool:1 one ${T2} ${T3}`, `tool:0 one ${T1} ${T2}`]);
    expect(await history(two.printerId)).toEqual([`ams:0:2 one ${T3} null`]);
    expect((await readLoads('spool', one.spoolId)).nodes.map(({ from }: Parsed) => from)).toEqual([T3, T2, T1]);
  });

  test('cannot start in the future, nor before the last change of the spool or of the slot', async () => {
    await load(one.spoolId, T2);
    for (const spool of [one.spoolId, two.spoolId, null])
      expect(await refusal(spool, ago(-60))).toBe('at must not be later than now');
    for (const year of ['0001', '1979'])
      expect(await refusal(two.spoolId, `${year}-12-31T00:00:00Z`)).toMatch(
        /^at must not be before 1980: no filament printer/,
      );
    const notBefore = (time: string) => `at must not be before ${time}, when the spool or the slot was last changed`;
    expect(await refusal(two.spoolId, T1)).toBe(notBefore(T2));
    expect(await refusal(one.spoolId, T1, 'tool:1')).toBe(notBefore(T2));
    expect(await refusal(null, T1)).toBe(notBefore(T2));
    await load(null, T4);
    expect(await refusal(two.spoolId, T3)).toBe(notBefore(T4));
    expect(await refusal(null, T3)).toBe(notBefore(T4));
    await load(two.spoolId, T3, 'tool:1');
    expect(await refusal(one.spoolId, T3, 'tool:1')).toBe(notBefore(T4));
    expect(await history()).toEqual([`tool:1 two ${T3} null`, `tool:0 one ${T2} ${T4}`]);
    // The slot is empty, and was empty until now.
    await load(null, T5);
    expect(await history()).toHaveLength(2);
  });

  test('start earlier when the same load is entered again with an earlier time, at the earliest at the end of the load before', async () => {
    await load(two.spoolId, T1);
    await load(null, T2);
    await load(one.spoolId, T5);
    await load(one.spoolId, T4);
    expect((await history())[0]).toBe(`tool:0 one ${T4} null`);
    await load(one.spoolId, ago(5000));
    expect(await history()).toEqual([`tool:0 one ${T2} null`, `tool:0 two ${T1} ${T2}`]);
    // The last change of the spool counts, too.
    await load(one.spoolId, T3, 'tool:1');
    await load(null, T4, 'tool:1');
    await load(one.spoolId, T5, 'tool:2');
    await load(one.spoolId, T1, 'tool:2');
    expect((await history())[0]).toBe(`tool:2 one ${T4} null`);
  });

  test('stay unchanged when the same load is entered again, without a time or with a later one', async () => {
    await load(one.spoolId, T1);
    const collectSummaries = await collectChanges(gateway, async () => {
      await load(one.spoolId);
      await load(one.spoolId, T1);
      await load(one.spoolId, T3);
      await load(null, T3, 'tool:1');
      await load(null, undefined, 'tool:1');
    });
    expect(collectSummaries).toEqual([]);
    expect(await history()).toEqual([`tool:0 one ${T1} null`]);
  });

  test('are replaced when another spool is loaded at the same instant', async () => {
    await load(one.spoolId, T1);
    await load(two.spoolId, T1);
    expect(await history()).toEqual([`tool:0 two ${T1} null`]);
    await load(null, T1);
    expect(await history()).toEqual([]);
    expect((await readLoads('spool', one.spoolId)).nodes).toEqual([]);
  });

  test('are never refused for their order if no time is given', async () => {
    const spools = [one.spoolId, two.spoolId, null];
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, n) => send(spools[n % 3] as string | null, undefined, `tool:${n % 2}`)),
    );
    expect(answers.flatMap(({ errors }) => errors)).toEqual([]);
    const present = await gateway.sql(
      `select slot, spool_id from slot_loads where "to" is null and printer_id = '${one.printerId}'`,
    );
    for (const member of ['slot', 'spool_id']) {
      const values = present.map((row) => row[member]);
      expect(values).toHaveLength(new Set(values).size);
    }
  });

  test('with a time from a clock that was ahead are ignored: the new entry counts', async () => {
    const write = (spool: string, from: string, to: string | null) =>
      gateway.sql(
        `insert into slot_loads values ('${one.printerId}', 'tool:0', '${spool}', '${from}', ${to ? `'${to}'` : 'null'})`,
      );
    await write(two.spoolId, T1, ahead(5));
    await write(one.spoolId, ahead(5), null);
    // The load starts when the same load is entered again with a time, and then the load before it ends.
    await load(one.spoolId);
    expect((await history())[0]).toContain(' null');
    await load(one.spoolId, T3);
    expect(await history()).toEqual([`tool:0 one ${T3} null`, `tool:0 two ${T1} ${T3}`]);
    await gateway.sql(`update slot_loads set "from" = '${ahead(5)}' where "to" is null`);
    const since = Date.now();
    await load(two.spoolId);
    const [newest, ...others] = (await readLoads('printer', one.printerId)).nodes;
    expectNow(newest.from, since);
    expect(others).toMatchObject([{ from: T1, to: T3 }]);
    // If the clock was a little ahead, the latest possible time is now.
    await gateway.sql(`update slot_loads set "from" = '${ago(-60)}' where "to" is null`);
    expect(await refusal(one.spoolId, T5)).toContain('when the spool or the slot was last changed');
    await load(one.spoolId);
    expect(await history()).toHaveLength(2);
  });

  test('are listed newest first, page by page, for one slot or for all', async () => {
    for (const [spool, at, slot] of [
      [one.spoolId, T1, 'tool:0'],
      [two.spoolId, T1, 'tool:1'],
      [one.spoolId, T2, 'tool:1'],
      [two.spoolId, T3, 'tool:0'],
    ] as const)
      await load(spool, at, slot);
    const all = [`tool:0 two ${T3} null`, `tool:1 one ${T2} null`, `tool:1 two ${T1} ${T2}`, `tool:0 one ${T1} ${T2}`];
    expect(await history()).toEqual(all);
    const walk = async (owner: 'printer' | 'spool', id: string, first: number, slot = '') => {
      const found: string[] = [];
      for (let after: string | null = null, more = true; more; ) {
        const given = `first: ${first}${slot && `, slot: "${slot}"`}${after === null ? '' : `, after: "${after}"`}`;
        const { nodes, pageInfo } = await readLoads(owner, id, given);
        found.push(...nodes.map((row: Parsed) => `${row.slot} ${nameSpool(row.spool.id)} ${row.from} ${row.to}`));
        ({ hasNextPage: more, endCursor: after } = pageInfo);
      }
      return found;
    };
    for (const first of [1, 2, 3, 4]) {
      expect(await walk('printer', one.printerId, first)).toEqual(all);
      expect(await walk('printer', one.printerId, first, 'tool:1')).toEqual([all[1], all[2]]);
      expect(await walk('spool', one.spoolId, first)).toEqual([all[1], all[3]]);
    }
    const requestRange = (range: string) =>
      gateway.graphql(`{ printer(id: "${one.printerId}") { slotLoads(${range}) { nodes { slot } } } }`);
    const foreign = (await readLoads('spool', one.spoolId)).pageInfo.endCursor;
    expect(expectCode(await requestRange(`after: "${foreign}"`), 'BAD_USER_INPUT')).toContain('after must be a cursor');
    expect(expectCode(await requestRange('slot: "left"'), 'BAD_USER_INPUT')).toContain('slot must be a slot');
    expect(expectData(await requestRange('slot: "tool:9"')).printer.slotLoads.nodes).toEqual([]);
  });

  test('are members of their printer and their spool: a correction is a change of both', async () => {
    await load(one.spoolId, T2);
    const collectSummaries = async (step: () => Promise<unknown>) =>
      [...new Set((await collectChanges(gateway, step)).map(summarizeChange))].sort();
    const both = [`PRINTER UPDATED ${one.printerId}`, `SPOOL UPDATED ${one.spoolId}`];
    expect(await collectSummaries(() => load(one.spoolId, T1))).toEqual(both);
    expect(await collectSummaries(() => load(null, T3))).toEqual(both);
    const write = `insert into slot_loads values ('${one.printerId}', 'tool:7', '${one.spoolId}', '${T4}')`;
    expect(await collectSummaries(() => gateway.sql(write))).toEqual(both);
    const { slots } = expectData(
      await gateway.graphql(`{ printer(id: "${one.printerId}") { slots { slot spool { id } } } }`),
    ).printer;
    expect(slots).toContainEqual({ slot: 'tool:7', spool: { id: one.spoolId } });
    // A spool stays in the slot whose row another program removes.
    await gateway.sql(`delete from printer_slots where printer_id = '${one.printerId}'`);
    const again = expectData(await gateway.graphql(`{ printer(id: "${one.printerId}") { slots { slot } } }`)).printer;
    expect(again.slots).toEqual([{ slot: 'tool:0' }, { slot: 'tool:7' }]);
    expect(await collectSummaries(() => gateway.sql('truncate slot_loads'))).toEqual(expect.arrayContaining(both));
  });

  test('are deleted with their spool or their printer when that can be removed', async () => {
    await load(one.spoolId, T1);
    await load(one.spoolId, T2, 'tool:1');
    await load(two.spoolId, T3, 'tool:1');
    const job = await makeJob(gateway, one);
    const remove = () => gateway.graphql(`mutation { removeSpool(id: "${one.spoolId}") }`);
    expectCode(await remove(), 'CONFLICT');
    expect(await history()).toHaveLength(3);
    await gateway.sql(`delete from print_jobs where id = '${job.Id}'`);
    expectData(await remove());
    expect(await history()).toEqual([`tool:1 two ${T3} null`]);
    expectData(await gateway.graphql(`mutation { removePrinter(id: "${one.printerId}") }`));
    expect((await readLoads('spool', two.spoolId)).nodes).toEqual([]);
  });
});

describe('a gateway whose clock is behind', () => {
  test('keeps the loads that other gateways wrote, and its changes come after them', async () => {
    const fresh = await freshDatabase(anyDatabase);
    const database = await openDatabase(fresh.target, undefined, PATIENT.budget);
    const [printerId, one, two] = [randomUUID(), randomUUID(), randomUUID()];
    await makeSpools(database, printerId, one, two);
    const { prisma } = database;
    await prisma.slotLoad.create({ data: { printerId, slot: 'tool:0', spoolId: two, from: ago(7200), to: ago(3600) } });
    await prisma.slotLoad.create({ data: { printerId, slot: 'tool:0', spoolId: one, from: ago(3600) } });
    const begin = await prisma.slotLoad.findMany({ orderBy: { from: 'asc' } });
    const inventory = new InventoryStore(database);
    const lookUps = { printer: inventory.printer.load, spool: inventory.spool.load };
    const [stored, changing] = [new PrinterSlotStore(database), new SpoolLoadingStore(database)];
    const service = new SpoolLoadingService(stored, changing, lookUps, { slotChanged: async () => {} });
    const since = Date.now();
    await service.load({ printerId, slot: 'tool:0', spoolId: two, at: null }, requestAt(ago(5 * 3600)));
    const [first, second, third] = await prisma.slotLoad.findMany({ orderBy: { from: 'asc' } });
    expect([first, { ...second, to: null }]).toEqual(begin);
    expectNow(third?.from.toISOString() as string, since);
    expect(second?.to).toEqual(third?.from);
    await database.close();
    await fresh.drop();
  });
});
