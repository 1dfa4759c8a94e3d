// What no REST operation may accept in its path or query: the stated status, one error member, nothing written.
import { describeOnDatabases } from '../../support/databases';
import { type Farm, jobUpdate, makeFarm, makeJob, tables } from '../../support/farm';
import { expectError, expectStatus, test, useGateway } from '../../support/gateway';
import { NO_GUIDS } from './values';

const BROKEN_ENCODINGS = ['%zz', '%', '%f', '%ff', '%C0%80', '%ED%A0%80', 'a%zzb'];
const LONG = 'x'.repeat(10_000);

describeOnDatabases('bad paths and queries through REST', (kind) => {
  const gateway = useGateway(kind);
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

  const ids: [title: string, segment: string][] = [
    ...NO_GUIDS.filter(([title]) => title !== 'an empty text').map(([title, json]): [string, string] => [
      title,
      encodeURIComponent(JSON.parse(json)),
    ]),
    ...BROKEN_ENCODINGS.map((broken): [string, string] => [`broken percent-encoding ${broken}`, broken]),
    ['NUL', '%00'],
    ['a GUID and NUL', '3f2504e0-4f89-41d3-9a0c-0305e82c3301%00'],
    ['a number', '17'],
    ['an SQL fragment', encodeURIComponent("' OR 1=1 --")],
    ['ten thousand characters', LONG],
  ];
  for (const [title, segment] of ids) {
    test(`400: the id of a job is ${title}`, async () => {
      const before = await tables(gateway);
      for (const [method, path, body] of onJob(segment)) expectError(await gateway.rest(method, path, body), 400);
      expect(await tables(gateway)).toEqual(before);
    });
  }

  for (const broken of BROKEN_ENCODINGS) {
    test(`400: the id of a camera is broken percent-encoding ${broken}`, async () => {
      expectError(await gateway.rest('GET', `/cameras/${broken}`), 400);
    });

    test(`400: broken percent-encoding in the query ${broken}`, async () => {
      for (const query of [
        `Status=${broken}`,
        `PrinterId=${broken}`,
        `PageSize=${broken}`,
        `other=${broken}`,
        `${broken}=1`,
      ]) {
        expectError(await gateway.rest('GET', `/api/printjobs?${query}`), 400);
      }
    });
  }

  test('400: the id of a camera holds NUL', async () => {
    expectError(await gateway.rest('GET', '/cameras/a%00b'), 400);
  });

  test('404: no camera has an id this long', async () => {
    expectError(await gateway.rest('GET', `/cameras/${'x'.repeat(256)}`), 404);
    expectError(await gateway.rest('GET', `/cameras/${LONG}`), 404);
  });

  for (const name of ['PageNumber', 'PageSize', 'PrinterId', 'SpoolId', 'Status']) {
    test(`400: ${name} is given twice`, async () => {
      const value = name.startsWith('Page') ? '1' : name === 'Status' ? 'Queued' : farm.printerId;
      for (const again of [name, name.toLowerCase()]) {
        const query = `${name}=${value}&${again}=${value}`;
        expectError(await gateway.rest('GET', `/api/printjobs?${query}`), 400, name);
      }
    });
  }

  for (const name of ['PrinterId', 'SpoolId']) {
    for (const [title, json] of NO_GUIDS) {
      if (title === 'an empty text') continue;
      test(`400: ${name} in the query is ${title}`, async () => {
        const query = `${name}=${encodeURIComponent(JSON.parse(json))}`;
        expectError(await gateway.rest('GET', `/api/printjobs?${query}`), 400, name);
      });
    }
  }

  test('200: parameters that the operation does not have', async () => {
    expectStatus(await gateway.rest('GET', '/api/printjobs?colour=red&colour=blue&__proto__=1&constructor=2'), 200);
    expectStatus(await gateway.rest('GET', '/cameras?colour=red&colour=blue'), 200);
  });

  test('nothing of a Status that no job has reaches the database', async () => {
    for (const value of ["' OR 1=1 --", 'x'.repeat(5000), '😀']) {
      const path = `/api/printjobs?PrinterId=${farm.printerId}&Status=${encodeURIComponent(value)}`;
      expect(expectStatus(await gateway.rest('GET', path), 200).body.TotalCount).toBe(1);
    }
  });
});
