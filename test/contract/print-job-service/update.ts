// §4 PUT /api/printjobs/{id} of the print job document.
import { randomUUID } from 'node:crypto';
import { describeOnDatabases } from '../../support/databases';
import { expectNow, type Farm, jobUpdate, makeFarm, makeJob, readJob, STATUSES, tables } from '../../support/farm';
import { expectError, expectStatus, type Parsed, type RestResponse, test, useGateway } from '../../support/gateway';

const PUT = '§4 PUT /api/printjobs/{id}';

describeOnDatabases('print job document, full update', (kind) => {
  const gateway = useGateway(kind);
  let farm: Farm;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
  });

  const put = (id: string, members: Record<string, unknown> = {}, of: Farm = farm): Promise<RestResponse> =>
    gateway.rest('PUT', `/api/printjobs/${id}`, jobUpdate(of, members));
  const update = async (id: string, members: Record<string, unknown> = {}, of: Farm = farm): Promise<Parsed> =>
    expectStatus(await put(id, members, of), 200).body;

  test(`${PUT}: "Body: update request." "Response 200: the updated print job."`, async () => {
    const made = await makeJob(gateway, farm);
    const { AutoDeriveGrams: _, ...replaced } = jobUpdate(farm);
    const since = Date.now();
    const updated = await update(made.Id);
    expect(updated).toEqual({ ...made, ...replaced, UpdatedAt: updated.UpdatedAt });
    expectNow(updated.UpdatedAt, since);
    expect(await readJob(gateway, made.Id)).toEqual(updated);
  });

  test(`${PUT}: "Response 404 when the job does not exist; checked first."`, async () => {
    const before = await tables(gateway);
    const nowhere = randomUUID();
    const bodies = [
      jobUpdate(farm),
      jobUpdate(farm, { PrinterId: randomUUID(), SpoolId: randomUUID() }),
      jobUpdate(farm, { MmExtruded: 'long', PrintName: 5 }),
      {},
      [],
      'null',
    ];
    for (const body of bodies) expectError(await gateway.rest('PUT', `/api/printjobs/${nowhere}`, body), 404);
    expect(await tables(gateway)).toEqual(before);
  });

  test(`${PUT} rule 1: "PrinterId and SpoolId are validated as for create (400 when not found)."`, async () => {
    const { Id } = await makeJob(gateway, farm);
    const before = await tables(gateway);
    const [PrinterId, SpoolId] = [randomUUID(), randomUUID()];
    expectError(await put(Id, { PrinterId }), 400, 'PrinterId');
    expectError(await put(Id, { SpoolId }), 400, 'SpoolId');
    for (const noSpool of [SpoolId, 'zz', null, 7]) {
      expect(expectError(await put(Id, { PrinterId, SpoolId: noSpool }), 400, 'PrinterId')).not.toMatch(/SpoolId/);
    }
    expect(await tables(gateway)).toEqual(before);
  });

  test(`${PUT} rule 2: "PrinterId, SpoolId, PrintName, GcodeFilePath, MmExtruded, GramsDerived, CostPerPrint and Notes are replaced with the request values."`, async () => {
    const { Id } = await makeJob(gateway, farm);
    const other = await makeFarm(gateway);
    const { AutoDeriveGrams: _, ...replaced } = jobUpdate(other);
    expect(await update(Id, {}, other)).toMatchObject({
      ...replaced,
      PrinterName: other.printerName,
      SpoolSerial: other.spoolSerial,
    });
    // Replaced, not merged: members that the request leaves out are emptied.
    const { PrinterId, SpoolId } = jobUpdate(farm);
    const emptied = await gateway.rest('PUT', `/api/printjobs/${Id}`, { PrinterId, SpoolId });
    expect(expectStatus(emptied, 200).body).toMatchObject({
      PrintName: '',
      GcodeFilePath: '',
      MmExtruded: 0,
      GramsDerived: 0,
      CostPerPrint: 0,
      Notes: null,
    });
  });

  test(`${PUT} rule 3: "When AutoDeriveGrams is true, the stored diameter and density are refreshed from the spool and its material, and GramsDerived is recomputed."`, async () => {
    const { Id } = await makeJob(gateway, farm);
    const thick = await makeFarm(gateway, { diameter: '2.85', density: '1.04' });
    const derived = { FilamentDiameterAtPrintMm: 2.85, MaterialDensityAtPrint: 1.04, GramsDerived: 6.63 };
    const asked = { MmExtruded: 1000, GramsDerived: 9, AutoDeriveGrams: true };
    expect(await update(Id, asked, thick)).toMatchObject(derived);
    await gateway.graphql('mutation ($id: ID!) { updateMaterial(id: $id, input: { densityGPerCm3: "2.08" }) { id } }', {
      id: thick.materialId,
    });
    expect(await readJob(gateway, Id)).toMatchObject(derived);
    expect(await update(Id, asked, thick)).toMatchObject({ MaterialDensityAtPrint: 2.08, GramsDerived: 13.27 });
  });

  test(`${PUT} rule 3: "When it is false, the request GramsDerived is stored and the stored diameter and density are kept."`, async () => {
    const made = await makeJob(gateway, farm);
    const thick = await makeFarm(gateway, { diameter: '2.85', density: '1.04' });
    const kept = { FilamentDiameterAtPrintMm: 1.75, MaterialDensityAtPrint: 1.24 };
    expect(made).toMatchObject(kept);
    // Unlike create, an update does not derive grams that the request gives as 0, and takes no diameter or density from it.
    for (const GramsDerived of [4.25, 0]) {
      const ignored = { FilamentDiameterAtPrintMm: 9, MaterialDensityAtPrint: 9 };
      expect(await update(made.Id, { GramsDerived, ...ignored }, thick)).toMatchObject({ ...kept, GramsDerived });
    }
  });

  test(`${PUT} rule 4: "When AutoDeriveGrams is true, the spool has a PurchasePrice and the derived grams are above 0, CostPerPrint is recomputed as grams times (PurchasePrice divided by WeightTotalGrams), rounded to 4 decimals." "The request's CostPerPrint is overridden."`, async () => {
    const { Id } = await makeJob(gateway, farm);
    // 2.98 g of 1,000 g for 25.
    const priced = { MmExtruded: 1000, CostPerPrint: 9, AutoDeriveGrams: true };
    expect(await update(Id, priced)).toMatchObject({ GramsDerived: 2.98, CostPerPrint: 0.0745 });
    // 2.98 x 19.99 / 750 = 0.079426933…
    const odd = await makeFarm(gateway, { weight: '750', price: '19.99' });
    expect(await update(Id, priced, odd)).toMatchObject({ CostPerPrint: 0.0794 });
    // A free spool has a price, of 0.
    const free = await makeFarm(gateway, { price: '0' });
    expect(await update(Id, priced, free)).toMatchObject({ CostPerPrint: 0 });
    // Each condition alone.
    expect(await update(Id, { ...priced, AutoDeriveGrams: false })).toMatchObject({ CostPerPrint: 9 });
    expect(await update(Id, { ...priced, MmExtruded: 0 })).toMatchObject({ GramsDerived: 0, CostPerPrint: 9 });
    const unpriced = await makeFarm(gateway, { price: null });
    expect(await update(Id, priced, unpriced)).toMatchObject({ GramsDerived: 2.98, CostPerPrint: 9 });
  });

  test(`${PUT} rule 5: "Status, StartedAt, CompletedAt and DataSource are not changed by this operation."`, async () => {
    for (const status of STATUSES) {
      const made = await makeJob(gateway, farm, { DataSource: 'Mqtt' }, status);
      const asked = { Status: 'Failed', StartedAt: '2020-01-01T00:00:00Z', CompletedAt: null, DataSource: 'Manual' };
      const { Status, StartedAt, CompletedAt, DataSource } = made;
      expect(await update(made.Id, asked)).toMatchObject({ Status, StartedAt, CompletedAt, DataSource });
    }
    // They are not members of the update request, so they cannot be wrong.
    const { Id } = await makeJob(gateway, farm);
    await update(Id, { Status: 'Paused', StartedAt: 'yesterday', DataSource: 'Fax' });
  });
});
