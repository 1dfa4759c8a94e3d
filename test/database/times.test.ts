// "Times are RFC 3339 UTC with milliseconds and Z, whatever the time zone of the database, its session or this process."
import { join } from 'node:path';
import { startChild } from '../support/child-process';
import { setDefaults } from '../support/database-settings';
import { describeOnDatabases, freshDatabase } from '../support/databases';
import { ago, cameraDetail, expectNow, makeCamera, makeFarm, makeJob, readJob, recordStatuses } from '../support/farm';
import { expectData, type Parsed, test, useGateway } from '../support/gateway';

const DAY = 24 * 3600;

describeOnDatabases('times', (kind) => {
  const gateway = useGateway(kind, {});

  test('are the same if the database is in another time zone', async () => {
    await setDefaults(gateway, kind, { timezone: 'Pacific/Kiritimati' });
    const since = Date.now();
    const camera = await makeCamera(gateway);
    const [inside, outside] = [ago(DAY - 60), ago(DAY + 60)];
    await recordStatuses(gateway, camera, [{ recordedAt: inside }, { recordedAt: outside }]);
    const detail = await cameraDetail(gateway, camera);
    expect(detail.history.map((record: Parsed) => record.recorded_at)).toEqual([inside]);
    expectNow(detail.camera.created_at, since);

    const startedAt = '2026-06-01T12:00:00.123Z';
    const job = await makeJob(gateway, await makeFarm(gateway), { StartedAt: startedAt }, 'Completed');
    expect(job.StartedAt).toBe(startedAt);
    expectNow(job.CompletedAt, since);
    expect(await readJob(gateway, job.Id)).toEqual(job);
    const [row] = await gateway.sql(`SELECT extract(epoch FROM started_at)::text AS at FROM print_jobs`);
    expect(Number(row.at) * 1000).toBe(Date.parse(startedAt));

    const found = await gateway.graphql(
      'query ($id: ID!, $from: DateTime!, $to: DateTime!) { camera(id: $id) { history(from: $from, to: $to) { recordedAt } } }',
      { id: camera, from: ago(DAY + 120), to: ago(DAY - 120) },
    );
    const times = expectData(found).camera.history.map((record: Parsed) => record.recordedAt);
    expect(times).toEqual([inside, outside]);
  });

  test('are the same instant on every path in and out if the process is in another time zone', async () => {
    const fresh = await freshDatabase(kind);
    const zone = 'America/St_Johns';
    const child = startChild(join(__dirname, 'write-and-read-times.ts'), [JSON.stringify(fresh.target)], { TZ: zone });
    expect({ code: await child.ended, output: child.output }).toMatchObject({ code: 0 });
    const report = JSON.parse(child.output.split('\n').find((line) => line.startsWith('{')) ?? 'null');
    expect([report.processZone, report.sessionZone]).toEqual([zone, 'UTC']);
    // Summer and winter, the hour that New York has twice, the one it lacks, and the ends of the range.
    for (const { instant, byModel, byJson } of report.times) {
      const same = { model: instant, json: instant, sql: instant };
      expect({ instant, byModel, byJson }).toEqual({ instant, byModel: same, byJson: same });
    }
    expect(report.times).toHaveLength(7);
    await fresh.drop();
  });
});
