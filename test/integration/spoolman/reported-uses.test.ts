// What other programs report as used of spools: what counts beside prints of the farm, retries, amounts below 0, and weighings. The times of
// reports are simulated, so that the tests wait for nothing.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import DecimalJs from 'decimal.js';
import { followExchange } from '../../../src/doors/http/report-exchange';
import type { Context } from '../../../src/farm/graph/context';
import { deriveGrams } from '../../../src/farm/print-jobs/filament';
import { OpenReports } from '../../../src/farm/reported-uses/open-reports';
import { ReportedUseService } from '../../../src/farm/reported-uses/reported-use.service';
import { ReportedUseStore } from '../../../src/farm/reported-uses/reported-use.store';
import { AdjustmentService } from '../../../src/farm/stock/adjustment.service';
import { createLedger } from '../../../src/services';
import { describeOnDatabases } from '../../support/databases';
import { type Farm, makeFarm, makeJob } from '../../support/farm';
import { expectData, type Parsed, test, useGateway } from '../../support/gateway';
import { requestAt } from '../../support/request-time';

const Decimal = DecimalJs.clone({ precision: 60 });
const START = Date.now() - 10 * 3_600_000;
/** A time of the test. */
const at = (seconds: number) => new Date(START + Math.round(seconds * 1000)).toISOString();
const MINUTE = 60;
const HOUR = 3600;

describeOnDatabases('reported uses', (kind) => {
  const gateway = useGateway(kind);

  const processes: OpenReports[] = [];
  /** A process of the gateway. */
  function startProcess() {
    const open: OpenReports = new OpenReports((ids) => store.noteAnswered(ids));
    const store = new ReportedUseStore(gateway.database(), open);
    processes.push(open);
    return { store, service: new ReportedUseService(store, open) };
  }
  type Process = ReturnType<typeof startProcess>;

  type How = { process?: Process; caller?: string; userAgent?: string; end?: 'ANSWERED' | 'LOST' | 'KILLED' };
  let first: Process;
  let numbers: Map<string, number>;
  beforeEach(() => {
    first = startProcess();
    numbers = new Map();
  });
  afterEach(async () => {
    for (const open of processes.splice(0)) await open.close();
  });

  const numberOf = async (spool: string): Promise<number> => {
    const number =
      numbers.get(spool) ?? (await gateway.sql(`select number from spools where id = '${spool}'`))[0].number;
    numbers.set(spool, number);
    return number;
  };
  /** Reports at a time of the test. */
  const report = async (spool: string, seconds: number, body: object, how: How = {}): Promise<string> => {
    const { process = first, caller = 'a program', userAgent, end = 'ANSWERED' } = how;
    let answer = (_isAnswered: boolean) => {};
    const exchange = {
      isOpen: () => true,
      onEnd: (callBack: (isAnswered: boolean) => void) => {
        answer = callBack;
      },
    };
    const given = { number: await numberOf(spool), body: body as Record<string, unknown>, caller, userAgent, exchange };
    const spoolId = await process.service.report(given, requestAt(at(seconds)));
    if (end !== 'KILLED') answer(end === 'ANSWERED');
    return spoolId;
  };
  const moonraker = (spool: string, seconds: number, mm: number, how: How = {}) =>
    report(spool, seconds, { use_length: mm }, { caller: 'voron', userAgent: 'Moonraker/v0.9', ...how });

  const SUMS = 'weightTotalGrams usedGrams reportedGrams adjustedGrams remainingGrams';
  const readSums = async (spool: string): Promise<Parsed> => {
    const answer = await gateway.graphql(`{ spool(id: "${spool}") { ${SUMS} } }`);
    const sums = expectData(answer).spool;
    const { weightTotalGrams: total, usedGrams: used, adjustedGrams: adjusted, remainingGrams } = sums;
    expect(new Decimal(total).minus(used).plus(adjusted).toFixed()).toBe(remainingGrams);
    return sums;
  };
  const readReported = async (spool: string): Promise<string> => (await readSums(spool)).reportedGrams;
  const readUses = async (spool: string): Promise<Parsed[]> =>
    expectData(
      await gateway.graphql(
        `{ spool(id: "${spool}") { reportedUses(first: 100) { nodes { from to by millimetres grams counts } } } }`,
      ),
    ).spool.reportedUses.nodes;
  const addJob = async (farm: Farm, from: number, to: number | null, grams = '10'): Promise<string> => {
    const status = to === null ? 'Printing' : 'Completed';
    const { Id } = await makeJob(gateway, farm, { GramsDerived: grams, AutoDeriveGrams: false }, status);
    await gateway.sql(
      `update print_jobs set started_at = '${at(from)}', completed_at = ${to === null ? 'null' : `'${at(to)}'`}, earlier_completed_at = null where id = '${Id}'`,
    );
    return Id;
  };
  const addPrint = async (printerId: string, from: number, to: number | null): Promise<string> => {
    const id = randomUUID();
    const end = to === null ? 'null' : `'${at(to)}'`;
    await gateway.sql(`
      insert into observed_prints (id, printer_id, name, started_at, started_at_estimated, ended_at, outcome, created_at, seen_at, measured)
      values ('${id}', '${printerId}', 'a print', '${at(from)}', false, ${end}, '${to === null ? 'RUNNING' : 'COMPLETED'}', '${at(from)}', '${at(to ?? from)}', '[]')`);
    return id;
  };
  const load = ({ printerId, spoolId }: Farm, from: number, to: number | null) =>
    gateway.sql(
      `insert into slot_loads (printer_id, slot, spool_id, "from", "to") values ('${printerId}', 'tool:0', '${spoolId}', '${at(from)}', ${to === null ? 'null' : `'${at(to)}'`})`,
    );
  const weigh = async (spool: string, netGrams: string): Promise<Parsed> =>
    expectData(
      await gateway.graphql(`mutation { weighSpool(id: "${spool}", input: { netGrams: "${netGrams}" }) { grams at } }`),
    ).weighSpool;

  test('without a print everything counts, and pieces of 0.4 mm add up exactly by the formula of jobs', async () => {
    const { spoolId } = await makeFarm(gateway);
    await numberOf(spoolId);
    // The reports of each second are stored as one.
    for (let second = 0; second < 50; second += 1)
      await Promise.all(Array.from({ length: 10 }, () => moonraker(spoolId, second, 0.4)));
    const { reportedGrams, remainingGrams } = await readSums(spoolId);
    expect(reportedGrams).toBe(deriveGrams('200', '1.75', '1.24'));
    expect(remainingGrams).toBe(new Decimal(1000).minus('0.59650990624').toFixed());
    expect(await readUses(spoolId)).toEqual([
      { from: at(-24 * HOUR), to: at(49), by: 'voron', millimetres: '200', grams: reportedGrams, counts: true },
    ]);
  });

  test('the factor of SQL is that of the formula of jobs', async () => {
    for (const [diameter, density] of [
      ['1.75', '1.24'],
      ['2.85', '1.0412'],
      ['1.7499', '1.27'],
      ['3', '0.9'],
    ] as const) {
      const { spoolId } = await makeFarm(gateway, { diameter, density });
      await report(spoolId, 0, { use_length: '9999999.99' });
      expect(await readReported(spoolId)).toBe(deriveGrams('9999999.99', diameter, density));
    }
  });

  test('40 reports of one program at the same time all count, of all digits', async () => {
    const { spoolId } = await makeFarm(gateway);
    await numberOf(spoolId);
    await Promise.all(Array.from({ length: 40 }, () => report(spoolId, 0, { use_weight: 0.333, use_length: null })));
    const { usedGrams, reportedGrams } = await readSums(spoolId);
    expect([usedGrams, reportedGrams]).toEqual(['13.32', '13.32']);
    await report(spoolId, 1, { use_weight: '0.005' });
    expect(await readReported(spoolId)).toBe('13.32');
    await report(spoolId, 2, { use_weight: 1.1368683772161603e-13 });
    expect(await readReported(spoolId)).toBe('13.33');
  });

  test('a body must have one amount, finite and within its limit; an unknown number is not found', async () => {
    const { spoolId } = await makeFarm(gateway);
    for (const body of [
      {},
      { use_length: null },
      { use_length: 1, use_weight: 1 },
      { use_length: 10_000_001 },
      { use_weight: -100_001 },
      { use_weight: 'much' },
      { use_weight: 'Infinity' },
      { use_weight: true },
      { use_weight: '' },
    ])
      await expect(report(spoolId, 0, body)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
    numbers.set(spoolId, 2_000_000_000);
    await expect(report(spoolId, 0, { use_weight: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await readUses(spoolId)).toEqual([]);
  });

  test('while a job prints from the spool, its reports are kept and do not count; those around it count', async () => {
    const farm = await makeFarm(gateway);
    const { spoolId } = farm;
    for (let seconds = 0; seconds <= 5 * MINUTE; seconds += 5) await moonraker(spoolId, seconds, 10);
    expect(await readReported(spoolId)).toBe(deriveGrams('610', '1.75', '1.24'));
    // A job that is booked later: 12 reports lie in it, and one more has its start or its end within its period.
    const job = await addJob(farm, 101, 161);
    expect(await readReported(spoolId)).toBe(deriveGrams('480', '1.75', '1.24'));
    expect((await readSums(spoolId)).usedGrams).toBe(
      new Decimal('10').plus(new Decimal('0.0029825495312').times(480)).toFixed(),
    );
    expect((await readUses(spoolId)).map(({ millimetres, counts }) => [millimetres, counts])).toEqual([
      ['270', true],
      ['130', false],
      ['210', true],
    ]);
    // It is moved, given another spool, and given back.
    await gateway.sql(`update print_jobs set completed_at = '${at(202)}' where id = '${job}'`);
    expect(await readReported(spoolId)).toBe(deriveGrams('400', '1.75', '1.24'));
    const other = await makeFarm(gateway);
    await gateway.sql(`update print_jobs set spool_id = '${other.spoolId}' where id = '${job}'`);
    expect(await readReported(spoolId)).toBe(deriveGrams('610', '1.75', '1.24'));
    // A part of the job is of this spool.
    await gateway.sql(`
      insert into print_job_parts (job_id, number, filament_basis) values ('${job}', 0, 'MANUAL');
    `);
    await gateway.sql(`
      insert into print_job_parts (job_id, number, spool_id, mm_extruded, grams_derived, cost, filament_diameter_at_print_mm, material_density_at_print, filament_basis)
      values ('${job}', 1, '${spoolId}', 0, 0, 0, 1.75, 1.24, 'MANUAL')`);
    await gateway.sql(`update print_jobs set divided = true where id = '${job}'`);
    expect(await readReported(spoolId)).toBe(deriveGrams('400', '1.75', '1.24'));
    await gateway.sql(`delete from print_jobs where id = '${job}'`);
    expect(await readReported(spoolId)).toBe(deriveGrams('610', '1.75', '1.24'));
  });

  test('queued jobs and jobs that were cancelled before they started do not matter, a printing job matters until now', async () => {
    const farm = await makeFarm(gateway);
    await makeJob(gateway, farm, {}, 'Queued');
    await makeJob(gateway, farm, {}, 'Cancelled');
    await report(farm.spoolId, 0, { use_weight: 5 });
    expect(await readReported(farm.spoolId)).toBe('5.00');
    const job = await addJob(farm, -HOUR, null);
    expect(await readReported(farm.spoolId)).toBe('0.00');
    await gateway.sql(
      `update print_jobs set status = 'Cancelled', completed_at = '${at(-6 * MINUTE)}' where id = '${job}'`,
    );
    expect(await readReported(farm.spoolId)).toBe('5.00');
    await gateway.sql(`update print_jobs set completed_at = '${at(-4 * MINUTE)}' where id = '${job}'`);
    expect(await readReported(farm.spoolId)).toBe('0.00');
  });

  test('a print of a printer that had the spool in a slot counts instead, unless it is ignored', async () => {
    const farm = await makeFarm(gateway);
    const { spoolId, printerId } = farm;
    await load(farm, 0, HOUR);
    for (const seconds of [10 * MINUTE, 40 * MINUTE, 80 * MINUTE]) await report(spoolId, seconds, { use_weight: 1 });
    const print = await addPrint(printerId, 30 * MINUTE, 90 * MINUTE);
    // The spool was taken out before the third report.
    expect(await readReported(spoolId)).toBe('2.00');
    await gateway.sql(`update observed_prints set ignored_at = now() where id = '${print}'`);
    expect(await readReported(spoolId)).toBe('3.00');
    await gateway.sql(
      `update observed_prints set ignored_at = null, started_at = '${at(0)}', ended_at = null, outcome = 'RUNNING' where id = '${print}'`,
    );
    expect(await readReported(spoolId)).toBe('1.00');
  });

  test('Moonraker reports an hour after an outage: its period starts with its previous report', async () => {
    const farm = await makeFarm(gateway);
    const { spoolId } = farm;
    await moonraker(spoolId, 0, 100);
    // Another program only looks back 5 minutes.
    await report(spoolId, HOUR, { use_weight: 7 });
    await moonraker(spoolId, HOUR, 10_000);
    expect(await readReported(spoolId)).toBe('37.12');
    await addJob(farm, 10 * MINUTE, 50 * MINUTE, '29');
    expect(await readReported(spoolId)).toBe('7.30');
    expect((await readSums(spoolId)).usedGrams).toBe(new Decimal('36').plus('0.29825495312').toFixed());
  });

  test('a report that was not answered is contained in the next one that is at least as large', async () => {
    const { spoolId } = await makeFarm(gateway);
    for (let n = 0; n < 3; n += 1) await report(spoolId, n, { use_weight: 10 }, { end: 'LOST' });
    expect(await readReported(spoolId)).toBe('10.00');
    await report(spoolId, 4, { use_weight: 10 });
    expect(await readReported(spoolId)).toBe('10.00');
    // That one was answered, so the next one is another one.
    await report(spoolId, 5, { use_weight: 10 });
    expect(await readReported(spoolId)).toBe('20.00');
    await moonraker(spoolId, 5, 100, { end: 'LOST' });
    await moonraker(spoolId, 10, 250, { end: 'LOST' });
    await moonraker(spoolId, 15, 300);
    expect(await readReported(spoolId)).toBe(new Decimal(20).plus(deriveGrams('300', '1.75', '1.24')).toFixed(2));
    // Another program, another unit, and a smaller report do not contain it.
    await report(spoolId, 20, { use_weight: 5 }, { end: 'LOST' });
    await report(spoolId, 21, { use_weight: 5 }, { caller: 'another program' });
    await report(spoolId, 22, { use_weight: 4 });
    await report(spoolId, 23, { use_length: 0 });
    expect(await readReported(spoolId)).toBe('34.89');
  });

  test('after 10 minutes a report contains no earlier one', async () => {
    const { spoolId } = await makeFarm(gateway);
    await report(spoolId, 0, { use_weight: 10 }, { end: 'LOST' });
    await gateway.sql(`update unanswered_reports set stored_at = stored_at - interval '10 minutes'`);
    await report(spoolId, 601, { use_weight: 10 });
    expect(await readReported(spoolId)).toBe('20.00');
  });

  test('a killed process may lose one report and doubles none, and the other process waits for its note', async () => {
    const { spoolId } = await makeFarm(gateway);
    const second = startProcess();
    await report(spoolId, 0, { use_weight: 10 }, { end: 'KILLED' });
    await report(spoolId, 1, { use_weight: 10 }, { process: second });
    expect(await readReported(spoolId)).toBe('10.00');
    // The second process is alive, and notes its answer while the first one waits.
    await report(spoolId, 2, { use_weight: 3 }, { process: second });
    await report(spoolId, 3, { use_weight: 3 });
    expect(await readReported(spoolId)).toBe('16.00');
  });

  test('40 reports of one program all count if two processes store them at the same time', async () => {
    const { spoolId } = await makeFarm(gateway);
    await numberOf(spoolId);
    const both = [first, startProcess()];
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => report(spoolId, 0, { use_weight: 1 }, { process: both[n % 2] as Process })),
    );
    expect(await readReported(spoolId)).toBe('40.00');
  });

  test('a report whose connection is closed before it starts is not executed', async () => {
    const { spoolId } = await makeFarm(gateway);
    const exchange = { isOpen: () => false, onEnd: () => {} };
    const given = { number: await numberOf(spoolId), body: { use_weight: 1 }, caller: 'a', userAgent: undefined };
    await expect(first.service.report({ ...given, exchange }, requestAt(at(0)))).rejects.toThrow('was closed');
    expect(await readReported(spoolId)).toBe('0.00');
  });

  test('an amount below 0 gives back at most what the program reported and counts', async () => {
    const farm = await makeFarm(gateway);
    const { spoolId } = farm;
    await report(spoolId, 0, { use_weight: 20 }, { caller: 'another program' });
    await report(spoolId, 0, { use_weight: 10 });
    await report(spoolId, 10 * MINUTE, { use_weight: -4 });
    expect(await readReported(spoolId)).toBe('26.00');
    await report(spoolId, 11 * MINUTE, { use_length: -100_000 });
    expect(await readReported(spoolId)).toBe('20.00');
    await report(spoolId, 12 * MINUTE, { use_weight: 3 });
    expect(await readReported(spoolId)).toBe('23.00');
    // Once a job explains what was given back, nothing is given back.
    const job = await addJob(farm, -MINUTE, MINUTE);
    expect(await readReported(spoolId)).toBe('3.00');
    await gateway.sql(`delete from print_jobs where id = '${job}'`);
    expect(await readReported(spoolId)).toBe('23.00');
  });

  test('a weighing during reports keeps what was left then, and starts a new row', async () => {
    const { spoolId } = await makeFarm(gateway);
    const now = (Date.now() - START) / 1000;
    await moonraker(spoolId, now, 10_000);
    const { grams, at: weighedAt } = await weigh(spoolId, '900');
    expect(grams).toBe(new Decimal(-100).plus('29.825495312').toFixed());
    await moonraker(spoolId, (Date.now() - START) / 1000, 1000);
    expect(await readSums(spoolId)).toMatchObject({ remainingGrams: new Decimal(900).minus('2.9825495312').toFixed() });
    const [after, before] = await readUses(spoolId);
    expect([after.millimetres, before.millimetres]).toEqual(['1000', '10000']);
    expect(before.to <= weighedAt && after.to > weighedAt).toBe(true);
    const document = `{ spool(id: "${spoolId}") { adjustments { nodes { grams } } }
      filamentUsage(filter: { spoolId: "${spoolId}" }) { reportedGrams lostGrams } }`;
    const { spool, filamentUsage } = expectData(await gateway.graphql(document));
    expect(spool.adjustments.nodes).toEqual([{ grams }]);
    expect(filamentUsage).toEqual([{ reportedGrams: '32.8080448432', lostGrams: new Decimal(grams).neg().toFixed() }]);
  });

  test('a measuring scale needs the weight of the empty spool, and its reading is a weighing', async () => {
    const { spoolId } = await makeFarm(gateway);
    const database = gateway.database();
    const service = new AdjustmentService((work) => database.transaction((one) => work(createLedger(one))), {
      spool: async () => null,
    });
    const measure = (weight: unknown) =>
      service.measure(spoolId, weight, {
        ...requestAt(new Date().toISOString()),
        caller: { displayName: 'a scale' },
      } as unknown as Context);
    await expect(measure(500)).rejects.toThrow(/tare of the spool .* or of its filament/);
    await gateway.sql(`update spools set tare_grams = 200 where id = '${spoolId}'`);
    await expect(measure('189.9')).rejects.toThrow('189.9 g, and the empty spool weighs 200 g');
    expect(await measure('700')).toMatchObject({ netGrams: '500', grossGrams: '700', note: "Spoolman's API" });
    await report(spoolId, (Date.now() - START) / 1000, { use_weight: 5 });
    expect((await readSums(spoolId)).remainingGrams).toBe('495');
    // More than a full spool is a weighing, too.
    await measure(1300);
    expect((await readSums(spoolId)).remainingGrams).toBe('1100');
    await measure(190);
    expect((await readSums(spoolId)).remainingGrams).toBe('0');
    const printing = await makeJob(gateway, { ...(await makeFarm(gateway)), spoolId }, {}, 'Printing');
    await expect(measure(700)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(printing.PrintName),
    });
    await expect(
      service.measure(randomUUID(), 1, { ...requestAt(at(0)), caller: {} } as unknown as Context),
    ).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test('the report of filament has reported grams by the time of the report, for spools and not for printers', async () => {
    const farm = await makeFarm(gateway);
    await report(farm.spoolId, 0, { use_weight: 10 });
    const job = await addJob(farm, 0, HOUR, '40');
    const read = async (args: string) =>
      expectData(await gateway.graphql(`{ filamentUsage(${args}) { reportedGrams completedJobs } }`)).filamentUsage;
    const filter = `filter: { spoolId: "${farm.spoolId}" }`;
    expect(await read(filter)).toEqual([{ reportedGrams: '0', completedJobs: 1 }]);
    await gateway.sql(`delete from print_jobs where id = '${job}'`);
    expect(await read(`${filter}, groupBy: [SPOOL]`)).toEqual([{ reportedGrams: '10', completedJobs: 0 }]);
    expect(await read(`${filter}, groupBy: [SPOOL], from: "${at(1)}"`)).toEqual([]);
    expect(await read(`${filter}, from: "${at(0)}", to: "${at(1)}"`)).toEqual([
      { reportedGrams: '10', completedJobs: 0 },
    ]);
    expect(await read(`${filter}, groupBy: [PRINTER]`)).toEqual([]);
    const [{ reportedGrams }] = await read(`filter: { printerId: "${farm.printerId}" }`);
    expect(reportedGrams).toBeNull();
  });

  test('rows are pages, newest first, and a report is a change of the spool', async () => {
    const { spoolId } = await makeFarm(gateway);
    for (const minutes of [0, 2, 4]) await report(spoolId, minutes * MINUTE, { use_weight: minutes + 1 });
    const read = async (after: string | null) =>
      expectData(
        await gateway.graphql(
          `query ($after: String) { spool(id: "${spoolId}") { reportedUses(first: 2, after: $after) { nodes { grams millimetres } pageInfo { hasNextPage endCursor } } } }`,
          { after },
        ),
      ).spool.reportedUses;
    const page = await read(null);
    expect(page.nodes).toEqual([
      { grams: '5', millimetres: null },
      { grams: '3', millimetres: null },
    ]);
    expect(page.pageInfo.hasNextPage).toBe(true);
    const last = await read(page.pageInfo.endCursor);
    expect(last).toMatchObject({ nodes: [{ grams: '1' }], pageInfo: { hasNextPage: false } });
    const changes = await gateway.sql(
      `select kind from changes where type = 'SPOOL' and entity = '${spoolId}' order by position, id`,
    );
    expect(changes.map((change) => change.kind)).toEqual(['CREATED', 'UPDATED', 'UPDATED', 'UPDATED']);
  });

  test('what does not count is forgotten after 30 days, and what counts stays', async () => {
    const farm = await makeFarm(gateway);
    const { spoolId } = farm;
    await addJob(farm, 0, MINUTE);
    await report(spoolId, 0, { use_weight: 1 });
    await report(spoolId, 10 * MINUTE, { use_weight: 2 });
    const move = (table: string, columns: string[]) =>
      gateway.sql(
        `update ${table} set ${columns.map((column) => `${column} = ${column} - interval '31 days'`).join(', ')} where spool_id = '${spoolId}'`,
      );
    await move('print_jobs', ['started_at', 'completed_at']);
    await first.store.forgetOld();
    expect(await readUses(spoolId)).toHaveLength(2);
    await move('reported_uses', ['started_at', 'ended_at', 'since']);
    await gateway.sql(
      `update reported_uses set froms = array[since], tos = array[ended_at] where spool_id = '${spoolId}'`,
    );
    await first.store.forgetOld();
    expect((await readUses(spoolId)).map(({ grams }) => grams)).toEqual(['2']);
  });
});

/** The request of a report over a real connection, which the client may close before it has the answer. */
async function exchange(status: number, closes: boolean): Promise<{ wasOpen: boolean; isAnswered: boolean }> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false });
  client.on('error', () => {}).on('response', (response) => response.resume());
  const arrived = once(server, 'request');
  client.end();
  const [incoming, response] = (await arrived) as [IncomingMessage, ServerResponse];
  const followed = followExchange(response);
  const wasOpen = followed.isOpen();
  const ended = new Promise<boolean>((resolve) => followed.onEnd(resolve));
  if (closes) {
    incoming.socket.once('close', () => response.end('late'));
    client.destroy();
  } else response.writeHead(status).end('an answer');
  const isAnswered = await ended;
  expect(followExchange(response).isOpen()).toBe(false);
  server.closeAllConnections();
  await once(server.close(), 'close');
  return { wasOpen, isAnswered };
}

test('a client has got its answer unless it closes the connection or the answer is an error', async () => {
  expect(await exchange(200, false)).toEqual({ wasOpen: true, isAnswered: true });
  expect(await exchange(503, false)).toEqual({ wasOpen: true, isAnswered: false });
  expect(await exchange(200, true)).toEqual({ wasOpen: true, isAnswered: false });
});

test('a client that gives up is noticed before it can repeat its report, and one that is gone when the answer arrives, too', async () => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const send = async (ends: (isAnswered: boolean, response: ServerResponse) => void) => {
    const client = connect(port, '127.0.0.1').on('error', () => {});
    const arrived = once(server, 'request');
    client.write('PUT / HTTP/1.1\r\nhost: a\r\n\r\n');
    const [, response] = (await arrived) as [IncomingMessage, ServerResponse];
    followExchange(response).onEnd((isAnswered) => ends(isAnswered, response));
    return { client, response };
  };
  const wasClosed = await new Promise((resolve) => {
    void send((isAnswered, response) => resolve([isAnswered, response.closed])).then(({ client }) => client.end());
  });
  expect(wasClosed).toEqual([false, false]);

  const ends: boolean[] = [];
  await new Promise<void>((resolve) => {
    let reset = () => {};
    void send((isAnswered) => {
      ends.push(isAnswered);
      if (isAnswered) reset();
      else resolve();
    }).then(({ client, response }) => {
      reset = () => client.resetAndDestroy();
      response.end('an answer');
    });
  });
  expect(ends).toEqual([true, false]);
  server.closeAllConnections();
  await once(server.close(), 'close');
});

test('answers are noted together, and the last ones when the process ends', async () => {
  const noted: string[][] = [];
  const open = new OpenReports(async (ids) => void noted.push([...ids]));
  const ends: ((isAnswered: boolean) => void)[] = [];
  const exchange = { isOpen: () => true, onEnd: (callBack: (isAnswered: boolean) => void) => void ends.push(callBack) };
  const ids = await Promise.all([0, 1, 2, 3].map(() => open.run(exchange, async (id) => id)));
  expect(open.list()).toEqual(ids);
  ends[0]?.(true);
  ends[1]?.(false);
  ends[2]?.(true);
  // This client had closed its connection before the answer arrived.
  ends[3]?.(true);
  ends[3]?.(false);
  // The client of an answered report does not repeat it, also before that is noted.
  expect(open.list()).toEqual([ids[0], ids[2]]);
  await open.close();
  expect(noted).toEqual([[ids[0], ids[2]]]);
  expect(open.list()).toEqual([]);
});
