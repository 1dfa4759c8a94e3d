// What no REST operation may accept in its body: the stated status, one error member that names what is wrong, nothing written.
import { anyDatabase } from '../../support/databases';
import { type Farm, jobRequest, jobUpdate, makeFarm, makeJob, tables, unique } from '../../support/farm';
import { expectError, expectStatus, test, useGateway } from '../../support/gateway';
import { BAD, type Kind, withRaw } from './values';

const NO_OBJECTS = [
  ...[undefined, '', ' \n', '{"camera_id":"x","friendly_name"', '{', '{}{}', "{'camera_id':'x'}", '{"camera_id":"x",}'],
  ...['{/* none */}', 'camera_id=x&friendly_name=y', '{"MmExtruded":NaN}', '{"camera_id":"a\u0000b"}', '17', 'true'],
  ...['null', '"camera_id"', '[{"camera_id":"x","friendly_name":"y"}]'],
  ...['['.repeat(100_000), '['.repeat(100_000) + ']'.repeat(100_000)],
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

describe('bad bodies through REST', () => {
  const gateway = useGateway(anyDatabase);
  let farm: Farm;
  let job: string;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
    job = (await makeJob(gateway, farm)).Id;
  });

  async function expectRefused(operation: Operation, bodies: (string | undefined)[], status: number, naming?: string) {
    const before = await tables(gateway);
    for (const body of bodies) {
      for (const headers of [undefined, { 'content-type': 'application/json' }]) {
        const answer = await gateway.rest(operation.method, operation.path(job), body, headers);
        expectError(answer, status, naming);
      }
    }
    expect(await tables(gateway)).toEqual(before);
  }

  describe.each(OPERATIONS)('$title', (operation) => {
    test('400: the body is no object', () => {
      const inPrototype = `{"__proto__":${JSON.stringify(operation.valid(farm))}}`;
      return expectRefused(operation, [...NO_OBJECTS, inPrototype], 400);
    });

    for (const [member, kindOfMember] of Object.entries(operation.members)) {
      test(`400: ${member} is nothing but ${kindOfMember}`, () => {
        const bodies = BAD[kindOfMember].map(([, json]) => withRaw(operation.valid(farm), member, json));
        return expectRefused(operation, bodies, 400, member);
      });
    }

    test('413: the body is larger than the limit', () =>
      expectRefused(operation, [withRaw(operation.valid(farm), 'Notes', `"${'x'.repeat(1_048_576)}"`)], 413));
  });

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
