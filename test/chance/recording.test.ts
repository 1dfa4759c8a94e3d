// Status records under generated calls, against a model by hand: what is stored, what is told, and in which order.

import { describeOnDatabases } from '../support/databases';
import { makeCamera } from '../support/farm';
import { expectCode, expectData, test, useGateway } from '../support/gateway';
import fc from '../support/generated';
import { holds } from './watch';

const RECORD =
  'mutation ($input: [CameraStatusInput!]!) { recordCameraStatuses(input: $input) { id cameraId recordedAt batteryPct mode } }';

interface Told {
  id: string;
  cameraId: string;
  recordedAt: string;
  batteryPct: number | null;
  mode: string | null;
}

/** A camera by its place, and how many milliseconds before or after the test's moment; null leaves the time to the server. */
const record = fc.record({
  camera: fc.integer({ min: 0, max: 2 }),
  ms: fc.option(fc.oneof(fc.integer({ min: -5, max: 0 }), fc.integer({ min: 60_000, max: 60_003 })), { freq: 2 }),
  batteryPct: fc.option(fc.integer({ min: 0, max: 100 })),
  mode: fc.option(fc.constantFrom('video', '', 'a "quoted", {braced} \\ one', 'NULL', 'é漢\u{1f5a8}\n')),
});
const calls = fc.array(
  fc.record({
    records: fc.array(record, { minLength: 1, maxLength: 6 }),
    ofNobody: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
  }),
  { minLength: 1, maxLength: 6 },
);

describeOnDatabases('generated status records', (kind) => {
  const gateway = useGateway(kind);

  test('equal records are stored once, different ones of one time beside each other; those without a time get a free one', async () => {
    await holds(
      fc.asyncProperty(calls, fc.boolean(), async (made, atOnce) => {
        const cameras = [await makeCamera(gateway), await makeCamera(gateway), await makeCamera(gateway)];
        const moment = Math.floor(Date.now() / 1000) * 1000;
        const at = (ms: number | null) => (ms === null ? null : new Date(moment + ms).toISOString());
        const call = async ({ records, ofNobody }: (typeof made)[number]) => {
          const input = records.map(({ camera, ms, ...values }) => {
            const recordedAt = at(ms);
            return { cameraId: cameras[camera], online: true, ...(recordedAt && { recordedAt }), ...values };
          });
          if (ofNobody) input.push({ cameraId: 'nobody', online: true, batteryPct: null, mode: null });
          return gateway.graphql(RECORD, { input });
        };
        const answers = [];
        if (atOnce) answers.push(...(await Promise.all(made.map(call))));
        else for (const one of made) answers.push(await call(one));

        const stored = new Map<string, Told>();
        const assigned = new Set<string>();
        for (const [index, { records, ofNobody }] of made.entries()) {
          const answer = answers[index] as (typeof answers)[number];
          if (ofNobody) {
            expectCode(answer, 'NOT_FOUND');
            continue;
          }
          const told = expectData(answer).recordCameraStatuses as Told[];
          expect(told.map(({ cameraId }) => cameraId)).toEqual(records.map(({ camera }) => cameras[camera]));
          for (const [n, { ms, batteryPct, mode }] of records.entries()) {
            const one = told[n] as Told;
            const key = JSON.stringify([one.cameraId, one.recordedAt, batteryPct, mode]);
            if (ms !== null) expect(one.recordedAt).toBe(at(ms));
            if (ms === null) {
              expect(assigned).not.toContain(one.id);
              assigned.add(one.id);
              expect(Date.parse(one.recordedAt)).toBeGreaterThanOrEqual(moment);
              expect(one).toMatchObject({ batteryPct, mode });
            }
            const first = stored.get(key);
            expect(one).toMatchObject({ batteryPct, mode });
            expect(one).toEqual(first ?? one);
            stored.set(key, one);
          }
        }
        const list = cameras.map((camera) => `'${camera}'`).join(', ');
        const rows = await gateway.sql(
          `select id::text, camera_id, recorded_at, battery_pct, mode from camera_status where camera_id in (${list})`,
        );
        const byId = (a: Told, b: Told) => Number(a.id) - Number(b.id);
        expect(
          rows
            .map((row) => ({
              id: row.id,
              cameraId: row.camera_id,
              recordedAt: new Date(row.recorded_at).toISOString(),
              batteryPct: row.battery_pct,
              mode: row.mode,
            }))
            .sort(byId),
        ).toEqual([...stored.values()].sort(byId));
      }),
    );
  });
});
