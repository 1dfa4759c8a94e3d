// §4 of the print job document: GET /api/printjobs and GET /api/printjobs/{id}, with the limits of its §8.
import { randomUUID } from 'node:crypto';
import { describeOnDatabases } from '../../support/databases';
import { type Farm, makeFarm, makeJob, type Status } from '../../support/farm';
import { expectError, expectStatus, type Parsed, test, useGateway } from '../../support/gateway';

describeOnDatabases('print job document, list and read', (kind) => {
  const gateway = useGateway(kind);
  let farm: Farm;
  let other: Farm;
  /** Newest first: one job in each of three statuses on `farm`. */
  let jobs: Parsed[];

  beforeAll(async () => {
    farm = await makeFarm(gateway);
    other = await makeFarm(gateway);
    const made: Parsed[] = [];
    for (const status of ['Queued', 'Completed', 'Failed'] as Status[]) {
      made.unshift(await makeJob(gateway, farm, { PrintName: status }, status));
    }
    await makeJob(gateway, other);
    jobs = made;
    // A second apart and in the past, so that the order is certain.
    for (const [index, job] of made.entries()) {
      const created = new Date(Date.UTC(2026, 0, 1) - index * 1000).toISOString();
      await gateway.sql(`UPDATE print_jobs SET created_at = '${created}' WHERE id = '${job.Id}'`);
      job.CreatedAt = created;
    }
  });

  const list = async (query: string, of: Farm = farm): Promise<Parsed> =>
    expectStatus(await gateway.rest('GET', `/api/printjobs?PrinterId=${of.printerId}&${query}`), 200).body;
  const names = (page: Parsed): string[] => page.Items.map((job: Parsed) => job.PrintName);

  test('§4 GET /api/printjobs: "PageNumber | integer | Page, 1-based. Values below 1 become 1."', async () => {
    const pages = [await list('PageSize=1&PageNumber=1'), await list('PageSize=1&PageNumber=2')];
    expect(pages.map(names)).toEqual([['Failed'], ['Completed']]);
    expect(pages.map((page) => page.PageNumber)).toEqual([1, 2]);
    for (const below of [0, -1, -1000]) {
      const page = await list(`PageSize=1&PageNumber=${below}`);
      expect([names(page), page.PageNumber]).toEqual([['Failed'], 1]);
    }
  });

  test('§4 GET /api/printjobs: "PageSize | integer | Page size, clamped to 1..100."', async () => {
    const sizes = { '-1': 1, 0: 1, 1: 1, 2: 2, 100: 100, 101: 100, 5000: 100 };
    for (const [asked, applied] of Object.entries(sizes)) {
      const page = await list(`PageSize=${asked}`);
      expect([asked, page.PageSize]).toEqual([asked, applied]);
      expect(page.Items).toHaveLength(Math.min(applied, 3));
    }
  });

  test('§4 GET /api/printjobs: "PrinterId | GUID, optional | Keep only jobs of this printer."', async () => {
    expect(names(await list(''))).toEqual(['Failed', 'Completed', 'Queued']);
    const none = expectStatus(await gateway.rest('GET', `/api/printjobs?PrinterId=${randomUUID()}`), 200);
    expect(none.body).toMatchObject({ Items: [], TotalCount: 0 });
    const all = expectStatus(await gateway.rest('GET', '/api/printjobs?PageSize=100'), 200).body;
    expect(new Set(all.Items.map((job: Parsed) => job.PrinterId)).size).toBeGreaterThanOrEqual(2);
  });

  test('§4 GET /api/printjobs: "SpoolId | GUID, optional | Keep only jobs of this spool."', async () => {
    const kept = expectStatus(await gateway.rest('GET', `/api/printjobs?SpoolId=${farm.spoolId}`), 200);
    expect(names(kept.body)).toEqual(['Failed', 'Completed', 'Queued']);
    // Filters narrow each other.
    expect(await list(`SpoolId=${other.spoolId}`)).toMatchObject({ Items: [], TotalCount: 0 });
  });

  test('§4 GET /api/printjobs: "Status | text, optional | Keep only jobs in this status; case-insensitive. A blank or unrecognised value is ignored (no filtering)."', async () => {
    for (const spelling of ['Completed', 'completed', 'COMPLETED']) {
      const page = await list(`Status=${spelling}`);
      expect([names(page), page.TotalCount]).toEqual([['Completed'], 1]);
    }
    expect(names(await list('Status=Cancelled'))).toEqual([]);
    for (const ignored of ['', '%20', 'Paused', '0', 'null', 'Queued,Failed']) {
      const page = await list(`Status=${ignored}`);
      expect([ignored, page.TotalCount]).toEqual([ignored, 3]);
    }
  });

  test('§4 GET /api/printjobs: "Response 200: a page of results (Items, TotalCount, PageNumber, PageSize)."', async () => {
    const answer = expectStatus(
      await gateway.rest('GET', `/api/printjobs?PrinterId=${farm.printerId}&PageSize=2`),
      200,
    );
    expect(answer.body).toEqual({ Items: [jobs[0], jobs[1]], TotalCount: 3, PageNumber: 1, PageSize: 2 });
    expect(Object.keys(answer.body)).toEqual(['Items', 'TotalCount', 'PageNumber', 'PageSize']);
  });

  test('§4 GET /api/printjobs: "Items are ordered by CreatedAt, newest first."', async () => {
    const times = (await list('')).Items.map((job: Parsed) => job.CreatedAt);
    expect(times).toEqual(jobs.map((job) => job.CreatedAt));
    expect(times).toEqual([...times].sort().reverse());
  });

  test('§4 GET /api/printjobs: "TotalCount counts all jobs matching the filters."', async () => {
    for (const query of ['PageSize=1', 'PageSize=1&PageNumber=3', 'PageNumber=50']) {
      expect((await list(query)).TotalCount).toBe(3);
    }
    expect((await list('PageSize=1&Status=Queued')).TotalCount).toBe(1);
  });

  test('§4 GET /api/printjobs/{id}: "Path id is a GUID." "Response 200: a print job."', async () => {
    const answer = expectStatus(await gateway.rest('GET', `/api/printjobs/${jobs[1].Id}`), 200);
    expect(answer.body).toEqual(jobs[1]);
    expectError(await gateway.rest('GET', '/api/printjobs/17'), 400);
  });

  test('§4 GET /api/printjobs/{id}: "Response 404 when it does not exist."', async () => {
    expectError(await gateway.rest('GET', `/api/printjobs/${randomUUID()}`), 404);
    expectError(await gateway.rest('GET', `/api/printjobs/${farm.printerId}`), 404);
  });

  test('§8: "PageSize | clamped to 1..100"', async () => {
    expect((await list('PageSize=0')).PageSize).toBe(1);
    expect((await list('PageSize=101')).PageSize).toBe(100);
    const full = await makeFarm(gateway);
    const { Id } = await makeJob(gateway, full);
    await gateway.sql(`INSERT INTO print_jobs SELECT gen_random_uuid(), printer_id, spool_id, print_name, gcode_file_path,
      mm_extruded, grams_derived, cost_per_print, started_at, completed_at, status, data_source,
      filament_diameter_at_print_mm, material_density_at_print, notes, created_at, updated_at
      FROM print_jobs, generate_series(1, 100) WHERE id = '${Id}'`);
    const page = await list('PageSize=1000', full);
    expect([page.Items.length, page.TotalCount]).toEqual([100, 101]);
  });

  test('§8: "PageNumber | minimum 1"', async () => {
    expect((await list('PageNumber=0')).PageNumber).toBe(1);
    expect((await list('PageNumber=1')).PageNumber).toBe(1);
  });
});
