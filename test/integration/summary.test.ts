// What the farm has at all, and who asks: each caller is told about itself alone.
import { createHash } from 'node:crypto';
import { anyDatabase, describeOnDatabases } from '../support/databases';
import { ago, makeCamera, makeFarm, makeJob, recordStatuses, STATUSES } from '../support/farm';
import { expectData, expectStatus, test, useGateway } from '../support/gateway';

describeOnDatabases('the summary of the farm', (kind) => {
  const gateway = useGateway(kind);
  const FARM = `{ farm { cameras camerasLive printers printersBusy spools materials jobs jobsByStatus { status jobs } } }`;
  const summary = async () => expectData(await gateway.graphql(FARM)).farm;
  const byStatus = (counts: number[]) =>
    STATUSES.map((status, n) => ({ status: status.toUpperCase(), jobs: counts[n] ?? 0 }));

  test('counts what there is of each kind, all statuses named', async () => {
    expect(await summary()).toEqual({
      ...{ cameras: 0, camerasLive: 0, printers: 0, printersBusy: 0, spools: 0, materials: 0, jobs: 0 },
      jobsByStatus: byStatus([]),
    });
    const [one, other] = [await makeFarm(gateway), await makeFarm(gateway)];
    for (const status of [...STATUSES, 'Printing', 'Queued'] as const) await makeJob(gateway, one, {}, status);
    await makeJob(gateway, other, {}, 'Completed');
    const records = [
      [],
      [{ recordedAt: ago(10) }],
      [{ recordedAt: ago(10), online: false }],
      [{ recordedAt: ago(400) }],
    ];
    for (const statuses of records) {
      const id = await makeCamera(gateway);
      if (statuses.length > 0) await recordStatuses(gateway, id, statuses);
    }
    expect(await summary()).toEqual({
      ...{ cameras: 4, camerasLive: 1, printers: 2, printersBusy: 1, spools: 2, materials: 2, jobs: 8 },
      jobsByStatus: byStatus([2, 2, 2, 1, 1]),
    });
  });

  test('the viewer has no name and every right where nobody needs credentials', async () => {
    const { viewer } = expectData(await gateway.graphql('{ viewer { name mayRead mayWrite cameraId } }'));
    expect(viewer).toEqual({ name: null, mayRead: true, mayWrite: true, cameraId: null });
  });
});

describe('the viewer', () => {
  const secretOf = (name: string) => `key-of-${encodeURIComponent(name)}`;
  const key = (name: string, scopes: ('read' | 'write')[], cameraId: string | null = null) => ({
    ...{ name, scopes, cameraId, hash: createHash('sha256').update(secretOf(name)).digest('hex') },
  });
  const CALLERS = [
    key('one', ['read']),
    key('two', ['read']),
    key('all', ['read', 'write']),
    key('cam: x', ['write'], 'c'),
  ];
  const gateway = useGateway(anyDatabase, { auth: { apiKeys: CALLERS, tokens: null } });
  const QUERIES = [
    '{ viewer { name mayRead mayWrite cameraId } }',
    '{ ...V } fragment V on Query { viewer { ... on Viewer { name mayRead mayWrite cameraId } } }',
    '{ me: viewer { name mayRead mayWrite cameraId } }',
  ];

  test('is each caller itself, also when they ask the same at the same moment', async () => {
    for (const query of QUERIES) {
      const asked = Array.from({ length: 24 }, async (_, n) => {
        const { name, scopes, cameraId } = CALLERS[n % CALLERS.length] as (typeof CALLERS)[number];
        const headers = { authorization: `Bearer ${secretOf(name)}` };
        const { data } = expectStatus(await gateway.rest('POST', '/graphql', { query }, headers), 200).body;
        const mayRead = scopes.includes('read');
        expect(data.viewer ?? data.me).toEqual({ name, mayRead, mayWrite: scopes.includes('write'), cameraId });
      });
      await Promise.all(asked);
    }
  });
});
