// §4 POST /api/printjobs of the print job document, and its gram derivation formula.
import { randomUUID } from 'node:crypto';
import { describeOnDatabases } from '../../support/databases';
import { expectNow, type Farm, GUID, jobRequest, makeFarm, readJob, tables } from '../../support/farm';
import { expectError, expectStatus, type RestResponse, test, useGateway } from '../../support/gateway';

const POST = '§4 POST /api/printjobs';

describeOnDatabases('print job document, create', (kind) => {
  const gateway = useGateway(kind);
  let farm: Farm;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
  });

  const post = (members: Record<string, unknown> = {}, of: Farm = farm): Promise<RestResponse> =>
    gateway.rest('POST', '/api/printjobs', jobRequest(of, members));
  const create = async (members: Record<string, unknown>, of: Farm = farm) =>
    expectStatus(await post(members, of), 201).body;

  test(`${POST}: "Body: create request."`, async () => {
    const request = jobRequest(farm, { StartedAt: '2026-11-20T08:30:00.000Z', MmExtruded: 12.5 });
    const { AutoDeriveGrams: _, ...stored } = request;
    const made = expectStatus(await gateway.rest('POST', '/api/printjobs', request), 201);
    expect(made.body).toMatchObject(stored);
  });

  test(`${POST}: "Response 201: the created print job, with a Location header pointing to the read operation for the new job."`, async () => {
    const made = expectStatus(await post(), 201);
    expect(made.headers['location']).toBe(`/api/printjobs/${made.body.Id}`);
    const read = await gateway.rest('GET', String(made.headers['location']));
    expect(expectStatus(read, 200).body).toEqual(made.body);
  });

  test(`${POST}: "Id, CreatedAt and UpdatedAt are generated."`, async () => {
    const since = Date.now();
    const Id = randomUUID();
    const made = await create({ Id, CreatedAt: '2020-01-01T00:00:00Z', UpdatedAt: '2020-01-01T00:00:00Z' });
    expect(made.Id).toMatch(GUID);
    expect(made.Id).not.toBe(Id);
    expectNow(made.CreatedAt, since);
    expectNow(made.UpdatedAt, since);
  });

  test(`${POST}: "Rules, in the order checked:"`, async () => {
    const before = await tables(gateway);
    const [PrinterId, SpoolId, DataSource] = [randomUUID(), randomUUID(), 'Fax'];
    expect(expectError(await post({ PrinterId, SpoolId, DataSource }), 400, 'PrinterId')).not.toMatch(
      /SpoolId|DataSource/,
    );
    for (const noId of [SpoolId, 'zz', '', null, 7, undefined]) {
      expect(expectError(await post({ PrinterId, SpoolId: noId }), 400, 'PrinterId')).not.toMatch(/SpoolId/);
      expect(expectError(await post({ SpoolId: noId, DataSource }), 400, 'SpoolId')).not.toMatch(/DataSource/);
    }
    expect(await tables(gateway)).toEqual(before);
  });

  test(`${POST} rule 1: "When PrinterId does not reference an existing printer, the response is 400."`, async () => {
    const before = await tables(gateway);
    for (const PrinterId of [randomUUID(), farm.spoolId]) expectError(await post({ PrinterId }), 400, 'PrinterId');
    expect(await tables(gateway)).toEqual(before);
  });

  test(`${POST} rule 2: "When SpoolId does not reference an existing spool, the response is 400."`, async () => {
    const before = await tables(gateway);
    for (const SpoolId of [randomUUID(), farm.printerId]) expectError(await post({ SpoolId }), 400, 'SpoolId');
    expect(await tables(gateway)).toEqual(before);
  });

  test(`${POST} rule 3: "When AutoDeriveGrams is true, FilamentDiameterAtPrintMm is taken from the spool's FilamentDiameterMm, MaterialDensityAtPrint from the material's DensityGperCm3, and GramsDerived is computed by the derivation formula." "Request values for these three fields are overridden."`, async () => {
    const thick = await makeFarm(gateway, { diameter: '2.85', density: '1.04' });
    const derived = { FilamentDiameterAtPrintMm: 2.85, MaterialDensityAtPrint: 1.04, GramsDerived: 6.63 };
    const asked = { FilamentDiameterAtPrintMm: 9, MaterialDensityAtPrint: 9, GramsDerived: 9, CostPerPrint: 0.5 };
    const made = await create({ ...asked, AutoDeriveGrams: true }, thick);
    expect(made).toMatchObject({ ...derived, CostPerPrint: 0.5 });
    expect(await readJob(gateway, made.Id)).toEqual(made);
    // If nothing is extruded nothing is consumed, whatever the request says.
    expect((await create({ ...asked, MmExtruded: 0, AutoDeriveGrams: true }, thick)).GramsDerived).toBe(0);
  });

  test(`${POST} rule 4: "When AutoDeriveGrams is false, MmExtruded is above 0, GramsDerived is 0 and MaterialDensityAtPrint is above 0, GramsDerived is computed from the request's diameter and density."`, async () => {
    const members = { GramsDerived: 0, FilamentDiameterAtPrintMm: 2.85, MaterialDensityAtPrint: 1.04 };
    const made = await create(members);
    expect(made).toMatchObject({ ...members, GramsDerived: 6.63 });
    const { GramsDerived: _, AutoDeriveGrams: __, ...absent } = jobRequest(farm, members);
    const silent = expectStatus(await gateway.rest('POST', '/api/printjobs', absent), 201);
    expect(silent.body.GramsDerived).toBe(6.63);
    // A diameter of 0 does not prevent the rule: the area is 0, and so are the grams.
    expect((await create({ ...members, FilamentDiameterAtPrintMm: 0 })).GramsDerived).toBe(0);
  });

  test(`${POST} rule 4: "Otherwise the request values are kept."`, async () => {
    const otherwise = [
      { MmExtruded: 0, GramsDerived: 0, MaterialDensityAtPrint: 1.04 },
      { MmExtruded: 1000, GramsDerived: 0.01, MaterialDensityAtPrint: 1.04 },
      { MmExtruded: 1000, GramsDerived: 0, MaterialDensityAtPrint: 0 },
    ];
    for (const members of otherwise)
      expect(await create({ ...members, FilamentDiameterAtPrintMm: 2.85 })).toMatchObject(members);
    // Kept to the digit: a 0 that was derived would read 0.00.
    const underived = await post({ GramsDerived: 0, MaterialDensityAtPrint: 0 });
    expect(expectStatus(underived, 201).text).toContain('"GramsDerived":0,');
  });

  test(`${POST} rule 5: "When DataSource is not one of Mqtt, PrinterApi, Manual (case-insensitive), the response is 400."`, async () => {
    for (const DataSource of ['mqtt', 'PRINTERAPI', 'Manual']) expectStatus(await post({ DataSource }), 201);
    const before = await tables(gateway);
    for (const DataSource of ['', 'Fax', 'Manual ', 'PRINTER_API', 0, null]) {
      expectError(await post({ DataSource }), 400, 'DataSource');
    }
    expect(await tables(gateway)).toEqual(before);
  });

  test(`${POST} rule 6: "The stored Status is Queued."`, async () => {
    const made = await create({ Status: 'Printing', StartedAt: '2026-11-20T08:30:00Z' });
    expect((await readJob(gateway, made.Id)).Status).toBe('Queued');
  });

  test(`${POST} rule 6: "CostPerPrint and StartedAt are taken from the request as given."`, async () => {
    const given = { CostPerPrint: 123.456789, StartedAt: '2026-11-20T08:30:00.123Z' };
    // Also when the grams are derived: create never prices a job.
    for (const AutoDeriveGrams of [true, false])
      expect(await create({ ...given, AutoDeriveGrams })).toMatchObject(given);
    expect(await create({ CostPerPrint: 0, StartedAt: null, AutoDeriveGrams: true })).toMatchObject({
      CostPerPrint: 0,
      StartedAt: null,
    });
  });

  test('§4 Gram derivation formula: "grams = MmExtruded x area x (density / 1000), where area = pi x (diameter / 2)^2 in mm2, diameter in mm, density in g/cm3."', async () => {
    const known: [mm: number | string, diameter: number, density: number, grams: number][] = [
      [1000, 1.75, 1.24, 2.98],
      [335_000, 1.75, 1.24, 999.15],
      [1000, 2.85, 1.04, 6.63],
      [1, 1.75, 1.24, 0],
      [12345.678, 1.75, 1.27, 37.71],
    ];
    for (const [MmExtruded, FilamentDiameterAtPrintMm, MaterialDensityAtPrint, grams] of known) {
      const members = { MmExtruded, FilamentDiameterAtPrintMm, MaterialDensityAtPrint, GramsDerived: 0 };
      expect([MmExtruded, (await create(members)).GramsDerived]).toEqual([MmExtruded, grams]);
    }
  });

  test('§4 Gram derivation formula: "The area is rounded to 8 decimals and the result to 2 decimals."', async () => {
    // Of 1.75 mm the area is 2.40528187540… and rounds to 2.40528188: over 10^10 mm that is 6 hundredths of a gram.
    const members = { GramsDerived: 0, FilamentDiameterAtPrintMm: 1.75, MaterialDensityAtPrint: 1.24 };
    const made = expectStatus(await post({ ...members, MmExtruded: 10_000_000_000 }), 201);
    expect(made.text).toMatch(/"GramsDerived":29825495\.31[,}]/);
    // With an area that rounds to 0 there are no grams however long the thread.
    const thread = expectStatus(await post({ ...members, FilamentDiameterAtPrintMm: 0.00001, MmExtruded: 1e15 }), 201);
    expect(thread.body.GramsDerived).toBe(0);
  });
});
