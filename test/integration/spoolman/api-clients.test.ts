// How the clients of Spoolman use the API: what they read first, and what their pages and jobs need.
import { anyDatabase } from '../../support/databases';
import { makeFarm } from '../../support/farm';
import { expectStatus, PATIENT, type Parsed, test, useGateway } from '../../support/gateway';
import { spoolmanClient } from '../../support/spoolman-reader';

const ORIGIN = 'http://mainsail.local';

describe("Spoolman's clients", () => {
  const gateway = useGateway(anyDatabase, {
    currency: 'EUR',
    http: { ...PATIENT.http, corsOrigins: [ORIGIN] },
  });
  const client = spoolmanClient(gateway);

  test('Mainsail and Fluidd read the version, all lists and the currency from their own origin', async () => {
    for (const path of ['/info', '/vendor', '/spool', '/setting/currency', '/filament']) {
      const answer = await client('GET', path, undefined, { origin: ORIGIN });
      expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, ORIGIN]);
      expect(answer.headers['access-control-expose-headers']).toContain('x-total-count');
    }
    expect(await client.ok('GET', '/setting/currency')).toEqual({ value: '"EUR"', is_set: true, type: 'string' });
  });

  test('Home Assistant finds the weight of each filament, and JSON in each own field', async () => {
    await makeFarm(gateway, { weight: '750.10' });
    await client.ok('POST', '/field/spool/dried', { name: 'Dried', field_type: 'datetime' });
    const filament = await client.ok('POST', '/filament', { density: 1.24, diameter: 1.75 });
    await client.ok('POST', '/spool', { filament_id: filament.id, extra: { dried: '"2026-01-01T00:00:00Z"' } });
    const answer = await client('GET', '/spool');
    for (const spool of answer.body) {
      expect(spool.filament.weight).toBeGreaterThan(0);
      for (const text of Object.values(spool.extra)) JSON.parse(text as string);
    }
    // A decimal keeps the digits with which it is stored.
    expect(answer.text).toContain('"initial_weight":750.10,');
  });

  test('a job uses its spool, gives it the times of its use, and keeps it from being removed', async () => {
    const { spoolId, printerId } = await makeFarm(gateway);
    const amounts = {
      GramsDerived: 100.25,
      MmExtruded: 1,
      FilamentDiameterAtPrintMm: 1.75,
      MaterialDensityAtPrint: 1.24,
    };
    const job = { PrinterId: printerId, SpoolId: spoolId, PrintName: 'Benchy', DataSource: 'Manual', ...amounts };
    const { body } = expectStatus(await gateway.rest('POST', '/api/printjobs', job), 201);
    for (const Status of ['Printing', 'Completed'])
      expectStatus(await gateway.rest('PATCH', `/api/printjobs/${body.Id}/status`, { Status }), 200);
    const [spool] = (await client.ok('GET', '/spool?sort=id:desc&limit=1')) as Parsed[];
    expect(spool).toMatchObject({ remaining_weight: 899.75, used_weight: 100.25 });
    expect(spool.first_used <= spool.last_used).toBe(true);
    const refused = await client('DELETE', `/spool/${spool.id}`);
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('archive it')]);
  });
});
