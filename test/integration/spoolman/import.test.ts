// A first import from a Spoolman: what each object becomes, the numbers, and everything or nothing.
import { describeOnDatabases, describeOnServer } from '../../support/databases';
import { FakeSpoolman, fakeFilament, fakeSpool, fakeVendor } from '../../support/fake-spoolman';
import { unique } from '../../support/farm';
import { expectCode, expectData, type Gateway, test, useGateway } from '../../support/gateway';
import { importAll, READ, read, row, settled, spoolOf, WRITE, write } from '../../support/spoolman-imports';
import { until } from '../../support/waiting';

describeOnDatabases('an import from Spoolman', (kind) => {
  const gateway = useGateway(kind, {});
  let fake: FakeSpoolman;
  beforeEach(async () => {
    fake = await FakeSpoolman.start();
  });
  afterEach(() => fake.close());

  const createFilament = async (name: string) => {
    const [{ id }] = await gateway.sql(
      `insert into materials (id, name, density_g_per_cm3) values (gen_random_uuid(), '${name}', 1.1) returning id`,
    );
    const input = { name, materialId: id, filamentDiameterMm: '1.75', weightTotalGrams: '500' };
    return expectData(
      await gateway.graphql('mutation ($input: CreateFilamentInput!) { createFilament(input: $input) { id number } }', {
        input,
      }),
    ).createFilament;
  };

  test('vendors, filaments and spools come with all members, and spools keep their ids as numbers', async () => {
    const before = await createFilament('Before');
    const vendor = fakeVendor(7, { name: 'Prusament', empty_spool_weight: 193, comment: 'Czech' });
    const filament = fakeFilament(3, {
      vendor,
      name: 'Galaxy',
      price: 25.5,
      article_number: 'A-1',
      settings_extruder_temp: 215,
      low_stock_threshold: 500,
      multi_color_hexes: 'FF0000,00FF0080',
      multi_color_direction: 'coaxial',
      color_hex: undefined,
    });
    fake.vendors = [vendor];
    fake.filaments = [filament];
    fake.fields.spool = [{ key: 'nfc_id', name: 'NFC', field_type: 'text', order: 1 }];
    fake.spools = [
      fakeSpool(41, filament, {
        used_weight: 123.456,
        location: 'Dry box',
        lot_nr: 'L1',
        comment: 'Opened',
        first_used: '2025-04-01T08:00:00Z',
        extra: { nfc_id: '"04:a2-b3 c4d5"', lost: '"x"' },
        tags: [{ uid: '0xAABB', format: 'NTAG', added: '2025-04-01T00:00:00Z' }],
      }),
      fakeSpool(1234, filament, { archived: true, price: 20, spool_weight: 200, initial_weight: undefined }),
    ];
    const shown = await read(gateway, { url: `${fake.url}/` });
    expect(shown).toMatchObject({
      state: 'READY',
      read: 4,
      creates: 4,
      updates: 0,
      refused: 0,
      gone: 0,
      withoutTare: 0,
    });
    expect(row(shown, 'SPOOL', 41)).toMatchObject({
      action: 'CREATE',
      number: 41,
      reason: 'The value of a field that is not defined is left out.',
    });
    expect(row(shown, 'FILAMENT', 3)).toMatchObject({ number: 2001, name: 'Prusament Galaxy', reason: null });
    expect(await spoolOf(gateway, 'spoolman-41')).toBeUndefined();
    expect((await createFilament('Between')).number).toBe(2002);
    expect((await write(gateway, shown)).state).toBe('WRITTEN');
    expect(await spoolOf(gateway, 'spoolman-41')).toMatchObject({
      number: 41,
      vendor: 'Prusament',
      colorHex: '#FF0000',
      purchasePrice: '25.5',
      place: 'Dry box',
      tareGrams: null,
      weightTotalGrams: '1000',
      remainingGrams: '876.54',
      archivedAt: null,
      createdAt: '2025-03-01T10:00:00.000Z',
      material: { name: 'PLA', densityGPerCm3: '1.24' },
      filament: { number: 2001, name: 'Galaxy', tareGrams: '193', minimumGrams: '500' },
      adjustments: { nodes: [{ kind: 'OPENING', netGrams: '876.54', note: 'Spoolman' }] },
    });
    expect(await spoolOf(gateway, 'spoolman-1234')).toMatchObject({
      number: 1234,
      purchasePrice: '20',
      tareGrams: '200',
      archivedAt: expect.any(String),
      adjustments: { nodes: [] },
    });
    expect(
      await gateway.sql(`select lot_number, comment, extra, (first_used_at at time zone 'UTC')::text as first,
        (select string_agg(t.uid || ' ' || coalesce(t.format, '-'), ',' order by t.uid) from spool_tags t where t.spool_id = s.id) as tags
        from spools s where number = 41`),
    ).toEqual([
      {
        lot_number: 'L1',
        comment: 'Opened',
        extra: { nfc_id: '"04:a2-b3 c4d5"' },
        first: '2025-04-01 08:00:00',
        tags: '04A2B3C4D5 -,AABB ntag',
      },
    ]);
    expect(
      await gateway.sql(`select id, comment, empty_spool_weight::text as tare from vendors where name = 'Prusament'`),
    ).toEqual([{ id: 7, comment: 'Czech', tare: '193' }]);
    expect(
      await gateway.sql(
        'select color_hexes, color_arrangement, extruder_temp_c, article_number from filaments where number = 2001',
      ),
    ).toEqual([
      {
        color_hexes: ['#FF0000', '#00FF0080'],
        color_arrangement: 'COAXIAL',
        extruder_temp_c: 215,
        article_number: 'A-1',
      },
    ]);
    expect(before.number).toBeLessThan(41);
  });

  test('nobody else chooses a number, and no number is given twice', async () => {
    const filament = fakeFilament(3);
    fake.filaments = [filament];
    fake.spools = [fakeSpool(42, filament, { registered: '2025-05-01T00:00:00Z' })];
    await importAll(gateway, { url: fake.url, source: 'numbers' });
    const spool = await spoolOf(gateway, 'numbers-42');
    expect(spool.number).toBe(42);
    expectData(await gateway.graphql('mutation ($id: ID!) { removeSpool(id: $id) }', { id: spool.id }));
    // The removed number is gone for ever, also for an import.
    fake.spools = [fakeSpool(42, filament, { registered: '2025-06-01T00:00:00Z' })];
    const again = await importAll(gateway, { url: fake.url, source: 'numbers' });
    expect(row(again, 'SPOOL', 42).number).toBeGreaterThan(1000);
    expect(row(again, 'SPOOL', 42).reason).toContain('because 42 cannot be given here');
    const insert = (number: string) =>
      gateway.sql(`insert into spools (id, spool_serial, filament_diameter_mm, weight_total_grams, material_id, number)
        select gen_random_uuid(), 'By SQL', 1.75, 1, material_id, ${number} from filaments limit 1`);
    await expect(insert('43')).rejects.toMatchObject({ message: expect.stringContaining('spools_number') });
    await expect(gateway.sql('insert into imported_stock_numbers values (2000000)')).rejects.toMatchObject({
      message: expect.stringContaining('skipped'),
    });
    await expect(gateway.sql('delete from imported_stock_numbers')).rejects.toMatchObject({
      message: expect.stringContaining('append_only'),
    });
    await expect(gateway.sql('update skipped_stock_numbers set "to" = 100000')).rejects.toMatchObject({
      message: expect.stringContaining('append_only'),
    });
  });

  test('a row that would now do something else fails the import, and nothing is written', async () => {
    const filament = fakeFilament(9, { name: 'Race' });
    fake.filaments = [filament];
    fake.spools = [fakeSpool(61, filament), fakeSpool(62, filament)];
    const first = await read(gateway, { url: fake.url, source: 'race' });
    const second = await read(gateway, { url: fake.url, source: 'race' });
    expect([first, second].map((shown) => row(shown, 'SPOOL', 61).number)).toEqual([61, 61]);
    expectCode(await gateway.graphql(WRITE, { id: second.id, confirm: 'other' }), 'CONFLICT');
    expect((await write(gateway, first)).state).toBe('WRITTEN');
    const failed = await write(gateway, second);
    expect(failed.state).toBe('FAILED');
    expect(failed.message).toContain('changed since the preview');
    const counted = await gateway.sql(`select count(*)::int as count from spools where spool_serial like 'race-%'`);
    expect(counted).toEqual([{ count: 2 }]);
    expectCode(await gateway.graphql(WRITE, { id: first.id, confirm: first.confirm }), 'CONFLICT');
  });

  test('refused rows say why, and the others are written only if the user wants it', async () => {
    const good = fakeFilament(1);
    const bad = fakeFilament(2, { density: 0 });
    fake.filaments = [good, bad];
    fake.spools = [
      fakeSpool(71, good),
      fakeSpool(72, bad),
      fakeSpool(73, good, { used_weight: -1 }),
      fakeSpool(74, good, { registered: 'yesterday' }),
      fakeSpool(75, good, { location: 'x'.repeat(101) }),
      fakeSpool(76, good, { comment: 'a\0b' }),
      fakeSpool(77, good, { extra: { a: 5 } }),
    ];
    const shown = await read(gateway, { url: fake.url, source: 'refused' });
    expect(shown).toMatchObject({ creates: 2, refused: 7 });
    expect(
      shown.rows.nodes
        .filter((one: { action: string }) => one.action === 'REFUSED')
        .map((one: { reason: string }) => one.reason),
    ).toEqual([
      'density is not a number above 0.',
      'Its filament is refused.',
      'used_weight is not a number from 0 to 1,000,000,000.',
      'registered is not a time.',
      'location is longer than 100 characters.',
      'comment holds a sign that cannot be stored.',
      'A value in extra is not a text of JSON.',
    ]);
    expectCode(await gateway.graphql(WRITE, { id: shown.id, confirm: shown.confirm }), 'CONFLICT');
    expect((await write(gateway, shown, true)).state).toBe('WRITTEN');
    expect(await spoolOf(gateway, 'refused-71')).toMatchObject({ number: 71 });
    expect(await spoolOf(gateway, 'refused-72')).toBeUndefined();
  });

  test('a gateway that stops while it reads fails the import', async () => {
    fake.handle = () => true;
    const { id } = expectData(await gateway.graphql(READ, { input: { url: fake.url } })).readSpoolman;
    await gateway.restart();
    const failed = await settled(gateway, id);
    expect(failed).toMatchObject({ state: 'FAILED', message: expect.stringContaining('was stopped') });
  });

  test('thousands of spools are read page by page and written', async () => {
    const filament = fakeFilament(1, { name: 'Many' });
    fake.filaments = [filament];
    fake.spools = Array.from({ length: 3000 }, (_, at) => fakeSpool(at + 3001, filament, { used_weight: at / 7 }));
    const shown = await importAll(gateway, { url: fake.url, source: 'many' });
    expect(shown).toMatchObject({ read: 3001, creates: 3001 });
    expect(fake.requests.filter(({ url }) => url.includes('/spool?')).map(({ url }) => url.split('&')[2])).toEqual([
      'offset=0',
      'offset=999',
      'offset=1998',
      'offset=2997',
    ]);
    const [{ count }] = await gateway.sql(
      `select count(*)::int as count from spools where number between 3001 and 6000`,
    );
    expect(count).toBe(3000);
  });
});

describeOnServer('with a second import', () => {
  const gateway = useGateway('server', {});

  test('each new spool of an import reads one row of it, also while nothing has analysed the rows', async () => {
    const materialId = await makeMaterial(gateway);
    const addSpools = (ids: string) =>
      gateway.sql(`insert into spools (id, spool_serial, filament_diameter_mm, weight_total_grams, material_id)
        select ${ids}, 'look-up-' || k, 1.75, 1, '${materialId}' from generate_series(1, 10) k`);
    const idOf = (k: string) => `('00000000-0000-4000-8000-' || lpad(${k}::text, 12, '0'))::uuid`;
    await gateway.sql('begin');
    await gateway.sql(`insert into spoolman_imports (id, source, state, active, from_url, transaction)
      values (${idOf('0')}, 'look-up', 'WRITING', true, false, pg_current_xact_id()::text)`);
    await gateway.sql(`insert into spoolman_import_rows (import_id, position, kind, action, name, changes, object, creates_id)
      select ${idOf('0')}, k, 'SPOOL', 'CREATE', '', '[]', '{}', ${idOf('k')} from generate_series(1, 1000) k`);
    const rowsRead = async () => {
      const [{ count }] = await gateway.sql(`select sum(seq_tup_read + idx_tup_fetch)::int as count
        from pg_stat_xact_user_tables where relname = 'spoolman_import_rows'`);
      return count;
    };
    const before = await rowsRead();
    await addSpools(idOf('k'));
    expect((await rowsRead()) - before).toBe(10);
    await gateway.sql('rollback');
  });

  test('one import is read or written at a time, and one whose process has died is FAILED', async () => {
    const fake = await FakeSpoolman.start();
    try {
      fake.handle = () => true;
      const { id } = expectData(await gateway.graphql(READ, { input: { url: fake.url } })).readSpoolman;
      expectCode(await gateway.graphql(READ, { input: { url: fake.url } }), 'CONFLICT');
      await gateway.sql(`update spoolman_imports set alive_until = now() - interval '1 second'`);
      const { spoolmanImport } = expectData(
        await gateway.graphql('query ($id: ID!) { spoolmanImport(id: $id) { state message } }', { id }),
      );
      expect(spoolmanImport.state).toBe('FAILED');
      expect(spoolmanImport.message).toContain('stopped while it worked');
    } finally {
      await fake.close();
    }
  });

  test('an import whose process is killed while it writes has written nothing', async () => {
    const fake = await FakeSpoolman.start();
    try {
      const filament = fakeFilament(1, { name: 'Killed' });
      fake.filaments = [filament];
      fake.spools = Array.from({ length: 1200 }, (_, at) => fakeSpool(at + 1, filament, { tags: [{ uid: `F${at}` }] }));
      const shown = await read(gateway, { url: fake.url, source: 'killed' });
      // The import waits for this transaction when it has written most of its rows.
      const materialId = await makeMaterial(gateway);
      await gateway.sql('begin');
      await gateway.sql(`insert into spools (id, spool_serial, filament_diameter_mm, weight_total_grams, material_id)
        values (gen_random_uuid(), 'killed-1150', 1.75, 1, '${materialId}')`);
      expectData(await gateway.graphql(WRITE, { id: shown.id, confirm: shown.confirm }));
      const { pid } = await until('the import waits for the serial', async () => {
        await gateway.sql('select pg_stat_clear_snapshot()');
        const [waiting] = await gateway.sql(`select pid from pg_stat_activity where wait_event_type = 'Lock'
          and datname = current_database() and query like '%spoolmanWriting.spools%'`);
        return waiting;
      });
      await gateway.sql(`select pg_terminate_backend(${pid})`);
      await gateway.sql('rollback');
      expect((await settled(gateway, shown.id)).state).toBe('FAILED');
      expect(
        await gateway.sql(`select (select count(*)::int from spools where spool_serial like 'killed-%') as spools,
          (select count(*)::int from filaments where name = 'Killed') as filaments,
          (select count(*)::int from external_objects where source = 'killed') as imported`),
      ).toEqual([{ spools: 0, filaments: 0, imported: 0 }]);
      // The numbers are still free, so the next import gives them.
      const again = await importAll(gateway, { url: fake.url, source: 'killed' });
      expect(row(again, 'SPOOL', 900).number).toBe(900);
    } finally {
      await fake.close();
    }
  });

  test('creates at the same time disturb no number of imports', async () => {
    const fake = await FakeSpoolman.start();
    try {
      const filament = fakeFilament(1, { name: 'Parallel' });
      fake.filaments = [filament];
      fake.spools = Array.from({ length: 50 }, (_, at) => fakeSpool(at * 997 + 5000, filament));
      const materialId = await makeMaterial(gateway);
      let isOver = false;
      const creates = Promise.all(
        Array.from({ length: 4 }, async (_, client) => {
          for (let n = 0; !isOver; n++) {
            const input = {
              spoolSerial: `p ${client} ${n}`,
              materialId,
              filamentDiameterMm: '1.75',
              weightTotalGrams: '1',
            };
            expectData(
              await gateway.graphql('mutation ($input: CreateSpoolInput!) { createSpool(input: $input) { id } }', {
                input,
              }),
            );
          }
        }),
      );
      for (const source of ['p1', 'p2', 'p3']) await importAll(gateway, { url: fake.url, source });
      isOver = true;
      await creates;
      expect(
        await gateway.sql(`select n.number from (select number from spools union all select number from filaments) n
          group by n.number having count(*) > 1`),
      ).toEqual([]);
      const [{ kept }] = await gateway.sql(
        `select count(*)::int as kept from spools where spool_serial = 'p1-' || number`,
      );
      expect(kept).toBe(50);
    } finally {
      await fake.close();
    }
  });
});

async function makeMaterial(gateway: Gateway): Promise<string> {
  const { createMaterial } = expectData(
    await gateway.graphql('mutation ($input: CreateMaterialInput!) { createMaterial(input: $input) { id } }', {
      input: { name: unique('PLA'), densityGPerCm3: '1.24' },
    }),
  );
  return createMaterial.id;
}
