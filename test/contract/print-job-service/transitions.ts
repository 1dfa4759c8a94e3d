// §3 of the print job document: PATCH and DELETE from each of the five statuses, all 25 pairs and 5 deletions, and the
// same through GraphQL.
import { describeOnDatabases } from '../../support/databases';
import { expectNow, type Farm, makeFarm, makeJob, readJob, STATUSES, type Status } from '../../support/farm';
import {
  expectCode,
  expectData,
  expectError,
  expectStatus,
  type Parsed,
  test,
  useGateway,
} from '../../support/gateway';

const ANY_CANCELLED = 'any status | PATCH status Cancelled | none | Cancelled | CompletedAt set to now';
const ANY_FAILED = 'any status | PATCH status Failed | none | Failed | CompletedAt set to now';
const SAME_ENDED =
  'A same-status request for Completed, Failed or Cancelled is accepted as well, and sets CompletedAt to now.';

/** What the pair changes beside Status: `ends` sets CompletedAt, `starts` sets an empty StartedAt. */
type Effect = 'starts' | 'ends' | 'nothing' | 'rejected';

const SAME = (status: string) => `${status} | PATCH status ${status} | same status | ${status} | no change of state`;
const STARTS = 'Queued | PATCH status Printing | none | Printing | StartedAt set to now when it was empty';
const COMPLETES = 'Printing | PATCH status Completed | none | Completed | CompletedAt set to now';
const REJECTED = {
  Completed: 'From Completed to Queued or Printing.',
  Cancelled: 'From Cancelled to Queued, Printing or Completed.',
  Failed: 'From Failed to Queued, Printing or Completed.',
};

const PAIRS: [from: Status, to: Status, effect: Effect, ...clauses: string[]][] = [
  ['Queued', 'Queued', 'nothing', SAME('Queued')],
  ['Queued', 'Printing', 'starts', STARTS],
  ['Queued', 'Completed', 'rejected', 'From Queued to Completed.'],
  ['Queued', 'Cancelled', 'ends', ANY_CANCELLED],
  ['Queued', 'Failed', 'ends', ANY_FAILED],
  ['Printing', 'Queued', 'rejected', 'From Printing to Queued.'],
  ['Printing', 'Printing', 'nothing', SAME('Printing')],
  ['Printing', 'Completed', 'ends', COMPLETES],
  ['Printing', 'Cancelled', 'ends', ANY_CANCELLED],
  ['Printing', 'Failed', 'ends', ANY_FAILED],
  ['Completed', 'Queued', 'rejected', REJECTED.Completed],
  ['Completed', 'Printing', 'rejected', REJECTED.Completed],
  ['Completed', 'Completed', 'ends', SAME_ENDED],
  ['Completed', 'Cancelled', 'ends', ANY_CANCELLED],
  ['Completed', 'Failed', 'ends', ANY_FAILED],
  ['Cancelled', 'Queued', 'rejected', REJECTED.Cancelled],
  ['Cancelled', 'Printing', 'rejected', REJECTED.Cancelled],
  ['Cancelled', 'Completed', 'rejected', REJECTED.Cancelled],
  ['Cancelled', 'Cancelled', 'ends', SAME_ENDED, ANY_CANCELLED],
  ['Cancelled', 'Failed', 'ends', ANY_FAILED],
  ['Failed', 'Queued', 'rejected', REJECTED.Failed],
  ['Failed', 'Printing', 'rejected', REJECTED.Failed],
  ['Failed', 'Completed', 'rejected', REJECTED.Failed],
  ['Failed', 'Cancelled', 'ends', ANY_CANCELLED],
  ['Failed', 'Failed', 'ends', SAME_ENDED, ANY_FAILED],
];

const DELETIONS: [from: Status, outcome: 'cancels' | 'changes nothing' | 'rejected', clause: string][] = [
  ['Queued', 'cancels', 'Queued | DELETE | none | Cancelled | CompletedAt set to now'],
  ['Printing', 'cancels', 'Printing | DELETE | none | Cancelled | CompletedAt set to now'],
  ['Failed', 'cancels', 'Failed | DELETE | none | Cancelled | CompletedAt set to now'],
  ['Cancelled', 'changes nothing', 'Cancelled | DELETE | none | Cancelled | no change; returns 204'],
  ['Completed', 'rejected', 'DELETE on a Completed job.'],
];

const LONG_AGO = '2020-01-01T00:00:00.000Z';
const quoted = (clauses: string[]) => clauses.map((clause) => `"${clause}"`).join(' ');

describeOnDatabases('print job document, states and transitions', (kind) => {
  const gateway = useGateway(kind);
  let farm: Farm;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
  });

  /** A job in the status whose times lie long ago, so that every "set to now" shows. */
  async function agedJob(status: Status): Promise<Parsed> {
    const { Id } = await makeJob(gateway, farm, {}, status);
    await gateway.sql(`UPDATE print_jobs SET created_at = '${LONG_AGO}', updated_at = '${LONG_AGO}',
      started_at = CASE WHEN started_at IS NOT NULL THEN '${LONG_AGO}'::timestamptz END,
      completed_at = CASE WHEN completed_at IS NOT NULL THEN '${LONG_AGO}'::timestamptz END WHERE id = '${Id}'`);
    return readJob(gateway, Id);
  }

  /** Without what differs between two jobs: of times only whether they are those of long ago. */
  const timeless = ({ Id: _, ...job }: Parsed) =>
    Object.fromEntries(
      Object.entries(job).map(([name, value]) => [
        name,
        name.endsWith('At') && value !== null ? value === LONG_AGO : value,
      ]),
    );

  test('§3: "Job statuses: Queued, Printing, Completed, Cancelled, Failed."', async () => {
    expect(STATUSES).toEqual(['Queued', 'Printing', 'Completed', 'Cancelled', 'Failed']);
    for (const status of STATUSES) {
      const { Id } = await makeJob(gateway, farm, {}, status);
      expect((await readJob(gateway, Id)).Status).toBe(status);
    }
    expect(PAIRS.map(([from, to]) => `${from} ${to}`).sort()).toEqual(
      STATUSES.flatMap((from) => STATUSES.map((to) => `${from} ${to}`)).sort(),
    );
  });

  test('§3: "A new job always starts as Queued."', async () => {
    for (const members of [{}, { Status: 'Completed' }, { StartedAt: LONG_AGO }, { AutoDeriveGrams: true }]) {
      const made = await makeJob(gateway, farm, members);
      expect([made.Status, made.CompletedAt]).toEqual(['Queued', null]);
    }
  });

  for (const [from, to, effect, ...clauses] of PAIRS) {
    test(`§3: ${quoted(clauses)} PATCH from ${from} to ${to}`, async () => {
      const before = await agedJob(from);
      const since = Date.now();
      const answer = await gateway.rest('PATCH', `/api/printjobs/${before.Id}/status`, { Status: to });
      const after = await readJob(gateway, before.Id);
      const twin = await agedJob(from);
      const change = `changePrintJobStatus(id: "${twin.Id}", status: ${to.toUpperCase()}) { id }`;
      const { data } = await gateway.graphql(`{ printJob(id: "${twin.Id}") { allowedTransitions } }`);
      const viaGraph = await gateway.graphql(`mutation { ${change} }`);
      expect(data.printJob.allowedTransitions.includes(to.toUpperCase())).toBe(effect !== 'rejected');
      if (effect === 'rejected') {
        expect(expectCode(viaGraph, 'BAD_USER_INPUT')).toBe(expectError(answer, 400));
        expect(after).toEqual(before);
        expect(await readJob(gateway, twin.Id)).toEqual(twin);
        return;
      }
      expectData(viaGraph);
      expect(timeless(await readJob(gateway, twin.Id))).toEqual(timeless(after));
      expect(expectStatus(answer, 200).body).toEqual(after);
      expect(after).toEqual({
        ...before,
        Status: to,
        StartedAt: effect === 'starts' ? after.StartedAt : before.StartedAt,
        CompletedAt: effect === 'ends' ? after.CompletedAt : before.CompletedAt,
        UpdatedAt: after.UpdatedAt,
      });
      if (effect === 'starts') expectNow(after.StartedAt, since);
      if (effect === 'ends') expectNow(after.CompletedAt, since);
      if (from !== to) expectNow(after.UpdatedAt, since);
    });
  }

  test(`§3: "${STARTS}" and kept when it was not`, async () => {
    const { Id } = await makeJob(gateway, farm, { StartedAt: LONG_AGO });
    const answer = await gateway.rest('PATCH', `/api/printjobs/${Id}/status`, { Status: 'Printing' });
    expect(expectStatus(answer, 200).body.StartedAt).toBe(LONG_AGO);
  });

  for (const [from, outcome, clause] of DELETIONS) {
    test(`§3: "${clause}" DELETE from ${from}`, async () => {
      const before = await agedJob(from);
      const since = Date.now();
      const answer = await gateway.rest('DELETE', `/api/printjobs/${before.Id}`);
      const after = await readJob(gateway, before.Id);
      const twin = await agedJob(from);
      const viaGraph = await gateway.graphql(`mutation { cancelPrintJob(id: "${twin.Id}") { id } }`);
      if (outcome === 'rejected') expectCode(viaGraph, 'BAD_USER_INPUT');
      else expectData(viaGraph);
      expect(timeless(await readJob(gateway, twin.Id))).toEqual(timeless(after));
      if (outcome === 'rejected') expectError(answer, 400);
      else expectStatus(answer, 204);
      if (outcome === 'cancels') {
        expectNow(after.CompletedAt, since);
        expectNow(after.UpdatedAt, since);
        const { CompletedAt, UpdatedAt } = after;
        expect(after).toEqual({ ...before, Status: 'Cancelled', CompletedAt, UpdatedAt });
      } else {
        expect(after).toEqual(before);
      }
    });
  }
});
