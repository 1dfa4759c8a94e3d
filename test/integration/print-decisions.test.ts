// The decisions of people about prints, through the graph.
import { describeOnDatabases } from '../support/databases';
import { makeFarm } from '../support/farm';
import { expectData, test, useGateway } from '../support/gateway';

const PRINT = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

describeOnDatabases('decisions about prints', (kind) => {
  const gateway = useGateway(kind);

  test('a print that waits gets its job from assignSpools, with the times of the print', async () => {
    const { printerId, spoolId } = await makeFarm(gateway);
    await gateway.sql(`insert into observed_prints (id, printer_id, name, started_at, started_at_estimated, ended_at, outcome,
      created_at, slots, measured, seen_at, filament) values ('${PRINT}', '${printerId}', 'cube.gcode', '2026-11-20T08:00:00Z',
      false, '2026-11-20T09:00:00Z', 'COMPLETED', '2026-11-20T08:00:00Z', '[]', '[]', '2026-11-20T09:00:00Z',
      '[{"slot":"tool:0","mm":"990.25","grams":null,"basis":"MEASURED"}]')`);
    const answer = await gateway.graphql(
      `mutation ($spools: [SlotSpoolInput!]!) {
        assignSpools(printId: "${PRINT}", spools: $spools) {
          waitsFor filament { slot mm basis spool { id } }
          job { status startedAt completedAt mmExtruded dataSource filamentBasis }
        }
      }`,
      { spools: [{ slot: 'tool:0', spoolId }] },
    );
    expect(expectData(answer).assignSpools).toEqual({
      waitsFor: null,
      filament: [{ slot: 'tool:0', mm: '990.25', basis: 'MEASURED', spool: { id: spoolId } }],
      job: {
        status: 'COMPLETED',
        startedAt: '2026-11-20T08:00:00.000Z',
        completedAt: '2026-11-20T09:00:00.000Z',
        mmExtruded: '990.25',
        dataSource: 'PRINTER_API',
        filamentBasis: 'MEASURED',
      },
    });
  });
});
