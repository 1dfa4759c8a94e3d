// The ledger of spools: what a weighing means, compared with a separate model, and what no writer may do.
import { randomUUID } from 'node:crypto';
import Decimal from 'decimal.js';
import { collectChanges, summarizeChange } from '../../support/changes';
import { holdClock } from '../../support/clock';
import {
  describeOnce,
  describeOnDatabases,
  type FreshDatabase,
  freshDatabase,
  isTestedAlready,
} from '../../support/databases';
import { type Farm, makeFarm, makeJob, unique } from '../../support/farm';
import {
  expectCode,
  expectData,
  type Gateway,
  type Parsed,
  startGateway,
  test,
  useGateway,
} from '../../support/gateway';
import { random } from '../../support/generated';
import { makePrint } from '../../support/prints';

const SUMS = 'weightTotalGrams usedGrams plannedGrams adjustedGrams remainingGrams';
const ROW = 'id kind at netGrams grossGrams tareGrams grams printingGrams note by takenBack { at note }';

// Undoing is a transaction that locks its row first.
describeOnDatabases('the ledger of a spool', (kind) => {
  const gateway = useGateway(kind);
  let farm: Farm;
  beforeEach(async () => {
    farm = await makeFarm(gateway);
  });

  const ask = async (document: string, variables: object = {}): Promise<Parsed> =>
    expectData(await gateway.graphql(document, { id: farm.spoolId, ...variables }));
  const weighing = (input: object) =>
    gateway.graphql(
      `mutation ($id: ID!, $input: WeighSpoolInput!) { weighSpool(id: $id, input: $input) { ${ROW} spool { ${SUMS} } } }`,
      { id: farm.spoolId, input },
    );
  const weigh = async (netGrams: string) => expectData(await weighing({ netGrams })).weighSpool;
  const correct = (input: object) =>
    gateway.graphql(
      `mutation ($id: ID!, $input: CorrectSpoolInput!) { correctSpool(id: $id, input: $input) { ${ROW} } }`,
      { id: farm.spoolId, input },
    );
  const takeBack = (id: string, note?: string) =>
    gateway.graphql(`mutation ($id: ID!, $note: String) { takeBackAdjustment(id: $id, note: $note) { ${ROW} } }`, {
      id,
      note,
    });
  const read = async () =>
    (await ask(`query ($id: ID!) { spool(id: $id) { ${SUMS} archivedAt updatedAt adjustments { nodes { ${ROW} } } } }`))
      .spool;
  /** The books balance, whatever happened. */
  const remaining = async (): Promise<string> => {
    const { weightTotalGrams, usedGrams, adjustedGrams, remainingGrams, adjustments } = await read();
    const sum = Decimal.sum(0, ...adjustments.nodes.map((one: Parsed) => one.grams));
    expect(sum.toFixed()).toBe(adjustedGrams);
    expect(new Decimal(weightTotalGrams).minus(usedGrams).plus(sum).toFixed()).toBe(remainingGrams);
    return remainingGrams;
  };
  const setStatus = (id: string, status: string) =>
    ask('mutation ($id: ID!, $status: PrintJobStatus!) { changePrintJobStatus(id: $id, status: $status) { id } }', {
      id,
      status,
    });

  test('an adjustment is a change of its spool in the feed, and updatedAt stays', async () => {
    const { updatedAt } = await read();
    const noted = await collectChanges(gateway, async () => takeBack((await weigh('5')).id));
    expect(noted.map(summarizeChange)).toEqual(Array(2).fill(`SPOOL UPDATED ${farm.spoolId}`));
    expect((await read()).updatedAt).toBe(updatedAt);
  });

  if (isTestedAlready(kind)) return;

  test('a job that ended before a weighing, and is corrected or entered later, does not change the weighed grams', async () => {
    const { Id } = await makeJob(gateway, farm, { GramsDerived: 100 }, 'Completed');
    expect(await weigh('880.5')).toMatchObject({
      kind: 'WEIGHED',
      netGrams: '880.5',
      grams: '-19.5',
      printingGrams: '0',
    });
    expect(await remaining()).toBe('880.5');
    await gateway.sql(`update print_jobs set grams_derived = 115.25 where id = '${Id}'`);
    expect(await remaining()).toBe('880.5');
    expect((await read()).adjustments.nodes[0].grams).toBe('-4.25');
    for (const status of ['FAILED', 'FAILED']) {
      await setStatus(Id, status);
      expect(await remaining()).toBe('880.5');
    }
    // A job that ended before, and is booked only now.
    await makeJob(gateway, farm, { GramsDerived: 7 }, 'Completed');
    expect(await remaining()).toBe('873.5');
    await gateway.sql(
      `update print_jobs set completed_at = '2020-01-01Z' where grams_derived = 7 and spool_id = '${farm.spoolId}'`,
    );
    expect(await remaining()).toBe('880.5');
  });

  test('corrections count after the last weighing, and an undone row counts nothing', async () => {
    expectData(await correct({ grams: '-12.5', note: 'cut off', kind: 'LOST' }));
    expect(await remaining()).toBe('987.5');
    const { id } = await weigh('900');
    expectData(await correct({ grams: '3', note: 'found' }));
    expect(await remaining()).toBe('903');
    const taken = expectData(await takeBack(id, 'wrong spool')).takeBackAdjustment;
    expect(taken).toMatchObject({ netGrams: '900', grams: '0', takenBack: { note: 'wrong spool' } });
    expect(await remaining()).toBe('990.5');
    expectCode(await takeBack(id), 'CONFLICT');
    expectCode(await takeBack('999999999'), 'NOT_FOUND');
    expectCode(await takeBack('x'), 'NOT_FOUND');
    for (const input of [
      { grams: '0', note: 'x' },
      { grams: '5', note: 'x', kind: 'LOST' },
      { grams: '5', note: '' },
      { grams: '5', note: 'x'.repeat(1001) },
    ]) {
      expectCode(await correct(input), 'BAD_USER_INPUT');
    }
  });

  test('a gross weight without a tare is refused; up to 10 g below the tare is empty, and less is refused with both figures', async () => {
    const refusal = await weighing({ grossGrams: '700' });
    expectCode(refusal, 'BAD_USER_INPUT');
    const filament = (
      await ask('mutation ($input: CreateFilamentInput!) { createFilament(input: $input) { id } }', {
        input: {
          name: unique('PLA'),
          materialId: farm.materialId,
          filamentDiameterMm: '1.75',
          weightTotalGrams: '1000',
          tareGrams: '200',
        },
      })
    ).createFilament.id;
    await ask(
      'mutation ($id: ID!, $filamentId: ID) { updateSpool(id: $id, input: { filamentId: $filamentId }) { id } }',
      {
        filamentId: filament,
      },
    );
    const gross = async (grossGrams: string) => expectData(await weighing({ grossGrams })).weighSpool;
    expect(await gross('700.5')).toMatchObject({ netGrams: '500.5', grossGrams: '700.5', tareGrams: '200' });
    // Read when the spool is weighed, so a corrected tare counts.
    await ask('mutation ($id: ID!) { updateFilament(id: $id, input: { tareGrams: 130 }) { id } }', { id: filament });
    expect((await gross('131')).netGrams).toBe('1');
    await ask('mutation ($id: ID!) { updateSpool(id: $id, input: { tareGrams: 250 }) { id } }');
    expect((await gross('240')).netGrams).toBe('0');
    expect(JSON.stringify((await weighing({ grossGrams: '239.9' })).errors)).toMatch(/239\.9 g.* 250 g/);
    expect((await gross('1400')).netGrams).toBe('1150');
    await ask(
      'mutation ($id: ID!) { updateSpool(id: $id, input: { tareGrams: "0.0000000000000000000000000001" }) { id } }',
    );
    expect((await gross('999999999999999999')).netGrams).toBe('999999999999999998.9999999999999999999999999999');
    for (const input of [{}, { grossGrams: '1', netGrams: '1' }, { netGrams: '-1' }]) {
      expectCode(await weighing(input), 'BAD_USER_INPUT');
    }
  });

  test('while a job with unknown usage prints, a weighing is refused with the name of the job; 0 g is accepted', async () => {
    const { Id, PrintName } = await makeJob(gateway, farm, { GramsDerived: 60, PrintName: 'Vase' }, 'Printing');
    const refusal = await weighing({ netGrams: '500' });
    expectCode(refusal, 'CONFLICT');
    expect(refusal.errors[0]?.message).toContain(PrintName);
    const empty = await weigh('0');
    expect(empty.printingGrams).toBe('60');
    expect(empty.spool).toMatchObject({ usedGrams: '60', plannedGrams: '0', remainingGrams: '0' });
    await setStatus(Id, 'COMPLETED');
    expect(await remaining()).toBe('0');
  });

  test('what the machine measured so far counts before the weighing, the rest of the job after it, and never more than the job has', async () => {
    const job = await makeJob(gateway, farm, { GramsDerived: 30, MmExtruded: 10000 }, 'Printing');
    await makePrint(gateway, farm.printerId, {
      outcome: 'RUNNING',
      endedAt: null,
      filament: null,
      measured: [{ slot: 'tool:0', mm: '5000', grams: null }],
      spools: { 'tool:0': farm.spoolId },
      jobId: job.Id,
      jobUpdatedAt: job.UpdatedAt,
    });
    // 5,000 mm of 1.75 mm at 1.24 g/cm3.
    const weighed = await weigh('700');
    expect(weighed).toMatchObject({ printingGrams: '14.91', grams: '-285.09' });
    expect(weighed.spool).toMatchObject({ usedGrams: '14.91', plannedGrams: '15.09', remainingGrams: '700' });
    await gateway.sql(`update print_jobs set grams_derived = 29.5 where id = '${job.Id}'`);
    await setStatus(job.Id, 'COMPLETED');
    expect(await remaining()).toBe('685.41');
    await gateway.sql(`update print_jobs set grams_derived = 10 where id = '${job.Id}'`);
    expect(await remaining()).toBe('700');
  });

  test('a spool that left the printer may return: its printing job still blocks a weighing', async () => {
    const load = (spoolId: string | null) =>
      ask('mutation ($printerId: ID!, $spoolId: ID) { loadSpool(printerId: $printerId, spoolId: $spoolId) { id } }', {
        printerId: farm.printerId,
        spoolId,
      });
    await load(farm.spoolId);
    await makeJob(gateway, farm, { GramsDerived: 60 }, 'Printing');
    await load(null);
    expectCode(await weighing({ netGrams: '500' }), 'CONFLICT');
    expect((await weigh('0')).printingGrams).toBe('60');
  });

  test('an empty spool is weighed, taken out and archived in one request, once', async () => {
    await ask('mutation ($printerId: ID!, $id: ID!) { loadSpool(printerId: $printerId, spoolId: $id) { id } }', {
      printerId: farm.printerId,
    });
    const empty = async () =>
      (
        await ask(
          'mutation ($id: ID!) { emptySpool(id: $id, note: "done") { archivedAt remainingGrams loadedIn { slot } } }',
        )
      ).emptySpool;
    const once = await empty();
    expect(once).toEqual({ archivedAt: expect.any(String), remainingGrams: '0', loadedIn: null });
    expect(await empty()).toEqual(once);
    expect((await read()).adjustments.nodes).toHaveLength(1);
  });

  test('a used spool starts its ledger with a row, and rows are deleted with their spool', async () => {
    const { createSpool } = await ask(
      `mutation ($input: CreateSpoolInput!) { createSpool(input: $input) { id ${SUMS} adjustments { nodes { ${ROW} } } } }`,
      {
        input: {
          spoolSerial: unique('SP'),
          materialId: farm.materialId,
          filamentDiameterMm: '1.75',
          weightTotalGrams: '1000',
          remainingGrams: '412.5',
        },
      },
    );
    expect(createSpool).toMatchObject({ remainingGrams: '412.5', adjustedGrams: '-587.5' });
    expect(createSpool.adjustments.nodes).toMatchObject([{ kind: 'OPENING', netGrams: '412.5', grams: '-587.5' }]);
    expect((await ask('mutation ($id: ID!) { removeSpool(id: $id) }', { id: createSpool.id })).removeSpool).toBe(
      createSpool.id,
    );
    expect(await gateway.sql(`select from spool_adjustments where spool_id = '${createSpool.id}'`)).toEqual([]);
  });

  describe('after a clock that was ahead or was set back', () => {
    /** The rows of the spool and the ends of its jobs have the times that such a clock gave them. */
    const setAhead = async (seconds: number) => {
      const later = (column: string) => `"${column}" = "${column}" + interval '${seconds} s'`;
      for (const statement of [
        'alter table spool_adjustments disable trigger hold_rows',
        'alter table print_jobs disable trigger keep_earlier_end',
        `update spool_adjustments set ${later('at')} where spool_id = '${farm.spoolId}'`,
        `update print_jobs set ${['started_at', 'completed_at', 'updated_at'].map(later)} where spool_id = '${farm.spoolId}'`,
        'alter table spool_adjustments enable trigger hold_rows',
        'alter table print_jobs enable trigger keep_earlier_end',
      ])
        await gateway.sql(statement);
    };
    const use = async (GramsDerived: number) =>
      setStatus((await makeJob(gateway, farm, { GramsDerived }, 'Printing')).Id, 'COMPLETED');
    const rows = async () =>
      (await read()).adjustments.nodes
        .filter((one: Parsed) => one.takenBack === null)
        .map((one: Parsed) => one.netGrams ?? one.grams);
    const HOUR = 3600;

    for (const seconds of [20, HOUR, 400 * 24 * HOUR])
      test(`a weighing counts, although an earlier one was dated ${seconds} s ahead`, async () => {
        await use(10);
        await weigh('800');
        await use(15);
        await setAhead(seconds);
        expect(await remaining()).toBe('785');
        const weighed = await weigh('700');
        expect(weighed.spool.remainingGrams).toBe('700');
        expect(Date.parse(weighed.at)).toBeLessThanOrEqual(Date.now());
        expect(await remaining()).toBe('700');
        await use(20);
        expect(await remaining()).toBe('680');
        expectData(await correct({ kind: 'LOST', grams: '-5', note: 'cut off' }));
        expect(await remaining()).toBe('675');
        expect(await rows()).toEqual(['-5', '700', '800']);
      });

    test('a correction and a job come after a weighing that was dated ahead', async () => {
      await use(10);
      await weigh('800');
      expectData(await correct({ grams: '-5', note: 'cut off' }));
      await setAhead(HOUR);
      await use(20);
      expect(await remaining()).toBe('775');
      await setAhead(HOUR);
      expectData(await correct({ grams: '-4', note: 'cut off' }));
      expect(await remaining()).toBe('771');
      await use(1);
      expect(await remaining()).toBe('770');
      expect(await rows()).toEqual(['-4', '-5', '800']);
    });

    test('an empty spool is empty, and its starting grams are no loss', async () => {
      const { createSpool } = await ask('mutation ($input: CreateSpoolInput!) { createSpool(input: $input) { id } }', {
        input: {
          spoolSerial: unique('SP'),
          materialId: farm.materialId,
          filamentDiameterMm: '1.75',
          weightTotalGrams: '1000',
          remainingGrams: '400',
        },
      });
      farm = { ...farm, spoolId: createSpool.id };
      await setAhead(HOUR);
      expect(
        (await ask('mutation ($id: ID!) { emptySpool(id: $id) { remainingGrams } }')).emptySpool.remainingGrams,
      ).toBe('0');
      const kept = (await read()).adjustments.nodes.filter((one: Parsed) => one.takenBack === null);
      expect(kept).toMatchObject([
        { kind: 'WEIGHED', grams: '-400' },
        { kind: 'OPENING', grams: '-600' },
      ]);
      const { filamentUsage } = await ask('{ filamentUsage(groupBy: [SPOOL]) { spool { id } lostGrams } }');
      const own = filamentUsage.filter((one: Parsed) => one.spool?.id === farm.spoolId);
      expect(own).toMatchObject([{ lostGrams: '400' }]);
    });

    test('a job that was weighed while it printed keeps what it had used by then', async () => {
      const job = await makeJob(gateway, farm, { GramsDerived: 30, MmExtruded: 10000 }, 'Printing');
      await makePrint(gateway, farm.printerId, {
        outcome: 'RUNNING',
        endedAt: null,
        filament: null,
        measured: [{ slot: 'tool:0', mm: '5000', grams: null }],
        spools: { 'tool:0': farm.spoolId },
        jobId: job.Id,
        jobUpdatedAt: job.UpdatedAt,
      });
      await weigh('700');
      await setAhead(HOUR);
      await setStatus(job.Id, 'COMPLETED');
      expect(await remaining()).toBe('684.91');
      expect((await weigh('600')).spool.remainingGrams).toBe('600');
    });

    test('a gateway whose clock is behind can still write after one whose clock is right', async () => {
      await weigh('800');
      holdClock(Date.now() - HOUR * 1000);
      try {
        expect((await weigh('700')).spool.remainingGrams).toBe('700');
        expectData(await correct({ grams: '-5', note: 'cut off' }));
      } finally {
        jest.useRealTimers();
      }
      expect(await remaining()).toBe('695');
    });
  });

  test('a gateway whose clock is ahead adds a used spool', async () => {
    holdClock(Date.now() + 5 * 60_000);
    try {
      const { createSpool } = await ask(
        'mutation ($input: CreateSpoolInput!) { createSpool(input: $input) { remainingGrams } }',
        {
          input: {
            spoolSerial: unique('SP'),
            materialId: farm.materialId,
            filamentDiameterMm: '1.75',
            weightTotalGrams: '1000',
            remainingGrams: '412.5',
          },
        },
      );
      expect(createSpool.remainingGrams).toBe('412.5');
    } finally {
      jest.useRealTimers();
    }
  });

  test('no program can change or delete a row, or date a row ahead; another program may add rows', async () => {
    const refused = async (statement: string, constraint: string) =>
      expect(await gateway.sql(statement).then(() => 'done', String)).toContain(constraint);
    await gateway.sql(
      `insert into spool_adjustments (spool_id, kind, net_grams) values ('${farm.spoolId}', 'WEIGHED', 333.25)`,
    );
    expect(await remaining()).toBe('333.25');
    const rows = `where spool_id = '${farm.spoolId}'`;
    await refused(`update spool_adjustments set net_grams = 1 ${rows}`, 'spool_adjustments_append_only');
    await refused(`delete from spool_adjustments ${rows}`, 'spool_adjustments_append_only');
    await refused('truncate spool_adjustments', 'spool_adjustments_append_only');
    const insert = (columns: string, values: string) =>
      `insert into spool_adjustments (spool_id, ${columns}) values ('${farm.spoolId}', ${values})`;
    await refused(
      insert('kind, net_grams, at', `'WEIGHED', 1, now() + interval '2 minutes'`),
      'spool_adjustments_not_ahead',
    );
    await refused(insert('kind, grams', `'WEIGHED', 1`), 'spool_adjustments_');
    await refused(insert('kind, grams', `'LOST', 1`), 'spool_adjustments_grams');
    await refused(insert('kind, net_grams, printing', `'WEIGHED', 1, '{"x":"y"}'`), 'spool_adjustments_printing');
    await gateway.sql(`update spool_adjustments set taken_back_at = now() ${rows}`);
    await refused(`update spool_adjustments set taken_back_at = null ${rows}`, 'spool_adjustments_append_only');
    expect(await remaining()).toBe('1000');
  });

  test('a mutation that is sent again with its key writes once, and has the same answer, also after a restart', async () => {
    const send = async (query: string, key: string, variables: object) =>
      (
        await gateway.rest(
          'POST',
          '/graphql',
          { query, variables: { id: farm.spoolId, ...variables } },
          { 'idempotency-key': key },
        )
      ).text;
    const documents = [
      'mutation ($id: ID!) { weighSpool(id: $id, input: { netGrams: 700 }) { id grams } }',
      'mutation ($id: ID!) { correctSpool(id: $id, input: { grams: -5, note: "cut" }) { id grams } }',
      'mutation ($id: ID!) { emptySpool(id: $id) { adjustedGrams } }',
    ];
    const answers: [document: string, key: string, text: string][] = [];
    for (const document of documents) {
      const key = randomUUID();
      const texts = await Promise.all([send(document, key, {}), send(document, key, {})]);
      expect(texts[1]).toBe(texts[0]);
      answers.push([document, key, texts[0] as string]);
    }
    const { id } = (await read()).adjustments.nodes.at(-1);
    const [takesBack, key] = ['mutation ($id: ID!) { takeBackAdjustment(id: $id) { grams } }', randomUUID()];
    const taken = await send(takesBack, key, { id });
    expect(taken).toContain('"grams":"0"');
    await gateway.restart();
    expect(await send(takesBack, key, { id })).toBe(taken);
    for (const [document, key, text] of answers) expect(await send(document, key, {})).toBe(text);
    expect((await read()).adjustments.nodes.map((one: Parsed) => one.kind)).toEqual([
      'WEIGHED',
      'CORRECTED',
      'WEIGHED',
    ]);
  });

  test('the rows come newest first, page by page', async () => {
    const made: string[] = [];
    for (const grams of ['1', '2', '3', '4', '5']) made.unshift((await weigh(grams)).id);
    const found: string[] = [];
    for (let after: string | null = null, more = true; more; ) {
      const { spool }: Parsed = await ask(
        'query ($id: ID!, $after: String) { spool(id: $id) { adjustments(first: 2, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } } }',
        { after },
      );
      found.push(...spool.adjustments.nodes.map(({ id }: Parsed) => id));
      ({ hasNextPage: more, endCursor: after } = spool.adjustments.pageInfo);
    }
    expect(found).toEqual(made);
  });
});

/** What a spool has, computed from the written rows without any code of the gateway. */
interface Written {
  jobs: { grams: Decimal; status: string; end: string | null }[];
  facts: { id: bigint; at: string; kind: string; net: string | null; grams: string | null; taken: boolean }[];
}

function computeModel({ jobs, facts }: Written): { used: Decimal; remaining: Decimal } {
  const over = jobs.filter(({ status }) => status === 'Completed' || status === 'Failed');
  const used = Decimal.sum(0, ...over.map(({ grams }) => grams));
  const rows = facts
    .filter(({ taken }) => !taken)
    .sort((a, b) => (a.at === b.at ? Number(a.id - b.id) : a.at < b.at ? -1 : 1));
  let remaining = new Decimal(1000);
  let since = '';
  for (const { net, grams, at } of rows) {
    if (net !== null) [remaining, since] = [new Decimal(net), at];
    else remaining = remaining.plus(grams ?? 0);
  }
  for (const { grams, end } of over) if (end !== null && end > since) remaining = remaining.minus(grams);
  return { used, remaining };
}

describeOnce('20 writers on one spool', (kind) => {
  let fresh: FreshDatabase;
  const gateways: Gateway[] = [];
  beforeAll(async () => {
    fresh = await freshDatabase(kind);
    // The embedded database has one process.
    for (let n = kind === 'server' ? 2 : 1; n > 0; n -= 1)
      gateways.push(await startGateway(kind, { database: fresh.target }));
  });
  afterAll(async () => {
    for (const gateway of gateways.splice(0)) await gateway.close();
    await fresh?.drop();
  });

  test('simultaneous writes lose nothing, and the books balance to the digit', async () => {
    const [one] = gateways as [Gateway];
    const farm = await makeFarm(one);
    const decimal = (most: number) => new Decimal(Math.floor(random() * most * 1000)).div(1000).toFixed();
    const writers = Array.from({ length: 20 }, async (_, n) => {
      const gateway = gateways[n % gateways.length] as Gateway;
      const made: string[] = [];
      for (let step = 0; step < 6; step += 1) {
        const [choice, grams] = [random(), decimal(50)];
        if (choice < 0.4) {
          await makeJob(gateway, farm, { GramsDerived: Number(grams) }, choice < 0.3 ? 'Completed' : 'Failed');
        } else if (choice < 0.6) {
          const document =
            'mutation ($id: ID!, $grams: Decimal!) { weighSpool(id: $id, input: { netGrams: $grams }) { id } }';
          const answer = await gateway.graphql(document, { id: farm.spoolId, grams: decimal(1000) });
          // A job of another writer prints at this moment, and it is unknown how much it has used.
          if (answer.errors.length === 0) made.push(answer.data.weighSpool.id);
          else expectCode(answer, 'CONFLICT');
        } else if (choice < 0.85 || made.length === 0) {
          const document =
            'mutation ($id: ID!, $grams: Decimal!) { correctSpool(id: $id, input: { grams: $grams, note: "x" }) { id } }';
          const signed = `${random() < 0.5 ? '-' : ''}${new Decimal(grams).plus('0.001').toFixed()}`;
          made.push(expectData(await gateway.graphql(document, { id: farm.spoolId, grams: signed })).correctSpool.id);
        } else {
          expectData(
            await gateway.graphql('mutation ($id: ID!) { takeBackAdjustment(id: $id) { id } }', { id: made.pop() }),
          );
        }
      }
    });
    await Promise.all(writers);
    const [{ written }] = await one.sql(`select json_build_object(
      'jobs', (select coalesce(json_agg(json_build_object('grams', grams_derived::text, 'status', status,
        'end', to_char(completed_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS'))), '[]') from print_jobs where spool_id = '${farm.spoolId}'),
      'facts', (select coalesce(json_agg(json_build_object('id', id::text, 'kind', kind, 'net', net_grams::text, 'grams', grams::text,
        'taken', taken_back_at is not null, 'at', to_char(at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS'))), '[]')
        from spool_adjustments where spool_id = '${farm.spoolId}')) as written`);
    const model = computeModel({
      jobs: written.jobs.map((job: Parsed) => ({ ...job, grams: new Decimal(job.grams) })),
      facts: written.facts.map((fact: Parsed) => ({ ...fact, id: BigInt(fact.id) })),
    });
    const { spool } = expectData(
      await one.graphql(
        'query ($id: ID!) { spool(id: $id) { usedGrams adjustedGrams remainingGrams adjustments(first: 1000) { nodes { grams } } } }',
        { id: farm.spoolId },
      ),
    );
    expect(spool.usedGrams).toBe(model.used.toFixed());
    expect(spool.remainingGrams).toBe(model.remaining.toFixed());
    const sum = Decimal.sum(0, ...spool.adjustments.nodes.map(({ grams }: Parsed) => grams));
    expect(sum.toFixed()).toBe(spool.adjustedGrams);
    expect(new Decimal(1000).minus(model.used).plus(sum).toFixed()).toBe(spool.remainingGrams);
  });
});
