// What no REST operation may accept in its body: the stated status, one error member that names what is wrong, nothing written.
import { describeOnDatabases } from '../../support/databases';
import { type Farm, jobRequest, jobUpdate, makeFarm, makeJob, tables, unique } from '../../support/farm';
import { expectError, expectStatus, type Parsed, test, useGateway } from '../../support/gateway';
import { BAD, type Kind, withRaw } from './values';

const NO_OBJECTS: [title: string, body: string | undefined][] = [
  ['no body', undefined],
  ['an empty body', ''],
  ['white space', ' \n'],
  ['truncated JSON', '{"camera_id":"x","friendly_name"'],
  ['an open brace', '{'],
  ['two objects', '{}{}'],
  ['single quotes', "{'camera_id':'x'}"],
  ['a trailing comma', '{"camera_id":"x",}'],
  ['a comment', '{/* none */}'],
  ['a form', 'camera_id=x&friendly_name=y'],
  ['NaN', '{"MmExtruded":NaN}'],
  ['a raw control character in a text', '{"camera_id":"a\u0000b"}'],
  ['an array', '[{"camera_id":"x","friendly_name":"y"}]'],
  ['a number', '17'],
  ['a text', '"camera_id"'],
  ['a boolean', 'true'],
  ['null', 'null'],
  ['a hundred thousand open brackets', '['.repeat(100_000)],
  ['a hundred thousand nested arrays', '['.repeat(100_000) + ']'.repeat(100_000)],
];

interface Operation {
  title: string;
  method: string;
  path: (job: string) => string;
  valid: (farm: Farm) => object;
  members: Record<string, Kind>;
}

const UPDATE_MEMBERS: Record<string, Kind> = {
  PrinterId: 'guid',
  SpoolId: 'guid',
  PrintName: 'text',
  GcodeFilePath: 'path',
  MmExtruded: 'decimal',
  GramsDerived: 'decimal',
  CostPerPrint: 'decimal',
  Notes: 'notes',
  AutoDeriveGrams: 'boolean',
};

const OPERATIONS: Operation[] = [
  {
    title: 'POST /cameras',
    method: 'POST',
    path: () => '/cameras',
    valid: () => ({ camera_id: unique('cam'), friendly_name: 'Door', mac_address: unique('mac') }),
    members: { camera_id: 'key', friendly_name: 'requiredText', mac_address: 'optionalKey' },
  },
  {
    title: 'POST /api/printjobs',
    method: 'POST',
    path: () => '/api/printjobs',
    valid: (farm) => jobRequest(farm),
    members: {
      ...UPDATE_MEMBERS,
      FilamentDiameterAtPrintMm: 'decimal',
      MaterialDensityAtPrint: 'decimal',
      StartedAt: 'instant',
      DataSource: 'choice',
    },
  },
  {
    title: 'PUT /api/printjobs/{id}',
    method: 'PUT',
    path: (job) => `/api/printjobs/${job}`,
    valid: (farm) => jobUpdate(farm),
    members: UPDATE_MEMBERS,
  },
  {
    title: 'PATCH /api/printjobs/{id}/status',
    method: 'PATCH',
    path: (job) => `/api/printjobs/${job}/status`,
    valid: () => ({ Status: 'Printing' }),
    members: { Status: 'choice' },
  },
];

describeOnDatabases('bad bodies through REST', (kind) => {
  const gateway = useGateway(kind);
  let farm: Farm;
  let job: string;
  /** The tests that write come after those of this state. */
  let before: Parsed;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
    job = (await makeJob(gateway, farm)).Id;
    before = await tables(gateway);
  });

  async function expectRefused(operation: Operation, body: string | undefined, status: number, naming?: string) {
    for (const headers of [undefined, { 'content-type': 'application/json' }]) {
      const answer = await gateway.rest(operation.method, operation.path(job), body, headers);
      expectError(answer, status, naming);
    }
    expect(await tables(gateway)).toEqual(before);
  }

  for (const operation of OPERATIONS) {
    describe(operation.title, () => {
      for (const [title, body] of NO_OBJECTS) {
        test(`400: the body is ${title}`, () => expectRefused(operation, body, 400));
      }

      for (const [member, kindOfMember] of Object.entries(operation.members)) {
        for (const [title, json] of BAD[kindOfMember]) {
          test(`400: ${member} is ${title}`, () =>
            expectRefused(operation, withRaw(operation.valid(farm), member, json), 400, member));
        }
      }

      test('400: the members stand in the prototype', async () => {
        const body = `{"__proto__":${JSON.stringify(operation.valid(farm))}}`;
        await expectRefused(operation, body, 400);
      });

      test('413: the body is larger than the limit', async () => {
        const body = withRaw(operation.valid(farm), 'Notes', `"${'x'.repeat(1_048_576)}"`);
        await expectRefused(operation, body, 413);
      });
    });
  }

  test('a member that nobody reads may be nested as deep as it likes, with any number in it', async () => {
    for (const leaf of ['', '1.0000000000000000000001']) {
      const body = withRaw(
        { camera_id: unique('cam'), friendly_name: 'Door' },
        'extra',
        '['.repeat(100_000) + leaf + ']'.repeat(100_000),
      );
      const answer = await gateway.rest('POST', '/cameras', body);
      if (answer.status !== 201) expectError(answer, 400);
    }
  });

  test('400: the derived grams are beyond every number that can be stored', async () => {
    const most = '999999999999999999';
    const valid = jobRequest(farm, { FilamentDiameterAtPrintMm: most, MaterialDensityAtPrint: most, GramsDerived: 0 });
    const before = await tables(gateway);
    expectError(await gateway.rest('POST', '/api/printjobs', { ...valid, MmExtruded: most }), 400);
    expect(await tables(gateway)).toEqual(before);
  });

  test('400: the computed cost is beyond every number that can be stored', async () => {
    const dear = await makeFarm(gateway, { price: '999999999999999999', weight: '0.0000000000000000000000000001' });
    const before = await tables(gateway);
    const body = jobUpdate(dear, { MmExtruded: 1000, AutoDeriveGrams: true });
    expectError(await gateway.rest('PUT', `/api/printjobs/${job}`, body), 400);
    expect(await tables(gateway)).toEqual(before);
  });

  test('201: the longest texts that are allowed', async () => {
    const camera = { camera_id: 'i'.repeat(255), friendly_name: 'n'.repeat(1000), mac_address: 'm'.repeat(255) };
    expect(expectStatus(await gateway.rest('POST', '/cameras', camera), 201).body).toEqual(camera);
    const texts = { PrintName: 'p'.repeat(1000), GcodeFilePath: 'g'.repeat(4096), Notes: 'n'.repeat(10_000) };
    const made = await gateway.rest('POST', '/api/printjobs', jobRequest(farm, texts));
    expect(expectStatus(made, 201).body).toMatchObject(texts);
  });
});
