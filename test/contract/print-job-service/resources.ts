// §1 and §2 of the print job document, and the sentences of its opening about every path.
import { randomUUID } from 'node:crypto';
import { describeOnDatabases } from '../../support/databases';
import {
  expectNow,
  type Farm,
  GUID,
  INSTANT,
  JOB_MEMBERS,
  jobRequest,
  jobUpdate,
  makeFarm,
  makeJob,
  readJob,
  STATUSES,
} from '../../support/farm';
import { expectError, expectStatus, type Parsed, test, useGateway } from '../../support/gateway';

describeOnDatabases('print job document, resources', (kind) => {
  const gateway = useGateway(kind);
  let farm: Farm;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
  });

  const post = (members: Record<string, unknown>) => gateway.rest('POST', '/api/printjobs', jobRequest(farm, members));
  const create = async (members: Record<string, unknown> = {}): Promise<Parsed> =>
    expectStatus(await post(members), 201).body;
  const put = (id: string, body: Record<string, unknown>) => gateway.rest('PUT', `/api/printjobs/${id}`, body);

  test('Opening: "All paths are relative to {base_url}." "Bodies are JSON."', async () => {
    const { Id } = await create();
    for (const path of ['/api/printjobs', `/api/printjobs/${Id}`]) {
      const answer = expectStatus(await gateway.rest('GET', path), 200);
      expect([answer.headers['content-type'], typeof answer.body]).toEqual(['application/json', 'object']);
    }
  });

  test('§1: "The service keeps print job records, the operational record of filament use."', async () => {
    const made = await create({ MmExtruded: 1234.5 });
    expect(await readJob(gateway, made.Id)).toEqual(made);
  });

  test('§1: "Each job links a printer and a spool."', async () => {
    const made = await create();
    expect(made).toMatchObject({ PrinterId: farm.printerId, SpoolId: farm.spoolId });
  });

  test('§1: "The service can derive the grams of filament consumed from the millimetres extruded, the filament diameter and the material density."', async () => {
    expect((await create({ AutoDeriveGrams: true, MmExtruded: 1000 })).GramsDerived).toBe(2.98);
  });

  test('§1: "It enforces a set of allowed status transitions."', async () => {
    const { Id } = await create();
    expectError(await gateway.rest('PATCH', `/api/printjobs/${Id}/status`, { Status: 'Completed' }), 400);
    expectStatus(await gateway.rest('PATCH', `/api/printjobs/${Id}/status`, { Status: 'Printing' }), 200);
  });

  test('§1: "Deleting a job does not remove it: the job is set to Cancelled so that history and cost reporting are kept."', async () => {
    const made = await create({ CostPerPrint: 4.2 });
    expectStatus(await gateway.rest('DELETE', `/api/printjobs/${made.Id}`), 204);
    const kept = await readJob(gateway, made.Id);
    expect(kept).toEqual({
      ...made,
      Status: 'Cancelled',
      CompletedAt: kept.CompletedAt,
      UpdatedAt: kept.UpdatedAt,
    });
  });

  // ---- the response ----

  test('§2 Print job: "Id | GUID."', async () => {
    const [one, other] = [await create(), await create()];
    expect(one.Id).toMatch(GUID);
    expect(other.Id).not.toBe(one.Id);
    expect(Object.keys(one)).toEqual(JOB_MEMBERS);
  });

  test('§2 Print job: "PrinterId | GUID of the printer."', async () => {
    expect((await create()).PrinterId).toBe(farm.printerId);
  });

  test('§2 Print job: "PrinterName | Printer name; empty string when unavailable."', async () => {
    const gone = await makeFarm(gateway);
    const made = await makeJob(gateway, gone);
    expect(made.PrinterName).toBe(gone.printerName);
    // Another program may drop the constraint and remove the printer; the job stays readable.
    await gateway.sql('ALTER TABLE print_jobs DROP CONSTRAINT print_jobs_printer_id_fkey');
    await gateway.sql(`DELETE FROM printers WHERE id = '${gone.printerId}'`);
    expect(await readJob(gateway, made.Id)).toEqual({ ...made, PrinterName: '' });
    const listed = expectStatus(await gateway.rest('GET', `/api/printjobs?PrinterId=${gone.printerId}`), 200);
    expect(listed.body.Items).toEqual([{ ...made, PrinterName: '' }]);
  });

  test('§2 Print job: "SpoolId | GUID of the spool."', async () => {
    expect((await create()).SpoolId).toBe(farm.spoolId);
  });

  test('§2 Print job: "SpoolSerial | Spool serial text; empty string when unavailable."', async () => {
    const gone = await makeFarm(gateway);
    const made = await makeJob(gateway, gone);
    expect(made.SpoolSerial).toBe(gone.spoolSerial);
    await gateway.sql('ALTER TABLE print_jobs DROP CONSTRAINT print_jobs_spool_id_fkey');
    await gateway.sql(`DELETE FROM spools WHERE id = '${gone.spoolId}'`);
    expect(await readJob(gateway, made.Id)).toEqual({ ...made, SpoolSerial: '' });
  });

  const readMember = (row: string) => row.split(' | ')[0] as string;

  const kept: [row: string, values: unknown[]][] = [
    ['PrintName | Text.', ['Benchy', '', ' Ü "quoted" \\ 😀\n', 'x'.repeat(1000)]],
    ['GcodeFilePath | Text.', ['/gcode/a b.gcode', '', 'C:\\gcode\\ä.gcode']],
    ['MmExtruded | Decimal, millimetres of filament extruded.', [0, 0.001, 1234.5678, 999999999]],
    ['GramsDerived | Decimal, grams consumed.', [0.01, 12.34, 1000]],
    ['CostPerPrint | Decimal cost of the print.', [0, 0.0001, 19.99]],
    ['StartedAt | Timestamp, may be null.', ['2026-11-20T08:30:00.000Z', null]],
    ['DataSource | Text, one of Mqtt, PrinterApi, Manual.', ['Mqtt', 'PrinterApi', 'Manual']],
    ['FilamentDiameterAtPrintMm | Decimal, filament diameter in mm at print time.', [0, 1.75, 2.85]],
    ['MaterialDensityAtPrint | Decimal, density in g/cm3 at print time.', [0, 1.04, 1.27]],
    ['Notes | Text, may be null.', ['stringing', '', null]],
  ];
  for (const [row, values] of kept) {
    test(`§2 Print job: "${row}"`, async () => {
      for (const value of values) {
        const made = await create({ [readMember(row)]: value });
        expect([made[readMember(row)], await readJob(gateway, made.Id)]).toEqual([value, made]);
      }
    });
  }

  test('§2 Print job: "CompletedAt | Timestamp, may be null."', async () => {
    expect((await create()).CompletedAt).toBeNull();
    const since = Date.now();
    expectNow((await makeJob(gateway, farm, {}, 'Completed')).CompletedAt, since);
  });

  test('§2 Print job: "Status | Text, one of the job statuses."', async () => {
    for (const status of STATUSES) expect((await makeJob(gateway, farm, {}, status)).Status).toBe(status);
  });

  test('§2 Print job: "CreatedAt | Timestamp."', async () => {
    const since = Date.now();
    const made = await create();
    expectNow(made.CreatedAt, since);
    const updated = await put(made.Id, jobUpdate(farm));
    expect(updated.body.CreatedAt).toBe(made.CreatedAt);
  });

  test('§2 Print job: "UpdatedAt | Timestamp."', async () => {
    const { Id } = await create();
    await gateway.sql(`UPDATE print_jobs SET updated_at = '2020-01-01T00:00:00Z' WHERE id = '${Id}'`);
    expect((await readJob(gateway, Id)).UpdatedAt).toBe('2020-01-01T00:00:00.000Z');
    const since = Date.now();
    const updated = await put(Id, jobUpdate(farm));
    expectNow(updated.body.UpdatedAt, since);
  });

  // ---- the create request ----

  test('§2 Create request: "PrinterId | GUID, must reference an existing printer."', async () => {
    expect((await create({ PrinterId: farm.printerId })).PrinterName).toBe(farm.printerName);
    for (const PrinterId of [randomUUID(), 'printer', farm.spoolId])
      expectError(await post({ PrinterId }), 400, 'PrinterId');
  });

  test('§2 Create request: "SpoolId | GUID, must reference an existing spool."', async () => {
    expect((await create({ SpoolId: farm.spoolId })).SpoolSerial).toBe(farm.spoolSerial);
    for (const SpoolId of [randomUUID(), 'spool', farm.printerId]) expectError(await post({ SpoolId }), 400, 'SpoolId');
  });

  const typed: [row: string, accepted: unknown[], refused: unknown[]][] = [
    ['PrintName | Text.', ['Benchy'], [5, true, {}]],
    ['GcodeFilePath | Text.', ['a.gcode'], [5, true, []]],
    ['MmExtruded | Decimal.', [12.5], ['long', true, {}]],
    ['GramsDerived | Decimal.', [12.5], ['heavy', true, {}]],
    ['CostPerPrint | Decimal.', [12.5], ['dear', true, {}]],
    ['FilamentDiameterAtPrintMm | Decimal.', [2.85], ['thick', true, {}]],
    ['MaterialDensityAtPrint | Decimal.', [1.27], ['dense', true, {}]],
    ['Notes | Text, optional.', ['fine', null], [5, true, {}]],
    ['StartedAt | Timestamp, optional.', ['2026-11-20T08:30:00.000Z', null], [5, true, 'yesterday']],
    ['AutoDeriveGrams | Boolean.', [], ['yes', 1]],
  ];
  for (const [row, accepted, refused] of typed) {
    test(`§2 Create request: "${row}"`, async () => {
      const member = readMember(row);
      for (const value of accepted) expect((await create({ [member]: value }))[member]).toBe(value);
      const { [member]: _, ...absent } = jobRequest(farm);
      expectStatus(await gateway.rest('POST', '/api/printjobs', absent), 201);
      for (const value of refused) expectError(await post({ [member]: value }), 400, member);
    });
  }

  test('§2 Create request: "DataSource | Text, case-insensitive, one of Mqtt, PrinterApi, Manual."', async () => {
    for (const stored of ['Mqtt', 'PrinterApi', 'Manual']) {
      for (const DataSource of [stored.toLowerCase(), stored.toUpperCase()])
        expect((await create({ DataSource })).DataSource).toBe(stored);
    }
    expectError(await post({ DataSource: 'PRINTER_API' }), 400, 'DataSource');
  });

  // ---- the other requests and the page ----

  test('§2 Update request: "Members: PrinterId, SpoolId, PrintName, GcodeFilePath, MmExtruded, GramsDerived, CostPerPrint, Notes, AutoDeriveGrams."', async () => {
    const { Id } = await create();
    const other = await makeFarm(gateway);
    const { AutoDeriveGrams: _, ...replaced } = jobUpdate(other);
    expect(Object.keys(replaced)).toHaveLength(8);
    expect(expectStatus(await put(Id, jobUpdate(other)), 200).body).toMatchObject(replaced);
    const derived = await put(Id, jobUpdate(other, { AutoDeriveGrams: true }));
    expect(expectStatus(derived, 200).body.GramsDerived).toBe(5.97);
  });

  test('§2 Update request: "They have the same meaning and types as in the create request."', async () => {
    const { Id } = await create();
    const refused: Record<string, unknown> = {
      PrinterId: 'printer',
      SpoolId: 'spool',
      PrintName: 5,
      GcodeFilePath: 5,
      Notes: 5,
      AutoDeriveGrams: 'yes',
      MmExtruded: 'long',
      GramsDerived: 'heavy',
      CostPerPrint: 'dear',
    };
    for (const [member, value] of Object.entries(refused))
      expectError(await put(Id, jobUpdate(farm, { [member]: value })), 400, member);
  });

  test('§2 Status update request: "One member, Status: text, case-insensitive, one of the job statuses."', async () => {
    const { Id } = await create();
    const change = (Status: unknown) => gateway.rest('PATCH', `/api/printjobs/${Id}/status`, { Status });
    for (const status of ['Queued', 'Printing', 'Completed', 'Failed', 'Cancelled']) {
      for (const spelling of [status.toUpperCase(), status.toLowerCase()])
        expect(expectStatus(await change(spelling), 200).body.Status).toBe(status);
    }
    for (const Status of [undefined, 'Paused', 1]) expectError(await change(Status), 400, 'Status');
  });

  describe('a page', () => {
    const page = async (query: string): Promise<Parsed> =>
      expectStatus(await gateway.rest('GET', `/api/printjobs?PrinterId=${farm.printerId}&${query}`), 200).body;

    test('§2 Page of results: "Items | Array of print jobs."', async () => {
      const made = await create();
      expect((await page('PageSize=1')).Items).toEqual([made]);
      expect(Object.keys(await page('PageSize=1'))).toEqual(['Items', 'TotalCount', 'PageNumber', 'PageSize']);
    });

    test('§2 Page of results: "TotalCount | Total number of matching jobs."', async () => {
      const before = (await page('PageSize=1')).TotalCount;
      await create();
      expect((await page('PageSize=1')).TotalCount).toBe(before + 1);
      expect((await page('PageNumber=1000')).TotalCount).toBe(before + 1);
    });

    test('§2 Page of results: "PageNumber | Page number applied after clamping."', async () => {
      for (const asked of [-3, 0, 1, 7])
        expect((await page(`PageNumber=${asked}`)).PageNumber).toBe(Math.max(asked, 1));
    });

    test('§2 Page of results: "PageSize | Page size applied after clamping."', async () => {
      const sizes = { '-3': 1, 0: 1, 1: 1, 100: 100, 101: 100 };
      for (const [asked, applied] of Object.entries(sizes))
        expect((await page(`PageSize=${asked}`)).PageSize).toBe(applied);
    });
  });

  test('§2 Related resources used by the rules: "Printer: Name."', async () => {
    const renamed = await makeFarm(gateway);
    const { Id } = await makeJob(gateway, renamed);
    await gateway.graphql('mutation ($id: ID!) { updatePrinter(id: $id, input: { name: "Renamed" }) { id } }', {
      id: renamed.printerId,
    });
    expect((await readJob(gateway, Id)).PrinterName).toBe('Renamed');
  });

  test('§2 Related resources used by the rules: "Spool: Id, SpoolSerial, FilamentDiameterMm, WeightTotalGrams, optional PurchasePrice, and a material base carrying DensityGperCm3."', async () => {
    // Each of them takes part: 1,000 mm of 2.85 mm at 1.04 g/cm3 are 6.63 g; of a spool of 500 g for 10 they cost 0.1326.
    const other = await makeFarm(gateway, { diameter: '2.85', weight: '500', price: '10', density: '1.04' });
    const { Id } = await makeJob(gateway, other, { CostPerPrint: 9 });
    const derive = { MmExtruded: 1000, CostPerPrint: 9, AutoDeriveGrams: true };
    expect(expectStatus(await put(Id, jobUpdate(other, derive)), 200).body).toMatchObject({
      SpoolId: other.spoolId,
      SpoolSerial: other.spoolSerial,
      FilamentDiameterAtPrintMm: 2.85,
      MaterialDensityAtPrint: 1.04,
      GramsDerived: 6.63,
      CostPerPrint: 0.1326,
    });
    const unpriced = await makeFarm(gateway, { price: null });
    expect(expectStatus(await put(Id, jobUpdate(unpriced, derive)), 200).body.CostPerPrint).toBe(9);
  });

  test('§2 Print job: "CreatedAt | Timestamp." "UpdatedAt | Timestamp." are equal in a new job', async () => {
    const made = await create();
    expect(made.CreatedAt).toMatch(INSTANT);
    expect(made.UpdatedAt).toBe(made.CreatedAt);
  });
});
