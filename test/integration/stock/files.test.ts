// The CSV files of spools and filaments: their columns and values, including archived objects and later pages.
import { MAX_PAGE_ROWS } from '../../../src/values/page';
import { anyDatabase } from '../../support/databases';
import { type Farm, makeFarm, makeJob, unique } from '../../support/farm';
import { expectData, expectError, expectStatus, type Parsed, test, useGateway } from '../../support/gateway';

describe('files of the stock', () => {
  const gateway = useGateway(anyDatabase, { currency: 'EUR' });
  let farm: Farm;
  let filament: Parsed;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
    filament = (
      await ask('mutation ($input: CreateFilamentInput!) { createFilament(input: $input) { id number } }', {
        input: {
          name: '=PLA, "black"',
          vendor: 'Prusament',
          materialId: farm.materialId,
          colorHex: '#1e90ff',
          filamentDiameterMm: '1.75',
          weightTotalGrams: '1000',
          tareGrams: '201.50',
          purchasePrice: '29.90',
          articleNumber: 'PRM-1',
          minimumGrams: '2000',
        },
      })
    ).createFilament;
  });

  const ask = async (document: string, variables?: unknown): Promise<Parsed> =>
    expectData(await gateway.graphql(document, variables));
  const file = async (path: string) => {
    const answer = expectStatus(await gateway.rest('GET', path), 200);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    return answer.text;
  };
  const findRow = (text: string, part: string) => text.split('\r\n').find((line) => line.includes(part));

  test('a spool has its used grams, its location and its filament', async () => {
    const { id, number } = (
      await ask('mutation ($input: CreateSpoolInput!) { createSpool(input: $input) { id number } }', {
        input: {
          spoolSerial: unique('SP'),
          filamentId: filament.id,
          place: 'Dry box 2',
          lotNumber: 'LOT 7',
          comment: '=dry',
          remainingGrams: '600',
        },
      })
    ).createSpool;
    await ask('mutation ($printer: ID!, $spool: ID!) { loadSpool(printerId: $printer, spoolId: $spool) { id } }', {
      printer: farm.printerId,
      spool: id,
    });
    await makeJob(gateway, { ...farm, spoolId: id });
    const uids = ['A', 'B'].map((end) => `${number}${end}`);
    for (const uid of uids)
      await ask('mutation ($id: ID!, $uid: String!) { linkTag(spoolId: $id, uid: $uid) { id } }', { id, uid });
    const { spool } = await ask(
      'query ($id: ID!) { spool(id: $id) { spoolSerial remainingGrams usedGrams plannedGrams material { name } loadedIn { printer { name } slot } } }',
      { id },
    );
    const text = await file('/reports/spools.csv');
    expect(text.split('\r\n')[0]).toBe(
      'number,spoolSerial,filamentNumber,material,colorHex,vendor,filamentDiameterMm,weightTotalGrams,tareGrams,purchasePrice (EUR),' +
        'place,lotNumber,comment,archived,weighedGrams,filament,remainingGrams,usedGrams,plannedGrams,loadedIn,tags',
    );
    expect(spool.plannedGrams).not.toBe('0');
    const { material, loadedIn } = spool;
    expect(findRow(text, spool.spoolSerial)).toBe(
      `${number},${spool.spoolSerial},${filament.number},${material.name},#1E90FF,Prusament,1.75,1000,,29.90,Dry box 2,LOT 7,'=dry,no,,` +
        `"'=PLA, ""black""",600,${spool.usedGrams},${spool.plannedGrams},${loadedIn.printer.name} ${loadedIn.slot},"${uids}"`,
    );
    await ask('mutation ($id: ID!) { archiveSpool(id: $id) { id } }', { id });
    expect(findRow(await file('/reports/spools.csv'), spool.spoolSerial)).toContain("Dry box 2,LOT 7,'=dry,yes,");
  });

  test('a filament has its stock, in the form that a spreadsheet expects', async () => {
    const { stock } = (
      await ask('query ($id: ID!) { filament(id: $id) { stock { spools remainingGrams plannedGrams } } }', filament)
    ).filament;
    const text = await file('/reports/filaments.csv?separator=semicolon&decimalMark=comma&bom=true');
    expect(text.split('\r\n')[0]).toBe(
      '\ufeffnumber;name;vendor;material;colorHex;filamentDiameterMm;weightTotalGrams;tareGrams;purchasePrice (EUR);articleNumber;' +
        'minimumGrams;archived;spools;remainingGrams;plannedGrams;isLow',
    );
    expect(findRow(text, 'Prusament')).toMatch(
      new RegExp(
        `^${filament.number};"'=PLA, ""black""";Prusament;[^;]+;#1E90FF;1,75;1000;201,50;29,90;PRM-1;2000;no;${stock.spools};`,
      ),
    );
    expect(findRow(text, 'Prusament')).toMatch(/;true$/);
  });

  test('all pages are included, and unknown parameters are refused', async () => {
    await gateway.sql(
      `insert into spools (id, spool_serial, filament_diameter_mm, weight_total_grams, material_id, created_at, updated_at)
       select gen_random_uuid(), 'PAGED-' || n, 1.75, 1000, '${farm.materialId}', now(), now()
       from generate_series(1, ${MAX_PAGE_ROWS + 1}) n`,
    );
    const lines = (await file('/reports/spools.csv')).split('\r\n').filter((line) => line.includes('PAGED-'));
    expect(new Set(lines).size).toBe(MAX_PAGE_ROWS + 1);
    for (const name of ['spools', 'filaments'])
      expectError(
        await gateway.rest('GET', `/reports/${name}.csv?status=QUEUED`),
        400,
        'status is not a parameter of this report',
      );
  });
});
