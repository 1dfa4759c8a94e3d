// §4 of the print job document: PATCH /api/printjobs/{id}/status and DELETE /api/printjobs/{id}, and its §7.
import { randomUUID } from 'node:crypto';
import { describeOnDatabases } from '../../support/databases';
import {
  expectNow,
  type Farm,
  jobRequest,
  jobUpdate,
  makeFarm,
  makeJob,
  readJob,
  STATUSES,
  type Status,
  tables,
} from '../../support/farm';
import { expectError, expectStatus, type RestResponse, test, useGateway } from '../../support/gateway';

const PATCH = '§4 PATCH /api/printjobs/{id}/status';
const DELETE = '§4 DELETE /api/printjobs/{id}';
const LONG_AGO = '2020-01-01T00:00:00.000Z';

describeOnDatabases('print job document, status change, delete and errors', (kind) => {
  const gateway = useGateway(kind);
  let farm: Farm;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
  });

  const patch = (id: string, body: unknown): Promise<RestResponse> =>
    gateway.rest('PATCH', `/api/printjobs/${id}/status`, body);
  const remove = (id: string): Promise<RestResponse> => gateway.rest('DELETE', `/api/printjobs/${id}`);
  const make = (status: Status = 'Queued', members: Record<string, unknown> = {}) =>
    makeJob(gateway, farm, members, status);
  const set = (id: string, assignments: string) =>
    gateway.sql(`UPDATE print_jobs SET ${assignments} WHERE id = '${id}'`);

  test(`${PATCH}: "Body: status update request." "Response 200: the updated print job."`, async () => {
    const made = await make();
    const answer = expectStatus(await patch(made.Id, { Status: 'Printing' }), 200);
    const { StartedAt, UpdatedAt } = answer.body;
    expect(answer.body).toEqual({ ...made, Status: 'Printing', StartedAt, UpdatedAt });
    expect(await readJob(gateway, made.Id)).toEqual(answer.body);
  });

  test(`${PATCH}: "Rules, in the order checked:"`, async () => {
    // 404 before the name of the status, the name before the transition.
    for (const body of [{ Status: 'Paused' }, { Status: 1 }, {}]) expectError(await patch(randomUUID(), body), 404);
    const { Id } = await make('Completed');
    const unknown = expectError(await patch(Id, { Status: 'Paused' }), 400, 'Status');
    expect(unknown).not.toMatch(/Completed job/);
    expectError(await patch(Id, { Status: 'Queued' }), 400, 'Completed');
  });

  test(`${PATCH} rule 1: "404 when the job does not exist."`, async () => {
    for (const Status of ['Printing', 'Cancelled']) expectError(await patch(randomUUID(), { Status }), 404);
  });

  test(`${PATCH} rule 2: "400 when Status is not one of Queued, Printing, Completed, Cancelled, Failed (case-insensitive)."`, async () => {
    const { Id } = await make();
    const before = await tables(gateway);
    for (const Status of ['Paused', '', ' Printing', 'Print', 'IN_PROGRESS', 1, null, true, [], {}]) {
      expectError(await patch(Id, { Status }), 400, 'Status');
    }
    expect(await tables(gateway)).toEqual(before);
    for (const Status of ['pRINTING', 'completed', 'FAILED', 'CANCELLED'])
      expectStatus(await patch(Id, { Status }), 200);
  });

  test(`${PATCH} rule 3: "400 when the transition is rejected (see States and transitions)."`, async () => {
    const made = await make('Failed');
    expectError(await patch(made.Id, { Status: 'Printing' }), 400);
    expect(await readJob(gateway, made.Id)).toEqual(made);
  });

  test(`${PATCH} rule 4: "On success the status is set."`, async () => {
    const { Id } = await make();
    for (const Status of ['Printing', 'Completed', 'Failed', 'Cancelled']) {
      expectStatus(await patch(Id, { Status }), 200);
      expect((await readJob(gateway, Id)).Status).toBe(Status);
    }
  });

  test(`${PATCH} rule 4: "StartedAt is set to now when the new status is Printing and StartedAt is empty."`, async () => {
    const since = Date.now();
    expectNow((await patch((await make()).Id, { Status: 'Printing' })).body.StartedAt, since);
    const given = await make('Queued', { StartedAt: LONG_AGO });
    expect((await patch(given.Id, { Status: 'Printing' })).body.StartedAt).toBe(LONG_AGO);
    // Also if the job already prints and another program cleared the time.
    const emptied = await make('Printing');
    await set(emptied.Id, 'started_at = NULL');
    expectNow((await patch(emptied.Id, { Status: 'Printing' })).body.StartedAt, since);
  });

  test(`${PATCH} rule 4: "CompletedAt is set to now when the new status is Completed, Failed or Cancelled."`, async () => {
    for (const Status of ['Completed', 'Failed', 'Cancelled']) {
      const { Id } = await make('Printing');
      const since = Date.now();
      expectNow((await patch(Id, { Status })).body.CompletedAt, since);
      // An existing time is replaced: the same request sets it again.
      await set(Id, `completed_at = '${LONG_AGO}'`);
      expectNow((await patch(Id, { Status })).body.CompletedAt, since);
    }
  });

  test(`${DELETE}: "No body." "Response 204 with no content on success."`, async () => {
    // A body that is sent anyway is ignored.
    for (const body of [undefined, '{', { Status: 'Failed' }]) {
      const { Id } = await make();
      const answer = expectStatus(await gateway.rest('DELETE', `/api/printjobs/${Id}`, body), 204);
      expect([answer.text, (await readJob(gateway, Id)).Status]).toEqual(['', 'Cancelled']);
    }
  });

  test(`${DELETE} rule 1: "404 when the job does not exist."`, async () => {
    const before = await tables(gateway);
    expectError(await remove(randomUUID()), 404);
    expect(await tables(gateway)).toEqual(before);
  });

  test(`${DELETE} rule 2: "When the job is Cancelled, 204 and no change."`, async () => {
    const { Id } = await make('Cancelled');
    await set(Id, `completed_at = '${LONG_AGO}', updated_at = '${LONG_AGO}'`);
    const before = await tables(gateway);
    expectStatus(await remove(Id), 204);
    expect(await tables(gateway)).toEqual(before);
  });

  test(`${DELETE} rule 3: "When the job is Completed, 400; the message directs the caller to the status operation."`, async () => {
    const { Id } = await make('Completed');
    const before = await tables(gateway);
    expectError(await remove(Id), 400, /status operation|\/status/i);
    expect(await tables(gateway)).toEqual(before);
  });

  test(`${DELETE} rule 4: "Otherwise the status becomes Cancelled, CompletedAt is set to now, and the response is 204." "The record is kept."`, async () => {
    const made = await make();
    const since = Date.now();
    expectStatus(await remove(made.Id), 204);
    const after = await readJob(gateway, made.Id);
    const { CompletedAt, UpdatedAt } = after;
    expect(after).toEqual({ ...made, Status: 'Cancelled', CompletedAt, UpdatedAt });
    expectNow(CompletedAt, since);
  });

  // ---- §7 ----

  test('§7: "Error responses carry a JSON body with one member, error, holding a message string."', async () => {
    const { Id } = await make('Completed');
    const failures = [
      await gateway.rest('GET', `/api/printjobs/${randomUUID()}`),
      await gateway.rest('POST', '/api/printjobs', '{'),
      await gateway.rest('POST', '/api/printjobs', jobRequest(farm, { DataSource: 'Fax' })),
      await gateway.rest('PUT', `/api/printjobs/${Id}`, jobUpdate(farm, { PrinterId: randomUUID() })),
      await patch(Id, { Status: 'Queued' }),
      await remove(Id),
      await gateway.rest('GET', '/api/printjobs/no-guid'),
    ];
    expect(failures.map((failure) => failure.status)).toEqual([404, 400, 400, 400, 400, 400, 400]);
    for (const failure of failures) expectError(failure, failure.status);
  });

  test('§7: "The message for a rejected transition names the current and requested status and states what is allowed."', async () => {
    const rejected: [from: Status, to: Status, allowed: Status[]][] = [
      ['Queued', 'Completed', ['Queued', 'Printing', 'Cancelled', 'Failed']],
      ['Printing', 'Queued', ['Printing', 'Completed', 'Cancelled', 'Failed']],
      ['Completed', 'Printing', ['Completed', 'Cancelled', 'Failed']],
      ['Cancelled', 'Completed', ['Cancelled', 'Failed']],
      ['Failed', 'Queued', ['Cancelled', 'Failed']],
    ];
    for (const [from, to, allowed] of rejected) {
      const message = expectError(await patch((await make(from)).Id, { Status: to }), 400);
      expect(STATUSES.filter((status) => message.includes(status)).sort()).toEqual(
        [...new Set([from, to, ...allowed])].sort(),
      );
    }
  });

  test('§7: "400 | Unknown PrinterId or SpoolId on create or update."', async () => {
    const { Id } = await make();
    for (const member of ['PrinterId', 'SpoolId']) {
      const unknown = { [member]: randomUUID() };
      expectError(await gateway.rest('POST', '/api/printjobs', jobRequest(farm, unknown)), 400, member);
      expectError(await gateway.rest('PUT', `/api/printjobs/${Id}`, jobUpdate(farm, unknown)), 400, member);
    }
  });

  test('§7: "400 | Invalid DataSource on create."', async () => {
    const body = jobRequest(farm, { DataSource: 'Guesswork' });
    expectError(await gateway.rest('POST', '/api/printjobs', body), 400, 'DataSource');
  });

  test('§7: "400 | Invalid Status name or rejected transition on PATCH."', async () => {
    const { Id } = await make();
    expectError(await patch(Id, { Status: 'Done' }), 400, 'Status');
    expectError(await patch(Id, { Status: 'Completed' }), 400);
  });

  test('§7: "400 | DELETE of a Completed job."', async () => {
    const { Id } = await make('Completed');
    expectError(await remove(Id), 400);
  });

  test('§7: "404 | Job id not found on read, update, status change or delete."', async () => {
    const path = `/api/printjobs/${randomUUID()}`;
    expectError(await gateway.rest('GET', path), 404);
    expectError(await gateway.rest('PUT', path, jobUpdate(farm)), 404);
    expectError(await gateway.rest('PATCH', `${path}/status`, { Status: 'Printing' }), 404);
    expectError(await gateway.rest('DELETE', path), 404);
  });

  test('§7: "201, 200, 204 | Success codes of create, read/update/status change, delete."', async () => {
    const made = expectStatus(await gateway.rest('POST', '/api/printjobs', jobRequest(farm)), 201);
    const { Id } = made.body;
    expectStatus(await gateway.rest('GET', `/api/printjobs/${Id}`), 200);
    expectStatus(await gateway.rest('PUT', `/api/printjobs/${Id}`, jobUpdate(farm)), 200);
    expectStatus(await patch(Id, { Status: 'Printing' }), 200);
    expectStatus(await remove(Id), 204);
  });
});
