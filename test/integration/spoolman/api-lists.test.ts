// Lists of the API for Spoolman's clients: pages, sorts, filters, and the paths beside the objects.
import { describeOnDatabases } from '../../support/databases';
import { type Parsed, test, useGateway } from '../../support/gateway';
import { spoolmanClient } from '../../support/spoolman-reader';
import { statementsOf } from '../../support/statements';

describeOnDatabases("lists for Spoolman's clients", (kind) => {
  const gateway = useGateway(kind);
  const client = spoolmanClient(gateway);
  const ids: Record<string, number> = {};

  beforeAll(async () => {
    for (const owner of ['spool', 'filament', 'vendor'])
      await client.ok('POST', `/field/${owner}/shelf`, { name: 'Shelf', field_type: 'text' });
    await client.ok('POST', '/field/spool/nfc_id', { name: 'Tag', field_type: 'text', order: '-1' });
    const acme = await client.ok('POST', '/vendor', { name: 'Acme, 100%', extra: { shelf: '"V"' } });
    ids['acme'] = acme.id;
    const add = async (name: string, filament: object, spool: object) => {
      const made = await client.ok('POST', '/filament', { density: 1.24, diameter: '1.75', ...filament });
      ids[`${name} filament`] = made.id;
      ids[name] = (await client.ok('POST', '/spool', { filament_id: made.id, ...spool })).id;
    };
    await add(
      'red',
      { name: 'Red', material: 'PLA', vendor_id: acme.id, article_number: 'A2', extra: { shelf: '"F"' } },
      { location: 'Rack 10%', lot_nr: 'L2', used_weight: 900, registered: 1, extra: { nfc_id: '"04:aa:bb:cc:dd"' } },
    );
    await add(
      'blue',
      { name: 'Blue', material: 'PETG', density: 1.27, article_number: 'A10' },
      {
        location: 'Rack 2',
        price: 10,
        first_used: '2026-01-02T03:04:05',
        last_used: 1_767_325_445_000,
        extra: { shelf: '"B"' },
      },
    );
    await add('old', { name: 'Old', material: 'PLA', density: 1.3 }, { archived: 'True', lot_nr: 'L1' });
  });

  const names = async (path: string): Promise<(string | undefined)[]> =>
    ((await client.ok('GET', path)) as Parsed[]).map((object) => object.filament?.name ?? object.name);

  test('a list without parameters has all spools in use by id, and archived spools if asked', async () => {
    expect(await names('/spool')).toEqual(['Red', 'Blue']);
    expect(await names('/spool?allow_archived=True')).toEqual(['Red', 'Blue', 'Old']);
    const page = await client('GET', '/spool?allow_archived=yes&limit=1&offset=1');
    expect([page.body.length, page.body[0].filament.name, page.headers['x-total-count']]).toEqual([1, 'Blue', '3']);
    const head = await client('HEAD', '/spool?offset=1');
    expect([head.status, head.headers['x-total-count']]).toEqual([200, '2']);
    expect(await names('/spool?offset=1')).toEqual(['Red', 'Blue']);
    expect(await client.ok('GET', '/spool?limit=0')).toEqual([]);
  });

  test('a list is sorted by members, and objects without a value come last in both directions', async () => {
    const sorted = (sort: string) => names(`/spool?allow_archived=1&sort=${sort}`);
    expect(await sorted('remaining_weight:asc')).toEqual(['Red', 'Blue', 'Old']);
    expect(await sorted('used_length:asc')).toEqual(['Blue', 'Old', 'Red']);
    expect(await sorted('lot_nr:asc')).toEqual(['Old', 'Red', 'Blue']);
    expect(await sorted('lot_nr:desc')).toEqual(['Red', 'Old', 'Blue']);
    expect(await sorted('filament.combined_name:asc')).toEqual(['Red', 'Blue', 'Old']);
    expect(await sorted('filament.material:desc,id:desc')).toEqual(['Old', 'Red', 'Blue']);
    expect(await sorted('first_used:desc')).toEqual(['Blue', 'Red', 'Old']);
    expect(await names('/filament?sort=vendor.name:desc,name:asc')).toEqual(['Red', 'Blue', 'Old']);
    for (const sort of ['color:asc', 'id', 'id:up', 'constructor:asc', 'filament:asc'])
      expect((await client('GET', `/spool?sort=${sort}`)).status).toBe(400);
  });

  test('texts are filtered by a part in any case, by the whole text in quotation marks, or by their absence', async () => {
    const found = (filter: string) => names(`/spool?${filter}`);
    expect(await found('filament.name=re')).toEqual(['Red']);
    expect(await found('filament.name=%22re%22')).toEqual([]);
    expect(await found('filament_name=%22Red%22,blu')).toEqual(['Red', 'Blue']);
    expect(await found('location=10%25')).toEqual(['Red']);
    expect(await found('location=_')).toEqual([]);
    expect(await found('lot_nr=')).toEqual(['Blue']);
    expect(await found(`filament.vendor.name=${encodeURIComponent('"Acme, 100%"')}`)).toEqual(['Red']);
    expect(await found('filament.vendor.id=-1')).toEqual(['Blue']);
    expect(await found(`filament.vendor.id=${ids['acme']},-1`)).toEqual(['Red', 'Blue']);
    expect(await found(`filament_id=${ids['blue filament']}`)).toEqual(['Blue']);
    expect(await names('/filament?article_number=a1')).toEqual(['Blue']);
    expect(await names('/vendor?name=acme')).toEqual(['Acme, 100%']);
  });

  test('times are filtered by ranges, one time, or their absence', async () => {
    const found = (filter: string) => names(`/spool?${filter}`);
    expect(await found('first_used=2026-01-01|2026-01-03')).toEqual(['Blue']);
    expect(await found('first_used=2026-01-02T03:04:05Z')).toEqual(['Blue']);
    expect(await found('first_used=2026-01-02T04:04:05+01:00')).toEqual(['Blue']);
    expect(await found('last_used=|2026-01-01')).toEqual([]);
    expect(await found('first_used=')).toEqual(['Red']);
    expect(await found('registered=2020-01-01|')).toEqual(['Red', 'Blue']);
    expect((await client('GET', '/spool?registered=soon')).status).toBe(400);
  });

  test('own fields are filtered by their text, also those of the filament and its vendor', async () => {
    expect(await names('/spool?extra.shelf=b')).toEqual(['Blue']);
    expect(await names('/spool?extra.shelf=%22B%22')).toEqual(['Blue']);
    expect(await names('/spool?filament.extra.shelf=f')).toEqual(['Red']);
    expect(await names('/spool?filament.vendor.extra.shelf=v')).toEqual(['Red']);
    expect((await client('GET', '/spool?extra.colour=b')).status).toBe(400);
  });

  test('a tag in an own field of an older client becomes a tag, which finds the spool in each spelling', async () => {
    const [red] = await client.ok('GET', '/spool?tag=04-aa-bb-cc-dd');
    expect(red.tags).toEqual([{ uid: '04AABBCCDD', added: expect.any(String) }]);
    expect(await names('/spool?tag=0x04AABBCCDD')).toEqual(['Red']);
    expect(await names('/spool?tag=04AABBCCDE')).toEqual([]);
    expect(await names('/filament?tag=04AABBCCDD')).toEqual([]);
    expect((await client('GET', '/spool?tag=hello')).status).toBe(400);
  });

  test('a filter that the gateway does not know is refused if its name has a dot, and otherwise ignored', async () => {
    for (const path of ['/spool?filament.colour=1', '/vendor?filament.name=x', '/filament?color_hex=FF0000'])
      expect((await client('GET', path)).body).toEqual({ message: expect.any(String) });
    expect((await client('GET', '/spool?filament.colour=1')).status).toBe(400);
    expect(await names('/spool?colour=1')).toEqual(['Red', 'Blue']);
    for (const wrong of ['limit=-1', 'limit=x', 'offset=1.5', 'filament.id=x', 'vendor_id=-2'])
      expect((await client('GET', `/spool?${wrong}`)).status).toBe(422);
  });

  test('lists of texts have each text of objects in use once', async () => {
    expect(await client.ok('GET', '/location')).toEqual(['Rack 10%', 'Rack 2']);
    expect(await client.ok('GET', '/lot-number')).toEqual(['L2']);
    expect(await client.ok('GET', '/article-number/')).toEqual(['A10', 'A2']);
    // Two densities of PLA are two materials here and one in the API.
    expect(await client.ok('GET', '/material')).toEqual(['PETG', 'PLA']);
    expect(await client.ok('GET', '/external/filament')).toEqual([]);
  });

  test('own fields are listed by order, keep their type, and take their values with them', async () => {
    const fields = await client.ok('GET', '/field/spool');
    expect(fields.map(({ key }: Parsed) => key)).toEqual(['nfc_id', 'shelf']);
    expect(fields[0]).toEqual({ key: 'nfc_id', entity_type: 'spool', name: 'Tag', order: -1, field_type: 'text' });
    expect((await client('POST', '/field/spool/shelf', { name: 'S', field_type: 'integer' })).status).toBe(400);
    expect((await client('POST', '/field/spool/No', { name: 'S', field_type: 'integer' })).status).toBe(400);
    await client.ok('POST', '/field/spool/dry', {
      name: 'Dry',
      field_type: 'choice',
      choices: ['a', 'b'],
      multi_choice: 'true',
    });
    await client.ok('PATCH', `/spool/${ids['red']}`, { extra: { dry: '["b","a"]', shelf: '"A"' } });
    expect(await client.ok('GET', '/field/spool/shelf/values')).toEqual(['A', 'B']);
    for (const extra of [{ dry: '"c"' }, { dry: 'b' }, { other: '1' }, { shelf: '1' }, { shelf: 1 }])
      expect((await client('PATCH', `/spool/${ids['red']}`, { extra })).status).toBe(400);
    const changed = await client.ok('PATCH', `/spool/${ids['red']}`, { extra: { shelf: null } });
    expect(Object.keys(changed.extra).sort()).toEqual(['dry', 'nfc_id']);
    await client.ok('DELETE', '/field/spool/dry');
    expect(Object.keys((await client.ok('GET', `/spool/${ids['red']}`)).extra)).toEqual(['nfc_id']);
    expect((await client('DELETE', '/field/spool/dry')).status).toBe(404);
    expect((await client('GET', '/field/printer')).status).toBe(404);
  });

  test('settings are read one by one or together, and not written', async () => {
    expect(await client.ok('GET', '/setting/currency')).toEqual({ value: '"XXX"', is_set: false, type: 'string' });
    const all = await client.ok('GET', '/setting/');
    expect(JSON.parse(all.locations.value)).toEqual(['Rack 10%', 'Rack 2']);
    expect(JSON.parse(all.extra_fields_spool.value)).toEqual(await client.ok('GET', '/field/spool'));
    expect((await client('GET', '/setting/print_presets')).status).toBe(404);
    const written = await client('POST', '/setting/currency', { value: '"EUR"' });
    expect([written.status, written.headers['allow']]).toEqual([405, 'GET, HEAD']);
  });

  if (kind === 'server')
    test('a list costs the same number of statements whatever its length', async () => {
      const count = async (path: string) => (await statementsOf(() => client('GET', path))).length;
      expect(await count('/spool?limit=1')).toBe(await count('/spool?allow_archived=true'));
    });

  test('a list of thousands of spools arrives whole and in order', async () => {
    await gateway.sql(`insert into spools (id, spool_serial, material_id, filament_diameter_mm, weight_total_grams, created_at, updated_at, vendor)
      select gen_random_uuid(), 'many ' || n, (select id from materials limit 1), 1.75, 1000, now(), now(), 'Acme, 100%' from generate_series(1, 1200) n`);
    const answer = await client('GET', '/spool');
    expect([answer.body.length, answer.headers['x-total-count']]).toEqual([1202, '1202']);
    const numbers = answer.body.map(({ id }: Parsed) => id);
    expect(numbers).toEqual(numbers.toSorted((a: number, b: number) => a - b));
    expect((await client('GET', '/filament')).body).toHaveLength(1203);
  });
});
