// The losses in reports, compared with a model that sums the ledgers itself, and their cost to the digit, by the rule of jobs.
import { randomUUID } from 'node:crypto';
import DecimalJs from 'decimal.js';
import { calculateCost } from '../../../src/farm/print-jobs/filament';
import { anyDatabase } from '../../support/databases';
import { type Farm, makeFarm, makeJob, unique } from '../../support/farm';
import { expectData, expectStatus, type Parsed, test, useGateway } from '../../support/gateway';
import { random } from '../../support/generated';

const Decimal = DecimalJs.clone({ precision: 60 });
type Decimal = DecimalJs;

const sumDecimals = (all: readonly Decimal[]) => all.reduce((sum, one) => sum.plus(one), new Decimal(0));

interface Job {
  id: string;
  status: string;
  started: boolean;
  end: string;
  grams: Map<string, Decimal>;
}

interface Row {
  spool: string;
  kind: string;
  at: string;
  net: Decimal | null;
  grams: Decimal | null;
  printing: Record<string, string | null>;
  price: string | null;
  weight: string;
  isTaken: boolean;
}

interface Loss {
  spool: string;
  at: string;
  grams: Decimal;
  cost: Decimal;
}

/** The losses of the rows of a spool, in the order in which the rows count. */
function computeLosses(weight: string, jobs: readonly Job[], rows: readonly Row[]): Loss[] {
  const isOver = ({ status, started }: Job) =>
    status === 'Completed' || status === 'Failed' || (status === 'Cancelled' && started);
  const usedBefore = ({ spool, at, printing }: Row) =>
    sumDecimals(
      jobs.flatMap((job) => {
        const grams = job.grams.get(spool);
        if (grams === undefined || (job.status === 'Cancelled' && !job.started)) return [];
        if (isOver(job) && job.end <= at) return [grams];
        const noted = printing[job.id];
        if (noted === undefined) return [];
        // A job without grams that still prints gets its grams at its end.
        const isOpen = job.status === 'Printing' || job.status === 'Queued';
        if (isOpen && grams.isZero()) return [new Decimal(noted ?? 0)];
        return [noted === null ? grams : Decimal.min(noted, grams)];
      }),
    );
  const losses: Loss[] = [];
  let [left, corrected] = [new Decimal(weight), new Decimal(0)];
  for (const row of rows.filter(({ isTaken }) => !isTaken)) {
    let lost = (row.grams ?? new Decimal(0)).negated();
    if (row.net === null) corrected = corrected.minus(lost);
    else {
      const whole = row.net.plus(usedBefore(row));
      lost = left.plus(corrected).minus(whole);
      [left, corrected] = [whole, new Decimal(0)];
    }
    if (row.kind === 'OPENING') continue;
    const cost = row.price === null ? '0' : calculateCost(lost.toFixed(), row.price, row.weight);
    losses.push({ spool: row.spool, at: row.at, grams: lost, cost: new Decimal(cost) });
  }
  return losses;
}

const text = (value: string | null) => (value === null ? 'null' : `'${value}'`);
const FIGURES = 'lostGrams lostCost completedJobs wastedJobs';

describe('what was lost', () => {
  const gateway = useGateway(anyDatabase);
  const report = async (args: string, members = FIGURES): Promise<Parsed[]> =>
    expectData(await gateway.graphql(`{ filamentUsage${args && `(${args})`} { ${members} } }`)).filamentUsage;
  const makeFilament = async ({ materialId }: Farm): Promise<string> => {
    const input = { name: unique('PLA'), materialId, filamentDiameterMm: '1.75', weightTotalGrams: '1000' };
    const document = 'mutation ($input: CreateFilamentInput!) { createFilament(input: $input) { id } }';
    return expectData(await gateway.graphql(document, { input })).createFilament.id;
  };
  const setFilament = (spool: string, filament: string) =>
    gateway.sql(`update spools set filament_id = '${filament}' where id = '${spool}'`);
  const lose = async (spool: string, grams: string, at = 'now()') =>
    gateway.sql(
      `insert into spool_adjustments (spool_id, kind, grams, at) values ('${spool}', 'LOST', ${grams}, ${at})`,
    );
  beforeEach(async () => {
    await gateway.sql('truncate print_jobs cascade');
    await gateway.sql('truncate spools cascade');
  });

  test('of generated ledgers equals a model with exact decimals, in each group and in each time', async () => {
    const farms: Farm[] = [];
    for (const price of ['20', '24.99', null]) farms.push(await makeFarm(gateway, { price, weight: '750' }));
    const spools = farms.map(({ spoolId }) => spoolId);
    const filament = await makeFilament(farms[0] as Farm);
    for (const spool of spools.slice(0, 2)) await setFilament(spool, filament);
    const number = (most: number) => Math.floor(random() * most);
    const decimal = (most: number) => new Decimal(number(most * 1000)).div(1000);
    // So few instants, over five days, that a job may end at the instant of a weighing.
    const instant = () => new Date(Date.UTC(2026, 0, 1) + number(60) * 2 * 3_600_000).toISOString();

    const jobs: Job[] = [];
    for (let n = 0; n < 90; n += 1) {
      const own = spools[number(3)] as string;
      const beside = spools.find((one) => one !== own) as string;
      const [id, status] = [
        randomUUID(),
        ['Queued', 'Printing', 'Completed', 'Cancelled', 'Failed'][number(5)] as string,
      ];
      const [completed, earlier, updated] = [random() < 0.6 ? instant() : null, instant(), instant()];
      const hasEarlier = completed !== null && random() < 0.3;
      const grams = decimal(40);
      // The parts of a job are not more than the job: so all groups have the same sums.
      const of = Decimal.min(decimal(30), grams);
      const isDivided = random() < 0.4;
      const started = random() < 0.6;
      await gateway.sql(`insert into print_jobs (id, printer_id, spool_id, print_name, gcode_file_path, mm_extruded, grams_derived,
          cost_per_print, started_at, completed_at, status, data_source, filament_diameter_at_print_mm, material_density_at_print,
          updated_at) values ('${id}', '${farms[0]?.printerId}', '${own}', 'part', '', 0, ${grams}, 0,
          ${started ? `'2025-12-31Z'` : 'null'}, ${text(hasEarlier ? earlier : completed)}, '${status}', 'Manual', 0, 0, '${updated}')`);
      if (hasEarlier) await gateway.sql(`update print_jobs set completed_at = '${completed}' where id = '${id}'`);
      const amounts = new Map([[own, isDivided ? Decimal.max(0, grams.minus(of)) : grams]]);
      if (isDivided) {
        amounts.set(beside, of);
        await gateway.sql(`insert into print_job_parts (job_id, number, spool_id, mm_extruded, grams_derived, cost,
            filament_diameter_at_print_mm, material_density_at_print, filament_basis) values
          ('${id}', 0, null, null, null, null, null, null, 'MANUAL'), ('${id}', 1, '${beside}', 1, ${of}, 0, 1.75, 1.24, 'MANUAL')`);
      }
      const end = completed === null ? updated : hasEarlier && earlier < completed ? earlier : completed;
      jobs.push({ id, status, started, end, grams: amounts });
    }

    const rows: Row[] = [];
    for (let n = 0; n < 60; n += 1) {
      const at = number(3);
      const spool = spools[at] as string;
      const kinds = ['WEIGHED', 'WEIGHED', 'CORRECTED', 'LOST'];
      if (rows.every((row) => row.spool !== spool || row.kind !== 'OPENING')) kinds.push('OPENING');
      const kind = kinds[number(kinds.length)] as string;
      const isFact = kind === 'WEIGHED' || kind === 'OPENING';
      const amount = decimal(700).plus('0.0001');
      const price = at === 2 ? null : `${10 + number(30)}.99`;
      const weight = `${700 + number(300)}`;
      const noted = jobs.filter(({ grams }) => isFact && grams.has(spool) && random() < 0.2);
      const row: Row = {
        spool,
        kind,
        at: instant(),
        net: isFact ? amount : null,
        grams: isFact ? null : kind === 'LOST' || random() < 0.5 ? amount.negated() : amount,
        printing: Object.fromEntries(noted.map(({ id }) => [id, random() < 0.3 ? null : decimal(20).toFixed()])),
        price,
        weight,
        isTaken: random() < 0.2,
      };
      rows.push(row);
      // The price and the weight of the spool when the row is written, by whatever program.
      await gateway.sql(
        `update spools set purchase_price = ${price ?? 'null'}, weight_total_grams = ${weight} where id = '${spool}'`,
      );
      await gateway.sql(`insert into spool_adjustments (spool_id, kind, at, net_grams, grams, printing, taken_back_at) values
        ('${spool}', '${kind}', '${row.at}', ${row.net?.toFixed() ?? 'null'}, ${row.grams?.toFixed() ?? 'null'},
         ${noted.length > 0 ? `'${JSON.stringify(row.printing)}'` : 'null'}, ${row.isTaken ? 'now()' : 'null'})`);
    }
    await gateway.sql(`update spools set weight_total_grams = 1200, purchase_price = 1`);

    // The sort keeps the order of rows of one instant: the order in which they were written.
    const inOrder = rows.toSorted((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
    const losses = spools.flatMap((spool) =>
      computeLosses(
        '1200',
        jobs,
        inOrder.filter((row) => row.spool === spool),
      ),
    );
    const expectAs = (
      found: Parsed[],
      groupOf: (loss: Loss) => string | null,
      nameOf: (row: Parsed) => string | null,
      of = losses,
    ) => {
      const groups = new Set(of.map(groupOf));
      const ofGroup = (group: string | null) => of.filter((loss) => groupOf(loss) === group);
      const isThere = ({ lostGrams, lostCost }: Parsed) => lostGrams !== '0' || lostCost !== '0';
      const summed = (group: string | null) => ({
        lostGrams: sumDecimals(ofGroup(group).map(({ grams }) => grams)).toFixed(),
        lostCost: sumDecimals(ofGroup(group).map(({ cost }) => cost)).toFixed(),
      });
      expect(
        Object.fromEntries(found.filter(isThere).map((row) => [nameOf(row), [row.lostGrams, row.lostCost]])),
      ).toEqual(Object.fromEntries([...groups].map((group) => [group, Object.values(summed(group))])));
    };
    const findFilament = ({ spool }: Loss) => (spools.indexOf(spool) < 2 ? filament : null);
    const startOfDay = ({ at }: Loss) => `${at.slice(0, 10)}T00:00:00.000Z`;
    expectAs(
      await report(''),
      () => 'all',
      () => 'all',
    );
    expectAs(
      await report('groupBy: [SPOOL]', `${FIGURES} spool { id }`),
      ({ spool }) => spool,
      ({ spool }) => spool.id,
    );
    expectAs(
      await report('groupBy: [FILAMENT]', `${FIGURES} filament { id }`),
      findFilament,
      (row) => row.filament?.id ?? null,
    );
    expectAs(await report('groupBy: [DAY]', `${FIGURES} from`), startOfDay, ({ from }) => from);
    expectAs(
      await report('groupBy: [DAY, MATERIAL]', `${FIGURES} from material { id }`),
      (loss) => `${startOfDay(loss)} ${farms[spools.indexOf(loss.spool)]?.materialId}`,
      ({ from, material }) => `${from} ${material.id}`,
    );
    for (const [from, to] of [
      ['2026-01-02T04:00:00Z', '2026-01-03T20:00:00Z'],
      ['2026-01-04T00:00:00Z', '2026-01-05T02:00:00Z'],
    ] as const) {
      const some = losses.filter(({ at }) => at >= from.replace('Z', '.000Z') && at < to.replace('Z', '.000Z'));
      const range = `from: "${from}", to: "${to}"`;
      expectAs(
        await report(range),
        () => 'all',
        () => 'all',
        some,
      );
      for (const spool of spools)
        expectAs(
          await report(`${range}, groupBy: [DAY], filter: { spoolId: "${spool}" }`, `${FIGURES} from`),
          startOfDay,
          ({ from }) => from,
          some.filter((loss) => loss.spool === spool),
        );
    }

    // The sum is the same for every grouping, although a spool got another material or was archived meanwhile.
    const SUMS = 'completedGrams completedCost wastedGrams wastedCost lostGrams lostCost';
    const totals = async (range: string) => {
      const GROUPS = ['SPOOL', 'MATERIAL', 'FILAMENT', 'DAY', 'MONTH'];
      const groups = [
        '',
        ...GROUPS,
        'SPOOL, MATERIAL',
        'MATERIAL, FILAMENT',
        'WEEK, MATERIAL',
        GROUPS.slice(0, 4).join(),
      ];
      const found = groups.map(async (group) => {
        const args = [group && `groupBy: [${group}]`, range].filter((one) => one !== '').join();
        const rows = await report(args, SUMS);
        const sums = Object.keys(rows[0] ?? {}).map((name) => [
          name,
          sumDecimals(rows.map((row) => new Decimal(row[name]))).toFixed(),
        ]);
        return JSON.stringify(Object.fromEntries(sums));
      });
      return new Set(await Promise.all(found));
    };
    await gateway.sql(`update spools set material_id = '${farms[2]?.materialId}' where id = '${spools[0]}'`);
    await gateway.sql(`update spools set archived_at = now(), filament_id = null where id = '${spools[1]}'`);
    for (const range of ['', 'from: "2026-01-02T04:00:00Z", to: "2026-01-03T20:00:00Z"'])
      expect((await totals(range)).size).toBe(1);

    // The ledger has the same loss for each row.
    const ledgers = expectData(
      await gateway.graphql('{ spools { nodes { id adjustments(first: 100) { nodes { kind at grams } } } } }'),
    ).spools.nodes;
    const ledgerLosses = ledgers.flatMap(({ id, adjustments }: Parsed) =>
      adjustments.nodes
        .filter(({ kind, grams }: Parsed) => kind !== 'OPENING' && grams !== '0')
        .map(({ at, grams }: Parsed) => `${id} ${at} ${new Decimal(grams).negated().toFixed()}`),
    );
    const meant = losses.filter(({ grams }) => !grams.isZero());
    expect(ledgerLosses.sort()).toEqual(
      meant.map(({ spool, at, grams }) => `${spool} ${at} ${grams.toFixed()}`).sort(),
    );

    // Whichever rows a page has, and whether they count or not.
    const MEMBERS = 'id kind at grams printingGrams takenBack { at }';
    for (const first of [1, 4]) {
      for (const spool of spools) {
        const whole = expectData(
          await gateway.graphql(`{ spool(id: "${spool}") { adjustments(first: 100) { nodes { ${MEMBERS} } } } }`),
        ).spool.adjustments.nodes;
        const paged: Parsed[] = [];
        for (let after = 'null', more = true; more; ) {
          const { nodes, pageInfo } = expectData(
            await gateway.graphql(`{ spool(id: "${spool}") { adjustments(first: ${first}, after: ${after}) {
              nodes { ${MEMBERS} } pageInfo { hasNextPage endCursor } } } }`),
          ).spool.adjustments;
          paged.push(...nodes);
          [more, after] = [pageInfo.hasNextPage, JSON.stringify(pageInfo.endCursor)];
        }
        expect(paged).toEqual(whole);
      }
    }
  });

  test('costs what the spool cost when the row was written, each row rounded half to even', async () => {
    const { spoolId } = await makeFarm(gateway, { price: '1', weight: '3' });
    // 0.00015 g and 0.00045 g are ties of the fifth decimal: 0.00005 and 0.00015.
    for (const grams of ['-0.00015', '-0.00045', '-0.00016']) await lose(spoolId, grams);
    expect(await report('')).toMatchObject([{ lostGrams: '0.00076', lostCost: '0.0003' }]);
    await gateway.sql(`update spools set purchase_price = 300 where id = '${spoolId}'`);
    await lose(spoolId, '-1');
    expect(await report('')).toMatchObject([{ lostGrams: '1.00076', lostCost: '100.0003' }]);
    await gateway.sql(`update spools set purchase_price = null where id = '${spoolId}'`);
    await lose(spoolId, '-1');
    expect(await report('')).toMatchObject([{ lostGrams: '2.00076', lostCost: '100.0003' }]);
  });

  test('is null by PRINTER and with any filter but spoolId, and adds no row there', async () => {
    const farm = await makeFarm(gateway);
    await lose(farm.spoolId, '-5');
    const none = { lostGrams: null, lostCost: null, completedJobs: 0, wastedJobs: 0 };
    expect(await report('groupBy: [PRINTER]')).toEqual([]);
    expect(await report('groupBy: [SPOOL], filter: { status: [COMPLETED] }')).toEqual([]);
    for (const filter of [`printerId: "${farm.printerId}"`, 'search: "part"', 'status: []'])
      expect(await report(`filter: { ${filter}, spoolId: "${farm.spoolId}" }`)).toEqual([none]);
    await makeJob(gateway, farm, {}, 'Completed');
    expect(await report('groupBy: [PRINTER, DAY]')).toEqual([{ ...none, completedJobs: 1 }]);
    expect(await report(`filter: { spoolId: "${farm.spoolId}", printerId: null, search: "" }`)).toMatchObject([
      { lostGrams: '5' },
    ]);
    expect(await report(`filter: { spoolId: "${randomUUID()}" }`)).toMatchObject([{ lostGrams: '0' }]);
  });

  test('has a row without a job, at the start of a day in the zone, also if the query selects no losses', async () => {
    const farm = await makeFarm(gateway);
    await lose(farm.spoolId, '-2.5', `'2026-03-28T23:30:00Z'`);
    await lose(farm.spoolId, '-3', `'2026-03-29T21:30:00Z'`);
    await lose(farm.spoolId, '-4', `'2026-03-29T22:00:00Z'`);
    const days = 'groupBy: [DAY, SPOOL], timeZone: "Europe/Berlin"';
    expect(await report(days, 'from completedJobs lostGrams spool { id }')).toEqual([
      { from: '2026-03-28T23:00:00.000Z', completedJobs: 0, lostGrams: '5.5', spool: { id: farm.spoolId } },
      { from: '2026-03-29T22:00:00.000Z', completedJobs: 0, lostGrams: '4', spool: { id: farm.spoolId } },
    ]);
    expect(await report(days, 'completedJobs wastedCost')).toEqual(
      Array(2).fill({ completedJobs: 0, wastedCost: '0' }),
    );
  });

  test('follows a job that ended before a weighing, and is booked or corrected later', async () => {
    const farm = await makeFarm(gateway);
    const job = await makeJob(gateway, farm, { GramsDerived: 100 }, 'Completed');
    const document = 'mutation ($id: ID!) { weighSpool(id: $id, input: { netGrams: 880 }) { id } }';
    const { id } = expectData(await gateway.graphql(document, { id: farm.spoolId })).weighSpool;
    expect(await report('')).toMatchObject([{ lostGrams: '20', lostCost: '0.5' }]);
    await gateway.sql(`update print_jobs set grams_derived = 125 where id = '${job.Id}'`);
    expect(await report('')).toMatchObject([{ lostGrams: '-5', lostCost: '-0.125' }]);
    expectData(await gateway.graphql('mutation ($id: ID!) { takeBackAdjustment(id: $id) { id } }', { id }));
    expect(await report('')).toMatchObject([{ lostGrams: '0', lostCost: '0' }]);
    expect(await report('groupBy: [SPOOL]')).toMatchObject([{ completedJobs: 1, lostGrams: '0' }]);
  });

  test('by FILAMENT the jobs of all its spools are one row, and those of all spools without a filament another', async () => {
    const farms = [await makeFarm(gateway), await makeFarm(gateway), await makeFarm(gateway), await makeFarm(gateway)];
    const filament = await makeFilament(farms[0] as Farm);
    for (const { spoolId } of farms.slice(0, 2)) await setFilament(spoolId, filament);
    for (const farm of farms) await makeJob(gateway, farm, { GramsDerived: 10 }, 'Completed');
    const members = 'filament { id number } completedJobs completedGrams lostGrams';
    expect(await report('groupBy: [FILAMENT]', members)).toEqual([
      {
        filament: { id: filament, number: expect.any(Number) },
        completedJobs: 2,
        completedGrams: '20',
        lostGrams: '0',
      },
      { filament: null, completedJobs: 2, completedGrams: '20', lostGrams: '0' },
    ]);
    // A job of two spools of one filament counts once.
    await gateway.sql(`with j as (select id from print_jobs where spool_id = '${farms[0]?.spoolId}')
      insert into print_job_parts (job_id, number, spool_id, mm_extruded, grams_derived, cost, filament_diameter_at_print_mm,
        material_density_at_print, filament_basis)
      select id, 0, null::uuid, null::numeric, null::numeric, null::numeric, null::numeric, null::numeric, 'MANUAL' from j
      union all select id, 1, '${farms[1]?.spoolId}'::uuid, 1, 4, 0, 1.75, 1.24, 'MANUAL' from j`);
    expect((await report('groupBy: [FILAMENT]', members))[0]).toMatchObject({ completedJobs: 2, completedGrams: '20' });
  });

  test('is at the end of each line of the CSV file', async () => {
    const farm = await makeFarm(gateway);
    const filament = await makeFilament(farm);
    await setFilament(farm.spoolId, filament);
    await lose(farm.spoolId, '-12.5');
    const { text } = expectStatus(await gateway.rest('GET', '/reports/filament-usage.csv?groupBy=filament'), 200);
    const [head, line] = text.split('\r\n');
    expect(head).toMatch(/,wastedGrams,wastedCost,filamentId,filament,lostGrams,lostCost$/);
    expect(line).toMatch(new RegExp(`^,,,,,,,0,0,0,0,0,0,${filament},PLA [-0-9a-f]+,12\\.5,0\\.3125$`));
    const byPrinter = expectStatus(await gateway.rest('GET', '/reports/filament-usage.csv?search=x'), 200).text;
    expect(byPrinter.split('\r\n')[1]).toMatch(/,0,0,0,,,,$/);
  });
});
