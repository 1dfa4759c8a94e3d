// Lists that spreadsheets and other programs saved: an export can be imported unchanged, and ambiguous cells are refused.
import fs from 'node:fs';
import { join } from 'node:path';
import { decodeFile } from '../../../src/farm/stock/stock-import.text';
import { anyDatabase } from '../../support/databases';
import { makeFarm, makeJob, unique } from '../../support/farm';
import { expectData, type Parsed, test, useGateway } from '../../support/gateway';

const IMPORT = `mutation ($kind: StockKind!, $csv: String!, $confirm: String, $ignore: [String!], $add: Boolean, $first: Int, $offset: Int) {
  importStock(kind: $kind, csv: $csv, confirm: $confirm, ignoreColumns: $ignore, addMaterials: $add) {
    creates updates same refused confirm missingMaterials { name densityGPerCm3 }
    rows(first: $first, offset: $offset) { line action number name reason changes { column from to } }
  }
}`;

describe('lists from spreadsheets', () => {
  const gateway = useGateway(anyDatabase, { currency: 'EUR' });
  let material: string;
  beforeAll(async () => {
    material = unique('PLA');
    await gateway.sql(
      `insert into materials values (gen_random_uuid(), 'PLA', 1.24), (gen_random_uuid(), '${material}', 1.24)`,
    );
  });

  const importing = (kind: string, csv: string, options: object = {}) =>
    gateway.graphql(IMPORT, { kind, csv, ...options });
  const preview = async (csv: string, options: object = {}, kind = 'SPOOLS'): Promise<Parsed> =>
    expectData(await importing(kind, csv, options)).importStock;
  const write = async (csv: string, options: object = {}, kind = 'SPOOLS') => {
    const shown = await preview(csv, options, kind);
    expect(shown.rows.filter(({ reason }: Parsed) => reason !== null)).toEqual([]);
    return expectData(await importing(kind, csv, { ...options, confirm: shown.confirm })).importStock;
  };
  const listReasons = ({ rows }: Parsed) => rows.map(({ reason }: Parsed) => reason);
  const listChanges = ({ rows }: Parsed) =>
    rows.map(({ changes }: Parsed) => Object.fromEntries(changes.map(({ column, to }: Parsed) => [column, to])));
  const head = 'spoolSerial;material;filamentDiameterMm;weightTotalGrams';

  test('the export of spools, opened and saved by LibreOffice in three languages, changes nothing', async () => {
    const spools = [
      ['007', '#1E90FF', 'Prusament', '1.75', '1000', '201.50', '29.90', 'Dry box 2'],
      ['4006381333931', '#001122', 'Müller, Söhne', '2.85', '750.125', '0.333333333333', '19.000', null],
      ['1E5', null, 'TRUE', '1.750', '1000', null, '24.5', 'say "hi"'],
      ['=1+1', null, null, '1.75', '1.012', null, null, '1.50'],
      ['12345678901234567890', null, '0012.50', '1.75', '1000000', null, null, '007'],
    ];
    const numbers: number[] = [];
    /** The files have the numbers 101 to 105. */
    const withNumbers = (csv: string) => csv.replaceAll(/^10([1-5])/gm, (_, at) => String(numbers[Number(at) - 1]));
    for (const [at, values] of spools.entries()) {
      const [spoolSerial, colorHex, vendor, filamentDiameterMm, weightTotalGrams, tareGrams, purchasePrice, place] =
        values;
      const rows = await gateway.sql("select id from materials where name = 'PLA'");
      const input = {
        spoolSerial,
        colorHex,
        vendor,
        filamentDiameterMm,
        weightTotalGrams,
        tareGrams,
        purchasePrice,
        place,
      };
      const { createSpool } = expectData(
        await gateway.graphql('mutation ($input: CreateSpoolInput!) { createSpool(input: $input) { id number } }', {
          input: { ...input, materialId: rows[0].id },
        }),
      );
      if (at === 1)
        expectData(
          await gateway.graphql('mutation ($id: ID!) { archiveSpool(id: $id) { id } }', { id: createSpool.id }),
        );
      numbers.push(createSpool.number);
    }
    for (const name of ['libreoffice-german', 'libreoffice-polish', 'libreoffice-english-utf-16']) {
      const csv = withNumbers(decodeFile(fs.readFileSync(join(__dirname, 'spreadsheets', `${name}.csv`))) as string);
      expect([name, await preview(csv)]).toEqual([name, expect.objectContaining({ same: 5, updates: 0, refused: 0 })]);
    }
    // Excel leaves out empty cells at the end, translates true, and shortens long numbers.
    const excel = [
      'sep=;',
      'number;spoolSerial;material;weightTotalGrams;purchasePrice;archived;weighedGrams;place',
      '101;7;PLA;1000;29,9;FAŁSZ;;Dry box 2',
      '102;4,00638E+12;PLA;750,125;19;PRAWDA',
      '105;1,23457E+19;PLA;1000000;;;;7',
    ].join('\r\n');
    expect(await preview(withNumbers(excel))).toMatchObject({ same: 3 });
    expect(listReasons(await preview(withNumbers('number;spoolSerial\n101;4,00638E+12')))).toEqual([
      'spoolSerial "4,00638E+12" is a number that a spreadsheet shortened: format the column as text there, and enter all digits',
    ]);
    expect(listReasons(await preview(withNumbers('number;weightTotalGrams\n104;1012\n102;750125')))).toEqual([
      expect.stringMatching(/^weightTotalGrams 1012 is what a spreadsheet makes of the stored 1.012/),
      expect.stringMatching(/^weightTotalGrams 750125 is what/),
    ]);
  });

  test('a stored number that is 1,000 times larger in the file is refused, also 0.125 and 1234.567', async () => {
    const list = (...amounts: string[]) =>
      `spoolSerial;material;filamentDiameterMm;weightTotalGrams;tareGrams;purchasePrice\n${serial};${material};2;${amounts.join(';')}`;
    const serial = unique('T');
    await write(list('12.5', '0.125', '1234.567'));
    expect(listReasons(await preview(list('12.5', '125', '1234567')))).toEqual([
      expect.stringMatching(
        /^tareGrams 125 is what .* the stored 0.125 .*; purchasePrice 1234567 is what .* the stored 1234.567/,
      ),
    ]);
    expect(await preview(list('12.5', '0.1250', '1234.5670'))).toMatchObject({ same: 1 });
    expect(listChanges(await preview(list('12500', '250', '1234')))).toEqual([
      { weightTotalGrams: '12500', tareGrams: '250', purchasePrice: '1234' },
    ]);
  });

  test('a serial that lost its leading zeros finds the spool, unless two spools match', async () => {
    const list = (serial: string) => `${head};place\n${serial};${material};1.75;1000;Shelf`;
    await write(list('00812'));
    expect(await preview(list('812'))).toMatchObject({ same: 1 });
    await write(list('00812').replace('Shelf', 'Box'));
    expect(listChanges(await preview(list('812')))).toEqual([{ place: 'Shelf' }]);
    await gateway.sql(
      `insert into spools (id, spool_serial, filament_diameter_mm, weight_total_grams, material_id, created_at, updated_at)
       select gen_random_uuid(), '0812', 1.75, 1000, id, now(), now() from materials where name = 'PLA'`,
    );
    expect(listReasons(await preview(list('812')))).toEqual([
      expect.stringMatching(/^spoolSerial "812" can be the spool (00812 or 0812|0812 or 00812): add the column number/),
    ]);
    expect(await preview(list('0812').replace(material, 'PLA'))).toMatchObject({ updates: 1 });
  });

  test('a text that a spreadsheet turned into a date changes nothing, and its serial finds the spool', async () => {
    const list = (serial: string, place: string) => `${head};place\n${serial};${material};1.75;1000;${place}`;
    await write(list('3-12', '12:30'));
    const rows = await gateway.sql(`select number from spools where spool_serial = '3-12'`);
    for (const [serial, place] of [
      ['03.12.2026', '12:30:00'],
      ['12-Mar', '12:30'],
      ['2026-12-03', '12:30:00 PM'],
    ] as const) {
      expect(await preview(list(serial, place))).toMatchObject({ same: 1, creates: 0 });
      expect(await preview(`number;spoolSerial;place\n${rows[0].number};${serial};${place}`)).toMatchObject({
        same: 1,
      });
    }
    expect(listChanges(await preview(list('03.12.2026', '12:31:00')))).toEqual([{ place: '12:31:00' }]);
    expect(listChanges(await preview(`number;spoolSerial\n${rows[0].number};12-3`))).toEqual([{ spoolSerial: '12-3' }]);
    // Another spool that the same date can mean.
    await write(list('12/3', ''));
    expect(listReasons(await preview(list('03.12.2026', '12:30')))).toEqual([
      expect.stringMatching(/^spoolSerial "03.12.2026" can be the spool 3-12 or 12\/3: add the column number/),
    ]);
  });

  test('a number that can be read in two ways is refused with both readings, unless one is the stored value', async () => {
    const [one, other] = [unique('A'), unique('B')];
    const list = (...weights: string[]) =>
      `spoolSerial;material;filamentDiameterMm;weightTotalGrams;tareGrams\n${weights.map((weight, at) => `${[one, other][at]};${material};2;${weight}`).join('\n')}`;
    for (const mark of [',', '.'])
      expect(listReasons(await preview(list(`1${mark}012;12${mark}500`, '1000;')))).toEqual([
        `weightTotalGrams 1${mark}012 can be 1.012 or 1012: write 1012 or 1${mark}0120; ` +
          `tareGrams 12${mark}500 can be 12.500 or 12500: write 12500 or 12${mark}5000`,
        null,
      ]);
    // Another number shows the mark.
    expect(listReasons(await preview(list('1,012;', '0,500;')))).toEqual([null, null]);
    expect(listReasons(await preview(list('1,012;', '1000;0.5')))).toEqual([
      'weightTotalGrams "1,012" has a thousands separator: write 1012',
      null,
    ]);
    await write(list('1,012;', '1000;0,5'));
    expect(await preview(list('1,012;', '1,000;'))).toMatchObject({ refused: 0, same: 1 });
    expect(listReasons(await preview(list('1,012;', '1,001;')))).toEqual([
      null,
      expect.stringMatching(/can be 1.001 or 1001/),
    ]);
  });

  test('cells of other programs are read: units, ="0012", 54.0, colours without #, 0 for unknown, and 15 more digits', async () => {
    const serial = unique('S');
    const columns = `${head};tareGrams;purchasePrice;colorHex;number`;
    expect(
      listReasons(
        await preview(
          [
            columns,
            `${serial};${material};1.75 mm;1 kg;250 g;24,99 €;;`,
            `${serial} 2;${material};2;1000 g;;€ 20;;4.7`,
          ].join('\n'),
        ),
      ),
    ).toEqual([
      'filamentDiameterMm "1.75 mm" is not a number: write 1.75, because the column is in millimetres; ' +
        'weightTotalGrams "1 kg" is not a number: write the grams alone; ' +
        'tareGrams "250 g" is not a number: write 250, because the column is in grams; ' +
        'purchasePrice "24,99 €" is not a number: write 24,99',
      'number "4.7" is not a whole number: write one such as 12; ' +
        'weightTotalGrams "1000 g" is not a number: write 1000, because the column is in grams; ' +
        'purchasePrice "€ 20" is not a number: write 20.00',
    ]);
    const csv = `${head.replace('Grams', 'Grams (g)')};tareGrams;purchasePrice (EUR);colorHex;place\n="0012";${material};1.75;179.21000000000004;0;0;1e90ff;\u00a0Shelf \n`;
    expect(listChanges(await write(csv))).toEqual([
      {
        spoolSerial: '0012',
        material,
        colorHex: '#1E90FF',
        filamentDiameterMm: '1.75',
        weightTotalGrams: '179.21',
        place: 'Shelf',
      },
    ]);
    expect(await preview(csv)).toMatchObject({ same: 1 });
    const rows = await gateway.sql(`update spools set tare_grams = 200 where spool_serial = '0012' returning number`);
    expect(await preview(csv)).toMatchObject({ same: 1 });
    expect(await preview(`number;place\n${rows[0].number}.0;Shelf`)).toMatchObject({ same: 1 });
    expect(await preview(`spoolSerial\n0012 \n`)).toMatchObject({ same: 1 });
  });

  test('a list that was imported with weights changes nothing after a print has used the spool', async () => {
    const serial = unique('W');
    const csv = (grams: string) => `${head};weighedGrams\n${serial};${material};1.75;1000;${grams}`;
    await write(csv('612.5'));
    const rows = await gateway.sql(`select id from spools where spool_serial = '${serial}'`);
    const farm = await makeFarm(gateway);
    await makeJob(gateway, { ...farm, spoolId: rows[0].id }, { GramsDerived: 100 }, 'Completed');
    expect(await preview(csv('612.5'))).toMatchObject({ same: 1 });
    expect(listChanges(await write(csv('500')))).toEqual([{ weighedGrams: '500' }]);
    expect(await preview(csv('500'))).toMatchObject({ same: 1 });
    // The opening row is no longer the latest weighing.
    expect(listChanges(await preview(csv('612.5')))).toEqual([{ weighedGrams: '612.5' }]);
  });

  test('all unknown columns are reported together, and ignored if the request names them', async () => {
    const csv = `id;${head};Note;extra\n1;${unique('U')};${material};1.75;1000;x;y`;
    const { errors } = await importing('SPOOLS', csv);
    expect(errors[0]?.extensions?.['code']).toBe('BAD_USER_INPUT');
    const issues = errors[0]?.extensions?.['issues'] as { path: string[] }[];
    const unknown = issues.flatMap(({ path }) => (path.length === 2 ? [path[1]] : []));
    expect(unknown).toEqual(['id', 'Note', 'extra']);
    expect(await preview(csv, { ignore: ['ID', 'Note', 'extra'] })).toMatchObject({ creates: 1, refused: 0 });
  });

  test('missing materials are offered with their usual densities, and added if the request asks for it', async () => {
    const list = (...materials: string[]) =>
      `name;vendor;material;filamentDiameterMm;weightTotalGrams\n${materials.map((name, at) => `M${at};Maker;${name};1.75;1000`).join('\n')}`;
    const csv = list('PCTG', 'pctg', 'TPU 95A', 'pla', 'PETG-CF');
    const shown = await preview(csv, {}, 'FILAMENTS');
    expect(shown.missingMaterials).toEqual([
      { name: 'PCTG', densityGPerCm3: '1.23' },
      { name: 'TPU 95A', densityGPerCm3: '1.21' },
      { name: 'PETG-CF', densityGPerCm3: '1.30' },
    ]);
    expect(shown.refused).toBe(4);
    const { confirm } = await preview(csv, { add: true }, 'FILAMENTS');
    expect((await importing('FILAMENTS', csv, { confirm })).errors[0]?.extensions?.['code']).toBe('CONFLICT');
    await write(csv, { add: true }, 'FILAMENTS');
    const rows = await gateway.sql(
      `select m.name, m.density_g_per_cm3::text as density, count(f.id)::int as filaments from materials m
       join filaments f on f.material_id = m.id where f.vendor = 'Maker' group by m.id order by m.name`,
    );
    expect(rows).toEqual([
      { name: 'PCTG', density: '1.23', filaments: 2 },
      { name: 'PETG-CF', density: '1.30', filaments: 1 },
      { name: 'PLA', density: '1.24', filaments: 1 },
      { name: 'TPU 95A', density: '1.21', filaments: 1 },
    ]);
    const other = await preview(list('Wood blend'), { add: true }, 'FILAMENTS');
    expect(other.missingMaterials).toEqual([{ name: 'Wood blend', densityGPerCm3: null }]);
    expect(listReasons(other)).toEqual([
      expect.stringMatching(/^material "Wood blend" is unknown: add it with its density/),
    ]);
    expect(listReasons(await preview(list('PLA', 'PLA').replace('M1', 'M0'), {}, 'FILAMENTS'))).toEqual([
      null,
      expect.stringMatching(/^Line 2 is about #\d+ too/),
    ]);
    expect(listReasons(await preview(list('PLA', 'PLA').replaceAll(/M\d/g, 'new'), {}, 'FILAMENTS'))).toEqual([
      null,
      expect.stringMatching(/^Line 2 has the same vendor and name, which identify a filament: add the colour/),
    ]);
  });

  test('a page of rows lists refused and changed rows first', async () => {
    const serials = [1, 2, 3, 4].map((at) => unique(`P${at}`));
    const list = (places: string[]) =>
      `${head};place\n${places.map((place, at) => `${serials[at]};${material};1.75;1000;${place}`).join('\n')}`;
    await write(list(['', 'a']));
    const csv = list(['', 'b', 'new', 'x'.repeat(101)]);
    expect((await preview(csv)).rows.map(({ line }: Parsed) => line)).toEqual([2, 3, 4, 5]);
    const page = async (first: number, offset?: number) =>
      (await preview(csv, { first, offset })).rows.map(({ action }: Parsed) => action);
    expect(await page(3)).toEqual(['REFUSED', 'UPDATE', 'CREATE']);
    expect(await page(3, 3)).toEqual(['SAME']);
    expect(await page(0, -1)).toEqual(['REFUSED']);
  });

  test('thousands of lines without text, and lines with another number of cells, are refused before they are read', async () => {
    const { errors } = await importing('SPOOLS', `${head}\n${',\n'.repeat(200_000)}x;y`);
    expect(errors[0]?.message).toMatch(/^csv must have at most 5000 rows, rows without text included/);
    expect(await preview(`${head}\n${unique('x')};${material};1.75;1000\n${';;;\n'.repeat(200_000)}`)).toMatchObject({
      creates: 1,
    });
  });
});
