// What printers do now: the newest word of each, and whether it is still true.
import { describeOnDatabases } from '../support/databases';
import { ago, makeFarm } from '../support/farm';
import { expectData, type Parsed, test, useGateway } from '../support/gateway';
import { makeDevice, makePrint, setState } from '../support/prints';

const STATE = `state { activity progress progressBasis remainingSec layer layers printName message heardAt stale print { id } }`;

describeOnDatabases('the state of a printer', (kind) => {
  const gateway = useGateway(kind);
  const stateOf = async (id: string): Promise<Parsed> =>
    expectData(await gateway.graphql(`query ($id: ID!) { printer(id: $id) { ${STATE} } }`, { id })).printer.state;

  test('is what was written, and null without a device or a word of it', async () => {
    const { printerId } = await makeFarm(gateway);
    expect(await stateOf(printerId)).toBeNull();
    const heardAt = ago(1);
    const shown = {
      ...{ activity: 'PRINTING', progress: 0.125, progressBasis: 'FILE', remainingSec: 70, layer: 3, layers: 24 },
      ...{ printName: 'Benchy', message: 'Nozzle is cold' },
    };
    const printId = await makePrint(gateway, printerId);
    await setState(gateway, printerId, { ...shown, heardAt, printId });
    expect(await stateOf(printerId)).toBeNull();
    const device = await makeDevice(gateway, { printerId, lastMessageAt: null });
    expect(await stateOf(printerId)).toEqual({ ...shown, heardAt, stale: false, print: { id: printId } });
    await gateway.sql(`delete from devices where id = '${device}'`);
    expect(await stateOf(printerId)).toBeNull();
  });

  test('is stale when the printer is offline, or silent for longer than its kind may be', async () => {
    const { printerId } = await makeFarm(gateway);
    const device = await makeDevice(gateway, { printerId, lastMessageAt: ago(60) });
    const set = (columns: string) => gateway.sql(`update devices set ${columns} where id = '${device}'`);
    await setState(gateway, printerId, { heardAt: ago(90) });
    expect(await stateOf(printerId)).toMatchObject({ activity: 'PRINTING', progress: null, print: null, stale: true });
    // It was heard of since, and said the same.
    const heardAt = ago(2);
    await set(`last_message_at = '${heardAt}'`);
    expect(await stateOf(printerId)).toMatchObject({ heardAt, stale: false });
    await set(`last_message_at = '${ago(100)}', kind = 'BAMBU'`);
    expect(await stateOf(printerId)).toMatchObject({ stale: false });
    await setState(gateway, printerId, { activity: 'OFFLINE', heardAt: ago(1) });
    expect(await stateOf(printerId)).toMatchObject({ activity: 'OFFLINE', stale: true });
  });
});
