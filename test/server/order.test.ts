// Orders that the documents leave open: ties, and pages of jobs that were created at the same moment. They hold whatever
// plan the database chooses, so they are read without indexes, where rows come as they were written.
import { setDefaults } from '../support/database-settings';
import { ago, cameraDetail, cameraItem, makeCamera, makeFarm, makeJob } from '../support/farm';
import { expectStatus, type Parsed, test, useGateway } from '../support/gateway';

const WITHOUT_INDEXES = { enable_indexscan: 'off', enable_indexonlyscan: 'off', enable_bitmapscan: 'off' };

describe('without indexes', () => {
  const gateway = useGateway('server', {});
  beforeAll(async () => {
    await setDefaults(gateway, 'server', WITHOUT_INDEXES);
    expect(await gateway.sql('SHOW enable_indexscan')).toEqual([{ enable_indexscan: 'off' }]);
  });

  test('ties in recorded_at go to the greater id, as a number and to its last digit', async () => {
    const id = await makeCamera(gateway);
    const at = ago(60);
    const rows = ['1000000', '999999', '9007199254740993', '9007199254740992'].map(
      (record) => `(${record}, '${id}', '${at}', 'of ${record}', true)`,
    );
    await gateway.sql(`INSERT INTO camera_status (id, camera_id, recorded_at, mode, online) VALUES ${rows.join()}`);
    expect((await cameraItem(gateway, id)).mode).toBe('of 9007199254740993');
    const { last_status, history } = await cameraDetail(gateway, id);
    expect(last_status.mode).toBe('of 9007199254740993');
    expect(history.map((record: Parsed) => record.mode)).toEqual(
      ['9007199254740993', '9007199254740992', '1000000', '999999'].map((record) => `of ${record}`),
    );
  });

  test('pages never overlap, also if jobs were created at the same moment', async () => {
    const same = await makeFarm(gateway);
    for (let n = 0; n < 7; n += 1) await makeJob(gateway, same);
    await gateway.sql(`UPDATE print_jobs SET created_at = '2026-01-01T00:00:00Z'`);
    const seen: string[] = [];
    for (const page of [1, 2, 3, 4]) {
      const answer = await gateway.rest('GET', `/api/printjobs?PageSize=2&PageNumber=${page}`);
      seen.push(...expectStatus(answer, 200).body.Items.map((job: Parsed) => job.Id));
    }
    expect(new Set(seen).size).toBe(7);
    expect(seen).toEqual([...seen].sort().reverse());
  });
});
