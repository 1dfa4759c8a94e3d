// The parts of a job, one for each spool: entered by a user, kept and deleted, summed, found, exported, and written by other programs.
import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/database/database';
import type { Queryable } from '../../src/database/queryable';
import { InventoryStore } from '../../src/farm/inventory/inventory.store';
import { createInventoryLookUps, createJobServices } from '../../src/services';
import { collectChanges } from '../support/changes';
import { describeOnDatabases, isTestedAlready } from '../support/databases';
import { type Farm, jobUpdate, makeFarm, makeJob, readJob, type Status, tables } from '../support/farm';
import {
  expectCode,
  expectData,
  expectStatus,
  type Gateway,
  type Parsed,
  provideDatabase,
  test,
  useGateway,
} from '../support/gateway';
import { makePrint } from '../support/prints';

const PART =
  'slot spool { id } mmExtruded gramsDerived cost filamentDiameterAtPrintMm materialDensityAtPrint filamentBasis fromLayer toLayer';
const JOB = `id spool { id } status mmExtruded gramsDerived costPerPrint filamentBasis updatedAt parts { ${PART} }`;
const SET = `mutation ($id: ID!, $parts: [PrintJobPartInput!]!) { setPrintJobParts(id: $id, parts: $parts) { ${JOB} } }`;

// A transaction that reads, locks and writes: statements outside of it wait for the only connection of the embedded database.
describeOnDatabases('the parts of jobs', (kind) => {
  const gateway = useGateway(kind);
  /** PLA, PLA and PETG; the last spool has no price. */
  let farm: Farm;
  let spools: [string, string, string];
  beforeAll(async () => {
    farm = await makeFarm(gateway);
    const others = [
      await makeFarm(gateway, { price: '50' }),
      await makeFarm(gateway, { density: '1.27', price: null }),
    ];
    const [second, third] = others.map(({ spoolId }) => spoolId) as [string, string];
    await gateway.sql(`update spools set material_id = '${farm.materialId}' where id = '${second}'`);
    spools = [farm.spoolId, second, third];
  });
  beforeEach(async () => {
    await gateway.sql('truncate print_jobs');
    await gateway.sql('update spools set archived_at = null');
  });

  const ask = (id: string, parts: unknown) => gateway.graphql(SET, { id, parts });
  const set = async (id: string, parts: unknown): Promise<Parsed> => expectData(await ask(id, parts)).setPrintJobParts;
  const read = async (id: string): Promise<Parsed> =>
    expectData(await gateway.graphql(`{ printJob(id: "${id}") { ${JOB} } }`)).printJob;
  const three = () => [
    { spoolId: spools[1], slot: 'ams:0:10', mmExtruded: '2000' },
    { spoolId: spools[0], slot: 'ams:0:3', mmExtruded: '1000.50', gramsDerived: '3' },
    { spoolId: spools[2], slot: 'ams:0:2', mmExtruded: '1000' },
  ];
  /** A job with three parts: 3 g of the job's spool, 5.97 g of the second, 3.05 g of the third. */
  const divided = async (status: Status = 'Queued', on: Gateway = gateway) => {
    const job = await makeJob(on, farm, {}, status);
    return set(job.Id, three());
  };
  const grams = async (spool: string | undefined) => {
    const { usedGrams, plannedGrams, remainingGrams } = expectData(
      await gateway.graphql(`{ spool(id: "${spool}") { usedGrams plannedGrams remainingGrams } }`),
    ).spool;
    return [usedGrams, plannedGrams, remainingGrams];
  };

  test('when setPrintJobParts races with PUT, changes of status and itself, the job has the parts and the totals of one of them', async () => {
    const { Id } = await makeJob(gateway, farm);
    const whole = jobUpdate(farm, { GramsDerived: 7.25, CostPerPrint: 0 });
    const part = (spoolId: string, n: number) => ({ spoolId, mmExtruded: 1, gramsDerived: n });
    await Promise.all(
      Array.from({ length: 24 }, async (_, n) => {
        if (n % 4 === 0) return expectStatus(await gateway.rest('PUT', `/api/printjobs/${Id}`, whole), 200);
        if (n % 4 === 1)
          return expectStatus(await gateway.rest('PATCH', `/api/printjobs/${Id}/status`, { Status: 'Failed' }), 200);
        return set(Id, [part(spools[0], n), ...spools.slice(n % 2).map((spool) => part(spool, n))]);
      }),
    );
    const job = await read(Id);
    const sum = job.parts.reduce((all: number, one: Parsed) => all + Number(one.gramsDerived), 0);
    expect(sum).toBe(Number(job.gramsDerived));
    const [stored] = await gateway.sql(
      'select count(*)::int as parts, bool_or(divided) as divided from print_job_parts right join print_jobs on job_id = id',
    );
    expect([stored.divided, job.parts.length]).toEqual([job.parts.length > 1, stored.divided ? stored.parts : 1]);
    if (job.parts.length > 1) expect(new Set(job.parts.map((one: Parsed) => one.gramsDerived)).size).toBe(1);
  });

  test('setPrintJobParts with a key runs once', async () => {
    const { Id } = await makeJob(gateway, farm);
    const send = () =>
      gateway.rest(
        'POST',
        '/graphql',
        { query: SET, variables: { id: Id, parts: three() } },
        { 'idempotency-key': Id },
      );
    const first = await send();
    const [{ at }] = await gateway.sql('select updated_at::text as at from print_jobs');
    expect((await send()).text).toBe(first.text);
    expect(await gateway.sql('select updated_at::text as at from print_jobs')).toEqual([{ at }]);
  });

  if (isTestedAlready(kind)) return;

  test('a job with one spool has one part, from the row of the job', async () => {
    const { Id } = await makeJob(gateway, farm);
    expect((await read(Id)).parts).toEqual([
      {
        slot: null,
        spool: { id: spools[0] },
        mmExtruded: '1000',
        gramsDerived: '3.5',
        cost: '0.75',
        filamentDiameterAtPrintMm: '1.75',
        materialDensityAtPrint: '1.24',
        filamentBasis: 'MANUAL',
        fromLayer: null,
        toLayer: null,
      },
    ]);
  });

  test('amounts of parts have the decimals of their job', async () => {
    const { id } = await divided();
    const two = [0, 1].map((n) => ({
      spoolId: spools[0],
      slot: `tool:${n}`,
      mmExtruded: '1.50',
      gramsDerived: '1.00',
    }));
    expect((await set(id, two)).parts).toMatchObject([
      { mmExtruded: '1.50', gramsDerived: '1.00' },
      { mmExtruded: '1.50', gramsDerived: '1.00' },
    ]);
  });

  test('a job that another program copies or restores counts by its own spool', async () => {
    const { id } = await divided('Completed');
    const copy = randomUUID();
    const row = `select (jsonb_populate_record(j, '{"id": "${copy}"}')).* from print_jobs j where id = '${id}'`;
    await gateway.sql(`insert into print_jobs ${row}`);
    expect((await read(copy)).parts).toHaveLength(1);
    const usage = expectData(
      await gateway.graphql('{ filamentUsage(groupBy: [SPOOL]) { spool { id } completedJobs } }'),
    );
    expect(usage.filamentUsage.find((one: Parsed) => one.spool.id === spools[0])).toMatchObject({ completedJobs: 2 });
  });

  test('parts follow their job when the job gets another id', async () => {
    const { id } = await divided();
    const other = randomUUID();
    await gateway.sql(`update print_jobs set id = '${other}' where id = '${id}'`);
    expect((await read(other)).parts).toHaveLength(3);
    expect(await gateway.sql(`select 1 from print_job_parts where job_id = '${id}'`)).toEqual([]);
  });

  test('the basis of the only part is the basis of its job', async () => {
    const { Id } = await makeJob(gateway, farm);
    const filament = [{ slot: 'tool:0', mm: '1', grams: null, basis: 'MEASURED' }];
    const [{ updated }] = await gateway.sql(`select updated_at::text as updated from print_jobs where id = '${Id}'`);
    await makePrint(gateway, farm.printerId, {
      filament,
      jobId: Id,
      jobUpdatedAt: updated,
      spools: { 'tool:0': spools[0] },
    });
    const job = await read(Id);
    expect([job.filamentBasis, job.parts[0].filamentBasis]).toEqual(['MEASURED', 'MEASURED']);
  });

  test('setPrintJobParts: the amounts become the sums, by the formula and price of each spool; the job’s spool first, then by slot', async () => {
    const job = await divided();
    expect(job).toMatchObject({ spool: { id: spools[0] }, filamentBasis: 'MANUAL' });
    expect(job).toMatchObject({ mmExtruded: '4000.50', gramsDerived: '12.02', costPerPrint: '0.3735' });
    const shown = job.parts.map((one: Parsed) => [one.slot, one.spool.id, one.mmExtruded, one.gramsDerived, one.cost]);
    expect(shown).toEqual([
      ['ams:0:3', spools[0], '1000.50', '3.00', '0.0750'],
      ['ams:0:2', spools[2], '1000', '3.05', '0'],
      ['ams:0:10', spools[1], '2000', '5.97', '0.2985'],
    ]);
    expect(job.parts.map((one: Parsed) => [one.materialDensityAtPrint, one.filamentBasis])).toEqual([
      ['1.24', 'MANUAL'],
      ['1.27', 'MANUAL'],
      ['1.24', 'MANUAL'],
    ]);
    expect(await read(job.id)).toEqual(job);
    // REST shows the spool of the job and the totals, and no other member.
    const rest = await readJob(gateway, job.id);
    expect(rest).toMatchObject({ SpoolId: spools[0], MmExtruded: 4000.5, GramsDerived: 12.02, CostPerPrint: 0.3735 });
    expect(Object.keys(rest)).toHaveLength(19);
  });

  test('setPrintJobParts: a job that loses its spool gets the spool of the part with the most grams', async () => {
    const { Id } = await makeJob(gateway, farm);
    const job = await set(Id, [
      { spoolId: spools[2], mmExtruded: 1, gramsDerived: 9 },
      { spoolId: spools[1], mmExtruded: 1, gramsDerived: 10 },
    ]);
    expect([job.spool.id, ...job.parts.map((one: Parsed) => one.spool.id)]).toEqual([spools[1], spools[1], spools[2]]);
    expect((await readJob(gateway, Id)).SpoolId).toBe(spools[1]);
  });

  test('setPrintJobParts: a spool may have several parts, also the spool of the job', async () => {
    const { Id } = await makeJob(gateway, farm);
    const createOwnPart = (slot: string, gramsDerived: number) => ({
      spoolId: spools[0],
      slot,
      mmExtruded: 10,
      gramsDerived,
    });
    const job = await set(Id, [
      createOwnPart('tool:1', 2),
      createOwnPart('tool:0', 3),
      { spoolId: spools[1], mmExtruded: 1, gramsDerived: 1 },
    ]);
    expect(job.parts.map((one: Parsed) => [one.slot, one.gramsDerived])).toEqual([
      ['tool:0', '3'],
      ['tool:1', '2'],
      [null, '1'],
    ]);
    expect(await grams(spools[0])).toEqual(['0', '5', '1000']);
  });

  test('setPrintJobParts: earlier parts are replaced, and a single part makes the job whole', async () => {
    const { id } = await divided();
    await set(id, three().toReversed());
    const job = await set(id, [{ spoolId: spools[1], mmExtruded: 500 }]);
    expect(job).toMatchObject({
      spool: { id: spools[1] },
      mmExtruded: '500',
      gramsDerived: '1.49',
      parts: [{ gramsDerived: '1.49' }],
    });
    expect(await gateway.sql('select from print_job_parts')).toEqual([]);
  });

  test('setPrintJobParts: the only part keeps the slot that a user entered, until the whole job is changed', async () => {
    const { Id } = await makeJob(gateway, farm, {}, 'Completed');
    const one = { spoolId: spools[0], slot: 'tool:1', mmExtruded: '1000' };
    const job = await set(Id, [one]);
    expect(job).toMatchObject({
      mmExtruded: '1000',
      gramsDerived: '2.98',
      costPerPrint: '0.0745',
      filamentBasis: 'MANUAL',
      parts: [{ slot: 'tool:1', spool: { id: spools[0] }, mmExtruded: '1000', gramsDerived: '2.98', cost: '0.0745' }],
    });
    expect(await read(Id)).toEqual(job);
    expect(await grams(spools[0])).toEqual(['2.98', '0', '997.02']);
    const { filamentUsage } = expectData(
      await gateway.graphql(
        '{ filamentUsage(groupBy: [SPOOL]) { spool { id } completedJobs completedGrams completedCost } }',
      ),
    );
    expect(filamentUsage).toEqual([
      { spool: { id: spools[0] }, completedJobs: 1, completedGrams: '2.98', completedCost: '0.0745' },
    ]);
    const put = (members: Record<string, unknown>) =>
      gateway.rest('PUT', `/api/printjobs/${Id}`, jobUpdate(farm, members));
    expectStatus(await put({ MmExtruded: 1000, AutoDeriveGrams: true }), 200);
    expect((await read(Id)).parts).toMatchObject([{ slot: 'tool:1', gramsDerived: '2.98', cost: '0.0745' }]);
    expectStatus(await put({ MmExtruded: 5 }), 200);
    expect((await read(Id)).parts).toMatchObject([{ slot: null, mmExtruded: '5' }]);
    await set(Id, [one]);
    await set(Id, [{ ...one, slot: null }]);
    expect(await gateway.sql('select from print_job_parts')).toEqual([]);
  });

  const refusals: [what: string, parts: () => Parsed[], paths: (string | number)[][]][] = [
    ['no part', () => [], [['parts']]],
    ['65 parts', () => Array(65).fill({ spoolId: spools[0], mmExtruded: 1 }), [['parts']]],
    [
      'wrong members, all at once',
      () => [
        { spoolId: 'x', mmExtruded: -1, gramsDerived: 1, slot: 'left' },
        { spoolId: spools[0], mmExtruded: 1, gramsDerived: -1 },
      ],
      [
        ['parts', 0, 'spoolId'],
        ['parts', 0, 'slot'],
        ['parts', 0, 'mmExtruded'],
        ['parts', 1, 'gramsDerived'],
      ],
    ],
    [
      'spools that are not there',
      () => [three()[0], { spoolId: randomUUID(), mmExtruded: 1 }],
      [['parts', 1, 'spoolId']],
    ],
    [
      'amounts that come out too large',
      () => Array(2).fill({ spoolId: spools[0], mmExtruded: '999999999999999999', gramsDerived: 1 }),
      [['parts']],
    ],
  ];
  for (const [what, parts, paths] of refusals) {
    test(`setPrintJobParts refuses ${what}`, async () => {
      const { id } = await divided();
      const before = await tables(gateway);
      const answer = await ask(id, parts());
      expectCode(answer, 'BAD_USER_INPUT');
      const issues = answer.errors[0]?.extensions['issues'] as { path: unknown[] }[];
      expect(issues.map(({ path }) => path)).toEqual(expect.arrayContaining(paths));
      expect(issues).toHaveLength(paths.length);
      expect(await tables(gateway)).toEqual(before);
    });
  }

  test('setPrintJobParts: NOT_FOUND is checked first', async () => {
    expectCode(await ask(randomUUID(), []), 'NOT_FOUND');
  });

  test('an archived spool is refused while the job is not finished, unless the job has it', async () => {
    const archive = (spool: string) => gateway.sql(`update spools set archived_at = now() where id = '${spool}'`);
    const { id } = await divided('Printing');
    await archive(spools[1]);
    await set(id, three());
    await set(id, three().slice(1));
    const answer = await ask(id, three());
    expect(expectCode(answer, 'BAD_USER_INPUT')).toContain('archived');
    await gateway.sql(`update print_jobs set status = 'Failed'`);
    expect((await set(id, three())).parts).toHaveLength(3);
  });

  test('a change of status and DELETE keep the parts', async () => {
    const { id, parts } = await divided();
    await gateway.rest('PATCH', `/api/printjobs/${id}/status`, { Status: 'Printing' });
    expectStatus(await gateway.rest('DELETE', `/api/printjobs/${id}`), 204);
    expect(await read(id)).toMatchObject({ status: 'CANCELLED', parts });
  });

  describe('PUT', () => {
    const put = async (id: string, members: Record<string, unknown>) => {
      const { MmExtruded, GramsDerived, CostPerPrint, SpoolId } = await readJob(gateway, id);
      const as = { SpoolId, MmExtruded, GramsDerived, CostPerPrint, ...members };
      return expectStatus(await gateway.rest('PUT', `/api/printjobs/${id}`, jobUpdate(farm, as)), 200).body;
    };

    test('keeps the parts when it repeats the spool and the amounts', async () => {
      const { id, parts } = await divided();
      await put(id, { PrintName: 'renamed' });
      const [own, ...others] = parts;
      // A JSON number has no zeros at its end: the job has 4000.5, so its first part has 1000.5.
      expect((await read(id)).parts).toEqual([{ ...own, mmExtruded: '1000.5' }, ...others]);
    });

    test('with AutoDeriveGrams derives grams and cost part by part', async () => {
      const { id } = await divided();
      await gateway.sql(`update spools set purchase_price = 100 where id = '${spools[1]}'`);
      const job = await put(id, { AutoDeriveGrams: true, GramsDerived: 77, CostPerPrint: 99 });
      await gateway.sql(`update spools set purchase_price = 50 where id = '${spools[1]}'`);
      const { parts } = await read(id);
      expect(parts.map((one: Parsed) => [one.gramsDerived, one.cost])).toEqual([
        ['2.98', '0.0745'],
        ['3.05', '0'],
        ['5.97', '0.5970'],
      ]);
      expect(job).toMatchObject({ MmExtruded: 4000.5, GramsDerived: 12, CostPerPrint: 0.6715 });
    });

    test('with AutoDeriveGrams, a part without a price costs 0 beside a part with a price, also the part of the job’s spool', async () => {
      const { id } = await divided();
      await gateway.sql(`update spools set purchase_price = null where id = '${spools[0]}'`);
      const job = await put(id, { AutoDeriveGrams: true, CostPerPrint: 99 });
      await gateway.sql(`update spools set purchase_price = 25 where id = '${spools[0]}'`);
      expect(job.CostPerPrint).toBe(0.2985);
      expect((await read(id)).parts.map((one: Parsed) => Number(one.cost))).toEqual([0, 0, 0.2985]);
    });

    test('with AutoDeriveGrams, if no spool has a price, the part of the job’s spool has the cost as requested', async () => {
      const { id } = await divided();
      await gateway.sql('update spools set purchase_price = null');
      const job = await put(id, { AutoDeriveGrams: true, CostPerPrint: 99 });
      await gateway.sql(`update spools set purchase_price = 25 where id = '${spools[0]}'`);
      await gateway.sql(`update spools set purchase_price = 50 where id = '${spools[1]}'`);
      expect(job.CostPerPrint).toBe(99);
      expect((await read(id)).parts.map((one: Parsed) => one.cost)).toEqual(['99', '0', '0']);
    });

    for (const other of ['MmExtruded', 'GramsDerived', 'CostPerPrint'])
      test(`with another ${other} replaces the whole job: its parts are deleted`, async () => {
        const { id } = await divided();
        const job = await put(id, { [other]: 77 });
        expect(job[other]).toBe(77);
        expect((await read(id)).parts).toMatchObject([
          { spool: { id: spools[0] }, slot: null, filamentBasis: 'MANUAL' },
        ]);
        expect(await gateway.sql('select from print_job_parts')).toEqual([]);
      });

    test('with another spool replaces the whole job, also with AutoDeriveGrams', async () => {
      const { id } = await divided();
      const job = await put(id, { SpoolId: spools[1], AutoDeriveGrams: true });
      expect(job).toMatchObject({ SpoolId: spools[1], GramsDerived: 11.93 });
      expect((await read(id)).parts).toHaveLength(1);
    });
  });

  describe('sums count by parts', () => {
    test('the grams of spools, planned and used', async () => {
      const { id } = await divided();
      expect(await Promise.all(spools.map(grams))).toEqual([
        ['0', '3', '1000'],
        ['0', '5.97', '1000'],
        ['0', '3.05', '1000'],
      ]);
      await gateway.rest('PATCH', `/api/printjobs/${id}/status`, { Status: 'Failed' });
      await makeJob(gateway, farm, { GramsDerived: 10 }, 'Completed');
      expect(await Promise.all(spools.map(grams))).toEqual([
        ['13', '0', '987'],
        ['5.97', '0', '994.03'],
        ['3.05', '0', '996.95'],
      ]);
    });

    test('SPOOL_SHORT is raised for a spool that only a part needs', async () => {
      await divided();
      await gateway.sql(`update spools set weight_total_grams = 5 where id = '${spools[1]}'`);
      const { alerts } = expectData(await gateway.graphql('{ alerts { kind spool { id } } }'));
      await gateway.sql(`update spools set weight_total_grams = 1000 where id = '${spools[1]}'`);
      expect(alerts).toContainEqual({ kind: 'SPOOL_SHORT', spool: { id: spools[1] } });
      expect(alerts).not.toContainEqual({ kind: 'SPOOL_SHORT', spool: { id: spools[0] } });
    });

    const report = async (args: string) =>
      expectData(
        await gateway.graphql(
          `{ filamentUsage(${args}) { spool { id } material { id } completedJobs completedGrams completedCost wastedJobs wastedGrams } }`,
        ),
      ).filamentUsage.map((row: Parsed) => [
        (row.spool ?? row.material)?.id,
        row.completedJobs,
        row.completedGrams,
        row.completedCost,
        row.wastedJobs,
        row.wastedGrams,
      ]);
    const byId = (rows: Parsed[]) => rows.toSorted((a, b) => (a[0] < b[0] ? -1 : 1));

    test('filamentUsage by SPOOL and MATERIAL: a job counts once in a row', async () => {
      await divided('Completed');
      await divided('Failed');
      await makeJob(gateway, farm, { GramsDerived: 1, CostPerPrint: 1 }, 'Completed');
      expect(byId(await report('groupBy: [SPOOL]'))).toEqual(
        byId([
          [spools[0], 2, '4', '1.075', 1, '3'],
          [spools[1], 1, '5.97', '0.2985', 1, '5.97'],
          [spools[2], 1, '3.05', '0', 1, '3.05'],
        ]),
      );
      const { spool } = expectData(await gateway.graphql(`{ spool(id: "${spools[2]}") { material { id } } }`));
      const materials = byId([
        [farm.materialId, 2, '9.97', '1.3735', 1, '8.97'],
        [spool.material.id, 1, '3.05', '0', 1, '3.05'],
      ]);
      expect(byId(await report('groupBy: [MATERIAL]'))).toEqual(materials);
      expect(byId(await report('groupBy: [MATERIAL, MONTH], filter: { search: "benchy" }'))).toEqual(materials);
      // All others count the totals of the jobs.
      expect(await report('groupBy: []')).toEqual([[undefined, 2, '13.02', '1.3735', 1, '12.02']]);
    });

    test('filamentUsage of a spool counts only the parts of that spool', async () => {
      await divided('Completed');
      await makeJob(gateway, farm, { GramsDerived: 1, CostPerPrint: 1 }, 'Completed');
      expect(await report(`filter: { spoolId: "${spools[1]}" }`)).toEqual([[undefined, 1, '5.97', '0.2985', 0, '0']]);
      expect(await report(`filter: { spoolId: "${spools[0]}" }`)).toEqual([[undefined, 2, '4', '1.075', 0, '0']]);
      expect(await report(`groupBy: [SPOOL], filter: { spoolId: "${spools[1]}" }`)).toEqual([
        [spools[1], 1, '5.97', '0.2985', 0, '0'],
      ]);
      const byPrinter = `groupBy: [PRINTER], filter: { spoolId: "${spools[1]}", printerId: "${farm.printerId}" }`;
      expect(await report(byPrinter)).toEqual([[undefined, 1, '5.97', '0.2985', 0, '0']]);
    });

    test('a total that another program lowered below its parts: the first part is 0, sums by spool and material count the parts', async () => {
      const { id } = await divided('Completed');
      await gateway.sql('update print_jobs set grams_derived = 4, cost_per_print = 0.1, mm_extruded = 1');
      const { parts } = await read(id);
      expect(parts.map((one: Parsed) => [one.mmExtruded, one.gramsDerived, one.cost])).toEqual([
        ['0', '0.00', '0.0000'],
        ['1000', '3.05', '0'],
        ['2000', '5.97', '0.2985'],
      ]);
      expect((await grams(spools[0]))[0]).toBe('0');
      expect(byId(await report('groupBy: [SPOOL]'))).toEqual(
        byId([
          [spools[0], 1, '0', '0', 0, '0'],
          [spools[1], 1, '5.97', '0.2985', 0, '0'],
          [spools[2], 1, '3.05', '0', 0, '0'],
        ]),
      );
      expect(await report('groupBy: []')).toEqual([[undefined, 1, '4', '0.1', 0, '0']]);
    });
  });

  test('lists of jobs find a job by any of its parts, in order, once; SpoolId of the document is the spool of the job', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.unshift((await divided()).id);
    const createOwnPart = [
      { spoolId: spools[0], mmExtruded: 1, slot: 'tool:0' },
      { spoolId: spools[0], mmExtruded: 1, slot: 'tool:1' },
    ];
    await set(ids[1] as string, [...createOwnPart, three()[0]]);
    await gateway.sql(
      `update print_jobs set created_at = '2026-01-0' || case id ${ids.map((id, n) => `when '${id}' then ${3 - n}`).join(' ')} end || 'Z'`.replace(
        /'2026(.*)'Z'/,
        `('2026$1'T00:00:00Z')::timestamptz`,
      ),
    );
    const list = async (page: string) => expectData(await gateway.graphql(page));
    for (const spool of spools.slice(0, 2)) {
      const filter = `filter: { spoolId: "${spool}" }`;
      const { printJobs } = await list(
        `{ printJobs(first: 2, ${filter}) { totalCount nodes { id } pageInfo { endCursor } } }`,
      );
      expect(printJobs).toMatchObject({ totalCount: 3, nodes: [{ id: ids[0] }, { id: ids[1] }] });
      const rest = await list(`{ printJobs(after: "${printJobs.pageInfo.endCursor}", ${filter}) { nodes { id } } }`);
      expect(rest.printJobs.nodes).toEqual([{ id: ids[2] }]);
      const of = await list(`{ spool(id: "${spool}") { jobs(orderBy: CREATED_AT_ASC) { totalCount nodes { id } } } }`);
      expect(of.spool.jobs).toEqual({ totalCount: 3, nodes: ids.toReversed().map((id) => ({ id })) });
    }
    const readRemaining = async (spool: string) =>
      (await gateway.rest('GET', `/api/printjobs?SpoolId=${spool}`)).body.TotalCount;
    expect([await readRemaining(spools[0]), await readRemaining(spools[1])]).toEqual([3, 0]);
  });

  test('a spool with parts cannot be removed, and can be once the parts are deleted', async () => {
    const { id } = await divided();
    const { spoolId } = await makeFarm(gateway);
    await set(id, [...three(), { spoolId, mmExtruded: 1 }]);
    const remove = () => gateway.graphql(`mutation { removeSpool(id: "${spoolId}") }`);
    expect(expectCode(await remove(), 'CONFLICT')).toContain('Print jobs refer to this spool');
    await set(id, three());
    expectData(await remove());
  });

  test('the CSV of parts has a line for each part', async () => {
    const { id } = await divided('Completed');
    const whole = await makeJob(gateway, farm, { PrintName: 'whole' });
    await gateway.sql(`update print_jobs set created_at = '2026-01-01Z' where id = '${id}'`);
    const { text, headers } = expectStatus(
      await gateway.rest('GET', '/reports/print-job-parts.csv?orderBy=CREATED_AT_ASC'),
      200,
    );
    expect(headers['content-disposition']).toMatch(/print-job-parts-.*\.csv/);
    const [header = '', ...lines] = text.trimEnd().split('\r\n');
    expect(header).toBe(
      'jobId,printName,printerId,printer,status,createdAt,startedAt,completedAt,updatedAt,slot,fromLayer,toLayer,spoolId,spool,' +
        'material,mmExtruded,gramsDerived,cost,filamentBasis',
    );
    const at = (name: string) => header.split(',').indexOf(name);
    const shown = lines.map((line) =>
      ['jobId', 'slot', 'spoolId', 'gramsDerived', 'cost', 'filamentBasis'].map((name) => line.split(',')[at(name)]),
    );
    expect(shown).toEqual([
      [id, 'ams:0:3', spools[0], '3.00', '0.0750', 'MANUAL'],
      [id, 'ams:0:2', spools[2], '3.05', '0', 'MANUAL'],
      [id, 'ams:0:10', spools[1], '5.97', '0.2985', 'MANUAL'],
      [whole.Id, '', spools[0], '3.5', '0.75', 'MANUAL'],
    ]);
    const some = await gateway.rest('GET', '/reports/print-job-parts.csv?search=whole');
    expect(some.text.trimEnd().split('\r\n')).toHaveLength(2);
    expectStatus(await gateway.rest('GET', '/reports/print-job-parts.csv?from=x'), 400);
  });

  describe('the feed', () => {
    const collectJobChanges = async (step: () => Promise<unknown>) =>
      (await collectChanges(gateway, step))
        .filter((one: Parsed) => one.__typename === 'PrintJobChanged')
        .map((one: Parsed) => `${one.kind} ${one.id}`);

    test('has one change of the job for a change of its parts, whoever writes', async () => {
      const { Id } = await makeJob(gateway, farm);
      expect(await collectJobChanges(() => set(Id, three()))).toEqual([`UPDATED ${Id}`]);
      expect(await collectJobChanges(() => set(Id, three().slice(0, 2)))).toEqual([`UPDATED ${Id}`]);
      expect(
        await collectJobChanges(() => gateway.sql(`update print_job_parts set slot = 'tool:9' where number = 1`)),
      ).toEqual([`UPDATED ${Id}`]);
      expect(await collectJobChanges(() => gateway.sql('update print_job_parts set slot = slot'))).toEqual([]);
      expect(await collectJobChanges(() => gateway.sql('truncate print_job_parts'))).toEqual([`UPDATED ${Id}`]);
      expect((await read(Id)).parts).toHaveLength(1);
      await set(Id, three());
      expect(await collectJobChanges(() => gateway.sql('delete from print_job_parts'))).toEqual([`UPDATED ${Id}`]);
      await set(Id, three());
      expect(await collectJobChanges(() => gateway.sql('delete from print_jobs'))).toEqual([`DELETED ${Id}`]);
      expect(await gateway.sql('select from print_job_parts')).toEqual([]);
    });

    test('has the spools of the parts, for the filters of subscriptions', async () => {
      const { id } = await divided();
      const parts = async () =>
        (
          await gateway.sql(
            `select job->7 as parts from changes where entity = '${id}' order by position desc, id desc limit 1`,
          )
        )[0].parts;
      expect(await parts()).toEqual([spools[1], spools[2]].toSorted());
      await set(id, three().slice(0, 2));
      expect(await parts()).toEqual([spools[1]]);
      await gateway.sql(`update print_job_parts set spool_id = '${spools[2]}' where number = 1`);
      expect(await parts()).toEqual([spools[2]]);
      await set(id, three().slice(1, 2));
      expect(await parts()).toBe(null);
    });
  });

  describe('other programs', () => {
    const insert = (job: string, number: number, members = `'${spools[1]}', 10, 2, 1, 1.75, 1.24, 'MANUAL'`) =>
      gateway.sql(`insert into print_job_parts (job_id, number, spool_id, mm_extruded, grams_derived, cost,
        filament_diameter_at_print_mm, material_density_at_print, filament_basis) values ('${job}', ${number}, ${members})`);
    const OWN = `null, null, null, null, null, null, 'MANUAL'`;

    // An error of Prisma comes from another realm.
    const refused = async (write: Promise<unknown>, message: string) =>
      expect(await write.then(() => 'done', String)).toContain(message);

    test('divide a job by writing rows for its own spool and for the others', async () => {
      const { Id } = await makeJob(gateway, farm, { GramsDerived: 3.5 });
      await insert(Id, 1);
      expect((await read(Id)).parts).toHaveLength(1);
      await insert(Id, 0, OWN);
      expect((await read(Id)).parts.map((one: Parsed) => one.gramsDerived)).toEqual(['1.5', '2']);
      expect((await grams(spools[0]))[1]).toBe('1.5');
      await gateway.sql('delete from print_job_parts where number = 0');
      expect((await read(Id)).parts.map((one: Parsed) => one.gramsDerived)).toEqual(['3.5']);
    });

    test('cannot write parts that contradict each other', async () => {
      const { Id } = await makeJob(gateway, farm);
      await refused(insert(randomUUID(), 0, OWN), 'a part must have its job');
      await refused(insert(Id, 64), 'print_job_parts_number');
      await refused(insert(Id, 0), 'print_job_parts_own');
      await refused(insert(Id, 1, OWN), 'print_job_parts_own');
      const amounts = (mm: string, basis = 'MANUAL') => `'${spools[1]}', ${mm}, 2, 1, 1.75, 1.24, '${basis}'`;
      for (const mm of ['-1', `'NaN'`, '1e18']) await refused(insert(Id, 1, amounts(mm)), 'print_job_parts_amounts');
      await refused(insert(Id, 1, amounts('1', 'GUESSED')), 'print_job_parts_filament_basis');
      await insert(Id, 1);
      await refused(gateway.sql(`update print_job_parts set slot = 'left'`), 'print_job_parts_slot');
      await refused(gateway.sql('update print_job_parts set from_layer = 9, to_layer = 8'), 'print_job_parts_layers');
    });

    test('delete the parts when they delete jobs', async () => {
      const [{ id }, other] = [await divided(), await divided()];
      await gateway.sql(`delete from print_jobs where id = '${id}'`);
      expect(await gateway.sql('select distinct job_id from print_job_parts')).toEqual([{ job_id: other.id }]);
      await gateway.sql('truncate print_jobs');
      expect(await gateway.sql('select from print_job_parts')).toEqual([]);
    });
  });
});

// Jobs are withdrawn and divided inside a transaction of the collector.
describeOnDatabases('a machine', (kind) => {
  const opened = provideDatabase(kind);
  let database: Database;
  const [job, printer, material, spool, other] = [randomUUID(), randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const moment = { now: '2026-11-26T10:00:00.000Z', newId: randomUUID, deadline: Number.POSITIVE_INFINITY };
  const at = `'2026-11-26T09:00:00Z'`;
  beforeAll(async () => {
    database = opened();
    for (const row of [
      `materials values ('${material}', 'PLA', 1.24)`,
      `printers values ('${printer}', 'One', ${at}, ${at})`,
      `spools (id, spool_serial, filament_diameter_mm, weight_total_grams, material_id)
        select id::uuid, id, 1.75, 1000, '${material}' from unnest(array['${spool}', '${other}']) id`,
      `print_jobs values ('${job}', '${printer}', '${spool}', 'x', '', 9, 9, 9, ${at}, null, 'Printing', 'Mqtt', 1.75, 1.24, null, ${at}, ${at})`,
    ])
      await database.prisma.$executeRawUnsafe(`insert into ${row}`);
  });

  const partsOn = (transaction: Queryable) =>
    createJobServices(transaction, createInventoryLookUps(new InventoryStore(transaction)));
  const part = (
    spoolId: string,
    slot: string,
    fromLayer: number | null,
    toLayer: number | null,
    filamentBasis: string,
  ) => ({
    spoolId,
    slot,
    fromLayer,
    toLayer,
    filamentBasis,
    mmExtruded: '10',
    gramsDerived: '1.50',
    cost: '0',
    filamentDiameterAtPrintMm: '1.75',
    materialDensityAtPrint: '1.24',
  });

  test('divides a job inside its transaction, with layers and bases', async () => {
    await database.transaction(async (transaction) => {
      const { jobs, parts } = partsOn(transaction);
      const newParts = [part(other, 'ams:0:2', 90, 185, 'ESTIMATED'), part(spool, 'ams:0:0', 0, 89, 'MEASURED')];
      const divided = await parts.divide(await jobs.requireJob(job), newParts, moment);
      expect(divided).toMatchObject({ spoolId: spool, mmExtruded: '20', gramsDerived: '3.00', divided: true });
    });
    const { jobs, parts } = partsOn(database);
    const shown = await parts.partsOfJob(await jobs.requireJob(job));
    expect(shown.map(({ slot, fromLayer, toLayer, basis }) => [slot, fromLayer, toLayer, basis])).toEqual([
      ['ams:0:0', 0, 89, 'MEASURED'],
      ['ams:0:2', 90, 185, 'ESTIMATED'],
    ]);
  });

  test('decides again when the job changed since it was read', async () => {
    const { jobs, parts } = partsOn(database);
    const read = await jobs.requireJob(job);
    await parts.divide(
      read,
      [part(spool, 'ams:0:1', null, null, 'PLANNED'), part(other, 'ams:0:2', null, null, 'PLANNED')],
      moment,
    );
    const late = { ...read, notes: 'another' };
    expect(await parts.divide(late, [part(spool, 'ams:0:1', null, null, 'UNKNOWN')], moment)).toBe(null);
  });

  test('withdraws a job with its parts', async () => {
    const { jobs, parts } = partsOn(database);
    await jobs.withdraw(job, 'not its own', moment);
    const row = await jobs.requireJob(job);
    expect([row.divided, row.gramsDerived, (await parts.partsOfJob(row)).length]).toEqual([false, '0', 1]);
    expect(await database.prisma.printJobPart.count()).toBe(0);
  });
});
