// Tests the feed of changes: every committed change, each once, in the order of commits for each object.
import { randomUUID } from 'node:crypto';
import {
  collectChanges,
  readChangePage,
  readChangesAfter,
  readChangesUntilNow,
  readCurrentCursor,
  readLatestCursor,
  summarizeChange,
} from '../support/changes';
import { anyDatabase } from '../support/databases';
import { expectNow, type Farm, makeCamera, makeFarm, makeJob, recordStatuses, unique } from '../support/farm';
import { expectCode, expectData, expectStatus, test, useGateway } from '../support/gateway';

describe('the feed of changes', () => {
  const gateway = useGateway(anyDatabase);
  const collectSummaries = async (step: () => Promise<unknown>) =>
    (await collectChanges(gateway, step)).map(summarizeChange);
  const sql = (text: string) => gateway.sql(text);
  const run = async (mutation: string, variables?: unknown) => expectData(await gateway.graphql(mutation, variables));
  const insertCameras = (...ids: string[]) =>
    sql(`insert into cameras (camera_id, friendly_name) values ${ids.map((id) => `('${id}', 'c')`).join()}`);
  let farm: Farm;
  const createInsert = (id: string) =>
    `insert into print_jobs (id, printer_id, spool_id, print_name, gcode_file_path, mm_extruded, grams_derived,
      cost_per_print, status, data_source, filament_diameter_at_print_mm, material_density_at_print)
      values ('${id}', '${farm.printerId}', '${farm.spoolId}', 'n', '', 1, 1, 1, 'Printing', 'Mqtt', 1.75, 1.24)`;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
  });

  test('has every write of the gateway, with its cursor, its time and the object', async () => {
    const since = Date.now();
    let made: Farm | undefined;
    let camera = '';
    let job = '';
    const changes = await collectChanges(gateway, async () => {
      made = await makeFarm(gateway);
      camera = await makeCamera(gateway);
      await run(`mutation ($id: ID!) { updateCamera(id: $id, input: { friendlyName: "new" }) { id } }`, { id: camera });
      await recordStatuses(gateway, camera, [{ mode: 'day' }, { mode: 'night' }]);
      job = (await makeJob(gateway, made, {}, 'Printing')).Id;
      await run(
        `mutation ($printer: ID!, $spool: ID!, $material: ID!) {
           updatePrinter(id: $printer, input: { name: "${unique('p')}" }) { id }
           updateSpool(id: $spool, input: { purchasePrice: "3" }) { id }
           updateMaterial(id: $material, input: { name: "${unique('m')}" }) { id } }`,
        { printer: made.printerId, spool: made.spoolId, material: made.materialId },
      );
      expectStatus(await gateway.rest('DELETE', `/api/printjobs/${job}`), 204);
    });
    const { materialId, spoolId, printerId } = made as Farm;
    const texts = changes.map(summarizeChange);
    // One operation writes the first two, one after the other or together.
    expect(texts.slice(0, 2).sort()).toEqual([`MATERIAL CREATED ${materialId}`, `PRINTER CREATED ${printerId}`]);
    expect(texts.slice(2)).toEqual([
      `SPOOL CREATED ${spoolId}`,
      `CAMERA CREATED ${camera}`,
      `CAMERA UPDATED ${camera}`,
      `STATUS ${camera} day`,
      `STATUS ${camera} night`,
      `PRINTJOB CREATED ${job} null→QUEUED`,
      `PRINTJOB UPDATED ${job} QUEUED→PRINTING`,
      `PRINTER UPDATED ${printerId}`,
      `SPOOL UPDATED ${spoolId}`,
      `MATERIAL UPDATED ${materialId}`,
      `PRINTJOB UPDATED ${job} PRINTING→CANCELLED`,
    ]);
    for (const { at } of changes) expectNow(at, since);
    expect(new Set(changes.map(({ cursor }) => cursor)).size).toBe(changes.length);
  });

  test('has every write of other programs', async () => {
    const [one, two, three] = ['a', 'b', 'c'].map(unique) as [string, string, string];
    const job = randomUUID();
    const record = (id: string, mode: string) => `('${id}', now(), '${mode}')`;
    const steps: [step: string, told: string[]][] = [
      [
        `insert into cameras (camera_id, friendly_name) values ('${one}', 'c'), ('${two}', 'c')`,
        [`CAMERA CREATED ${one}`, `CAMERA CREATED ${two}`],
      ],
      [
        `insert into cameras (camera_id, friendly_name) values ('${one}', 'other'), ('${three}', 'c')
           on conflict (camera_id) do update set friendly_name = excluded.friendly_name`,
        [`CAMERA CREATED ${three}`, `CAMERA UPDATED ${one}`],
      ],
      [
        `insert into camera_status (camera_id, recorded_at, mode) values ${record(one, 'x')}, ${record(two, 'y')}`,
        [`STATUS ${one} x`, `STATUS ${two} y`],
      ],
      [`update camera_status set mode = 'z' where camera_id = '${one}'`, [`CAMERA UPDATED ${one}`]],
      // Its records are deleted with it, or get the other id.
      [`delete from cameras where camera_id = '${two}'`, [`CAMERA DELETED ${two}`]],
      [
        `update cameras set camera_id = '${two}' where camera_id = '${one}'`,
        [`CAMERA CREATED ${two}`, `CAMERA DELETED ${one}`, `CAMERA UPDATED ${two}`],
      ],
      [`delete from camera_status where camera_id = '${two}'`, [`CAMERA UPDATED ${two}`]],
      [createInsert(job), [`PRINTJOB CREATED ${job} null→PRINTING`]],
      [`update print_jobs set status = 'Failed' where id = '${job}'`, [`PRINTJOB UPDATED ${job} PRINTING→FAILED`]],
      [`delete from print_jobs where id = '${job}'`, [`PRINTJOB DELETED ${job} FAILED→null`]],
    ];
    for (const [step, told] of steps) expect((await collectSummaries(() => sql(step))).sort()).toEqual(told.sort());
  });

  test('has a job from a time when the offset of its time zone had seconds', async () => {
    const job = randomUUID();
    const write = (text: string) => sql(`do $$ begin set local timezone = 'Europe/Berlin'; ${text}; end $$`);
    const insert = createInsert(job)
      .replace('material_density_at_print)', 'material_density_at_print, created_at)')
      .replace('1.24)', "1.24, '0001-01-01T00:00:00Z')");
    const summaries = await collectSummaries(async () => {
      await write(insert);
      await write(`delete from print_jobs where id = '${job}'`);
    });
    expect(summaries).toEqual([`PRINTJOB CREATED ${job} null→PRINTING`, `PRINTJOB DELETED ${job} PRINTING→null`]);
  });

  test('has the writes of a program that may write only the tables of the farm', async () => {
    const role = unique('writer');
    const id = unique('cam');
    await sql(`create role "${role}"`);
    try {
      await sql(`grant select, insert, update, delete on cameras, camera_status, print_jobs to "${role}"`);
      const job = await makeJob(gateway, farm);
      const runAsRole = (text: string) => sql(`do $$ begin set local role "${role}"; ${text}; end $$`);
      expect(
        await collectSummaries(async () => {
          await runAsRole(`insert into cameras (camera_id, friendly_name) values ('${id}', 'c')`);
          await runAsRole(`update print_jobs set status = 'Failed' where id = '${job.Id}'`);
          await runAsRole(`delete from print_jobs where id = '${job.Id}'`);
        }),
      ).toEqual([
        `CAMERA CREATED ${id}`,
        `PRINTJOB UPDATED ${job.Id} QUEUED→FAILED`,
        `PRINTJOB DELETED ${job.Id} FAILED→null`,
      ]);
    } finally {
      await sql(`drop owned by "${role}"`);
      await sql(`drop role "${role}"`);
    }
  });

  test('has every row of a truncated table, and nothing of the table remains', async () => {
    const [{ id: printer }] = await sql(`insert into printers (id, name) values (gen_random_uuid(), 'p') returning id`);
    const job = await makeJob(gateway, farm);
    const changes = await collectSummaries(() => sql('truncate print_jobs'));
    expect(changes).toContain(`PRINTJOB DELETED ${job.Id} QUEUED→null`);
    expect(await sql('select from print_jobs union all select from print_job_status_changes')).toEqual([]);
    expect(await collectSummaries(() => sql(`delete from printers where id = '${printer}'`))).toEqual([
      `PRINTER DELETED ${printer}`,
    ]);
  });

  test('has nothing that was rolled back, and no write that changed nothing', async () => {
    const id = unique('cam');
    await insertCameras(id);
    const failing = [
      `do $$ begin insert into cameras (camera_id, friendly_name) values ('${unique('no')}', 'c'); perform 1 / 0; end $$`,
      `insert into cameras (camera_id, friendly_name) values ('${unique('no')}', 'c'), ('${id}', 'twice')`,
    ];
    expect(
      await collectSummaries(async () => {
        for (const text of failing) await expect(sql(text)).rejects.toHaveProperty('message');
        await sql(`do $$ begin
          begin insert into cameras (camera_id, friendly_name) values ('${unique('inner')}', 'c'); perform 1 / 0;
          exception when division_by_zero then null; end; end $$`);
        await sql(`update cameras set friendly_name = friendly_name`);
        await sql(`update cameras set friendly_name = 'x' where camera_id = 'nobody'`);
        await sql(`insert into cameras (camera_id, friendly_name) values ('${id}', 'c') on conflict do nothing`);
        const refused = await gateway.rest('POST', '/cameras', { camera_id: id, friendly_name: 'again' });
        expectStatus(refused, 409);
      }),
    ).toEqual([]);
  });

  test('comes in pages of 1 to 1000, oldest first, each change once', async () => {
    const start = await readCurrentCursor(gateway);
    const ids = Array.from({ length: 25 }, (_, n) => `${unique('page')} ${n}`);
    for (const id of ids) await insertCameras(id);
    const { changes } = await readChangesUntilNow(gateway, start);
    expect(changes.map(({ id }) => id)).toEqual(ids);
    for (const first of [1, 7, 25, 1000]) {
      const paged = await readChangesAfter(gateway, start, { first });
      expect(paged.slice(0, 25)).toEqual(changes);
    }
    for (const [first, size] of [
      [0, 1],
      [-5, 1],
      [3, 3],
    ] as const) {
      const { nodes, pageInfo } = await readChangePage(gateway, { after: start, first });
      expect(nodes).toEqual(changes.slice(0, size));
      expect(pageInfo).toEqual({ hasNextPage: true, endCursor: nodes.at(-1)?.cursor });
    }
    expect((await readChangePage(gateway, { after: start, first: 9999 })).nodes.slice(0, 25)).toEqual(changes);
    const end = await readLatestCursor(gateway);
    expect(await readChangePage(gateway, { after: end })).toEqual({
      nodes: [],
      pageInfo: { hasNextPage: false, endCursor: end },
    });
    // Without a cursor the feed starts with the oldest change.
    expect((await readChangePage(gateway, { first: 1 })).nodes[0]?.cursor).not.toBe(changes[0]?.cursor);
  });

  test('a filter keeps the changes that all of its members match', async () => {
    const [one, two] = [unique('f1'), unique('f2')];
    const start = await readCurrentCursor(gateway);
    let job = '';
    const all = await collectChanges(gateway, async () => {
      await insertCameras(one, two);
      await recordStatuses(gateway, one, [{ mode: 'one' }]);
      await recordStatuses(gateway, two, [{ mode: 'two' }]);
      job = (await makeJob(gateway, farm)).Id;
    });
    const kept = async (filter: unknown) =>
      (await readChangesAfter(gateway, start, { filter }))
        .map(summarizeChange)
        .filter((text) => !text.startsWith('MATERIAL'));
    const texts = all.map(summarizeChange);
    const [camera1, camera2, status1, status2, created] = [
      `CAMERA CREATED ${one}`,
      `CAMERA CREATED ${two}`,
      `STATUS ${one} one`,
      `STATUS ${two} two`,
      `PRINTJOB CREATED ${job} null→QUEUED`,
    ];
    expect(texts).toEqual([camera1, camera2, status1, status2, created]);
    expect(await kept({})).toEqual(texts);
    expect(await kept({ types: [] })).toEqual([]);
    expect(await kept({ types: ['CAMERA_STATUS', 'PRINT_JOB'] })).toEqual([status1, status2, created]);
    expect(await kept({ cameraIds: [one] })).toEqual([camera1, status1]);
    expect(await kept({ cameraIds: [one.toUpperCase()] })).toEqual([]);
    expect(await kept({ cameraIds: [one], types: ['CAMERA_STATUS', 'PRINT_JOB'] })).toEqual([status1, created]);
    expect(await kept({ printJobIds: [job.toUpperCase()] })).toEqual([created]);
    expect(await kept({ cameraIds: [one], printJobIds: [job] })).toEqual([]);
    expect(await kept({ cameraIds: [one], printJobIds: [job], types: ['CAMERA', 'PRINT_JOB'] })).toEqual([
      camera1,
      created,
    ]);
  });

  test('a page of a filter that matches few changes may be empty and still has a next cursor', async () => {
    const start = await readCurrentCursor(gateway);
    const rare = unique('rare');
    await sql(
      `insert into cameras (camera_id, friendly_name) select 'many ' || n, 'c' from generate_series(1, 25000) n`,
    );
    await insertCameras(rare);
    await readCurrentCursor(gateway);
    const filter = { cameraIds: [rare] };
    const first = await readChangePage(gateway, { after: start, filter });
    expect(first).toEqual({ nodes: [], pageInfo: { hasNextPage: true, endCursor: expect.any(String) } });
    const next = await readChangePage(gateway, { after: first.pageInfo.endCursor, filter });
    expect(next.nodes.map(summarizeChange)).toEqual([`CAMERA CREATED ${rare}`]);
    expect(next.pageInfo.hasNextPage).toBe(false);
  });

  test('refuses a malformed cursor, a cursor of another list and a cursor of another database', async () => {
    await makeJob(gateway, farm);
    const { printJobs } = await run('{ printJobs(first: 1) { edges { cursor } } }');
    const written = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url');
    const refused = [
      '',
      '%',
      written([]),
      written(['changes', 'feed', 1, 2]),
      written(['changes', 'a\u0000b', '1', '2']),
      written(['changes', 'feed', '-1', '2']),
      written(['changes', 'feed', '9'.repeat(99), '1']),
      printJobs.edges[0].cursor,
    ];
    const read = (after: unknown) =>
      gateway.graphql('query ($after: String) { changes(after: $after) { nodes { cursor } } }', { after });
    for (const after of refused) expectCode(await read(after), 'BAD_USER_INPUT');
    // Cursors beyond the end, and of a database that gave its changes the same positions and ids.
    const runAsRole = await readLatestCursor(gateway);
    const [list, feed, ...place] = JSON.parse(Buffer.from(runAsRole, 'base64url').toString());
    expect(written([list, feed, ...place])).toBe(runAsRole);
    const foreign = [
      [list, feed, '999999999999', '1'],
      [list, feed, '1', '1'],
      [list, 'another0', ...place],
    ];
    for (const after of foreign.map(written)) expectCode(await read(after), 'CURSOR_EXPIRED');
  });

  test('deletes old changes in steps, and refuses cursors before them', async () => {
    const start = await readLatestCursor(gateway);
    const old = await collectChanges(gateway, async () => {
      await sql(
        `insert into cameras (camera_id, friendly_name) select 'old ' || n, 'c' from generate_series(1, 12000) n`,
      );
    });
    await sql(`update changes set at = now() - interval '73 hours'`);
    const kept = await collectChanges(gateway, () => insertCameras(unique('young')));
    await sql(`update changes set at = now() - interval '71 hours' where entity = '${kept[0]?.id}'`);
    const end = await readLatestCursor(gateway);
    await gateway.restart();
    // The material after the old changes is deleted too; the changes before and after the young camera are there.
    expect((await sql('select from changes')).length).toBe(3);
    for (const after of [start, old[0]?.cursor, old.at(-1)?.cursor])
      expectCode(await gateway.graphql(`{ changes(after: "${after}") { nodes { cursor } } }`), 'CURSOR_EXPIRED');
    expect((await readChangesAfter(gateway, null)).map(summarizeChange)[1]).toEqual(summarizeChange(kept[0]));
    expect(await readChangesAfter(gateway, end)).toEqual([]);
    // The cursor of the newest change stays valid when all changes are deleted.
    await sql(`update changes set at = now() - interval '73 hours'`);
    await gateway.restart();
    expect((await sql('select from changes')).length).toBe(0);
    expect(await readLatestCursor(gateway)).toBe(end);
    const later = await collectChanges(gateway, () => insertCameras(unique('later')));
    expect((await readChangesAfter(gateway, end))[1]).toEqual(later[0]);
  });

  test('a job keeps the history of its statuses after old changes are deleted', async () => {
    const readStatusHistory = async (id: string) =>
      (await run('query ($id: ID!) { printJob(id: $id) { statusHistory { from to at } } }', { id })).printJob
        .statusHistory;
    const job = await makeJob(gateway, farm, {}, 'Completed');
    const { printJob } = await run('query ($id: ID!) { printJob(id: $id) { createdAt startedAt completedAt } }', {
      id: job.Id,
    });
    const expected = [
      { from: null, to: 'QUEUED', at: printJob.createdAt },
      { from: 'QUEUED', to: 'PRINTING', at: printJob.startedAt },
      { from: 'PRINTING', to: 'COMPLETED', at: printJob.completedAt },
    ];
    expect(await readStatusHistory(job.Id)).toEqual(expected);
    const bySql = randomUUID();
    await sql(createInsert(bySql));
    await sql(`update print_jobs set notes = 'no change of the status' where id = '${bySql}'`);
    await sql(`update print_jobs set status = 'Failed' where id = '${bySql}'`);
    expect(await readStatusHistory(bySql)).toEqual([
      { from: null, to: 'PRINTING', at: expect.any(String) },
      { from: 'PRINTING', to: 'FAILED', at: expect.any(String) },
    ]);
    await sql(`update changes set at = now() - interval '99 hours'`);
    await gateway.restart();
    expect(await readStatusHistory(job.Id)).toEqual(expected);
    await sql(`delete from print_jobs where id = '${bySql}'`);
    expect(await sql(`select from print_job_status_changes where job_id = '${bySql}'`)).toEqual([]);
  });

  // This test must be the last one, because it moves the feed. A dump of a cluster with greater transaction ids leaves these rows.
  test('when the gateway is moved to another database cluster, every later change arrives or the cursor has expired', async () => {
    const read = (after: string) => gateway.graphql(`{ changes(after: "${after}") { nodes { cursor } } }`);
    await sql('update change_feed set position_offset = position_offset + 300000');
    await insertCameras(unique('before'));
    const { cursor: old } = await readChangesUntilNow(gateway, await readLatestCursor(gateway));
    await sql(`update change_feed set position_offset = position_offset - 300000, cluster = 'of the exchanged server'`);
    await insertCameras(unique('missed'));
    expectCode(await read(old), 'CURSOR_EXPIRED');
    const fresh = await readLatestCursor(gateway);
    const later = unique('later');
    await insertCameras(later);
    const { changes } = await readChangesUntilNow(gateway, fresh);
    expect(changes.map(summarizeChange)).toEqual([`CAMERA CREATED ${later}`]);
    expectCode(await read(old), 'CURSOR_EXPIRED');
  });
});
