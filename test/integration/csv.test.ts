// The files for spreadsheets: the same figures as the graph's, every job once, rights, refusals and broken connections.
import { randomUUID } from 'node:crypto';
import { MAX_PRINT_NAME_LENGTH } from '../../src/print-jobs/print-job.limits';
import { MAX_PAGE_ROWS } from '../../src/values/page';
import { describeOnDatabases } from '../support/databases';
import { type Farm, makeFarm, makeJob } from '../support/farm';
import { expectData, expectStatus, test, useGateway } from '../support/gateway';
import { statementsOf } from '../support/statements';

const linesOf = (text: string) => {
  expect(text.endsWith('\r\n')).toBe(true);
  return text.slice(0, -2).split('\r\n');
};

describeOnDatabases('files for spreadsheets', (kind) => {
  const gateway = useGateway(kind);
  let farm: Farm;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
  });
  beforeEach(async () => {
    await gateway.sql('truncate print_jobs cascade');
  });
  const file = async (path: string) => {
    const answer = expectStatus(await gateway.rest('GET', path), 200);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    return { lines: linesOf(answer.text), disposition: answer.headers['content-disposition'] };
  };

  test('the report has the figures of the graph, and names beside ids', async () => {
    await makeJob(gateway, farm, { GramsDerived: 4.25, CostPerPrint: 0.0003 }, 'Completed');
    await makeJob(gateway, farm, { GramsDerived: 3 }, 'Failed');
    const [row] = expectData(await gateway.graphql('{ filamentUsage(groupBy: [DAY]) { from } }')).filamentUsage;
    const { lines, disposition } = await file(
      '/reports/filament-usage.csv?groupBy=day,printer&groupby=SPOOL&groupBy=material',
    );
    expect(disposition).toMatch(/^attachment; filename="filament-usage-\d{4}-\d\d-\d\d\.csv"$/);
    const { material } = expectData(await gateway.graphql(`{ material(id: "${farm.materialId}") { name } }`));
    expect(lines).toEqual([
      'from,printerId,printer,spoolId,spool,materialId,material,completedJobs,completedGrams,completedCost,wastedJobs,wastedGrams,wastedCost',
      `${row.from},${farm.printerId},${farm.printerName},${farm.spoolId},${farm.spoolSerial},${farm.materialId},${material.name},1,4.25,0.0003,1,3,0.75`,
    ]);
    expect((await file('/reports/filament-usage.csv?status=Failed')).lines[1]).toBe(',,,,,,,0,0,0,1,3,0.75');
  });

  test('the jobs are all there, newest first, over several pages', async () => {
    const jobs = 2 * MAX_PAGE_ROWS + 1;
    await gateway.sql(`insert into print_jobs (id, printer_id, spool_id, print_name, gcode_file_path, mm_extruded,
      grams_derived, cost_per_print, status, data_source, filament_diameter_at_print_mm, material_density_at_print,
      created_at) select gen_random_uuid(), '${farm.printerId}', '${farm.spoolId}', 'part ' || n, '', 0, 1, 1, 'Queued',
      'Manual', 0, 0, '2026-01-01Z'::timestamptz - n * interval '1 minute' from generate_series(1, ${jobs}) n`);
    const { lines, disposition } = await file('/reports/print-jobs.csv');
    expect(disposition).toMatch(/^attachment; filename="print-jobs-\d{4}-\d\d-\d\d\.csv"$/);
    expect(lines[0]).toBe(
      'id,printName,status,printerId,printer,spoolId,spool,material,mmExtruded,gramsDerived,costPerPrint,filamentDiameterAtPrintMm,materialDensityAtPrint,dataSource,gcodeFilePath,notes,createdAt,startedAt,completedAt,updatedAt',
    );
    expect(lines.slice(1).map((line) => line.split(',')[1])).toEqual(
      Array.from({ length: jobs }, (_, n) => `part ${n + 1}`),
    );
    const oldest = await file('/reports/print-jobs.csv?orderBy=created_at_asc');
    expect(oldest.lines.slice(1)).toEqual(lines.slice(1).reverse());
    const some = await file('/reports/print-jobs.csv?search=part+7&status=queued,failed&dataSource=manual');
    expect(some.lines.slice(1).every((line) => line.split(',')[1]?.startsWith('part 7'))).toBe(true);
    expect((await file(`/reports/print-jobs.csv?printerId=${randomUUID()}`)).lines).toHaveLength(1);
  });

  test('HEAD has the headers and reads no jobs behind the first page', async () => {
    const { status, text, headers } = await gateway.rest('HEAD', '/reports/print-jobs.csv');
    expect([status, text, headers['content-type']]).toEqual([200, '', 'text/csv; charset=utf-8']);
    const jobs = 2 * MAX_PAGE_ROWS + 1;
    await gateway.sql(`insert into print_jobs (id, printer_id, spool_id, print_name, gcode_file_path, mm_extruded,
      grams_derived, cost_per_print, status, data_source, filament_diameter_at_print_mm, material_density_at_print)
      select gen_random_uuid(), '${farm.printerId}', '${farm.spoolId}', '', '', 0, 0, 0, 'Queued', 'Manual', 0, 0
      from generate_series(1, ${jobs})`);
    if (kind === 'server') {
      const sent = await statementsOf(() => gateway.rest('HEAD', '/reports/print-jobs.csv'));
      expect(sent.filter((text) => text.includes('printJobs.page'))).toHaveLength(1);
    }
  });

  test('texts that a spreadsheet would compute are made harmless', async () => {
    await makeJob(gateway, farm, { PrintName: '=1+1', Notes: '@SUM(A1), "two"\nlines' });
    const { text } = await gateway.rest('GET', '/reports/print-jobs.csv');
    expect(text).toContain(`,'=1+1,`.slice(1));
    expect(text).toContain(`"'@SUM(A1), ""two""\nlines"`);
  });

  test('a file takes the form that a spreadsheet expects', async () => {
    await makeJob(gateway, farm, { PrintName: 'Bügel; =1', GramsDerived: 4.25 }, 'Completed');
    for (const form of ['bom=TRUE&separator=semicolon&decimalMark=comma', 'bom=true&separator=%3B&decimalMark=,']) {
      const jobs = await gateway.rest('GET', `/reports/print-jobs.csv?${form}`);
      expect(jobs.text).toMatch(/^\ufeffid;printName;status;/);
      expect(jobs.text).toMatch(/;"Bügel; =1";Completed;.*;4,25;/);
      const usage = await gateway.rest('GET', `/reports/filament-usage.csv?${form}`);
      expect(usage.text).toMatch(/^\ufefffrom;.*\r\n;;;;;;;1;4,25;/);
    }
    const tabbed = await gateway.rest('GET', '/reports/print-jobs.csv?separator=tab&bom=false');
    expect(tabbed.text).toMatch(/^id\tprintName\t/);
    expect(tabbed.text).toContain(`\t"Bügel;' =1"\t`);
  });

  const refusals: [query: string, member: RegExp][] = [
    ['filament-usage.csv?from=yesterday', /from/],
    ['filament-usage.csv?to=x', /to/],
    ['filament-usage.csv?groupBy=YEAR', /groupBy.*DAY/],
    ['filament-usage.csv?groupBy=DAY,WEEK', /groupBy.*at most one/],
    ['filament-usage.csv?timeZone=Mars', /timeZone.*IANA/],
    ['filament-usage.csv?from=2026-01-01T00:00:00Z&from=2026-01-01T00:00:00Z', /from/],
    ['filament-usage.csv?printerId=x', /printerId/],
    ['print-jobs.csv?spoolId=x', /spoolId/],
    ['print-jobs.csv?status=done', /status/],
    ['print-jobs.csv?dataSource=fax', /dataSource/],
    ['print-jobs.csv?createdFrom=x', /createdFrom/],
    ['filament-usage.csv?form=2026-01-01T00:00:00Z', /^form is no parameter of this report, which has .*from, to/],
    ['print-jobs.csv?printer=x&spool=y', /^printer is no parameter .*; spool is no parameter .*printerId/],
    ['print-jobs.csv?bom=1', /^bom must be one of true, false$/],
    ['print-jobs.csv?separator=pipe', /^separator must be one of comma, semicolon, tab$/],
    ['filament-usage.csv?decimalMark=;', /^decimalMark must be one of point, comma$/],
    ['print-jobs.csv?orderBy=name', /orderBy.*CREATED_AT_DESC/],
    ['print-jobs.csv?orderBy=COMPLETED_AT_DESC', /orderBy must be one of CREATED_AT_DESC, CREATED_AT_ASC$/],
    [`print-jobs.csv?search=${'x'.repeat(MAX_PRINT_NAME_LENGTH + 1)}`, /^search/],
  ];
  for (const [query, says] of refusals) {
    test(`${query.slice(0, 70)} is 400 and names the parameter`, async () => {
      const { body, headers } = expectStatus(await gateway.rest('GET', `/reports/${query}`), 400);
      expect(Object.keys(body)).toEqual(['error']);
      expect(body.error).toMatch(says);
      expect(headers).not.toHaveProperty('content-disposition');
    });
  }

  test('another method is 405', async () => {
    expect(expectStatus(await gateway.rest('POST', '/reports/print-jobs.csv'), 405).headers['allow']).toContain('GET');
  });
});

describe('a farm that names its currency', () => {
  const gateway = useGateway('embedded', { currency: 'EUR' });

  test('has it in the graph and in the headings of amounts', async () => {
    expect(expectData(await gateway.graphql('{ currency }'))).toEqual({ currency: 'EUR' });
    const heading = async (name: string) => linesOf((await gateway.rest('GET', `/reports/${name}.csv`)).text)[0];
    expect(await heading('print-jobs')).toMatch(/,gramsDerived,costPerPrint \(EUR\),filamentDiameterAtPrintMm,/);
    expect(await heading('filament-usage')).toMatch(
      /,completedCost \(EUR\),wastedJobs,wastedGrams,wastedCost \(EUR\)$/,
    );
  });
});
