// Paths and queries that no REST operation may accept: the stated status, one error member, and nothing is written.
import { anyDatabase } from '../../support/databases';
import { type Farm, jobUpdate, makeFarm, makeJob, tables } from '../../support/farm';
import { expectError, expectStatus, test, useGateway } from '../../support/gateway';
import { NO_GUIDS } from './values';

const BROKEN_ENCODINGS = ['%zz', '%', '%f', '%ff', '%C0%80', '%ED%A0%80', 'a%zzb'];
const LONG = 'x'.repeat(10_000);
/** An empty text is another path, and no filter. */
const GUIDS = NO_GUIDS.filter((guid) => guid !== '');

describe('bad paths and queries through REST', () => {
  const gateway = useGateway(anyDatabase);
  let farm: Farm;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
    await makeJob(gateway, farm);
  });

  const onJob = (id: string): [method: string, path: string, body?: unknown][] => [
    ['GET', `/api/printjobs/${id}`],
    ['PUT', `/api/printjobs/${id}`, jobUpdate(farm)],
    ['PATCH', `/api/printjobs/${id}/status`, { Status: 'Printing' }],
    ['DELETE', `/api/printjobs/${id}`],
  ];

  test('400: a text that is not the id of a job', async () => {
    const segments = [
      ...GUIDS.map(encodeURIComponent),
      ...BROKEN_ENCODINGS,
      '%00',
      '3f2504e0-4f89-41d3-9a0c-0305e82c3301%00',
      '17',
      LONG,
      encodeURIComponent("' OR 1=1 --"),
    ];
    const before = await tables(gateway);
    for (const segment of segments) {
      for (const [method, path, body] of onJob(segment)) expectError(await gateway.rest(method, path, body), 400);
    }
    expect(await tables(gateway)).toEqual(before);
  });

  test('400: broken percent-encoding', async () => {
    for (const broken of BROKEN_ENCODINGS) {
      expectError(await gateway.rest('GET', `/cameras/${broken}`), 400);
      for (const query of ['Status=*', 'PrinterId=*', 'PageSize=*', 'other=*', '*=1']) {
        expectError(await gateway.rest('GET', `/api/printjobs?${query.replace('*', broken)}`), 400);
      }
    }
  });

  test('400: the id of a camera contains NUL', async () => {
    expectError(await gateway.rest('GET', '/cameras/a%00b'), 400);
  });

  test('404: no camera has an id this long', async () => {
    expectError(await gateway.rest('GET', `/cameras/${'x'.repeat(256)}`), 404);
    expectError(await gateway.rest('GET', `/cameras/${LONG}`), 404);
  });

  test('400: a parameter is given twice', async () => {
    for (const name of ['PageNumber', 'PageSize', 'PrinterId', 'SpoolId', 'Status']) {
      const value = name.startsWith('Page') ? '1' : name === 'Status' ? 'Queued' : farm.printerId;
      for (const again of [name, name.toLowerCase()]) {
        const query = `${name}=${value}&${again}=${value}`;
        expectError(await gateway.rest('GET', `/api/printjobs?${query}`), 400, name);
      }
    }
  });

  test('400: the printer or the spool of the query is not a GUID', async () => {
    for (const name of ['PrinterId', 'SpoolId']) {
      for (const guid of GUIDS) {
        const query = `${name}=${encodeURIComponent(guid)}`;
        expectError(await gateway.rest('GET', `/api/printjobs?${query}`), 400, name);
      }
    }
  });

  test('200: parameters that the operation does not have are ignored', async () => {
    expectStatus(await gateway.rest('GET', '/api/printjobs?colour=red&colour=blue&__proto__=1&constructor=2'), 200);
    expectStatus(await gateway.rest('GET', '/cameras?colour=red&colour=blue'), 200);
  });

  test('a Status that no job can have never reaches the database', async () => {
    for (const value of ["' OR 1=1 --", 'x'.repeat(5000), '😀']) {
      const path = `/api/printjobs?PrinterId=${farm.printerId}&Status=${encodeURIComponent(value)}`;
      expect(expectStatus(await gateway.rest('GET', path), 200).body.TotalCount).toBe(1);
    }
  });
});
