// Printers and spools that the gateway knows from an earlier job: a new job holds what they are now, whatever is known.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { createApp } from '../../src/app';
import { readConfig } from '../../src/config';
import { deriveGrams } from '../../src/print-jobs/filament';
import { describeOnBothDatabases, freshDatabase } from '../support/databases';
import { type Farm, jobRequest, makeFarm } from '../support/farm';
import { expectData, expectError, expectStatus, type Parsed, test, useGateway } from '../support/gateway';
import { statementsOf } from '../support/statements';
import { until, WAITING_SESSIONS } from '../support/waiting';

const CREATE = `mutation ($input: CreatePrintJobInput!) { createPrintJob(input: $input) {
  gramsDerived filamentDiameterAtPrintMm materialDensityAtPrint
  printer { name } spool { vendor filamentDiameterMm material { name densityGPerCm3 } } } }`;

const inputOf = ({ printerId, spoolId }: Farm) => ({
  printerId,
  spoolId,
  printName: 'x',
  dataSource: 'MANUAL',
  mmExtruded: '1000',
  autoDeriveGrams: true,
});

describeOnBothDatabases('a new job on a known printer and spool', (kind) => {
  const gateway = useGateway(kind);
  let farm: Farm;
  const create = async (): Promise<Parsed> =>
    expectData(await gateway.graphql(CREATE, { input: inputOf(farm) })).createPrintJob;
  beforeEach(async () => {
    farm = await makeFarm(gateway);
    expect(await create()).toMatchObject({ gramsDerived: deriveGrams('1000', '1.75', '1.24') });
  });

  test('has the diameter, the density and the names that another program has just written', async () => {
    for (const [n, diameter, density] of [
      [1, '2.85', '1.24'],
      [2, '2.85', '1.5'],
      [3, '1.75', '1.1'],
    ] as const) {
      await gateway.sql(
        `update spools set filament_diameter_mm = ${diameter}, vendor = 'v${n}' where id = '${farm.spoolId}'`,
      );
      await gateway.sql(
        `update materials set density_g_per_cm3 = ${density}, name = 'm${n} ${farm.materialId}' where id = '${farm.materialId}'`,
      );
      await gateway.sql(`update printers set name = 'p${n}' where id = '${farm.printerId}'`);
      expect(await create()).toEqual({
        gramsDerived: deriveGrams('1000', diameter, density),
        filamentDiameterAtPrintMm: diameter,
        materialDensityAtPrint: density,
        printer: { name: `p${n}` },
        spool: {
          vendor: `v${n}`,
          filamentDiameterMm: diameter,
          material: { name: `m${n} ${farm.materialId}`, densityGPerCm3: density },
        },
      });
    }
  });

  test('is refused once the printer or the spool is archived or gone', async () => {
    const request = () => gateway.rest('POST', '/api/printjobs', jobRequest(farm));
    for (const [table, id, member] of [
      ['printers', farm.printerId, 'PrinterId'],
      ['spools', farm.spoolId, 'SpoolId'],
    ]) {
      await gateway.sql(`update ${table} set archived_at = now() where id = '${id}'`);
      expectError(await request(), 400, member);
      await gateway.sql(`update ${table} set archived_at = null where id = '${id}'`);
      expectStatus(await request(), 201);
    }
    await gateway.sql(`delete from print_jobs where printer_id = '${farm.printerId}'`);
    await gateway.sql(`delete from spools where id = '${farm.spoolId}'`);
    expectError(await request(), 400, 'SpoolId');
  });

  test('is not refused for a diameter that the spool no longer has', async () => {
    await gateway.sql(`update spools set filament_diameter_mm = 900000000000 where id = '${farm.spoolId}'`);
    expectError(
      await gateway.rest('POST', '/api/printjobs', jobRequest(farm, { AutoDeriveGrams: true })),
      400,
      'GramsDerived',
    );
    await gateway.sql(`update spools set filament_diameter_mm = 1.75 where id = '${farm.spoolId}'`);
    expect(await create()).toMatchObject({ gramsDerived: deriveGrams('1000', '1.75', '1.24') });
  });

  test('has the density of its place in a keyed request that changes it twice', async () => {
    const densities = ['1.1', '1.2', '1.3'];
    const steps = densities.map(
      (density, n) => `
        m${n}: updateMaterial(id: $material, input: { densityGPerCm3: "${density}" }) { id }
        j${n}: createPrintJob(input: $input) { materialDensityAtPrint gramsDerived }`,
    );
    const document = `mutation ($material: ID!, $input: CreatePrintJobInput!) { ${steps.join('\n')} }`;
    const variables = { material: farm.materialId, input: inputOf(farm) };
    const answer = await gateway.rest(
      'POST',
      '/graphql',
      { query: document, variables },
      { 'idempotency-key': randomUUID() },
    );
    const { data } = expectStatus(answer, 200).body;
    expect(densities.map((_, n) => data[`j${n}`])).toEqual(
      densities.map((density) => ({
        materialDensityAtPrint: density,
        gramsDerived: deriveGrams('1000', '1.75', density),
      })),
    );
  });
});

describe('on a server', () => {
  const gateway = useGateway('server');

  test('the first job looks its printer and spool up, the next ones do not', async () => {
    const farm = await makeFarm(gateway);
    const create = () =>
      statementsOf(async () => expectStatus(await gateway.rest('POST', '/api/printjobs', jobRequest(farm)), 201));
    expect(await create()).toEqual([
      expect.stringContaining('/* inventory.links */'),
      expect.stringContaining('/* printJobs.create */'),
    ]);
    expect(await create()).toEqual([expect.stringContaining('/* printJobs.create */')]);
  });

  globalThis.test('a job that waits for a change of its spool is made with the changed spool', async () => {
    const fresh = await freshDatabase('server');
    const app = await createApp({ ...readConfig({ LOG_LEVEL: 'silent' }), database: fresh.target });
    const beside = new Client({ connectionString: fresh.url });
    await beside.connect();
    const graphql = async (query: string, variables?: unknown): Promise<Parsed> => {
      const answer = await app.inject({ method: 'POST', url: '/graphql', payload: { query, variables } });
      const { data, errors } = answer.json();
      if (errors) throw new Error(`${query}\n${answer.payload}`);
      return data;
    };
    try {
      const { createPrinter, createMaterial } = await graphql(
        'mutation { createPrinter(input: { name: "p" }) { id } createMaterial(input: { name: "m", densityGPerCm3: "1.24" }) { id } }',
      );
      const { createSpool } = await graphql(
        'mutation ($m: ID!) { createSpool(input: { spoolSerial: "s", filamentDiameterMm: "1.75", weightTotalGrams: "1", materialId: $m }) { id } }',
        { m: createMaterial.id },
      );
      const input = inputOf({ printerId: createPrinter.id, spoolId: createSpool.id } as Farm);
      await graphql(CREATE, { input });
      for (const diameter of ['2.85', '3', '1.75']) {
        await beside.query(`begin; update spools set filament_diameter_mm = ${diameter}`);
        const creating = graphql(CREATE, { input });
        await until(async () => {
          const { rows } = await beside.query(WAITING_SESSIONS);
          return rows.length > 0;
        });
        await beside.query('commit');
        expect((await creating).createPrintJob).toMatchObject({
          filamentDiameterAtPrintMm: diameter,
          gramsDerived: deriveGrams('1000', diameter, '1.24'),
          spool: { filamentDiameterMm: diameter },
        });
      }
    } finally {
      await beside.end();
      await app.close();
      await fresh.drop();
    }
  });
});
