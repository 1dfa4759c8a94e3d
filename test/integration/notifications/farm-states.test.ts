// What brokers retain of a printer: of the print of its machine, beside a job of another print, and of a job with several spools.
import { FarmStatesService, FarmStatesStore } from '../../../src/notifications/mqtt/states.store';
import { anyDatabase } from '../../support/databases';
import { makeFarm, makeJob } from '../../support/farm';
import { expectData, test, useGateway } from '../../support/gateway';
import { makePrint } from '../../support/prints';

describe('the states for brokers', () => {
  const gateway = useGateway(anyDatabase);

  test('what the machine prints counts, and the other job is stale', async () => {
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

  test('a job of several spools has each of them once, its own first', async () => {
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
