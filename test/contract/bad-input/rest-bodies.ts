// Bodies that no REST operation may accept: the stated status, one error member that names the fault, and nothing is written.
import { foldName } from '../../../src/doors/rest/casing';
import { anyDatabase } from '../../support/databases';
import { type Farm, jobRequest, jobUpdate, makeFarm, makeJob, tables, unique } from '../../support/farm';
import { expectError, expectStatus, test, useGateway } from '../../support/gateway';
import { BAD, badFor, fieldsOf, withRaw } from './values';

const NO_OBJECTS = [
  undefined,
  '',
  ' \n',
  '{"camera_id":"x","friendly_name"',
  '{',
  '{}{}',
  "{'camera_id':'x'}",
  '{"camera_id":"x",}',
  '{/* none */}',
  'camera_id=x&friendly_name=y',
  '{"MmExtruded":NaN}',
  '{"camera_id":"a\u0000b"}',
  '17',
  'true',
  'null',
  '"camera_id"',
  '[{"camera_id":"x","friendly_name":"y"}]',
  '['.repeat(100_000),
  '['.repeat(100_000) + ']'.repeat(100_000),
];

interface Operation {
  title: string;
  path: string;
  valid: (farm: Farm) => object;
  /** The input of the graph whose members have the same types. */
  input?: string;
  required: string[];
}

const OPERATIONS: Operation[] = [
  {
    title: 'POST /cameras',
    path: '/cameras',
    valid: () => ({ camera_id: unique('cam'), friendly_name: 'Door', mac_address: unique('mac') }),
    input: 'RegisterCameraInput',
    required: ['camera_id', 'friendly_name'],
  },
  {
    title: 'POST /api/printjobs',
    path: '/api/printjobs',
    valid: (farm) => jobRequest(farm, { StartedAt: null }),
    input: 'CreatePrintJobInput',
    required: ['PrinterId', 'SpoolId', 'DataSource'],
  },
  {
    title: 'PUT /api/printjobs/{id}',
    path: '/api/printjobs/{id}',
    valid: jobUpdate,
    input: 'UpdatePrintJobInput',
    required: ['PrinterId', 'SpoolId'],
  },
  {
    title: 'PATCH /api/printjobs/{id}/status',
    path: '/api/printjobs/{id}/status',
    valid: () => ({ Status: 'Printing' }),
    required: ['Status'],
  },
];
const NOBODY = { printerId: '', spoolId: '' } as Farm;

describe('bad bodies through REST', () => {
  const gateway = useGateway(anyDatabase);
  let farm: Farm;
  let job: string;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
    job = (await makeJob(gateway, farm)).Id;
  });

  async function expectRefused(
    { title, path }: Operation,
    bodies: (string | undefined)[],
    status: number,
    naming = '',
    headers?: Record<string, string>,
  ) {
    const before = await tables(gateway);
    const [method = ''] = title.split(' ');
    for (const body of bodies)
      expectError(await gateway.rest(method, path.replace('{id}', job), body, headers), status, naming);
    expect(await tables(gateway)).toEqual(before);
  }

  describe.each(OPERATIONS)('$title', (operation) => {
    const { valid, input, required } = operation;

    test('400: the body is not an object', async () => {
      const bodies = [...NO_OBJECTS, `{"__proto__":${JSON.stringify(valid(farm))}}`];
      for (const headers of [undefined, { 'content-type': 'application/json' }])
        await expectRefused(operation, bodies, 400, '', headers);
    });

    for (const member of Object.keys(valid(NOBODY))) {
      test(`400: ${member} accepts only its allowed values`, () => {
        const name = foldName(member.replace('camera_', ''));
        const field = input === undefined ? undefined : fieldsOf(input).find((one) => foldName(one.name) === name);
        const values = [...(field ? badFor(field) : BAD.choice), ...(required.includes(member) ? ['null'] : [])];
        const bodies = values.map((json) => withRaw(valid(farm), member, json));
        return expectRefused(operation, bodies, 400, member);
      });
    }

    test('413: the body is larger than the limit', () =>
      expectRefused(operation, [withRaw(valid(farm), 'Notes', `"${'x'.repeat(1_048_576)}"`)], 413));
  });

  test('an unknown member may be nested to any depth, with any number in it', async () => {
    for (const leaf of ['', '1.0000000000000000000001']) {
      const nested = '['.repeat(100_000) + leaf + ']'.repeat(100_000);
      const body = withRaw({ camera_id: unique('cam'), friendly_name: 'Door' }, 'extra', nested);
      const answer = await gateway.rest('POST', '/cameras', body);
      if (answer.status !== 201) expectError(answer, 400);
    }
  });

  test('400: derived grams and a computed cost beyond every number that can be stored', async () => {
    const most = '999999999999999999';
    const dear = await makeFarm(gateway, { price: most, weight: '0.0000000000000000000000000001' });
    const before = await tables(gateway);
    const heavy = { FilamentDiameterAtPrintMm: most, MaterialDensityAtPrint: most, GramsDerived: 0, MmExtruded: most };
    expectError(await gateway.rest('POST', '/api/printjobs', jobRequest(farm, heavy)), 400);
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
