// Labels of Spoolman in the searches, and the members that spools and filaments have in common with Spoolman.
import { randomInt } from 'node:crypto';
import { describeOnDatabases } from '../../support/databases';
import { type Farm, makeFarm, unique } from '../../support/farm';
import { expectCode, expectData, type Parsed, test, useGateway } from '../../support/gateway';

describeOnDatabases('labels and members of Spoolman', (kind) => {
  const gateway = useGateway(kind);
  let farm: Farm;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
  });

  const ask = async (document: string, variables?: unknown): Promise<Parsed> =>
    expectData(await gateway.graphql(document, variables));
  const spoolInput = (members: object = {}) => ({
    spoolSerial: unique('L'),
    materialId: farm.materialId,
    filamentDiameterMm: '1.75',
    weightTotalGrams: '1000',
    ...members,
  });
  const SPOOL = 'id number lotNumber comment';
  const newSpool = async (members: object = {}): Promise<Parsed> =>
    (
      await ask(`mutation ($input: CreateSpoolInput!) { createSpool(input: $input) { ${SPOOL} } }`, {
        input: spoolInput(members),
      })
    ).createSpool;
  const changeSpool = (id: string, input: object) =>
    gateway.graphql(
      `mutation ($id: ID!, $input: UpdateSpoolInput!) { updateSpool(id: $id, input: $input) { lotNumber comment } }`,
      { id, input },
    );
  const FILAMENT = 'id number colorHex colorHexes colorArrangement extruderTempC bedTempC comment';
  const addFilament = (members: object = {}) =>
    gateway.graphql(`mutation ($input: CreateFilamentInput!) { createFilament(input: $input) { ${FILAMENT} } }`, {
      input: {
        name: unique('Silk'),
        materialId: farm.materialId,
        filamentDiameterMm: '1.75',
        weightTotalGrams: '1000',
        ...members,
      },
    });
  const newFilament = async (members: object = {}): Promise<Parsed> =>
    expectData(await addFilament(members)).createFilament;
  const changeFilament = (id: string, input: object) =>
    gateway.graphql(
      `mutation ($id: ID!, $input: UpdateFilamentInput!) { updateFilament(id: $id, input: $input) { ${FILAMENT} } }`,
      { id, input },
    );
  const found = async (search: string): Promise<string[]> => {
    const { spools, filaments } = await ask(
      'query ($search: String) { spools(search: $search) { nodes { id } } filaments(search: $search) { nodes { id } } }',
      { search },
    );
    return [...spools.nodes, ...filaments.nodes].map(({ id }: Parsed) => id);
  };
  const labels = (kind: 'spool' | 'filament', id: number) => [
    `WEB+SPOOLMAN:${kind === 'spool' ? 'S' : 'F'}-${id}`,
    `http://old-pi:7912/${kind}/show/${id}`,
    `https://farm.example/?sel=${kind}:${id}`.toUpperCase(),
  ];
  const addSource = (kind: 'SPOOL' | 'FILAMENT', id: string, externalId: number, source: string, registered: string) =>
    gateway.sql(`insert into external_objects (source, kind, external_id, registered, ${kind.toLowerCase()}_id, imported)
      values ('${source}', '${kind}', ${externalId}, '${registered}', '${id}', '{}')`);

  test('a label finds the number, unless an object was imported with this id; then it finds that object', async () => {
    const [spool, filament] = [await newSpool(), await newFilament()];
    for (const label of labels('spool', spool.number)) expect(await found(label)).toEqual([spool.id]);
    for (const label of labels('filament', filament.number)) expect(await found(label)).toEqual([filament.id]);
    // The label names a spool, and the number is the number of a filament.
    for (const label of labels('spool', filament.number)) expect(await found(label)).toEqual([]);
    expect(await found('WEB+SPOOLMAN:S-2147483648')).toEqual([]);
    const [imported, importedFilament] = [await newSpool(), await newFilament()];
    await addSource('SPOOL', imported.id, spool.number, 'spoolman', '2024-01-01T00:00:00Z');
    await addSource('FILAMENT', importedFilament.id, spool.number, 'spoolman', '2024-01-01T00:00:00Z');
    for (const label of labels('spool', spool.number)) expect(await found(label)).toEqual([imported.id]);
    for (const label of labels('filament', spool.number)) expect(await found(label)).toEqual([importedFilament.id]);
    expect(await found(`#${spool.number}`)).toEqual([spool.id]);
  });

  test('of several sources with one id, a label means the object that was registered last', async () => {
    const [older, newer] = [await newSpool(), await newSpool()];
    const id = randomInt(1e6, 1e9);
    await addSource('SPOOL', newer.id, id, 'attic', '2025-06-01T00:00:00Z');
    await addSource('SPOOL', older.id, id, 'spoolman', '2024-01-01T00:00:00Z');
    for (const label of labels('spool', id)) expect(await found(label)).toEqual([newer.id]);
    const { spool } = await ask(
      'query ($id: ID!) { spool(id: $id) { externalIds { source id } extra { key value } } }',
      {
        id: older.id,
      },
    );
    expect(spool).toEqual({ externalIds: [{ source: 'spoolman', id: `${id}` }], extra: [] });
  });

  test('own fields are shown by key, with their values as JSON', async () => {
    const [spool, filament] = [await newSpool(), await newFilament()];
    const extra = `'{"b": "\\"hello\\"", "a": "42"}'`;
    await gateway.sql(`update spools set extra = ${extra} where id = '${spool.id}'`);
    await gateway.sql(`update filaments set extra = ${extra} where id = '${filament.id}'`);
    const values = [
      { key: 'a', value: '42' },
      { key: 'b', value: '"hello"' },
    ];
    const query = `query ($spool: ID!, $filament: ID!) {
      spool(id: $spool) { extra { key value } } filament(id: $filament) { extra { key value } externalIds { id } } }`;
    expect(await ask(query, { spool: spool.id, filament: filament.id })).toEqual({
      spool: { extra: values },
      filament: { extra: values, externalIds: [] },
    });
  });

  test('a spool has a lot and a comment, which keeps its line breaks', async () => {
    const spool = await newSpool({ lotNumber: ' LOT\u00a0 7 ', comment: 'one\ntwo' });
    expect(spool).toMatchObject({ lotNumber: 'LOT 7', comment: 'one\ntwo' });
    expect(expectData(await changeSpool(spool.id, { comment: '' })).updateSpool).toEqual({
      lotNumber: 'LOT 7',
      comment: null,
    });
    expect(expectData(await changeSpool(spool.id, { lotNumber: null, comment: 'x'.repeat(1024) })).updateSpool).toEqual(
      {
        lotNumber: null,
        comment: 'x'.repeat(1024),
      },
    );
    expectCode(await changeSpool(spool.id, { lotNumber: 'x'.repeat(65) }), 'BAD_USER_INPUT');
    expectCode(await changeSpool(spool.id, { comment: 'x'.repeat(1025) }), 'BAD_USER_INPUT');
    expect(await newSpool()).toMatchObject({ lotNumber: null, comment: null });
  });

  test('a filament has several colours with their arrangement, or one colour', async () => {
    const filament = await newFilament({ colorHexes: ['#ff0000', '#00ff0080'], colorArrangement: 'COAXIAL' });
    expect(filament).toMatchObject({
      colorHex: '#FF0000',
      colorHexes: ['#FF0000', '#00FF0080'],
      colorArrangement: 'COAXIAL',
    });
    const change = async (input: object) => expectData(await changeFilament(filament.id, input)).updateFilament;
    expect(await change({ colorHex: '#123456' })).toMatchObject({
      colorHex: '#123456',
      colorHexes: filament.colorHexes,
    });
    expect(await change({ colorHexes: ['#ABCDEF12', '#000000', '#111111'] })).toMatchObject({
      colorHex: '#ABCDEF',
      colorHexes: ['#ABCDEF12', '#000000', '#111111'],
      colorArrangement: 'COAXIAL',
    });
    expect(await change({ colorArrangement: 'LONGITUDINAL' })).toMatchObject({ colorArrangement: 'LONGITUDINAL' });
    expectCode(await changeFilament(filament.id, { colorArrangement: null }), 'BAD_USER_INPUT');
    expect(await change({ colorHexes: [] })).toMatchObject({
      colorHex: '#ABCDEF',
      colorHexes: [],
      colorArrangement: null,
    });
    const issuesOf = async (members: object) =>
      (await addFilament(members)).errors.flatMap(({ extensions }: Parsed) => extensions.issues);
    expect(await issuesOf({ colorHexes: ['#000000', '#111111'] })).toEqual([
      { path: ['input', 'colorArrangement'], message: 'belongs to colorHexes: a filament has both of them or neither' },
    ]);
    expect(await issuesOf({ colorHexes: ['#000000', 'red'], colorArrangement: 'COAXIAL' })).toMatchObject([
      { path: ['input', 'colorHexes', 1] },
    ]);
    for (const members of [
      { colorArrangement: 'COAXIAL' },
      { colorHexes: [], colorArrangement: 'COAXIAL' },
      { colorHexes: ['#000000'], colorArrangement: 'COAXIAL' },
      { colorHexes: Array(17).fill('#000000'), colorArrangement: 'COAXIAL' },
    ])
      expectCode(await addFilament(members), 'BAD_USER_INPUT');
  });

  test('a filament has temperatures from 0 to 1000 and a comment', async () => {
    const filament = await newFilament({ extruderTempC: 215, bedTempC: 0, comment: 'dry it' });
    expect(filament).toMatchObject({ extruderTempC: 215, bedTempC: 0, comment: 'dry it', colorHexes: [] });
    const { updateFilament } = expectData(await changeFilament(filament.id, { extruderTempC: 1000, bedTempC: null }));
    expect(updateFilament).toMatchObject({ extruderTempC: 1000, bedTempC: null, comment: 'dry it' });
    for (const input of [{ extruderTempC: -1 }, { bedTempC: 1001 }, { comment: 'x'.repeat(1025) }])
      expectCode(await changeFilament(filament.id, input), 'BAD_USER_INPUT');
  });
});
