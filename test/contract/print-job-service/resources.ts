// §1 and §2 of the print job document, and the sentences of its opening about every path.
import { randomUUID } from 'node:crypto';
import { describeOnDatabases } from '../../support/databases';
import {
  expectNow,
  type Farm,
  GUID,
  INSTANT,
  jobRequest,
  jobUpdate,
  makeFarm,
  makeJob,
  readJob,
  STATUSES,
} from '../../support/farm';
import { expectError, expectStatus, type Parsed, test, useGateway } from '../../support/gateway';

const MEMBERS = [
  'Id',
  'PrinterId',
  'PrinterName',
  'SpoolId',
  'SpoolSerial',
  'PrintName',
  'GcodeFilePath',
  'MmExtruded',
  'GramsDerived',
  'CostPerPrint',
  'StartedAt',
  'CompletedAt',
  'Status',
  'DataSource',
  'FilamentDiameterAtPrintMm',
  'MaterialDensityAtPrint',
  'Notes',
  'CreatedAt',
  'UpdatedAt',
];

describeOnDatabases('print job document, resources', (kind) => {
  const gateway = useGateway(kind);
  let farm: Farm;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
  });

  const create = async (members: Record<string, unknown> = {}): Promise<Parsed> =>
    expectStatus(await gateway.rest('POST', '/api/printjobs', jobRequest(farm, members)), 201).body;

  test('Opening: "All paths are relative to {base_url}." "Bodies are JSON."', async () => {
    const { Id } = await create();
    const answers = [
      await gateway.rest('GET', '/api/printjobs'),
      await gateway.rest('GET', `/api/printjobs/${Id}`),
      await gateway.rest('PUT', `/api/printjobs/${Id}`, jobUpdate(farm)),
      await gateway.rest('PATCH', `/api/printjobs/${Id}/status`, { Status: 'Printing' }),
    ];
    for (const answer of answers) {
      expectStatus(answer, 200);
      expect(answer.headers['content-type']).toBe('application/json');
      expect(typeof answer.body).toBe('object');
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
    expect(Object.keys(one)).toEqual(MEMBERS);
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

  const kept: [row: string, member: string, values: unknown[]][] = [
    ['PrintName | Text.', 'PrintName', ['Benchy', '', ' Ü "quoted" \\ 😀\n', 'x'.repeat(1000)]],
    ['GcodeFilePath | Text.', 'GcodeFilePath', ['/gcode/a b.gcode', '', 'C:\\gcode\\ä.gcode']],
    ['MmExtruded | Decimal, millimetres of filament extruded.', 'MmExtruded', [0, 0.001, 1234.5678, 999999999]],
    ['GramsDerived | Decimal, grams consumed.', 'GramsDerived', [0.01, 12.34, 1000]],
    ['CostPerPrint | Decimal cost of the print.', 'CostPerPrint', [0, 0.0001, 19.99]],
    ['StartedAt | Timestamp, may be null.', 'StartedAt', ['2026-11-20T08:30:00.000Z', null]],
    ['DataSource | Text, one of Mqtt, PrinterApi, Manual.', 'DataSource', ['Mqtt', 'PrinterApi', 'Manual']],
    [
      'FilamentDiameterAtPrintMm | Decimal, filament diameter in mm at print time.',
      'FilamentDiameterAtPrintMm',
      [0, 1.75, 2.85],
    ],
    ['MaterialDensityAtPrint | Decimal, density in g/cm3 at print time.', 'MaterialDensityAtPrint', [0, 1.04, 1.27]],
    ['Notes | Text, may be null.', 'Notes', ['stringing', '', null]],
  ];
  for (const [row, member, values] of kept) {
    test(`§2 Print job: "${row}"`, async () => {
      for (const value of values) {
        const made = await create({ [member]: value });
        expect([member, made[member]]).toEqual([member, value]);
        expect((await readJob(gateway, made.Id))[member]).toBe(value);
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
    const updated = await gateway.rest('PUT', `/api/printjobs/${made.Id}`, jobUpdate(farm));
    expect(updated.body.CreatedAt).toBe(made.CreatedAt);
  });

  test('§2 Print job: "UpdatedAt | Timestamp."', async () => {
    const { Id } = await create();
    await gateway.sql(`UPDATE print_jobs SET updated_at = '2020-01-01T00:00:00Z' WHERE id = '${Id}'`);
    expect((await readJob(gateway, Id)).UpdatedAt).toBe('2020-01-01T00:00:00.000Z');
    const since = Date.now();
    const updated = await gateway.rest('PUT', `/api/printjobs/${Id}`, jobUpdate(farm));
    expectNow(updated.body.UpdatedAt, since);
  });

  // ---- the create request ----

  test('§2 Create request: "PrinterId | GUID, must reference an existing printer."', async () => {
    expect((await create({ PrinterId: farm.printerId })).PrinterName).toBe(farm.printerName);
    for (const PrinterId of [randomUUID(), 'printer', farm.spoolId]) {
      const refused = await gateway.rest('POST', '/api/printjobs', jobRequest(farm, { PrinterId }));
      expectError(refused, 400, 'PrinterId');
    }
  });

  test('§2 Create request: "SpoolId | GUID, must reference an existing spool."', async () => {
    expect((await create({ SpoolId: farm.spoolId })).SpoolSerial).toBe(farm.spoolSerial);
    for (const SpoolId of [randomUUID(), 'spool', farm.printerId]) {
      const refused = await gateway.rest('POST', '/api/printjobs', jobRequest(farm, { SpoolId }));
      expectError(refused, 400, 'SpoolId');
    }
  });

  const typed: [row: string, member: string, accepted: unknown[], refused: unknown[]][] = [
    ['PrintName | Text.', 'PrintName', ['Benchy'], [5, true, {}]],
    ['GcodeFilePath | Text.', 'GcodeFilePath', ['a.gcode'], [5, true, []]],
    ['MmExtruded | Decimal.', 'MmExtruded', [12.5], ['long', true, {}]],
    ['GramsDerived | Decimal.', 'GramsDerived', [12.5], ['heavy', true, {}]],
    ['CostPerPrint | Decimal.', 'CostPerPrint', [12.5], ['dear', true, {}]],
    ['FilamentDiameterAtPrintMm | Decimal.', 'FilamentDiameterAtPrintMm', [2.85], ['thick', true, {}]],
    ['MaterialDensityAtPrint | Decimal.', 'MaterialDensityAtPrint', [1.27], ['dense', true, {}]],
    ['Notes | Text, optional.', 'Notes', ['fine', null], [5, true, {}]],
    ['StartedAt | Timestamp, optional.', 'StartedAt', ['2026-11-20T08:30:00.000Z', null], [5, true, 'yesterday']],
  ];
  for (const [row, member, accepted, refused] of typed) {
    test(`§2 Create request: "${row}"`, async () => {
      for (const value of accepted) expect((await create({ [member]: value }))[member]).toBe(value);
      const { [member]: _, ...absent } = jobRequest(farm);
      expectStatus(await gateway.rest('POST', '/api/printjobs', absent), 201);
      for (const value of refused) {
        const answer = await gateway.rest('POST', '/api/printjobs', jobRequest(farm, { [member]: value }));
        expectError(answer, 400, member);
      }
    });
  }

  test('§2 Create request: "DataSource | Text, case-insensitive, one of Mqtt, PrinterApi, Manual."', async () => {
    const spellings = {
      mqtt: 'Mqtt',
      MQTT: 'Mqtt',
      printerapi: 'PrinterApi',
      PRINTERAPI: 'PrinterApi',
      mAnUaL: 'Manual',
    };
    for (const [sent, stored] of Object.entries(spellings)) {
      expect((await create({ DataSource: sent })).DataSource).toBe(stored);
    }
    const refused = await gateway.rest('POST', '/api/printjobs', jobRequest(farm, { DataSource: 'PRINTER_API' }));
    expectError(refused, 400, 'DataSource');
  });

  test('§2 Create request: "AutoDeriveGrams | Boolean."', async () => {
    const members = { GramsDerived: 3.5, MmExtruded: 1000 };
    expect((await create({ ...members, AutoDeriveGrams: true })).GramsDerived).toBe(2.98);
    expect((await create({ ...members, AutoDeriveGrams: false })).GramsDerived).toBe(3.5);
    const refused = await gateway.rest('POST', '/api/printjobs', jobRequest(farm, { AutoDeriveGrams: 'yes' }));
    expectError(refused, 400, 'AutoDeriveGrams');
  });

  // ---- the other requests and the page ----

  test('§2 Update request: "Members: PrinterId, SpoolId, PrintName, GcodeFilePath, MmExtruded, GramsDerived, CostPerPrint, Notes, AutoDeriveGrams."', async () => {
    const { Id } = await create();
    const other = await makeFarm(gateway);
    const { AutoDeriveGrams: _, ...replaced } = jobUpdate(other);
    expect(Object.keys(replaced)).toHaveLength(8);
    const updated = await gateway.rest('PUT', `/api/printjobs/${Id}`, jobUpdate(other));
    expect(expectStatus(updated, 200).body).toMatchObject(replaced);
    const derived = await gateway.rest('PUT', `/api/printjobs/${Id}`, jobUpdate(other, { AutoDeriveGrams: true }));
    expect(expectStatus(derived, 200).body.GramsDerived).toBe(5.97);
  });

  test('§2 Update request: "They have the same meaning and types as in the create request."', async () => {
    const { Id } = await create();
    const refused: Record<string, unknown> = {
      PrinterId: 'printer',
      SpoolId: 'spool',
      PrintName: 5,
      GcodeFilePath: 5,
      MmExtruded: 'long',
      GramsDerived: 'heavy',
      CostPerPrint: 'dear',
      Notes: 5,
      AutoDeriveGrams: 'yes',
    };
    for (const [member, value] of Object.entries(refused)) {
      const answer = await gateway.rest('PUT', `/api/printjobs/${Id}`, jobUpdate(farm, { [member]: value }));
      expectError(answer, 400, member);
    }
  });

  test('§2 Status update request: "One member, Status: text, case-insensitive, one of the job statuses."', async () => {
    const spellings = {
      printing: 'Printing',
      QUEUED: undefined,
      cOMPLETED: 'Completed',
      FAILED: 'Failed',
      cancelled: 'Cancelled',
    };
    const { Id } = await create();
    for (const [sent, status] of Object.entries(spellings)) {
      if (status === undefined) continue;
      const changed = await gateway.rest('PATCH', `/api/printjobs/${Id}/status`, { Status: sent });
      expect(expectStatus(changed, 200).body.Status).toBe(status);
    }
    const queued = await create();
    const same = await gateway.rest('PATCH', `/api/printjobs/${queued.Id}/status`, { Status: 'QUEUED' });
    expect(expectStatus(same, 200).body.Status).toBe('Queued');
    for (const body of [{}, { Status: 'Paused' }, { Status: 1 }]) {
      expectError(await gateway.rest('PATCH', `/api/printjobs/${Id}/status`, body), 400, 'Status');
    }
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
      for (const [asked, applied] of [
        [-3, 1],
        [0, 1],
        [1, 1],
        [7, 7],
      ] as const) {
        expect((await page(`PageNumber=${asked}`)).PageNumber).toBe(applied);
      }
    });

    test('§2 Page of results: "PageSize | Page size applied after clamping."', async () => {
      for (const [asked, applied] of [
        [-3, 1],
        [0, 1],
        [1, 1],
        [100, 100],
        [101, 100],
      ] as const) {
        expect((await page(`PageSize=${asked}`)).PageSize).toBe(applied);
      }
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
    const body = jobUpdate(other, { MmExtruded: 1000, AutoDeriveGrams: true });
    const priced = expectStatus(await gateway.rest('PUT', `/api/printjobs/${Id}`, body), 200);
    expect(priced.body).toMatchObject({
      SpoolId: other.spoolId,
      SpoolSerial: other.spoolSerial,
      FilamentDiameterAtPrintMm: 2.85,
      MaterialDensityAtPrint: 1.04,
      GramsDerived: 6.63,
      CostPerPrint: 0.1326,
    });
    const unpriced = await makeFarm(gateway, { price: null });
    const kept = await gateway.rest(
      'PUT',
      `/api/printjobs/${Id}`,
      jobUpdate(unpriced, { CostPerPrint: 9, AutoDeriveGrams: true }),
    );
    expect(expectStatus(kept, 200).body.CostPerPrint).toBe(9);
  });

  test('§2 Print job: "CreatedAt | Timestamp." "UpdatedAt | Timestamp." are equal in a new job', async () => {
    const made = await create();
    expect(made.CreatedAt).toMatch(INSTANT);
    expect(made.UpdatedAt).toBe(made.CreatedAt);
  });
});
