// Many simultaneous writers of spools and slots, including other programs: no spool is ever in two slots, and no slot has two spools.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { type App, createApp } from '../../src/app';
import { describeOnDatabases, describeOnServer, type FreshDatabase, freshDatabase } from '../support/databases';
import { type Farm, makeFarm } from '../support/farm';
import { expectCode, type Gateway, type GraphqlResponse, PATIENT, test, useGateway } from '../support/gateway';

/** Twice as many as there are different loads, and more than a pool has connections. */
const WRITERS = 24;
const times = <Result>(count: number, run: (n: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, n) => run(n)));

const OVERLAPS = `select a.slot, b.slot as other from slot_loads a join slot_loads b
  on (a.spool_id, a.from) < (b.spool_id, b.from) and tstzrange(a.from, a.to) && tstzrange(b.from, b.to)
  and (a.spool_id = b.spool_id or (a.printer_id, a.slot) = (b.printer_id, b.slot))`;

async function threeFarms(gateway: Gateway): Promise<Farm[]> {
  return [await makeFarm(gateway), await makeFarm(gateway), await makeFarm(gateway)];
}

/** Different loads of three spools, two printers and two slots for each writer. */
const createLoad = (farms: Farm[], n: number) => ({
  printer: (farms[n % 2] as Farm).printerId,
  slot: `tool:${n % 4 < 2 ? 0 : 1}`,
  spool: (farms[n % 3] as Farm).spoolId,
});

describeOnDatabases('loads of slots', (kind) => {
  const gateway = useGateway(kind);
  // The embedded database runs transactions one by one: as many as there are different loads.
  const writers = kind === 'server' ? WRITERS : 12;
  const load = (farms: Farm[], n: number, at?: string): Promise<GraphqlResponse> => {
    const { printer, slot, spool } = createLoad(farms, n);
    return gateway.graphql(
      `mutation ($p: ID!, $slot: String!, $s: ID, $at: DateTime) {
        loadSpool(printerId: $p, slot: $slot, spoolId: $s, at: $at) { id } }`,
      { p: printer, slot, s: n % 7 === 6 ? null : spool, at },
    );
  };

  test(`of ${writers} simultaneous requests all are written, and none overlaps another`, async () => {
    const farms = await threeFarms(gateway);
    for (let round = 0; round < 2; round += 1) {
      const answers = await times(writers, (n) => load(farms, n + round));
      expect(answers.flatMap(({ errors }) => errors)).toEqual([]);
      expect(await gateway.sql(OVERLAPS)).toEqual([]);
    }
  });

  test(`of ${writers} requests with times in any order each is written or refused for its time`, async () => {
    const farms = await threeFarms(gateway);
    const answers = await times(writers, (n) =>
      load(farms, n, new Date(Date.now() - ((n * 17) % writers) * 1000).toISOString()),
    );
    for (const answer of answers.filter(({ errors }) => errors.length > 0))
      expect(expectCode(answer, 'BAD_USER_INPUT')).toContain('at must not be before');
    expect(answers.some(({ errors }) => errors.length === 0)).toBe(true);
    expect(await gateway.sql(OVERLAPS)).toEqual([]);
  });

  test('of keyed requests, which share a transaction, are written one after the other', async () => {
    const farms = await threeFarms(gateway);
    const answers = await times(writers, (n) => {
      const { printer, slot, spool } = createLoad(farms, n);
      const query = `mutation { loadSpool(printerId: "${printer}", slot: "${slot}", spoolId: "${spool}") { id } }`;
      return gateway.rest('POST', '/graphql', { query }, { 'idempotency-key': randomUUID() });
    });
    expect(answers.flatMap(({ body }) => body.errors ?? [])).toEqual([]);
    expect(await gateway.sql(OVERLAPS)).toEqual([]);
  });

  test('of other programs are refused if they overlap, also in the past, and if they have no length', async () => {
    const [one, two] = (await threeFarms(gateway)) as [Farm, Farm];
    const insert = (farm: Farm, spool: string, slot: string, from: string, to: string | null) =>
      gateway
        .sql(
          `insert into slot_loads values ('${farm.printerId}', '${slot}', '${spool}', '${from}', ${to ? `'${to}'` : 'null'})`,
        )
        .then(() => 'written', String);
    const [T1, T2, T3] = ['2026-01-01Z', '2026-01-02Z', '2026-01-03Z'] as const;
    expect(await insert(one, one.spoolId, 'tool:0', T1, T3)).toBe('written');
    expect(await insert(one, two.spoolId, 'tool:0', T2, null)).toContain('slot_loads_slot_once');
    expect(await insert(two, one.spoolId, 'tool:0', '2025-01-01Z', T2)).toContain('slot_loads_spool_once');
    expect(await insert(one, two.spoolId, 'tool:0', T3, null)).toBe('written');
    expect(await insert(two, one.spoolId, 'tool:1', T3, T3)).toContain('slot_loads_times');
    expect(await insert(two, one.spoolId, 'tool:1', T3, 'infinity')).toContain('slot_loads_times');
    for (const never of ['infinity', '-infinity', '20000-01-01Z'])
      expect(await insert(two, one.spoolId, 'tool:1', never, null)).toContain('slot_loads_times');
    expect(await insert(two, one.spoolId, 'left', T3, null)).toContain('slot_loads_slot');
    // A slot that holds a spool counts as one of the printer's.
    await gateway.sql(
      `insert into printer_slots (printer_id, slot) select '${two.printerId}', 'ams:' || n || ':0' from generate_series(1, 64) n`,
    );
    expect(await insert(two, one.spoolId, 'tool:1', T3, null)).toContain('printer_slots_at_most');
  });
});

describeOnServer('loads of slots by gateways and other programs', () => {
  let fresh: FreshDatabase;
  let apps: App[];
  let programs: Client[];
  const PROGRAMS = WRITERS / 2;
  const createId = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
  beforeAll(async () => {
    fresh = await freshDatabase('server');
    apps = [];
    for (let n = 0; n < 2; n += 1) apps.push(await createApp({ ...PATIENT, database: fresh.target }));
    programs = await times(PROGRAMS, async () => {
      const client = new Client({ connectionString: fresh.url });
      await client.connect();
      // If two wait for each other, PostgreSQL rolls back the program.
      await client.query("set deadlock_timeout = '20ms'");
      return client;
    });
    await programs[0]?.query(`insert into materials values ('${createId(0)}', 'PLA', 1.24);
      insert into printers (id, name) values ('${createId(0)}', 'a'), ('${createId(1)}', 'b');
      insert into spools (id, spool_serial, filament_diameter_mm, weight_total_grams, material_id)
        select ('00000000-0000-4000-8000-00000000000' || n)::uuid, n, 1.75, 1000, '${createId(0)}' from generate_series(0, 2) n`);
  });
  afterAll(async () => {
    for (const program of programs ?? []) await program.end();
    for (const app of apps ?? []) await app.close();
    await fresh?.drop();
  });

  const choosePlace = (n: number) => ({
    printer: createId(n % 2),
    slot: `tool:${n % 4 < 2 ? 0 : 1}`,
    spool: createId(n % 3),
  });

  async function load(n: number): Promise<unknown> {
    const { printer: p, slot, spool: s } = choosePlace(n);
    const query =
      'mutation ($p: ID!, $slot: String!, $s: ID) { loadSpool(printerId: $p, slot: $slot, spoolId: $s) { id } }';
    const payload = { query, variables: { p, slot, s } };
    const app = apps[n % apps.length] as App;
    return (await app.inject({ method: 'POST', url: '/graphql', payload })).json().errors;
  }

  /** Without any lock; the write may succeed or fail. */
  async function write(program: Client, n: number): Promise<string> {
    const { printer, slot, spool } = choosePlace(n);
    const now = 'clock_timestamp()';
    const [from, to] = n % 5 === 0 ? [`${now} - interval '1 hour'`, now] : [now, 'null'];
    try {
      await program.query(`begin;
        update slot_loads set "to" = ${now} where "to" is null and "from" < date_trunc('milliseconds', ${now})
          and (spool_id = '${spool}' or (printer_id, slot) = ('${printer}', '${slot}'));
        insert into slot_loads values ('${printer}', '${slot}', '${spool}', ${from}, ${to});
        commit`);
      return 'written';
    } catch (error) {
      await program.query('rollback');
      return String((error as { code?: string }).code);
    }
  }

  globalThis.test(`${WRITERS} at once make no overlap, and no request fails by what a program wrote`, async () => {
    const outcomes: string[] = [];
    const [errors] = await Promise.all([
      times(PROGRAMS * 3, load),
      times(PROGRAMS, async (n) => {
        for (let round = 0; round < 3; round += 1) outcomes.push(await write(programs[n] as Client, n + round));
      }),
    ]);
    expect(errors.filter(Boolean)).toEqual([]);
    // A constraint refuses it, or a deadlock rolls it back.
    expect(outcomes.filter((one) => !/^(written|23P01|23514|23505|40P01)$/.test(one))).toEqual([]);
    const { rows } = (await programs[0]?.query(OVERLAPS)) ?? {};
    expect(rows).toEqual([]);
  });
});
