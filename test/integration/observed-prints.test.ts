// Observed prints in GraphQL, with their jobs and what they wait for, and the plans that slicers send for them.
import { drawPicture } from '../../src/demo/machines/preview-picture';
import { collectChanges, summarizeChange } from '../support/changes';
import { createCourse } from '../support/courses';
import { describeOnDatabases } from '../support/databases';
import { type Farm, makeFarm, makeJob } from '../support/farm';
import { expectCode, expectData, type Parsed, test, useGateway } from '../support/gateway';
import { addSightings, createPlan, makeDevice, makePrint } from '../support/prints';
import { statementsOf } from '../support/statements';

const LIST = `query ($filter: ObservedPrintFilter, $first: Int, $after: String) {
  observedPrints(filter: $filter, first: $first, after: $after) {
    totalCount nodes { id waitsFor } edges { cursor } pageInfo { hasNextPage endCursor } } }`;
const BASES = 'filament { slot mm grams basis spool { id } }';

// JSON and lists as parameters, and models of Prisma.
describeOnDatabases('observed prints', (kind) => {
  const gateway = useGateway(kind);
  let farm: Farm;
  beforeEach(async () => {
    await gateway.sql('delete from observed_prints');
    farm = await makeFarm(gateway);
  });
  const run = async (document: string, variables?: unknown): Promise<Parsed> =>
    expectData(await gateway.graphql(document, variables));
  const list = async (filter: Parsed = {}, page: Parsed = {}) => (await run(LIST, { filter, ...page })).observedPrints;
  const print = async (id: string, members: string) =>
    (await run(`query ($id: ID!) { observedPrint(id: $id) { ${members} } }`, { id })).observedPrint;
  const readFilament = async (members: Parsed) =>
    (await print(await makePrint(gateway, farm.printerId, members), BASES)).filament;

  test('have every member as it was written', async () => {
    const job = await makeJob(gateway, farm);
    const deviceId = await makeDevice(gateway, { printerId: farm.printerId });
    const id = await makePrint(gateway, farm.printerId, {
      deviceId,
      externalId: '9007199254740993',
      name: 'Vase 😀',
      filePath: 'a/vase.gcode',
      jobId: job.Id,
      startedAt: '2026-01-01T00:00:00.125Z',
      startedAtEstimated: true,
      endedAt: '2026-01-01T01:00:00Z',
      endedAtEstimated: true,
      outcome: 'FAILED',
      reason: 'Thermal runaway',
      createdAt: '2026-01-01T00:00:30Z',
      ignoredAt: null,
      filament: [{ slot: 'ams:0:2', mm: '241.030', grams: null, basis: 'ESTIMATED' }],
      spools: { 'ams:0:2': farm.spoolId },
    });
    expect(
      await print(
        id,
        `id externalId name filePath startedAt startedAtEstimated endedAt endedAtEstimated outcome reason ignoredAt createdAt
         waitsFor printer { id } job { id observedPrint { id } } ${BASES}`,
      ),
    ).toEqual({
      id,
      externalId: '9007199254740993',
      name: 'Vase 😀',
      filePath: 'a/vase.gcode',
      waitsFor: null,
      startedAt: '2026-01-01T00:00:00.125Z',
      startedAtEstimated: true,
      endedAt: '2026-01-01T01:00:00.000Z',
      endedAtEstimated: true,
      outcome: 'FAILED',
      reason: 'Thermal runaway',
      ignoredAt: null,
      createdAt: '2026-01-01T00:00:30.000Z',
      printer: { id: farm.printerId },
      job: { id: job.Id, observedPrint: { id } },
      filament: [{ slot: 'ams:0:2', mm: '241.030', grams: null, basis: 'ESTIMATED', spool: { id: farm.spoolId } }],
    });
  });

  test('wait for a user, unless they are ignored', async () => {
    const job = await makeJob(gateway, farm);
    const createPrint = (members: Parsed) => makePrint(gateway, farm.printerId, members);
    const made = {
      booked: await createPrint({ jobId: job.Id }),
      spool: await createPrint({}),
      running: await createPrint({ outcome: 'RUNNING', endedAt: null, filament: null }),
      unresolved: await createPrint({ outcome: 'UNRESOLVED', endedAt: null }),
      beside: await createPrint({ jobId: (await makeJob(gateway, farm)).Id, lacking: ['tool:1'] }),
      ignored: await createPrint({ ignoredAt: '2026-01-01T00:00:00Z' }),
      ignoredToo: await createPrint({ outcome: 'UNRESOLVED', ignoredAt: '2026-01-01T00:00:00Z' }),
    };
    const waits: Record<string, string | null> = Object.fromEntries(
      (await list()).nodes.map(({ id, waitsFor }: Parsed) => [id, waitsFor]),
    );
    expect(Object.values(made).map((id) => waits[id])).toEqual([
      null,
      'SPOOL',
      'SPOOL',
      'OUTCOME',
      'SPOOL',
      null,
      null,
    ]);
    for (const waitsFor of ['SPOOL', 'OUTCOME']) {
      const { nodes, totalCount } = await list({ waitsFor });
      const expected = Object.values(made).filter((id) => waits[id] === waitsFor);
      expect([nodes.map(({ id }: Parsed) => id).sort(), totalCount]).toEqual([expected.sort(), expected.length]);
    }
  });

  test('give the reason why they still wait: an archived printer or spool, several slots, or a spool that was loaded later', async () => {
    const { printerId, spoolId, spoolSerial } = farm;
    const because = async (id: string) => (await print(id, 'waitsFor waitsBecause')).waitsBecause;
    const archive = (kind: string, id: string, archived = true) =>
      run(`mutation ($id: ID!, $archived: Boolean!) { archive${kind}(id: $id, archived: $archived) { id } }`, {
        id,
        archived,
      });
    const [one, other] = [
      await makePrint(gateway, printerId),
      await makePrint(gateway, printerId, { course: createCourse('tool:1') }),
    ];
    const two = await makePrint(gateway, printerId, { plan: createPlan(['tool:0', '1', null], ['tool:1', '2', null]) });
    const decided = await makePrint(gateway, printerId, { outcome: 'UNRESOLVED', endedAt: null });
    await run('mutation ($p: ID!, $s: ID!) { loadSpool(printerId: $p, slot: "tool:0", spoolId: $s) { id } }', {
      p: printerId,
      s: spoolId,
    });
    expect(await because(one)).toBe(
      `Spool ${spoolSerial} was loaded into tool:0 after the print had started. Choose the spool with which the print started, or correct the time at which this spool was loaded.`,
    );
    expect(await because(two)).toBe('The print uses tool:0, tool:1. Choose the spool of each slot.');
    await archive('Spool', spoolId);
    const spoolWords = `Spool ${spoolSerial} in tool:0 is archived. Choose another spool, or restore this spool and choose it.`;
    expect([await because(one), await because(two), await because(other)]).toEqual([
      spoolWords,
      spoolWords,
      'No spool was in tool:1 when the print started. Choose the spool of this print.',
    ]);
    await archive('Printer', printerId);
    const words = 'The printer is archived and gets no jobs. Restore the printer, then choose the spool.';
    expect([await because(one), await because(other), await because(decided)]).toEqual([
      words,
      words,
      'The printer did not report how this print ended. Enter its outcome.',
    ]);
    const { alerts } = await run('{ alerts { kind prints message printer { id } print { id } } }');
    const { nodes } = await list({ waitsFor: 'SPOOL', printerId });
    expect(alerts).toContainEqual({
      kind: 'PRINT_WAITS',
      prints: 3,
      printer: { id: printerId },
      print: { id: nodes[0].id },
      message: `3 prints on ${farm.printerName} wait for their spools. The newest is Benchy. ${words}`,
    });
    await archive('Spool', spoolId, false);
    const assign = () =>
      gateway.graphql(
        'mutation ($id: ID!, $spools: [SlotSpoolInput!]!) { assignSpools(printId: $id, spools: $spools) { id } }',
        { id: one, spools: [{ slot: 'tool:0', spoolId }] },
      );
    const refused = await assign();
    expectCode(refused, 'CONFLICT');
    expect(JSON.stringify(refused)).toContain('The printer of this print is archived. Restore the printer first');
    await archive('Printer', printerId, false);
    expectData(await assign());
    expect(await because(one)).toBeNull();
  });

  test('use what was measured or planned while they run, and what was written at their end', async () => {
    const running = { outcome: 'RUNNING', endedAt: null, filament: null, spools: { 'tool:1': farm.spoolId } };
    const plan = createPlan(['tool:0', '100.50', null], ['tool:1', '20', '0.06']);
    expect(await readFilament({ ...running, plan, layer: 5, layers: 10 })).toEqual([
      { slot: 'tool:0', mm: '100.50', grams: null, basis: 'PLANNED', spool: null },
      { slot: 'tool:1', mm: '20', grams: '0.06', basis: 'PLANNED', spool: { id: farm.spoolId } },
    ]);
    const measured = [{ slot: 'tool:0', mm: '12.75', grams: null }];
    expect(await readFilament({ ...running, measured })).toEqual([
      { slot: 'tool:0', mm: '12.75', grams: null, basis: 'MEASURED', spool: null },
    ]);
    expect(await readFilament({ ...running, course: createCourse('ams:0:1') })).toEqual([
      { slot: 'ams:0:1', mm: null, grams: null, basis: 'UNKNOWN', spool: null },
    ]);
  });

  test('that wait get their job from assignSpools, with the times of the print', async () => {
    const [startedAt, endedAt] = ['2026-11-20T08:00:00.000Z', '2026-11-20T09:00:00.000Z'];
    const amount = { slot: 'tool:0', mm: '990.25', grams: null, basis: 'MEASURED' };
    const id = await makePrint(gateway, farm.printerId, { startedAt, endedAt, filament: [amount] });
    const { assignSpools } = await run(
      `mutation ($id: ID!, $spools: [SlotSpoolInput!]!) { assignSpools(printId: $id, spools: $spools) {
         waitsFor ${BASES} job { status startedAt completedAt mmExtruded dataSource filamentBasis } } }`,
      { id, spools: [{ slot: 'tool:0', spoolId: farm.spoolId }] },
    );
    expect(assignSpools).toEqual({
      waitsFor: null,
      filament: [{ ...amount, spool: { id: farm.spoolId } }],
      job: {
        status: 'COMPLETED',
        startedAt,
        completedAt: endedAt,
        mmExtruded: '990.25',
        dataSource: 'PRINTER_API',
        filamentBasis: 'MEASURED',
      },
    });
  });

  test('that wait for one spool of two show the known one, and ask only for the missing one', async () => {
    const { printerId, spoolId } = farm;
    const { spoolId: missing } = await makeFarm(gateway);
    await run(
      'mutation ($p: ID!, $s: ID!, $at: DateTime!) { loadSpool(printerId: $p, slot: "tool:0", spoolId: $s, at: $at) { id } }',
      { p: printerId, s: spoolId, at: '2026-01-01T00:00:00Z' },
    );
    const plan = createPlan(['tool:0', '100', null], ['tool:1', '20', null]);
    const running = { plan, outcome: 'RUNNING', endedAt: null, filament: null };
    const id = await makePrint(gateway, printerId, running);
    const shown = async () => print(id, 'waitsBecause slotsToChoose filament { slot spool { id } }');
    expect(await shown()).toEqual({
      waitsBecause: 'The print uses tool:0, tool:1. Choose the spool of tool:1.',
      slotsToChoose: ['tool:1'],
      filament: [
        { slot: 'tool:0', spool: { id: spoolId } },
        { slot: 'tool:1', spool: null },
      ],
    });
    await run(
      'mutation ($id: ID!, $spools: [SlotSpoolInput!]!) { assignSpools(printId: $id, spools: $spools) { id } }',
      { id, spools: [{ slot: 'tool:1', spoolId: missing }] },
    );
    expect(await shown()).toEqual({
      waitsBecause: null,
      slotsToChoose: [],
      filament: [
        { slot: 'tool:0', spool: { id: spoolId } },
        { slot: 'tool:1', spool: { id: missing } },
      ],
    });
  });

  test('without any known slot ask for the spool of the first slot of their kind of machine', async () => {
    const asked: unknown[] = [];
    for (const kind of ['MOONRAKER', 'BAMBU']) {
      const { printerId, spoolId } = await makeFarm(gateway);
      const deviceId = await makeDevice(gateway, { printerId, kind });
      const id = await makePrint(gateway, printerId, { deviceId, filament: [] });
      const { slotsToChoose } = await print(id, 'slotsToChoose');
      asked.push(slotsToChoose);
      const { assignSpools } = await run(
        'mutation ($id: ID!, $spools: [SlotSpoolInput!]!) { assignSpools(printId: $id, spools: $spools) { waitsFor slotsToChoose } }',
        { id, spools: slotsToChoose.map((slot: string) => ({ slot, spoolId })) },
      );
      expect(assignSpools).toEqual({ waitsFor: null, slotsToChoose: [] });
    }
    expect(asked).toEqual([['tool:0'], ['ext:0']]);
  });

  test('come newest first, and match their filter', async () => {
    const other = await makeFarm(gateway);
    const ids: string[] = [];
    for (let n = 0; n < 7; n += 1) {
      const createdAt = `2026-01-0${Math.floor(n / 2) + 1}T00:00:00Z`;
      const members = { createdAt, startedAt: `2026-02-0${n + 1}T00:00:00Z`, outcome: n % 2 ? 'FAILED' : 'CANCELLED' };
      ids.push(await makePrint(gateway, (n < 5 ? farm : other).printerId, members));
    }
    const at = (id: string) => Math.floor(ids.indexOf(id) / 2);
    const inOrder = [...ids].sort((a, b) => at(b) - at(a) || (a < b ? 1 : -1));
    const first = await list({}, { first: 3 });
    const rest = await list({}, { first: 100, after: first.pageInfo.endCursor });
    expect([...first.nodes, ...rest.nodes].map(({ id }: Parsed) => id)).toEqual(inOrder);
    expect([first.totalCount, first.pageInfo.hasNextPage, rest.pageInfo.hasNextPage]).toEqual([7, true, false]);
    const matching: [filter: Parsed, matches: (n: number) => boolean][] = [
      [{ printerId: farm.printerId.toUpperCase() }, (n) => n < 5],
      [{ outcome: ['FAILED'] }, (n) => n % 2 === 1],
      [{ outcome: [] }, () => false],
      [{ startedFrom: '2026-02-03T00:00:00Z', startedTo: '2026-02-05T00:00:00Z' }, (n) => n >= 2 && n <= 4],
      [{ printerId: null, outcome: null, waitsFor: null, startedFrom: null, startedTo: null }, () => true],
    ];
    for (const [filter, matches] of matching) {
      const { nodes, totalCount } = await list(filter, { first: 100 });
      const expected = inOrder.filter((id) => matches(ids.indexOf(id)));
      expect([filter, nodes.map(({ id }: Parsed) => id), totalCount]).toEqual([filter, expected, expected.length]);
    }
    const own = `query { printers(first: 1000) { nodes { id observedPrints(first: 3, filter: { outcome: [CANCELLED] }) {
      totalCount nodes { id } pageInfo { hasNextPage } } } } }`;
    const { printers } = await run(own);
    const ofFarm = printers.nodes.find(({ id }: Parsed) => id === farm.printerId).observedPrints;
    const expected = inOrder.filter((id) => ids.indexOf(id) < 5 && ids.indexOf(id) % 2 === 0);
    expect(ofFarm).toEqual({ totalCount: 3, nodes: expected.map((id) => ({ id })), pageInfo: { hasNextPage: false } });
    expectCode(await gateway.graphql(LIST, { after: 'garbage' }), 'BAD_USER_INPUT');
  });

  test('are changes in the feed when readers see a difference, and not when they merely continue', async () => {
    let id = '';
    const set = (columns: string) => () => gateway.sql(`update observed_prints set ${columns} where id = '${id}'`);
    const collectSummaries = async (step: () => Promise<unknown>) =>
      (await collectChanges(gateway, step)).map(summarizeChange);
    const made = await collectSummaries(async () => {
      id = await makePrint(gateway, farm.printerId, { outcome: 'RUNNING', endedAt: null, filament: null });
    });
    expect(made).toEqual([`OBSERVEDPRINT CREATED ${id}`]);
    const checkpoint = `seen_at = now(), counter_sec = 1, counts_pauses = true, progress = 0.5, progress_basis = 'FILE',
      remaining_sec = 7, layer = 1, layers = 2, measured = '[{"slot": "tool:0", "mm": "1", "grams": null}]', job_updated_at = now()`;
    expect(await collectSummaries(set(checkpoint))).toEqual([]);
    for (const columns of ['paused = true', `outcome = 'FAILED', filament = '[]'`, 'ignored_at = now()']) {
      expect(await collectSummaries(set(columns))).toEqual([`OBSERVEDPRINT UPDATED ${id}`]);
      expect(await collectSummaries(set(columns.replace('now()', 'ignored_at')))).toEqual([]);
    }
    expect(await collectSummaries(() => gateway.sql(`delete from observed_prints where id = '${id}'`))).toEqual([
      `OBSERVEDPRINT DELETED ${id}`,
    ]);
  });

  test('keep their history, oldest first, page by page', async () => {
    const [one, two] = [await makePrint(gateway, farm.printerId), await makePrint(gateway, farm.printerId)];
    await addSightings(gateway, one, 'a', 'b', 'c');
    await addSightings(gateway, two, 'd');
    const query = `query ($after: String) { observedPrints { nodes { id sightings(first: 2, after: $after) {
      nodes { kind text } edges { cursor } pageInfo { hasNextPage endCursor } } } } }`;
    const sightings = async (after?: string) => {
      const { nodes } = (await run(query, { after })).observedPrints;
      return [one, two].map((print) => nodes.find(({ id }: Parsed) => id === print).sightings);
    };
    const [first, alone] = await sightings();
    expect(first.nodes).toEqual([
      { kind: 'PAUSED', text: 'a' },
      { kind: 'PAUSED', text: 'b' },
    ]);
    expect([first.pageInfo.hasNextPage, alone.pageInfo.hasNextPage]).toEqual([true, false]);
    const [rest, others] = await sightings(first.pageInfo.endCursor);
    expect([rest.nodes, others.nodes]).toEqual([[{ kind: 'PAUSED', text: 'c' }], [{ kind: 'PAUSED', text: 'd' }]]);
  });

  test('have their pictures, which one statement reads for a list and which are deleted with their print', async () => {
    const { printerId } = await makeFarm(gateway);
    const ids: string[] = [];
    for (const picture of [PICTURE, PICTURE, Buffer.from('<html>').toString('base64'), null]) {
      const id = await makePrint(gateway, printerId);
      ids.push(id);
      if (picture !== null)
        await gateway.sql(`insert into print_thumbnails values ('${id}', decode('${picture}', 'base64'))`);
    }
    const query = `query ($id: ID!) { printer(id: $id) { observedPrints { nodes { id thumbnail { width height dataUrl } } } } }`;
    const { printer } = await run(query, { id: printerId });
    const found = new Map(printer.observedPrints.nodes.map(({ id, thumbnail }: Parsed) => [id, thumbnail]));
    const shown = { width: 200, height: 200, dataUrl: `data:image/png;base64,${PICTURE}` };
    // What is no picture, whoever wrote it, is not shown.
    expect(ids.map((id) => found.get(id))).toEqual([shown, shown, null, null]);
    if (kind === 'server') {
      const statements = await statementsOf(() => run(query, { id: printerId }));
      expect(statements.filter((text) => text.includes('thumbnails.byPrint'))).toHaveLength(1);
    }
    await gateway.sql(`delete from observed_prints where printer_id = '${printerId}'`);
    expect(await gateway.sql(`select from print_thumbnails where print_id in ('${ids.join("', '")}')`)).toEqual([]);
  });

  test('report the basis of the amounts of a job, the least certain of its slots, until a user changes the job', async () => {
    const readBasis = async (id: string) =>
      (await run('query ($id: ID!) { printJob(id: $id) { filamentBasis observedPrint { id } } }', { id })).printJob;
    const amount = (slot: string, basis: string) => ({ slot, mm: '1', grams: null, basis });
    expect(await readBasis((await makeJob(gateway, farm)).Id)).toEqual({
      filamentBasis: 'MANUAL',
      observedPrint: null,
    });
    for (const [bases, expected] of [
      [['MEASURED'], 'MEASURED'],
      [['PLANNED', 'MEASURED'], 'PLANNED'],
      [['ESTIMATED', 'PLANNED'], 'ESTIMATED'],
      [['MEASURED', 'UNKNOWN', 'ESTIMATED'], 'UNKNOWN'],
      [[], 'UNKNOWN'],
    ] as const) {
      const job = await makeJob(gateway, farm);
      const filament = bases.map((basis, n) => amount(`tool:${n}`, basis));
      const members = { jobId: job.Id, jobUpdatedAt: job.UpdatedAt, filament };
      const id = await makePrint(gateway, farm.printerId, members);
      expect(await readBasis(job.Id)).toEqual({ filamentBasis: expected, observedPrint: { id } });
      await run(`mutation ($id: ID!) { changePrintJobStatus(id: $id, status: PRINTING) { id } }`, { id: job.Id });
      expect(await readBasis(job.Id)).toEqual({ filamentBasis: 'MANUAL', observedPrint: { id } });
    }
  });

  describe('changePrintJobSpool', () => {
    let other: Farm;
    beforeEach(async () => {
      other = await makeFarm(gateway, { density: '2.48', price: '50' });
    });
    const JOB =
      'filamentBasis mmExtruded gramsDerived costPerPrint materialDensityAtPrint spool { id } observedPrint { filament { spool { id } } }';
    const change = (id: string, spoolId: string) =>
      gateway.graphql(
        `mutation ($id: ID!, $spoolId: ID!) { changePrintJobSpool(id: $id, spoolId: $spoolId) { ${JOB} } }`,
        { id, spoolId },
      );
    const makeBooked = async (filament: Parsed, members: Parsed = {}) => {
      const job = await makeJob(gateway, farm, { MmExtruded: 1000, AutoDeriveGrams: true, ...members });
      await makePrint(gateway, farm.printerId, {
        jobId: job.Id,
        jobUpdatedAt: job.UpdatedAt,
        filament: [{ slot: 'tool:0', ...filament }],
        spools: { 'tool:0': farm.spoolId },
      });
      return job;
    };
    const MEASURED = { mm: '1000', grams: null, basis: 'MEASURED' };

    test('keeps the measured length and its basis; grams and cost follow the spool, also of the print', async () => {
      const { Id } = await makeBooked(MEASURED);
      expect(expectData(await change(Id, other.spoolId)).changePrintJobSpool).toEqual({
        filamentBasis: 'MEASURED',
        mmExtruded: '1000',
        gramsDerived: '5.97',
        costPerPrint: '0.2985',
        materialDensityAtPrint: '2.48',
        spool: { id: other.spoolId },
        observedPrint: { filament: [{ spool: { id: other.spoolId } }] },
      });
    });

    test('keeps grams that the machine weighed', async () => {
      const weighed = { mm: null, grams: '3', basis: 'MEASURED' };
      const { Id } = await makeBooked(weighed, { AutoDeriveGrams: false, MmExtruded: 0, GramsDerived: 3 });
      expect(expectData(await change(Id, other.spoolId)).changePrintJobSpool).toMatchObject({
        filamentBasis: 'MEASURED',
        costPerPrint: '0.1500',
      });
    });

    test('of a job that a user entered keeps its grams, and derives them again if they were derived', async () => {
      const entered = await makeJob(gateway, farm, { MmExtruded: 1000, GramsDerived: 7, CostPerPrint: 9 });
      expect(expectData(await change(entered.Id, other.spoolId)).changePrintJobSpool).toMatchObject({
        filamentBasis: 'MANUAL',
        gramsDerived: '7',
        costPerPrint: '0.3500',
      });
      const derived = await makeJob(gateway, farm, { MmExtruded: 1000, AutoDeriveGrams: true });
      expect(expectData(await change(derived.Id, other.spoolId)).changePrintJobSpool.gramsDerived).toBe('5.97');
    });

    test('refuses an unknown job, an unknown spool, a job with parts, and an archived spool for a job that has not ended', async () => {
      const { Id } = await makeJob(gateway, farm);
      expectCode(await change(other.spoolId, other.spoolId), 'NOT_FOUND');
      expectCode(await change(Id, Id), 'BAD_USER_INPUT');
      await run('mutation ($id: ID!) { archiveSpool(id: $id) { id } }', { id: other.spoolId });
      expectCode(await change(Id, other.spoolId), 'BAD_USER_INPUT');
      await run('mutation ($id: ID!) { cancelPrintJob(id: $id) { id } }', { id: Id });
      expect(expectData(await change(Id, other.spoolId)).changePrintJobSpool.spool.id).toBe(other.spoolId);
      const parts = [other.spoolId, farm.spoolId].map((spoolId) => ({ spoolId, mmExtruded: '10' }));
      await run(
        'mutation ($id: ID!, $parts: [PrintJobPartInput!]!) { setPrintJobParts(id: $id, parts: $parts) { id } }',
        {
          id: Id,
          parts,
        },
      );
      expectCode(await change(Id, farm.spoolId), 'BAD_USER_INPUT');
    });

    test('has a twin in updatePrintJob: a request that changes the spool alone keeps the basis, other grams do not', async () => {
      const { Id } = await makeBooked(MEASURED);
      const { gramsDerived } = expectData(await change(Id, other.spoolId)).changePrintJobSpool;
      const update = async (grams: string) => {
        const input = {
          printName: 'a',
          printerId: farm.printerId,
          spoolId: farm.spoolId,
          mmExtruded: '1000',
          gramsDerived: grams,
        };
        const document =
          'mutation ($id: ID!, $input: UpdatePrintJobInput!) { updatePrintJob(id: $id, input: $input) { filamentBasis } }';
        return (await run(document, { id: Id, input })).updatePrintJob.filamentBasis;
      };
      expect([await update(gramsDerived), await update('4')]).toEqual(['MEASURED', 'MANUAL']);
    });
  });
});

const RECORD = 'mutation ($input: RecordPlanInput!) { recordPlan(input: $input) { name plates recordedAt } }';
const SLOT = { slot: 1, mm: '241.030', grams: '0.72' };
const PLATE = { plate: 1, seconds: 865, slots: [SLOT], layers: [{ layer: 1, mm: ['120.5'] }] };

const SLOTS = Array.from({ length: 65 }, (_, at) => ({ slot: at + 1 }));
const TWICE = 'must be unique: 1 is already in the list';

const PICTURE = drawPicture('cube').toString('base64');
const NO_PICTURE = 'must be a PNG or JPEG in base64 with at most 64 KB and 1000 x 1000 pixels';

const REFUSED: [what: string, members: Parsed, path: string, message: string][] = [
  ['no name', { fileName: '' }, 'fileName', 'must not be empty'],
  ['a folder', { fileName: 'parts/' }, 'fileName', 'must end with the name of a file'],
  ['a name of points', { fileName: '..' }, 'fileName', 'must end with the name of a file'],
  ['a long name', { fileName: 'x'.repeat(501) }, 'fileName', 'must end with a name of at most 500 characters'],
  ['no plate', { plates: [] }, 'plates', 'must have 1 to 100 plates'],
  ['plate 0', plate({ plate: 0 }), 'plates.0.plate', 'must be a whole number from 1 to 999'],
  ['no time', plate({ seconds: 0 }), 'plates.0.seconds', 'must be a whole number from 1 to 2147483647'],
  ['slot 0', slot({ slot: 0 }), 'plates.0.slots.0.slot', 'must be a whole number from 1 to 999'],
  ['no length', slot({ mm: 0 }), 'plates.0.slots.0.mm', 'must be above 0'],
  ['a weight below 0', slot({ grams: '-1' }), 'plates.0.slots.0.grams', 'must be above 0'],
  ['a long length', slot({ mm: '10000000.1' }), 'plates.0.slots.0.mm', 'must be at most 10000000'],
  ['a slot twice', plate({ slots: [SLOT, SLOT], layers: null }), 'plates.0.slots.1.slot', TWICE],
  ['a plate twice', { plates: [PLATE, PLATE] }, 'plates.1.plate', TWICE],
  ['65 slots', plate({ slots: SLOTS }), 'plates.0.slots', 'must have at most 64 slots'],
  ['no layers', plate({ layers: [] }), 'plates.0.layers', 'must be null or have 1 to 500 layers'],
  ['layer 0', layers([0, '1']), 'plates.0.layers.0.layer', 'must be a whole number from 1 to 100000'],
  ['a layer twice', layers([2, '1'], [2, '1']), 'plates.0.layers.1.layer', 'must be above the previous layer'],
  [
    'a layer without amounts',
    layers([1]),
    'plates.0.layers.0.mm',
    'must have as many lengths as the plate has slots: 1',
  ],
  ['a negative layer', layers([1, '-1']), 'plates.0.layers.0.mm', 'must not be negative'],
  [
    'a layer with less than the one before',
    layers([1, '2'], [2, '1.99']),
    'plates.0.layers.1.mm.0',
    'must not be below the length of the previous layer',
  ],
  ['HTML as a picture', plate({ thumbnail: 'PGh0bWw+' }), 'plates.0.thumbnail', NO_PICTURE],
  ['a picture in another code', plate({ thumbnail: `${PICTURE}!` }), 'plates.0.thumbnail', NO_PICTURE],
  [
    'a long picture',
    plate({ thumbnail: `${PICTURE.replaceAll('=', '')}${'A'.repeat(90_000)}` }),
    'plates.0.thumbnail',
    NO_PICTURE,
  ],
];

// JSON as a parameter, with decimals in it.
describeOnDatabases('plans of slicers', (kind) => {
  const gateway = useGateway(kind);
  beforeEach(() => gateway.sql('delete from print_plans'));
  const record = (fileName: unknown, ...plates: Parsed[]) => gateway.graphql(RECORD, { input: { fileName, plates } });
  const rows = () => gateway.sql('select name, plate, seconds, slots, layers from print_plans order by name, plate');

  test('are recorded by the base name of their file and their plates, digit for digit', async () => {
    const answer = expectData(await record('C:\\parts\\ca\u0308be.gcode.3mf', PLATE, { plate: 3, slots: [] }));
    expect(answer.recordPlan).toEqual({ name: 'cäbe', plates: [1, 3], recordedAt: expect.any(String) });
    expect(await rows()).toEqual([
      { name: 'cäbe', ...PLATE },
      { name: 'cäbe', plate: 3, seconds: null, slots: [], layers: null },
    ]);
  });

  test('are replaced by newer ones of the same name and plate', async () => {
    expectData(await record('a/part.gcode', PLATE, { ...PLATE, plate: 2 }));
    expectData(await record('b/part.bgcode', { plate: 1, slots: [{ slot: 4, grams: 1.5 }] }));
    expect(await rows()).toMatchObject([
      { name: 'part', plate: 1, seconds: null, slots: [{ slot: 4, mm: null, grams: '1.5' }], layers: null },
      { name: 'part', plate: 2, seconds: 865 },
    ]);
  });

  test('keep a picture, which a newer plan replaces', async () => {
    const readPictures = async () =>
      (await gateway.sql(`select translate(encode(picture, 'base64'), e'\\n', '') as picture from print_plans`)).map(
        ({ picture }: Parsed) => picture,
      );
    expectData(await record('part.gcode', { ...PLATE, thumbnail: PICTURE }));
    expect(await readPictures()).toEqual([PICTURE]);
    expectData(await record('part.gcode', PLATE));
    expect(await readPictures()).toEqual([null]);
  });

  test('of many simultaneous writers of one file are all recorded', async () => {
    const plates = [1, 2, 3].map((plate) => ({ ...PLATE, plate }));
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => record('part.gcode', ...(at % 2 === 0 ? plates : plates.toReversed()))),
    );
    for (const answer of answers) expectData(answer);
    expect(await rows()).toHaveLength(3);
  });

  test('are refused with all their faults together, and nothing is recorded', async () => {
    const readIssues = async (members: Parsed) => {
      const answer = await gateway.graphql(RECORD, { input: { fileName: 'part.gcode', plates: [PLATE], ...members } });
      expectCode(answer, 'BAD_USER_INPUT');
      const issues = answer.errors.flatMap(({ extensions }) => extensions['issues'] as Parsed[]);
      return issues.map(({ path, message }) => [path.join('.'), message]);
    };
    for (const [what, members, path, message] of REFUSED)
      expect([what, await readIssues(members)]).toEqual([what, [[`input.${path}`, message]]]);
    const plates = [
      { plate: 1, slots: [{ slot: 0, mm: 0 }] },
      { plate: 0, slots: [] },
    ];
    expect((await readIssues({ fileName: '/', plates })).map(([path]) => path)).toEqual(
      ['fileName', 'plates.0.slots.0.slot', 'plates.0.slots.0.mm', 'plates.1.plate'].map((path) => `input.${path}`),
    );
    expect(await rows()).toEqual([]);
  });

  test('are deleted after 30 days', async () => {
    expectData(await record('old.gcode', PLATE));
    expectData(await record('part.gcode', PLATE));
    await gateway.sql("update print_plans set recorded_at = now() - interval '30 days 1 second' where name = 'old'");
    await gateway.restart();
    expect(await gateway.sql('select name from print_plans')).toEqual([{ name: 'part' }]);
  });
});

function plate(members: Parsed): Parsed {
  return { plates: [{ ...PLATE, ...members }] };
}

function slot(members: Parsed): Parsed {
  return plate({ slots: [{ ...SLOT, ...members }] });
}

function layers(...points: [layer: number, ...mm: string[]][]): Parsed {
  return plate({ layers: points.map(([layer, ...mm]) => ({ layer, mm })) });
}
