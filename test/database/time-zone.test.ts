// "Times are RFC 3339 UTC with milliseconds and Z, whatever the time zone of the database, its session or this process."
import { setDefaults } from '../support/database-settings';
import { describeOnDatabases } from '../support/databases';
import { ago, cameraDetail, expectNow, makeCamera, makeFarm, makeJob, readJob, recordStatuses } from '../support/farm';
import { expectData, type Parsed, test, useGateway } from '../support/gateway';

const ZONES = ['Asia/Kolkata', 'America/St_Johns', 'Pacific/Kiritimati'];
const DAY = 24 * 3600;

describeOnDatabases('the time zone of the database', (kind) => {
  const gateway = useGateway(kind);

  for (const zone of ZONES) {
    test(`times are the same when it is ${zone}`, async () => {
      await setDefaults(gateway, kind, { timezone: zone });

      const since = Date.now();
      const camera = await makeCamera(gateway);
      const [inside, outside] = [ago(DAY - 60), ago(DAY + 60)];
      await recordStatuses(gateway, camera, [{ recordedAt: inside }, { recordedAt: outside }]);
      const detail = await cameraDetail(gateway, camera);
      expect(detail.history.map((record: Parsed) => record.recorded_at)).toEqual([inside]);
      expectNow(detail.camera.created_at, since);

      const job = await makeJob(
        gateway,
        await makeFarm(gateway),
        { StartedAt: '2026-06-01T12:00:00.123Z' },
        'Completed',
      );
      expect(job.StartedAt).toBe('2026-06-01T12:00:00.123Z');
      expectNow(job.CompletedAt, since);
      expect(await readJob(gateway, job.Id)).toEqual(job);
      const [row] = await gateway.sql(
        `SELECT (extract(epoch FROM started_at) * 1000)::bigint::text AS at FROM print_jobs WHERE id = '${job.Id}'`,
      );
      expect(Number(row.at)).toBe(Date.UTC(2026, 5, 1, 12, 0, 0, 123));

      const found = await gateway.graphql(
        'query ($id: ID!, $from: DateTime!, $to: DateTime!) { camera(id: $id) { history(from: $from, to: $to) { recordedAt } } }',
        { id: camera, from: ago(DAY + 120), to: ago(DAY - 120) },
      );
      const times = expectData(found).camera.history.map((record: Parsed) => record.recordedAt);
      expect(times).toEqual([inside, outside]);
    });
  }
});
