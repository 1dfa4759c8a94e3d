// Writes whose request is over: they send no statement.
import { StatusLogStore } from '../../src/cameras/status-log.store';
import type { Queryable } from '../../src/database/queryable';
import { DeadlineExceeded } from '../../src/errors';
import { PrintJobStore } from '../../src/print-jobs/print-job.store';

const refuse = () => {
  throw new Error('A statement was sent');
};
const database = { attempt: refuse, json: refuse, rows: refuse } as unknown as Queryable;
const over = { now: '2026-11-24T00:00:00.000Z', end: 0, newId: refuse };

test('a print job', async () => {
  const create = new PrintJobStore(database).create({} as never, over.end);
  await expect(create).rejects.toThrow(DeadlineExceeded);
});

test('a status record', async () => {
  const record = new StatusLogStore(database).record([{ cameraId: 'cam', online: true }], over);
  await expect(record).rejects.toThrow(DeadlineExceeded);
});
