// The retained states of a printer: the print of its machine, beside a job of another print, and a job with several spools.
import { FarmStatesService, FarmStatesStore } from '../../../src/notifications/mqtt/states.store';
import { anyDatabase } from '../../support/databases';
import { makeFarm, makeJob, unique } from '../../support/farm';
import { expectData, test, useGateway } from '../../support/gateway';
import { makePrint } from '../../support/prints';

describe('the states for brokers', () => {
  const gateway = useGateway(anyDatabase);

  test('the job that the machine prints counts, and the other job is stale', async () => {
    const farm = await makeFarm(gateway);
    const printer = async () =>
      (await new FarmStatesStore(gateway.database()).printers()).find(({ id }) => id === farm.printerId);
    const stale = await makeJob(gateway, farm, { PrintName: 'Planter' }, 'Printing');
    expect(await printer()).toMatchObject({ isPrinting: true, print: 'Planter', spools: [farm.spoolSerial] });
    const running = { outcome: 'RUNNING', endedAt: null, filament: null };
    const print = await makePrint(gateway, farm.printerId, running);
    expect(await printer()).toMatchObject({ isPrinting: true, print: 'Benchy', spools: [] });
    await gateway.sql(`update observed_prints set job_id = '${stale.Id}' where id = '${print}'`);
    expect(await printer()).toMatchObject({ isPrinting: true, print: 'Benchy', spools: [farm.spoolSerial] });
  });

  test('filaments in use that have a minimum are published with their free grams', async () => {
    const farm = await makeFarm(gateway);
    const make = async (members: object) => {
      const input = {
        name: unique('PLA'),
        materialId: farm.materialId,
        filamentDiameterMm: '1.75',
        weightTotalGrams: '1000',
      };
      const document = 'mutation ($input: CreateFilamentInput!) { createFilament(input: $input) { id number name } }';
      return expectData(await gateway.graphql(document, { input: { ...input, ...members } })).createFilament;
    };
    const { id, number, name } = await make({ minimumGrams: '950' });
    await gateway.sql(`update spools set filament_id = '${id}' where id = '${farm.spoolId}'`);
    await make({});
    const archived = await make({ minimumGrams: '1' });
    await gateway.sql(`update filaments set archived_at = now() where id = '${archived.id}'`);
    await makeJob(gateway, farm, { GramsDerived: 40.5 }, 'Completed');
    await makeJob(gateway, farm, { GramsDerived: 9.5 });
    const states = new FarmStatesStore(gateway.database());
    const stock = { spools: 1, remainingGrams: '959.5', plannedGrams: '9.5', freeGrams: '950', isLow: false };
    expect(await states.filaments()).toEqual([{ id, number, name, ...stock }]);
    await makeJob(gateway, farm, { GramsDerived: 0.1 });
    expect(await states.filaments()).toMatchObject([{ freeGrams: '949.9', isLow: true }]);
    await gateway.sql(`update filaments set minimum_grams = null where id = '${id}'`);
    expect(await states.filaments()).toEqual([]);
  });

  test('a job of several spools lists each spool once, the spool of the job first', async () => {
    const [farm, second] = [await makeFarm(gateway), await makeFarm(gateway)];
    const job = await makeJob(gateway, farm, {}, 'Printing');
    const printer = async () => {
      const states = new FarmStatesService(new FarmStatesStore(gateway.database()), async () => null);
      return (await states.read(new Date().toISOString())).printers.find(({ id }) => id === farm.printerId);
    };
    expect(await printer()).toMatchObject({ spool: farm.spoolSerial, spools: [farm.spoolSerial] });
    const parts = [
      { spoolId: second.spoolId, slot: 'tool:0', mmExtruded: '2000' },
      { spoolId: farm.spoolId, slot: 'tool:1', mmExtruded: '1000' },
      { spoolId: second.spoolId, slot: 'tool:2', mmExtruded: '500' },
    ];
    const set =
      'mutation ($id: ID!, $parts: [PrintJobPartInput!]!) { setPrintJobParts(id: $id, parts: $parts) { id } }';
    expectData(await gateway.graphql(set, { id: job.Id, parts }));
    expect(await printer()).toMatchObject({ spool: null, spools: [farm.spoolSerial, second.spoolSerial] });
  });
});
