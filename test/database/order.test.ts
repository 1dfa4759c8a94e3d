// Orders that the documents leave open: ties, and pages of jobs that were created at the same moment. They hold whatever
// plan the database chooses, so they are read with the indexes and again without, where rows come as they were written.
import { setDefaults } from '../support/database-settings';
import { describeOnDatabases } from '../support/databases';
import { ago, cameraItem, makeCamera, makeFarm, makeJob } from '../support/farm';
import { expectStatus, type Parsed, test, useGateway } from '../support/gateway';

const WITHOUT_INDEXES = { enable_indexscan: 'off', enable_indexonlyscan: 'off', enable_bitmapscan: 'off' };

describeOnDatabases('orders', (kind) => {
  const gateway = useGateway(kind);
  describe.each(['with indexes', 'without indexes'])('%s', (plan) => {
    beforeAll(async () => {
      if (plan === 'with indexes') return;
      await setDefaults(gateway, kind, WITHOUT_INDEXES);
      expect(await gateway.sql('SHOW enable_indexscan')).toEqual([{ enable_indexscan: 'off' }]);
    });

    test('ties in recorded_at go to the greater id, as a number and to its last digit', async () => {
      const id = await makeCamera(gateway);
      const recorded = ago(60);
      const insert = (record: string, mode: string) =>
        gateway.sql(`INSERT INTO camera_status (id, camera_id, recorded_at, mode, online)
                   VALUES (${record}, '${id}', '${recorded}', '${mode}', true)`);
      for (const [record, mode] of [
        ['1000000', 'second'],
        ['999999', 'first'],
        ['9007199254740993', 'last'],
        ['9007199254740992', 'third'],
      ] as const) {
        await insert(record, mode);
      }
      expect((await cameraItem(gateway, id)).mode).toBe('last');
      const detail = expectStatus(await gateway.rest('GET', `/cameras/${encodeURIComponent(id)}`), 200);
      expect(detail.body.last_status.mode).toBe('last');
      expect(detail.body.history.map((record: Parsed) => record.mode)).toEqual(['last', 'third', 'second', 'first']);
      expect(detail.text).toMatch(/"id":"?9007199254740993[",]/);
    });

    test('pages never overlap, also where jobs were created at the same moment', async () => {
      const same = await makeFarm(gateway);
      for (const _ of Array.from({ length: 7 })) await makeJob(gateway, same);
      await gateway.sql(
        `UPDATE print_jobs SET created_at = '2026-01-01T00:00:00Z' WHERE printer_id = '${same.printerId}'`,
      );
      const seen: string[] = [];
      for (const page of [1, 2, 3, 4]) {
        const answer = await gateway.rest(
          'GET',
          `/api/printjobs?PrinterId=${same.printerId}&PageSize=2&PageNumber=${page}`,
        );
        seen.push(...expectStatus(answer, 200).body.Items.map((job: Parsed) => job.Id));
      }
      expect(seen).toHaveLength(7);
      expect(new Set(seen).size).toBe(7);
      expect(seen).toEqual([...seen].sort().reverse());
    });
  });
});
