// What the print job document leaves open: exact numbers, missing members, rounding, paging, GUIDs, times, the order of faults.
import { randomUUID } from 'node:crypto';
import { snake } from '../../../src/values/spelling';
import { describeOnDatabases, isTestedAlready } from '../../support/databases';
import { type Farm, jobRequest, jobUpdate, makeFarm, makeJob, readJob } from '../../support/farm';
import {
  expectCode,
  expectData,
  expectError,
  expectStatus,
  type RestResponse,
  test,
  useGateway,
} from '../../support/gateway';

const AMOUNTS = ['MmExtruded', 'GramsDerived', 'CostPerPrint', 'FilamentDiameterAtPrintMm', 'MaterialDensityAtPrint'];

// Decimals, times and ids, which each driver reads and writes in its own way.
describeOnDatabases('print jobs where the document is silent', (kind) => {
  const gateway = useGateway(kind);
  let farm: Farm;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
  });

  /** Posts with one member as raw JSON text, so that no float of this process touches it. */
  const postRaw = (member: string, raw: string, members: Record<string, unknown> = {}): Promise<RestResponse> =>
    gateway.rest(
      'POST',
      '/api/printjobs',
      JSON.stringify(jobRequest(farm, { ...members, [member]: '@' })).replace('"@"', raw),
    );
  /** The digits of a member as they stand in the response. */
  const digits = (answer: RestResponse, member: string) => new RegExp(`"${member}":([^,}]*)`).exec(answer.text)?.[1];

  const NUMBERS: [sent: string, stored: string][] = [
    ['12345678901234.123456789', '12345678901234.123456789'],
    ['"12345678901234.123456789"', '12345678901234.123456789'],
    ['999999999999999999.9999999999999999999999999999', '999999999999999999.9999999999999999999999999999'],
    ['0.0000000000000000000000000001', '0.0000000000000000000000000001'],
    ['9007199254740993', '9007199254740993'],
    ['0.1', '0.1'],
    ['"0.10"', '0.10'],
    ['1.500', '1.500'],
    ['1e3', '1000'],
    ['"1e-7"', '0.0000001'],
    ['12.5E+2', '1250'],
    ['0', '0'],
    ['-0', '0'],
  ];

  test('numbers are sent with every digit that is stored', async () => {
    for (const [sent, stored] of NUMBERS) {
      for (const member of AMOUNTS) {
        // GramsDerived above 0 keeps rule 4 from deriving it.
        const made = expectStatus(await postRaw(member, sent, { GramsDerived: 1, AutoDeriveGrams: false }), 201);
        const derived = member === 'GramsDerived' && Number(stored) === 0;
        if (!derived) expect([sent, member, digits(made, member)]).toEqual([sent, member, stored]);
        const read = expectStatus(await gateway.rest('GET', `/api/printjobs/${made.body.Id}`), 200);
        expect(read.text).toBe(made.text);
        const column = `${snake(member).slice(1)}::text AS amount`;
        const [row] = await gateway.sql(`SELECT ${column} FROM print_jobs WHERE id = '${made.body.Id}'`);
        expect(row.amount).toBe(digits(made, member));
      }
    }
  });

  test('a number that another program stored is sent with its digits, also in the list and in GraphQL', async () => {
    const job = await makeJob(gateway, await makeFarm(gateway));
    await gateway.sql(`UPDATE print_jobs SET cost_per_print = 0.10, mm_extruded = 123456789012345678.900,
                       grams_derived = 0.000 WHERE id = '${job.Id}'`);
    for (const path of [`/api/printjobs/${job.Id}`, `/api/printjobs?PrinterId=${job.PrinterId}`]) {
      const answer = expectStatus(await gateway.rest('GET', path), 200);
      const found = ['CostPerPrint', 'MmExtruded', 'GramsDerived'].map((member) => digits(answer, member));
      expect(found).toEqual(['0.10', '123456789012345678.900', '0.000']);
    }
    const query = 'query ($id: ID!) { printJob(id: $id) { costPerPrint mmExtruded gramsDerived } }';
    const { printJob } = expectData(await gateway.graphql(query, { id: job.Id }));
    expect(Object.values(printJob)).toEqual(['0.10', '123456789012345678.900', '0.000']);
  });

  test('GUIDs are read in upper and lower case, and written in lower case', async () => {
    const upper = jobRequest(farm, { PrinterId: farm.printerId.toUpperCase(), SpoolId: farm.spoolId.toUpperCase() });
    const made = expectStatus(await gateway.rest('POST', '/api/printjobs', upper), 201).body;
    expect(made).toMatchObject({ PrinterId: farm.printerId, SpoolId: farm.spoolId });
    const path = `/api/printjobs/${made.Id.toUpperCase()}`;
    for (const answer of [
      await gateway.rest('GET', path),
      await gateway.rest('PUT', path, jobUpdate(farm, { PrinterId: farm.printerId.toUpperCase() })),
    ]) {
      const { Id, PrinterId, SpoolId } = expectStatus(answer, 200).body;
      expect([Id, PrinterId, SpoolId]).toEqual([made.Id, farm.printerId, farm.spoolId]);
    }
    expectStatus(await gateway.rest('DELETE', path), 204);
    const filtered = await gateway.rest(
      'GET',
      `/api/printjobs?PrinterId=${farm.printerId.toUpperCase()}&SpoolId=${farm.spoolId.toUpperCase()}&Status=cancelled`,
    );
    expect(expectStatus(filtered, 200).body.TotalCount).toBeGreaterThan(0);
  });

  test('times are read with any offset and sent in UTC with milliseconds and Z', async () => {
    const written = {
      '2026-11-20T08:30:00Z': '2026-11-20T08:30:00.000Z',
      '2026-11-20T08:30:00.1+02:00': '2026-11-20T06:30:00.100Z',
      '2026-11-20T23:30:00-01:00': '2026-11-21T00:30:00.000Z',
      '2024-02-29T00:00:00+14:00': '2024-02-28T10:00:00.000Z',
    };
    for (const [StartedAt, stored] of Object.entries(written)) {
      const made = await makeJob(gateway, farm, { StartedAt });
      expect([StartedAt, made.StartedAt]).toEqual([StartedAt, stored]);
      expect((await readJob(gateway, made.Id)).StartedAt).toBe(stored);
    }
  });

  if (isTestedAlready(kind)) return;

  test('no computation passes through a binary float', async () => {
    const answer = await postRaw('MmExtruded', '123456789012345678.9', { GramsDerived: 0 });
    expect(digits(expectStatus(answer, 201), 'GramsDerived')).toBe('368215988192228.92');
  });

  test('absent members are "", 0, false and null, except PrinterId, SpoolId and DataSource, which are required', async () => {
    const required = { PrinterId: farm.printerId, SpoolId: farm.spoolId, DataSource: 'Mqtt' };
    const made = expectStatus(await gateway.rest('POST', '/api/printjobs', required), 201);
    const { Id } = made.body;
    expect(made.body).toMatchObject({
      ...required,
      PrintName: '',
      GcodeFilePath: '',
      Notes: null,
      StartedAt: null,
      MmExtruded: 0,
      GramsDerived: 0,
      CostPerPrint: 0,
      FilamentDiameterAtPrintMm: 0,
      MaterialDensityAtPrint: 0,
    });
    for (const member of Object.keys(required)) {
      const { [member as 'PrinterId']: _, ...others } = required;
      expectError(await gateway.rest('POST', '/api/printjobs', others), 400, member);
    }
    for (const member of ['PrinterId', 'SpoolId']) {
      const { [member]: _, ...others } = jobUpdate(farm);
      expectError(await gateway.rest('PUT', `/api/printjobs/${Id}`, others), 400, member);
    }
  });

  test('absent members have their defaults in a mutation too, however often its document was sent before', async () => {
    const input = { printerId: farm.printerId, spoolId: farm.spoolId, printName: 'x', dataSource: 'MANUAL' };
    const document = `mutation ($input: CreatePrintJobInput!) { createPrintJob(input: $input) {
      gcodeFilePath mmExtruded gramsDerived costPerPrint filamentDiameterAtPrintMm materialDensityAtPrint notes } }`;
    for (let time = 0; time < 4; time += 1) {
      const { createPrintJob } = expectData(await gateway.graphql(document, { input }));
      expect(Object.values(createPrintJob)).toEqual(['', '0', '0', '0', '0', '0', null]);
      const own = { ...input, mmExtruded: 1000, gcodeFilePath: '/a', costPerPrint: '1.50' };
      const given = expectData(await gateway.graphql(document, { input: own })).createPrintJob;
      expect(given).toMatchObject({ mmExtruded: '1000', gcodeFilePath: '/a', costPerPrint: '1.50' });
      const { printName: _, ...nameless } = input;
      expectCode(await gateway.graphql(document, { input: nameless }), 'BAD_USER_INPUT');
      expectCode(await gateway.graphql(document, { input: { ...input, mmExtruded: null } }), 'BAD_USER_INPUT');
      const unknown = JSON.parse(`${JSON.stringify(input).slice(0, -1)},"__proto__":{"mmExtruded":"5"}}`);
      expectCode(await gateway.graphql(document, { input: unknown }), 'BAD_USER_INPUT');
    }
  });

  test('an update of a material, printer or spool without members, or with nulls, changes nothing', async () => {
    const updates = {
      Material: [farm.materialId, 'name densityGPerCm3', '{}', '{ name: null, densityGPerCm3: null }'],
      Printer: [farm.printerId, 'name', '{}', '{ name: null }'],
      Spool: [farm.spoolId, 'spoolSerial weightTotalGrams', '{}', '{ spoolSerial: null, weightTotalGrams: null }'],
    };
    for (const [kind, [id, members, ...inputs]] of Object.entries(updates)) {
      const answers = [];
      for (const input of inputs) {
        const update = `mutation { it: update${kind}(id: "${id}", input: ${input}) { id ${members} } }`;
        answers.push(expectData(await gateway.graphql(update)).it);
      }
      expect(answers[0]).toMatchObject({ id });
      expect(answers[1]).toEqual(answers[0]);
      const unknown = `mutation { update${kind}(id: "${farm.printerId.replace(/.{8}/, '00000000')}", input: {}) { id } }`;
      expectCode(await gateway.graphql(unknown), 'NOT_FOUND');
    }
  });

  test('the cost is rounded half to even', async () => {
    // 2.98 g of a spool of 298 g: the cost is a hundredth of the price.
    const costs: [price: string, cost: number, weight?: string][] = [
      ['0.005', 0],
      ['0.015', 0.0002],
      ['0.025', 0.0002],
      ['0.0250001', 0.0003],
      // 2.98 x 0.045 / 894 is exactly 0.00015, though 0.045 / 894 never ends.
      ['0.045', 0.0002, '894'],
    ];
    for (const [price, cost, weight = '298'] of costs) {
      const priced = await makeFarm(gateway, { weight, price });
      const { Id } = await makeJob(gateway, priced);
      const body = jobUpdate(priced, { MmExtruded: 1000, AutoDeriveGrams: true });
      const answer = expectStatus(await gateway.rest('PUT', `/api/printjobs/${Id}`, body), 200);
      expect([price, answer.body.CostPerPrint]).toEqual([price, cost]);
    }
  });

  test('a spool of weight 0 leaves the cost as requested', async () => {
    const empty = await makeFarm(gateway, { weight: '0' });
    const { Id } = await makeJob(gateway, empty);
    const body = jobUpdate(empty, { MmExtruded: 1000, CostPerPrint: 9.5, AutoDeriveGrams: true });
    const answer = expectStatus(await gateway.rest('PUT', `/api/printjobs/${Id}`, body), 200);
    expect(answer.body).toMatchObject({ GramsDerived: 2.98, CostPerPrint: 9.5 });
  });

  describe('paging', () => {
    const get = (query: string) => gateway.rest('GET', `/api/printjobs?PrinterId=${farm.printerId}&${query}`);

    test('the defaults are page 1 of 20', async () => {
      for (const _ of Array.from({ length: 21 })) await makeJob(gateway, farm);
      const page = expectStatus(await get(''), 200).body;
      expect([page.PageNumber, page.PageSize, page.Items.length]).toEqual([1, 20, 20]);
      expect(page.TotalCount).toBeGreaterThan(20);
    });

    test('a text that is not an integer is 400', async () => {
      for (const value of ['abc', '1 2', '1.5', '1.0', '1e2', '0x10', 'NaN', 'Infinity', '1,5', '%D9%A1']) {
        for (const name of ['PageNumber', 'PageSize']) expectError(await get(`${name}=${value}`), 400, name);
      }
    });

    test('any integer is clamped or gives an empty page', async () => {
      for (const large of ['2147483648', '9223372036854775808', '9'.repeat(400)]) {
        const { TotalCount } = expectStatus(await get(''), 200).body;
        const beyond = expectStatus(await get(`PageNumber=${large}`), 200).body;
        expect([beyond.Items, beyond.TotalCount]).toEqual([[], TotalCount]);
        expectStatus(await get(`PageNumber=${large}&PageSize=${large}`), 200);
        expect(expectStatus(await get(`PageSize=${large}`), 200).body.PageSize).toBe(100);
        const { PageNumber, PageSize } = expectStatus(await get(`PageNumber=-${large}&PageSize=-${large}`), 200).body;
        expect([PageNumber, PageSize]).toEqual([1, 1]);
      }
    });
  });

  test('a job that does not exist is reported first, also before an unreadable body', async () => {
    const job = `/api/printjobs/${randomUUID()}`;
    for (const body of ['{', '', '[]', '{"Status":"nope"}']) {
      expectError(await gateway.rest('PUT', job, body), 404);
      expectError(await gateway.rest('PATCH', `${job}/status`, body), 404);
    }
    // A status that is unrecognised is ignored, whatever it holds.
    expectStatus(await gateway.rest('GET', '/api/printjobs?Status=%00'), 200);
  });
});
