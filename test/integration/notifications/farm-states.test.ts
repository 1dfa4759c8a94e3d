/**
 * What brokers are told of a printer whose machine prints one file, while a job of another print stands in PRINTING.
 *
 * @jest-environment node
 */
import { FarmStatesStore } from '../../../src/notifications/mqtt/farm-states.store';
import { anyDatabase } from '../../support/databases';
import { makeFarm, makeJob } from '../../support/farm';
import { test, useGateway } from '../../support/gateway';
import { makePrint } from '../../support/prints';

const gateway = useGateway(anyDatabase);

test('what the machine prints counts, and the other job is stale', async () => {
  const farm = await makeFarm(gateway);
  const printer = async () =>
    (await new FarmStatesStore(gateway.database()).printers()).find(({ id }) => id === farm.printerId);
  const stale = await makeJob(gateway, farm, { PrintName: 'Planter' }, 'Printing');
  expect(await printer()).toMatchObject({ isPrinting: true, print: 'Planter', spool: expect.any(String) });
  const running = { outcome: 'RUNNING', endedAt: null, filament: null };
  const print = await makePrint(gateway, farm.printerId, running);
  expect(await printer()).toMatchObject({ isPrinting: true, print: 'Benchy', spool: null });
  await gateway.sql(`update observed_prints set job_id = '${stale.Id}' where id = '${print}'`);
  expect(await printer()).toMatchObject({ isPrinting: true, print: 'Benchy', spool: expect.any(String) });
});
