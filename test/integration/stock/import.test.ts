// Imports of CSV files: what each row would do, all rows written or none, and exports that can be imported unchanged.
import fc from 'fast-check';
import { DECIMAL_MARKS, SEPARATORS } from '../../../src/values/csv';
import { describeOnDatabases, isTestedAlready } from '../../support/databases';
import { type Farm, makeFarm, makeJob, unique } from '../../support/farm';
import { expectCode, expectData, expectStatus, type Parsed, test, useGateway } from '../../support/gateway';

const IMPORT = `mutation ($kind: StockKind!, $csv: String!, $confirm: String) {
  importStock(kind: $kind, csv: $csv, confirm: $confirm) {
    creates updates same refused confirm written rows { line action number name reason changes { column from to } }
  }
}`;

/** Writes any text as a cell. */
const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;

// Many statements in one transaction, which starts again for each file, and lists as parameters.
describeOnDatabases('imports of the stock', (kind) => {
  const gateway = useGateway(kind, { currency: 'EUR' });
  let farm: Farm;
  let material: string;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
    material = expectData(
      await gateway.graphql('query ($id: ID!) { material(id: $id) { name } }', { id: farm.materialId }),
    ).material.name;
  });

  const importing = (of: string, csv: string, confirm?: string) =>
    gateway.graphql(IMPORT, { kind: of, csv, ...(confirm !== undefined && { confirm }) });
  const preview = async (of: string, csv: string): Promise<Parsed> => expectData(await importing(of, csv)).importStock;
  const write = async (of: string, csv: string): Promise<Parsed> => {
    const shown = await preview(of, csv);
    expect(shown.rows.filter((row: Parsed) => row.reason !== null)).toEqual([]);
    const written = expectData(await importing(of, csv, shown.confirm)).importStock;
    expect(written).toEqual({ ...shown, confirm: null, written: true });
    return written;
  };
  const actions = ({ rows }: Parsed) => rows.map(({ action }: Parsed) => action);
  const reasons = async (of: string, csv: string) => (await preview(of, csv)).rows.map(({ reason }: Parsed) => reason);
  const exported = async (name: string, form = '') =>
    expectStatus(await gateway.rest('GET', `/reports/${name}.csv?${form}`), 200).text;
  const spools = async (search: string): Promise<Parsed[]> =>
    expectData(
      await gateway.graphql(
        `query ($search: String) { spools(search: $search) { nodes { id number spoolSerial vendor colorHex purchasePrice place lotNumber comment tags { uid }
          weightTotalGrams remainingGrams archivedAt filament { number } adjustments { nodes { kind netGrams } } } } }`,
        { search },
      ),
    ).spools.nodes;
  const spool = async (serial: string) => (await spools(serial))[0];

  test('a weight above a full spool has a warning, which does not keep the row from being written', async () => {
    const [heavy, full, plain] = [unique('heavy'), unique('full'), unique('plain')];
    const warnings = async (csv: string) => {
      const query = `mutation ($csv: String!) { importStock(kind: SPOOLS, csv: $csv) { warnings refused rows { warning } } }`;
      const { rows, ...counts } = expectData(await gateway.graphql(query, { csv })).importStock;
      return [counts, ...rows.map(({ warning }: Parsed) => warning)];
    };
    const head = 'spoolSerial,material,filamentDiameterMm,weightTotalGrams,weighedGrams\n';
    const rows = `${heavy},${material},1.75,500,5125\n${full},${material},1.75,500,500\n${plain},${material},1.75,500,\n`;
    const tooMuch = 'weighedGrams 5125 is more than a full spool (500 g)';
    expect(await warnings(head + rows)).toEqual([{ warnings: 1, refused: 0 }, tooMuch, null, null]);
    await write('SPOOLS', head + rows);
    expect(await warnings(head + rows)).toEqual([{ warnings: 0, refused: 0 }, null, null, null]);
    const weighed = `spoolSerial,weightTotalGrams,weighedGrams\n${full},1000,900\n${plain},500,500.01`;
    expect(await warnings(weighed)).toEqual([
      { warnings: 1, refused: 0 },
      null,
      'weighedGrams 500.01 is more than a full spool (500 g)',
    ]);
  });

  test('a first import adds filaments, then their spools; the same files again change nothing', async () => {
    const [vendor, name, one, two] = [unique('Prusament'), unique('PLA'), unique('A'), unique('B')];
    const filaments = `name;vendor;material;colorHex;filamentDiameterMm;weightTotalGrams;tareGrams;purchasePrice (EUR);minimumGrams\r\n${name};${vendor};${material};#1e90ff;1,75;1000;201,5;29,90;2000\r\n`;
    const shown = await preview('FILAMENTS', filaments);
    expect(shown).toMatchObject({ creates: 1, updates: 0, same: 0, refused: 0, written: false });
    expect(shown.rows).toEqual([
      {
        line: 2,
        action: 'CREATE',
        number: null,
        name: `${vendor} ${name}`,
        reason: null,
        changes: [
          ['name', name],
          ['vendor', vendor],
          ['material', material],
          ['colorHex', '#1E90FF'],
          ['filamentDiameterMm', '1.75'],
          ['weightTotalGrams', '1000'],
          ['tareGrams', '201.5'],
          ['purchasePrice', '29.90'],
          ['minimumGrams', '2000'],
        ].map(([column, to]) => ({ column, from: null, to })),
      },
    ]);
    await write('FILAMENTS', filaments);
    expect(await preview('FILAMENTS', filaments)).toMatchObject({ same: 1, confirm: null });
    const { nodes } = expectData(
      await gateway.graphql('query ($search: String) { filaments(search: $search) { nodes { number } } }', {
        search: name,
      }),
    ).filaments;
    const number = nodes[0].number;
    const list = `spoolSerial\tfilamentNumber\tvendor\tplace\tarchived\tweighedGrams\n${one}\t${number}\t\tDry box 2\t\t612.5\n${two}\t#${number}\tOther\t\tTRUE\t\n`;
    await write('SPOOLS', list);
    expect(await spool(one)).toMatchObject({
      vendor,
      colorHex: '#1E90FF',
      purchasePrice: '29.90',
      place: 'Dry box 2',
      remainingGrams: '612.5',
      archivedAt: null,
      filament: { number },
      adjustments: { nodes: [{ kind: 'OPENING', netGrams: '612.5' }] },
    });
    expect(await spool(two)).toMatchObject({
      vendor: 'Other',
      place: null,
      remainingGrams: '1000',
      archivedAt: expect.any(String),
    });
    expect(actions(await preview('SPOOLS', list))).toEqual(['SAME', 'SAME']);
  });

  test('a confirmation of an outdated preview writes nothing', async () => {
    const serial = unique('SP');
    const csv = `spoolSerial,material,filamentDiameterMm,weightTotalGrams\n${serial},${material},1.75,1000\n${serial} 2,${material},1.75,1000`;
    const { confirm } = await preview('SPOOLS', csv);
    expectCode(await importing('SPOOLS', `${csv}0`, confirm), 'CONFLICT');
    expectCode(await importing('SPOOLS', csv, 'x'), 'CONFLICT');
    expect(await spools(serial)).toEqual([]);
    const both = await Promise.all([importing('SPOOLS', csv, confirm), importing('SPOOLS', csv, confirm)]);
    expect(both.map(({ errors }) => errors[0]?.extensions?.['code'] ?? 'written').sort()).toEqual([
      'CONFLICT',
      'written',
    ]);
    expect(await spools(serial)).toHaveLength(2);
    const weighed = `spoolSerial,weighedGrams\n${serial},500\n`;
    const shown = await preview('SPOOLS', weighed);
    const twice = await Promise.all([1, 2].map(() => importing('SPOOLS', weighed, shown.confirm)));
    expect(twice.map(({ errors }) => errors.length).sort()).toEqual([0, 1]);
    expect((await spool(serial)).adjustments.nodes).toHaveLength(1);
  });

  test('a failure in the middle writes nothing', async () => {
    const serial = unique('SP');
    const old = `spoolSerial,material,filamentDiameterMm,weightTotalGrams,place\n${serial},${material},1.75,1000,`;
    await write('SPOOLS', old);
    const csv = `${old}here\n${serial} new,${material},1.75,1000,`;
    const { confirm } = await preview('SPOOLS', csv);
    await gateway.sql(`alter table spools add constraint no_such_place check (place <> 'here')`);
    try {
      expect((await importing('SPOOLS', csv, confirm)).errors).toHaveLength(1);
    } finally {
      await gateway.sql('alter table spools drop constraint no_such_place');
    }
    expect((await spools(serial)).map(({ spoolSerial, place }) => [spoolSerial, place])).toEqual([[serial, null]]);
    expect(expectData(await importing('SPOOLS', csv, confirm)).importStock.written).toBe(true);
  });

  if (isTestedAlready(kind)) return;

  test('a column that is left out changes nothing, an empty cell clears the value, and remaining grams are a weighing', async () => {
    const serial = unique('SP');
    await write(
      'SPOOLS',
      `spoolSerial,material,filamentDiameterMm,weightTotalGrams,vendor,place,purchasePrice\n${serial},${material},1.75,1000,Maker,Shelf,20`,
    );
    const { number } = await spool(serial);
    const renamed = unique('renamed');
    const { rows } = await write('SPOOLS', `number,spoolSerial,place,weighedGrams\n${number},${renamed},,"400,25"`);
    expect(rows).toEqual([
      {
        line: 2,
        action: 'UPDATE',
        number,
        name: serial,
        reason: null,
        changes: [
          { column: 'spoolSerial', from: serial, to: renamed },
          { column: 'place', from: 'Shelf', to: null },
          { column: 'weighedGrams', from: '1000', to: '400.25' },
        ],
      },
    ]);
    expect(await spool(renamed)).toMatchObject({
      vendor: 'Maker',
      purchasePrice: '20',
      place: null,
      remainingGrams: '400.25',
      adjustments: { nodes: [{ kind: 'WEIGHED', netGrams: '400.25' }] },
    });
    expect(actions(await preview('SPOOLS', `spoolSerial,weighedGrams\n${renamed},400.250`))).toEqual(['SAME']);
  });

  test('a lot and a comment are imported, and a list without these columns keeps them; tags are only for reading', async () => {
    const serial = unique('SP');
    const head = 'spoolSerial,material,filamentDiameterMm,weightTotalGrams,lotNumber,comment,tags';
    await write('SPOOLS', `${head}\n${serial},${material},1.75,1000,0012,"dry, then use",AB12`);
    expect(await spool(serial)).toMatchObject({ lotNumber: '0012', comment: 'dry, then use', tags: [] });
    await write('SPOOLS', `spoolSerial,place\n${serial},Shelf`);
    expect(await spool(serial)).toMatchObject({ lotNumber: '0012', comment: 'dry, then use', place: 'Shelf' });
    // A spreadsheet leaves out the zeros.
    expect(actions(await preview('SPOOLS', `spoolSerial,lotNumber\n${serial},12`))).toEqual(['SAME']);
    await write('SPOOLS', `spoolSerial,lotNumber,comment\n${serial},,`);
    expect(await spool(serial)).toMatchObject({ lotNumber: null, comment: null });
    const tooLong = await preview('SPOOLS', `spoolSerial,lotNumber\n${serial},${'x'.repeat(65)}`);
    expect(actions(tooLong)).toEqual(['REFUSED']);
  });

  test('a spool that weighSpool would refuse is refused here too, and so is the whole file', async () => {
    const own = await makeFarm(gateway);
    await makeJob(gateway, own, { GramsDerived: 60, PrintName: 'Vase' }, 'Printing');
    const refusal = await gateway.graphql(
      'mutation ($id: ID!) { weighSpool(id: $id, input: { netGrams: "500" }) { id } }',
      { id: own.spoolId },
    );
    const weighed = (grams: number) => `spoolSerial,place,weighedGrams\n${own.spoolSerial},Box,${grams}\n`;
    expect(await preview('SPOOLS', weighed(500))).toMatchObject({
      refused: 1,
      confirm: null,
      rows: [{ action: 'REFUSED', reason: refusal.errors[0]?.message, changes: [] }],
    });
    await write('SPOOLS', weighed(0));
    expect(await spool(own.spoolSerial)).toMatchObject({ remainingGrams: '0', place: 'Box' });
  });

  test('a row that cannot be imported is refused with a message that names the cell', async () => {
    const [serial, other] = [unique('SP'), unique('SP')];
    const head = 'number;spoolSerial;material;filamentDiameterMm;weightTotalGrams;purchasePrice;colorHex;archived\n';
    const good = `;${serial};${material};1,75;1000;20,5;;`;
    await write('SPOOLS', `${head}${good}\n;${other};${material};1,75;1000;;;`);
    const { number } = await spool(other);
    const cases: [row: string, reason: string | RegExp][] = [
      [`;x;${material};1,75;1000;1.000,50;;`, 'purchasePrice "1.000,50" has a thousands separator: write 1000,50'],
      [`;x;${material};1,75;1000;1 000;;`, 'purchasePrice "1 000" has a thousands separator: write 1000'],
      [
        `;x;${material};1,75;1000;13.75;;`,
        'purchasePrice "13.75" has a decimal point, and line 2 has a decimal comma: use one of them in the whole file',
      ],
      [`;x;${material};1,75;1000;cheap;;`, 'purchasePrice "cheap" is not a number: write one such as 12.5'],
      [`;x;${material};1,75;-1;;;`, 'weightTotalGrams must not be negative'],
      [
        `;x;Unobtainium;1,75;1000;;;`,
        /^material "Unobtainium" is unknown: add it with its density under Settings → Materials. Known materials: .*PLA/,
      ],
      [
        `;x;;1,75;;;;`,
        'material is missing: enter it, or give the spool a filamentNumber; weightTotalGrams is missing: enter it, or give the spool a filamentNumber',
      ],
      [
        `;x;Unobtainium;;-1;20 EUR;red;maybe`,
        new RegExp(
          '^purchasePrice "20 EUR" is not a number: write 20.00; archived "maybe" is neither yes nor no: write one of them; ' +
            'filamentDiameterMm is missing: enter it, or give the spool a filamentNumber; material "Unobtainium" is unknown: .*; ' +
            'weightTotalGrams must not be negative; colorHex must be # and six',
        ),
      ],
      [`;x;${material};1,75;1000;20 USD;;`, 'purchasePrice "20 USD" is not a number: write the price in EUR'],
      [
        `${number};x;Unobtainium;1,75;-1;cheap;;`,
        /^purchasePrice "cheap" is .*; material "Unobtainium" is .*; weightTotalGrams must not be negative$/,
      ],
      [`;x;${material};1,75;1000;;red;`, /^colorHex must be # and six/],
      [`;${'x'.repeat(256)};${material};1,75;1000;;;`, 'spoolSerial must have at most 255 characters'],
      [`2000000;x;${material};1,75;1000;;;`, 'There is no spool #2000000: leave the number of a new spool empty'],
      [
        `two;x;${material};1,75;1000;cheap;;`,
        'number "two" is not a whole number: write one such as 12; purchasePrice "cheap" is not a number: write one such as 12.5',
      ],
      [`;;${material};1,75;1000;;;`, 'The row must have a number or a spoolSerial'],
      [`${number};;${material};1,75;1000;;;`, 'spoolSerial must not be empty'],
      [`${number};${serial};${material};1,75;1000;;;`, /^spoolSerial is taken by the spool #\d+$/],
      [
        `;x;${material};1,75;1000;;;;more`,
        'The line has 9 cells, but the first line names 8 columns: put quotation marks around a cell that contains the separator',
      ],
    ];
    for (const [row, reason] of cases)
      expect([row, await reasons('SPOOLS', head + row)]).toEqual([
        row,
        [typeof reason === 'string' ? reason : expect.stringMatching(reason)],
      ]);
    expect(await reasons('SPOOLS', `${head}${good}\n${good}`)).toEqual([
      null,
      expect.stringMatching(/^Line 2 is about #\d+ too: remove/),
    ]);
    expect(
      await reasons('SPOOLS', `${head}\n;"n${'\n'}x";${material};1,75;1000;;;\n;"n${'\n'}x";${material};1,75;1000;;;`),
    ).toEqual([
      null,
      expect.stringMatching(/^Line 3 has the same spoolSerial, which identifies a spool: number the serials/),
    ]);
    expect(await preview('SPOOLS', `${head}${good}\n${cases[0]?.[0]}`)).toMatchObject({
      same: 1,
      refused: 1,
      confirm: null,
    });
    expect(await reasons('FILAMENTS', `name;weightTotalGrams\n${unique('x')};1000`)).toEqual([
      'material is missing; filamentDiameterMm is missing',
    ]);
  });

  test('filaments are identified by vendor and name, also if a file has only the number and the vendor', async () => {
    const head = 'name,vendor,material,filamentDiameterMm,weightTotalGrams';
    const [maker, name] = [unique('Prusa'), unique('Black')];
    const list = [
      [`PLA ${name}`, maker],
      [name, `${maker} PLA`],
      [`${maker} PLA ${name}`, ''],
    ].map(([one, vendor]) => `${one},${vendor},${material},1.75,1000`);
    expect(actions(await write('FILAMENTS', [head, ...list].join('\n')))).toEqual(['CREATE', 'CREATE', 'CREATE']);
    const vendors = [unique('A'), unique('B')];
    await write('FILAMENTS', [head, ...vendors.map((one) => `${name},${one},${material},1.75,1000`)].join('\n'));
    const { nodes } = expectData(
      await gateway.graphql('query ($search: String) { filaments(search: $search) { nodes { number vendor } } }', {
        search: name,
      }),
    ).filaments;
    const [one, other] = vendors.map((vendor) => nodes.find((node: Parsed) => node.vendor === vendor).number);
    expect(await reasons('FILAMENTS', `number,vendor\n${one},${vendors[1]}`)).toEqual([
      `name is taken by the filament #${other} of this vendor`,
    ]);
  });

  test('columns without a name may follow the others, in any number', async () => {
    const blank = ','.repeat(500_000);
    const serials = Array.from({ length: 1000 }, () => unique('SP'));
    const csv = `spoolSerial,,material,filamentDiameterMm,weightTotalGrams${blank}\n${serials
      .map((serial) => `${serial},,${material},1.75,1000`)
      .join('\n')}`;
    expect(await preview('SPOOLS', csv)).toMatchObject({ creates: 1000, refused: 0 });
  });

  test('an unreadable file is refused as a whole', async () => {
    const cases: [csv: string, reason: string][] = [
      ['', 'csv must have the names of the columns in its first line'],
      [
        'spoolSerial,weight\nx,1',
        'weight is an unknown column; Rename the unknown columns or ignore them. The known columns are number, spoolSerial,',
      ],
      ['spoolSerial,place,Place\nx,1,2', 'csv has the column place twice'],
      ['place\nx', 'csv must have the column number or spoolSerial'],
      ['spoolSerial,purchasePrice (USD)\nx,1', 'csv has purchasePrice in USD, but the prices of this farm are in EUR'],
      ['spoolSerial\n\n"x', 'Line 3 has a cell that starts with a quotation mark and does not end with one'],
      ['spoolSerial\nx"y', 'Line 2 has a quotation mark inside a cell'],
      [`spoolSerial${'\nx'.repeat(5001)}`, 'csv must have at most 5000 rows'],
      ['spoolSerial\nx\0', 'csv must not contain NUL characters'],
    ];
    for (const [csv, reason] of cases) {
      const answer = await importing('SPOOLS', csv);
      expectCode(answer, 'BAD_USER_INPUT');
      expect(answer.errors[0]?.message).toContain(reason);
    }
  });

  const SIGNS = [..."\"',;\t\r\n=+-@ \u00a0'ß", '🧵', '\r\n', "'=", ';=', '\t@', '""', 'a', 'B', '0', '.', '＝'];
  const hostile = (most = 12) =>
    fc.array(fc.constantFrom(...SIGNS), { maxLength: most }).map((signs) => signs.join(''));
  const decimal = fc
    .tuple(fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }), fc.nat(28), fc.bigInt({ min: 0n, max: 10n ** 28n - 1n }))
    .map(([whole, places, digits]) =>
      places === 0 ? `${whole}` : `${whole}.${String(digits).padStart(28, '0').slice(0, places)}`,
    );
  const orNone = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { freq: 3 });
  const spoolInput = fc.record({
    spoolSerial: hostile(),
    vendor: orNone(hostile()),
    place: orNone(hostile()),
    lotNumber: orNone(hostile()),
    comment: orNone(hostile()),
    weightTotalGrams: decimal,
    tareGrams: orNone(decimal),
    purchasePrice: orNone(decimal),
  });
  const filamentInput = fc.record({
    name: hostile(),
    vendor: orNone(hostile()),
    articleNumber: orNone(hostile()),
    weightTotalGrams: decimal,
    tareGrams: orNone(decimal),
    purchasePrice: orNone(decimal),
    minimumGrams: orNone(decimal),
  });
  const forms = Object.keys(SEPARATORS).flatMap((separator) =>
    Object.keys(DECIMAL_MARKS).map((mark) => `separator=${separator}&decimalMark=${mark}&bom=${mark === 'comma'}`),
  );
  const KINDS = [
    {
      of: 'SPOOLS',
      file: 'spools',
      mutation: 'createSpool',
      input: 'CreateSpoolInput',
      name: 'spoolSerial',
      inputs: spoolInput,
    },
    {
      of: 'FILAMENTS',
      file: 'filaments',
      mutation: 'createFilament',
      input: 'CreateFilamentInput',
      name: 'name',
      inputs: filamentInput,
    },
  ] as const;

  for (const { of, file, mutation, input, name, inputs } of KINDS) {
    test(`an exported ${file}.csv can be imported unchanged, in every form`, async () => {
      for (const members of fc.sample(inputs as fc.Arbitrary<object>, { numRuns: 60, seed: 20261127 })) {
        const given = { ...members, materialId: farm.materialId, filamentDiameterMm: '1.75' };
        // The names are unique, because they start with a generated text.
        const named = { ...given, [name]: `${(members as Parsed)[name]}${unique('')}` };
        expectData(
          await gateway.graphql(`mutation ($input: ${input}!) { ${mutation}(input: $input) { id } }`, { input: named }),
        );
      }
      for (const form of forms) {
        const text = await exported(file, form);
        const shown = await preview(of, text);
        expect(shown.rows.length).toBeGreaterThanOrEqual(60);
        expect([form, shown.rows.filter((row: Parsed) => row.action !== 'SAME')]).toEqual([form, []]);
      }
    });
  }

  test('rows without a number are found by their names, and new texts are stored without the characters that protect them', async () => {
    const texts = fc.sample(hostile(), { numRuns: 40, seed: 7 }).map((text) => `${text}${unique('')}`);
    const csv = `spoolSerial,material,filamentDiameterMm,weightTotalGrams,vendor\n${texts
      .map((text) => `${cell(text)},${material},1.75,1000,${cell(text)}`)
      .join('\n')}`;
    await write('SPOOLS', csv);
    expect(new Set(actions(await preview('SPOOLS', csv)))).toEqual(new Set(['SAME']));
    const rows = (await exported('spools')).replaceAll(/\r\n?/g, '\n');
    expect(actions(await preview('SPOOLS', rows)).every((action: string) => action === 'SAME')).toBe(true);
    await write(
      'SPOOLS',
      `spoolSerial,material,filamentDiameterMm,weightTotalGrams\n'=protected,${material},1.75,1000`,
    );
    expect((await spool('=protected')).spoolSerial).toBe('=protected');
  });

  test('a changed file writes what its preview shows, for columns of every kind', async () => {
    const serials = [1, 2, 3, 4, 5].map(() => unique('SP'));
    const head =
      'spoolSerial,material,filamentDiameterMm,weightTotalGrams,colorHex,vendor,tareGrams,purchasePrice,place,lotNumber,comment,archived,weighedGrams';
    await write('SPOOLS', `${head}\n${serials.map((serial) => `${serial},${material},1.75,1000,,,,,,,,,`).join('\n')}`);
    const values = fc.record({
      weightTotalGrams: decimal,
      colorHex: fc.constantFrom('', '#a0b0c0'),
      vendor: hostile(),
      tareGrams: orNone(decimal),
      purchasePrice: orNone(decimal),
      place: hostile(),
      lotNumber: hostile(),
      comment: hostile(),
      archived: fc.boolean(),
      weighedGrams: orNone(decimal),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(values, { minLength: 5, maxLength: 5 }), async (all) => {
        const rows = all.map(
          ({ weightTotalGrams, colorHex, vendor, tareGrams, purchasePrice, archived, weighedGrams, ...texts }, at) =>
            [
              serials[at] ?? '',
              material,
              '1.75',
              weightTotalGrams,
              colorHex,
              vendor,
              tareGrams ?? '',
              purchasePrice ?? '',
              texts.place,
              texts.lotNumber,
              texts.comment,
              `${archived}`,
              weighedGrams ?? '',
            ]
              .map(cell)
              .join(','),
        );
        const csv = `${head}\n${rows.join('\n')}`;
        const shown = await preview('SPOOLS', csv);
        if (shown.confirm === null) {
          expect(shown.rows.filter(({ action }: Parsed) => action === 'REFUSED')).toEqual([]);
          return;
        }
        const written = await write('SPOOLS', csv);
        for (const { name, changes } of written.rows) {
          const now = await spool(name);
          for (const { column, to } of changes) {
            const stored = {
              ...now,
              archived: String(now.archivedAt !== null),
              weighedGrams: now.adjustments.nodes[0]?.netGrams,
            };
            if (column !== 'tareGrams') expect([column, stored[column]]).toEqual([column, to]);
          }
        }
        expect(new Set(actions(await preview('SPOOLS', csv)))).toEqual(new Set(['SAME']));
      }),
      { numRuns: 15, seed: 20261127 },
    );
  });
});
