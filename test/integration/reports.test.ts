// Reports and the sums of spools, in GraphQL and as files for spreadsheets: the same figures, limits and refusals.
import { randomUUID } from 'node:crypto';
import { MAX_PRINT_NAME_LENGTH } from '../../src/farm/print-jobs/print-job.limits';
import { MAX_USAGE_ROWS } from '../../src/farm/reports/usage.store';
import { MAX_PAGE_ROWS } from '../../src/values/page';
import { describeOnce, describeOnDatabases, isTestedAlready } from '../support/databases';
import { type Farm, makeFarm, makeJob } from '../support/farm';
import { expectData, expectStatus, type Gateway, type Parsed, test, useGateway } from '../support/gateway';

interface Stored {
  status?: string;
  started?: string | null;
  end?: string | null;
  updated?: string;
  grams?: string;
  cost?: string;
}

/** Cases that use Jest's own `test`. */
const { each } = globalThis.test;

const UPDATED = '2017-10-15T04:30:00.000Z';

async function store(gateway: Gateway, farm: Farm, jobs: Stored[]): Promise<void> {
  const text = (value: string | null) => (value === null ? 'null' : `'${value}'`);
  const rows = jobs.map(
    ({ status = 'Completed', started = null, end = null, updated = UPDATED, grams = '1.5', cost = '0.0003' }) =>
      `('${randomUUID()}', '${farm.printerId}', '${farm.spoolId}', 'part', '', 0, ${grams}, ${cost}, ${text(started)},
        ${text(end)}, '${status}', 'Manual', 0, 0, '2017-01-01T00:00:00Z', '${updated}')`,
  );
  await gateway.sql(`insert into print_jobs (id, printer_id, spool_id, print_name, gcode_file_path, mm_extruded,
    grams_derived, cost_per_print, started_at, completed_at, status, data_source, filament_diameter_at_print_mm,
    material_density_at_print, created_at, updated_at) values ${rows.join()}`);
}

/** Creates that many jobs, with SQL for the values that differ by their number n, from 1. */
const manyJobs = (farm: Farm, count: number, status = `'Queued'`, ended = 'null', name = `''`) =>
  `insert into print_jobs (id, printer_id, spool_id, print_name, gcode_file_path, mm_extruded, grams_derived, cost_per_print,
     status, data_source, filament_diameter_at_print_mm, material_density_at_print, completed_at, created_at)
   select gen_random_uuid(), '${farm.printerId}', '${farm.spoolId}', ${name}, '', 0, 1, 1, ${status}, 'Manual', 0, 0, ${ended},
     '2026-01-01Z'::timestamptz - n * interval '1 minute' from generate_series(1, ${count}) n`;

const splitLines = (text: string) => {
  expect(text.endsWith('\r\n')).toBe(true);
  return text.slice(0, -2).split('\r\n');
};

const ROW =
  'from printer { id } spool { id } material { id } completedJobs completedGrams completedCost wastedJobs wastedGrams wastedCost';

const ask = (gateway: Gateway, args: string, members = ROW) =>
  gateway.graphql(`{ filamentUsage${args && `(${args})`} { ${members} } }`);

const report = async (gateway: Gateway, args: string, members?: string): Promise<Parsed[]> =>
  expectData(await ask(gateway, args, members)).filamentUsage;

describeOnce('the report of filament', (kind) => {
  const gateway = useGateway(kind);
  let farms: [Farm, Farm];
  beforeAll(async () => {
    farms = [await makeFarm(gateway), await makeFarm(gateway, { density: '1.04' })];
    await gateway.sql(`update printers set name = 'A' where id = '${farms[1].printerId}'`);
    await gateway.sql(`update printers set name = 'B' where id = '${farms[0].printerId}'`);
  });
  beforeEach(async () => {
    await gateway.sql('truncate print_jobs cascade');
  });

  const nothing = {
    from: null,
    printer: null,
    spool: null,
    material: null,
    completedJobs: 0,
    completedGrams: '0',
    completedCost: '0',
    wastedJobs: 0,
    wastedGrams: '0',
    wastedCost: '0',
  };

  test('has one row of zeros if no job ended, and no row if it is grouped', async () => {
    await store(gateway, farms[0], [{ status: 'Queued' }, { status: 'Printing', started: UPDATED }]);
    expect(await report(gateway, '')).toEqual([nothing]);
    expect(await report(gateway, 'groupBy: [DAY, PRINTER]')).toEqual([]);
    expect(await report(gateway, 'filter: { search: "part" }')).toEqual([nothing]);
  });

  test('sums exactly, and separates completed from wasted', async () => {
    await store(gateway, farms[0], [
      { grams: '0.1', cost: '0.0001' },
      { grams: '0.2', cost: '99999999999999.0002' },
      { status: 'Failed', grams: '3.25' },
      { status: 'Cancelled', started: UPDATED, grams: '4' },
      { status: 'Cancelled', grams: '100' },
    ]);
    const sums = {
      ...nothing,
      completedJobs: 2,
      completedGrams: '0.3',
      completedCost: '99999999999999.0003',
      wastedJobs: 2,
      wastedGrams: '7.25',
      wastedCost: '0.0006',
    };
    expect(await report(gateway, '')).toEqual([sums]);
    // A report with a filter reads the jobs, and has the same result.
    expect(await report(gateway, 'filter: { search: "part" }')).toEqual([sums]);
  });

  test('counts a job at its completedAt, or at its updatedAt without one, from the first instant to before the last', async () => {
    await store(gateway, farms[0], [
      { end: '2017-10-15T04:59:59.999Z' },
      { end: '2017-10-15T05:00:00.000Z' },
      { end: '2017-10-15T06:07:59.999Z' },
      { end: '2017-10-15T06:08:00.000Z' },
      { status: 'Failed', updated: '2017-10-15T05:30:00.000Z' },
      { status: 'Failed', updated: '2017-10-15T06:30:00.000Z' },
    ]);
    const stretch = 'from: "2017-10-15T05:00:00Z", to: "2017-10-15T06:08:00Z"';
    for (const more of ['', ', filter: { search: "part" }', ', groupBy: [SPOOL]'])
      expect(await report(gateway, stretch + more, 'completedJobs wastedJobs')).toEqual([
        { completedJobs: 2, wastedJobs: 1 },
      ]);
  });

  each([
    // A day of 23 hours whose first hour does not exist, and a day of 25 hours whose last hour comes twice.
    ['America/Sao_Paulo DAY', '2017-10-15T03:00Z 2017-10-16T01:59Z', '2017-10-15T03:00Z'],
    ['America/Sao_Paulo DAY', '2018-02-17T02:00Z 2018-02-18T02:59Z', '2018-02-17T02:00Z'],
    // The clock is set back at midnight, so the hour before it comes twice.
    ['Asia/Beirut DAY', '2019-10-25T21:00Z 2019-10-26T21:59Z 2019-10-26T22:00Z', '2019-10-25T21:00Z 2019-10-26T22:00Z'],
    // From one minute past midnight: that minute belongs to the new day, and the hour after it does not.
    ['America/St_Johns DAY', '2009-11-01T02:29:59Z 2009-11-01T02:30:30Z', '2009-10-31T02:30Z 2009-11-01T02:30Z'],
    ['America/St_Johns DAY', '2009-11-01T02:31Z 2009-11-01T03:30Z', '2009-10-31T02:30Z 2009-11-01T02:30Z'],
    // Back to midnight: the first hour comes twice.
    ['America/Havana DAY', '2026-11-01T04:00Z 2026-11-01T05:30Z', '2026-11-01T04:00Z'],
    // Quarters of an hour.
    ['Asia/Kathmandu DAY', '2026-01-01T18:14Z 2026-01-01T18:15Z', '2025-12-31T18:15Z 2026-01-01T18:15Z'],
    // 30 December 2011 did not exist there.
    ['Pacific/Apia DAY', '2011-12-30T09:59:59.999Z 2011-12-30T10:00Z', '2011-12-29T10:00Z 2011-12-30T10:00Z'],
    // Not a multiple of a quarter of an hour: the report reads the jobs themselves.
    [
      'Africa/Monrovia DAY',
      '1971-06-01T00:44:29.999Z 1971-06-01T00:44:30Z',
      '1971-05-31T00:44:30Z 1971-06-01T00:44:30Z',
    ],
    ['UTC WEEK', '2026-11-22T23:59:59.999Z 2026-11-23T00:00Z', '2026-11-16T00:00Z 2026-11-23T00:00Z'],
    ['Europe/Berlin MONTH', '2026-03-31T21:59:59.999Z 2026-03-31T22:00Z', '2026-02-28T23:00Z 2026-03-31T22:00Z'],
  ])('by %s what ended at %s is of the times that begin at %s', async (by, ends, begins) => {
    const [zone, unit] = by.split(' ');
    await store(
      gateway,
      farms[0],
      ends.split(' ').map((end) => ({ end })),
    );
    const expected = begins.split(' ').map((begin) => ({ from: new Date(begin).toISOString() }));
    for (const groups of [unit, `${unit}, MATERIAL`])
      expect(await report(gateway, `groupBy: [${groups}], timeZone: "${zone}"`, 'from')).toEqual(expected);
  });

  test('is ordered by time, then by name', async () => {
    await store(gateway, farms[0], [{ end: '2026-01-02T00:00:00Z' }, { end: '2026-01-01T00:00:00Z' }]);
    await store(gateway, farms[1], [
      { end: '2026-01-02T00:00:00Z' },
      { status: 'Failed', end: '2026-01-01T00:00:00Z' },
    ]);
    const [one, other] = farms;
    const rows = await report(gateway, 'groupBy: [PRINTER, MATERIAL, DAY, SPOOL, PRINTER]');
    expect(rows.map((row) => [row.from, row.printer.id, row.spool.id, row.material.id, row.completedJobs])).toEqual([
      ['2026-01-01T00:00:00.000Z', other.printerId, other.spoolId, other.materialId, 0],
      ['2026-01-01T00:00:00.000Z', one.printerId, one.spoolId, one.materialId, 1],
      ['2026-01-02T00:00:00.000Z', other.printerId, other.spoolId, other.materialId, 1],
      ['2026-01-02T00:00:00.000Z', one.printerId, one.spoolId, one.materialId, 1],
    ]);
  });

  test('obeys every member of the filter', async () => {
    await store(gateway, farms[0], [{}, { status: 'Failed' }]);
    await store(gateway, farms[1], [{}]);
    const counts = async (filter: string) => {
      const [row] = await report(gateway, `filter: { ${filter} }`, 'completedJobs wastedJobs');
      return [row.completedJobs, row.wastedJobs];
    };
    expect(await counts('')).toEqual([2, 1]);
    expect(await counts(`printerId: "${farms[0].printerId}"`)).toEqual([1, 1]);
    expect(await counts(`spoolId: "${farms[1].spoolId}"`)).toEqual([1, 0]);
    expect(await counts('status: [FAILED]')).toEqual([0, 1]);
    expect(await counts('dataSource: MQTT')).toEqual([0, 0]);
    expect(await counts('createdFrom: "2017-01-01T00:00:00Z", createdTo: "2017-01-01T00:00:00Z"')).toEqual([2, 1]);
    expect(await counts('search: "PAR"')).toEqual([2, 1]);
  });

  each([
    ['groupBy: [DAY, WEEK]', 'groupBy', /at most one of DAY, WEEK and MONTH/],
    ['from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z"', 'to', /before from/],
    ...['Mars/Olympus', '+01:00', "UTC'", 'EST5EDT4', 'pst'].map(
      (zone) => [`timeZone: ${JSON.stringify(zone)}, groupBy: [DAY]`, 'timeZone', /IANA/] as const,
    ),
    ['filter: { printerId: "x" }', 'printerId', /GUID/],
  ] as [string, string, RegExp][])('refuses %s and names the member', async (args, member, says) => {
    const answer = await ask(gateway, args);
    expect(answer.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(answer.errors[0]?.message).toMatch(says);
    expect(JSON.stringify(answer.errors)).toContain(member);
  });

  test('refuses to return more rows than its limit, and says how to ask for less', async () => {
    const days = `'1990-01-01Z'::timestamptz + (n - 1) * interval '24 hours'`;
    await gateway.sql(manyJobs(farms[0], MAX_USAGE_ROWS + 1, `'Completed'`, days));
    const answer = await ask(gateway, 'groupBy: [DAY]', 'completedJobs');
    expect(answer.errors).toMatchObject([
      { message: expect.stringContaining('choose a shorter time'), extensions: { code: 'BAD_USER_INPUT' } },
    ]);
    const whole = await report(gateway, 'from: "1990-01-02T00:00:00Z", groupBy: [DAY]', 'completedJobs');
    expect(whole).toHaveLength(MAX_USAGE_ROWS);
  });
});

// The embedded database reads fewer jobs.
describeOnDatabases('reports of many jobs', (kind) => {
  // A separate farm, because the jobs of other tests cost too.
  const gateway = useGateway(kind, { currency: 'EUR' });
  // 16,000 times the square of four groups is more than the embedded database may read for one request.
  const JOBS = 16_000;
  const [ALL, THREE] = ['[DAY, PRINTER, SPOOL, MATERIAL]', '[DAY, PRINTER, SPOOL]'];

  test('are refused by the embedded database, with a hint what to ask for', async () => {
    const [farm, few] = [await makeFarm(gateway), await makeFarm(gateway)];
    await gateway.sql(manyJobs(farm, JOBS, `'Failed'`, `'2026-01-01Z'::timestamptz + n * interval '10 minutes'`));
    await store(gateway, few, [{ end: '2026-01-02T00:00:00Z' }]);
    const failedJobs = (rows: { wastedJobs: number }[]) => rows.reduce((sum, { wastedJobs }) => sum + wastedJobs, 0);
    for (const fields of [
      [`filamentUsage(groupBy: ${ALL})`],
      [`filamentUsage(groupBy: ${THREE})`, `filamentUsage(groupBy: ${THREE})`],
    ]) {
      const answer = await gateway.graphql(`{ ${fields.map((one, n) => `a${n}: ${one} { wastedJobs }`).join(' ')} }`);
      if (kind === 'server') {
        for (const rows of Object.values<Parsed>(expectData(answer))) expect(failedJobs(rows)).toBe(JOBS);
        continue;
      }
      const message = expect.stringMatching(/too many jobs.*shorter time.*remove a group/);
      expect(answer.errors[0]).toMatchObject({ message, extensions: { code: 'BAD_USER_INPUT' } });
    }
    for (const [args, jobs] of [
      [`groupBy: ${THREE}`, JOBS],
      [`groupBy: ${ALL}, from: "2026-01-01T00:00:00Z", to: "2026-01-01T10:05:00Z"`, 60],
      [`groupBy: ${ALL}, filter: { printerId: "${few.printerId}" }`, 0],
    ] as const)
      expect([args, failedJobs(await report(gateway, args, 'wastedJobs'))]).toEqual([args, jobs]);
  });

  if (isTestedAlready(kind)) return;

  test('a farm with a currency has it in the graph and in the headings of amounts', async () => {
    expect(expectData(await gateway.graphql('{ currency }'))).toEqual({ currency: 'EUR' });
    const heading = async (name: string) => splitLines((await gateway.rest('GET', `/reports/${name}.csv`)).text)[0];
    expect(await heading('print-jobs')).toMatch(/,gramsDerived,costPerPrint \(EUR\),filamentDiameterAtPrintMm,/);
    expect(await heading('filament-usage')).toMatch(
      /,completedCost \(EUR\),wastedJobs,wastedGrams,wastedCost \(EUR\),filamentId,filament,lostGrams,lostCost \(EUR\)$/,
    );
  });
});

describeOnce('the grams of spools', (kind) => {
  const gateway = useGateway(kind);

  test('follow the jobs: planned, used, remaining, and below 0', async () => {
    const farm = await makeFarm(gateway, { weight: '10' });
    const grams = async () => {
      const { spool } = expectData(
        await gateway.graphql(`{ spool(id: "${farm.spoolId}") { usedGrams plannedGrams remainingGrams } }`),
      );
      return [spool.usedGrams, spool.plannedGrams, spool.remainingGrams];
    };
    expect(await grams()).toEqual(['0', '0', '10']);
    await makeJob(gateway, farm, { GramsDerived: 3.5 });
    expect(await grams()).toEqual(['0', '3.5', '10']);
    await makeJob(gateway, farm, { GramsDerived: 4.25 }, 'Completed');
    await makeJob(gateway, farm, { GramsDerived: 100 }, 'Cancelled');
    expect(await grams()).toEqual(['4.25', '3.5', '5.75']);
    await makeJob(gateway, farm, { GramsDerived: 6 }, 'Failed');
    expect(await grams()).toEqual(['10.25', '3.5', '-0.25']);
  });

  test('derivation shows the formulas beside what is stored', async () => {
    const farm = await makeFarm(gateway, { price: '10', weight: '3000' });
    const job = await makeJob(gateway, farm, { MmExtruded: 12345.678, GramsDerived: 1, CostPerPrint: 2 });
    const steps = '{ areaMm2 grams pricePerGram cost }';
    const members = 'mmExtruded: "12345.678", filamentDiameterMm: "1.75", densityGPerCm3: "1.24"';
    const { printJob, typed, unpriced } = expectData(
      await gateway.graphql(`{
        printJob(id: "${job.Id}") { gramsDerived costPerPrint derivation ${steps} }
        typed: deriveFilament(${members}, spoolId: "${farm.spoolId}") ${steps}
        unpriced: deriveFilament(${members}) ${steps}
      }`),
    );
    const derived = {
      areaMm2: '2.40528188',
      grams: '36.82',
      pricePerGram: '0.0033333333333333333333333333',
      cost: '0.1227',
    };
    expect(printJob).toEqual({ gramsDerived: '1', costPerPrint: '2', derivation: derived });
    expect(typed).toEqual(derived);
    expect(unpriced).toEqual({ ...derived, pricePerGram: null, cost: null });
  });

  test('deriveFilament refuses negative values and a spool that does not exist', async () => {
    const given = { mmExtruded: '1', filamentDiameterMm: '1', densityGPerCm3: '1' };
    for (const [member, value] of [
      ...Object.keys(given).map((name) => [name, '-1'] as const),
      ...['x', randomUUID()].map((id) => ['spoolId', id] as const),
    ]) {
      const args = Object.entries({ ...given, [member]: value }).map(([name, text]) => `${name}: "${text}"`);
      const { errors } = await gateway.graphql(`{ deriveFilament(${args}) { grams } }`);
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
      expect(JSON.stringify(errors)).toContain(member);
    }
  });
});

describeOnce('files for spreadsheets', (kind) => {
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
    return { lines: splitLines(answer.text), disposition: answer.headers['content-disposition'] };
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
      'from,printerId,printer,spoolId,spool,materialId,material,completedJobs,completedGrams,completedCost,wastedJobs,wastedGrams,wastedCost,filamentId,filament,lostGrams,lostCost',
      `${row.from},${farm.printerId},${farm.printerName},${farm.spoolId},${farm.spoolSerial},${farm.materialId},${material.name},1,4.25,0.0003,1,3,0.75,,,,`,
    ]);
    expect((await file('/reports/filament-usage.csv?status=Failed')).lines[1]).toBe(',,,,,,,0,0,0,1,3,0.75,,,,');
  });

  test('the jobs are complete, newest first, over several pages', async () => {
    const jobs = 2 * MAX_PAGE_ROWS + 1;
    await gateway.sql(manyJobs(farm, jobs, undefined, undefined, `'part ' || n`));
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
    const head = await gateway.rest('HEAD', '/reports/print-jobs.csv');
    expect([head.status, head.text, head.headers['content-type']]).toEqual([200, '', 'text/csv; charset=utf-8']);
    expectStatus(await gateway.rest('POST', '/reports/print-jobs.csv'), 405);
  });

  test('a file has the form that a spreadsheet expects, and no cell that it would compute', async () => {
    await makeJob(gateway, farm, { PrintName: '=1+1', Notes: '@SUM(A1), "two"\nlines' });
    const { text } = await gateway.rest('GET', '/reports/print-jobs.csv');
    expect(text).toContain(`'=1+1,`);
    expect(text).toContain(`"'@SUM(A1), ""two""\nlines"`);
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

  each<[query: string, member: RegExp]>([
    ['filament-usage.csv?from=yesterday', /from/],
    ['filament-usage.csv?groupBy=YEAR', /groupBy.*DAY/],
    ['filament-usage.csv?groupBy=DAY,WEEK', /groupBy.*at most one/],
    ['filament-usage.csv?timeZone=Mars', /timeZone.*IANA/],
    ['filament-usage.csv?from=2026-01-01T00:00:00Z&from=2026-01-01T00:00:00Z', /from/],
    ['filament-usage.csv?printerId=x', /printerId/],
    ['print-jobs.csv?status=done', /status/],
    ['print-jobs.csv?createdFrom=x', /createdFrom/],
    [
      'filament-usage.csv?form=2026-01-01T00:00:00Z',
      /^form is not a parameter of this report\. Its parameters: .*from, to/,
    ],
    ['print-jobs.csv?printer=x&spool=y', /^printer is not a parameter .*; spool is not a parameter .*printerId/],
    ['print-jobs.csv?bom=1', /^bom must be one of true, false$/],
    ['print-jobs.csv?separator=pipe', /^separator must be one of comma, semicolon, tab$/],
    ['filament-usage.csv?decimalMark=;', /^decimalMark must be one of point, comma$/],
    ['print-jobs.csv?orderBy=name', /orderBy.*CREATED_AT_DESC/],
    ['print-jobs.csv?recording=all', /^recording must be one of COMPLETE, PARTIAL, NONE, PRELIMINARY$/],
    [`print-jobs.csv?search=${'x'.repeat(MAX_PRINT_NAME_LENGTH + 1)}`, /^search/],
  ])('%s is 400 and names the parameter', async (query, says) => {
    const { body, headers } = expectStatus(await gateway.rest('GET', `/reports/${query}`), 400);
    expect(Object.keys(body)).toEqual(['error']);
    expect(body.error).toMatch(says);
    expect(headers).not.toHaveProperty('content-disposition');
  });
});
