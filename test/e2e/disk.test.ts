// The disk of the embedded database is full or broken: failures in time, one line in the log, and no restart afterwards.
import fs from 'node:fs';
import { join } from 'node:path';
import { type Answer, ask, expectPlainRefusal, isRefused } from '../support/asking';
import { type FreshDatabase, freshDatabase } from '../support/databases';
import { logUntilNow } from '../support/log';
import { type RunningGateway, runGateway } from '../support/running-gateway';

let fresh: FreshDatabase;
let control: string;
let gateway: RunningGateway;

const start = () =>
  runGateway({
    DATABASE_URL: fresh.url,
    LOG_LEVEL: 'info',
    NODE_OPTIONS: `--require=${join(__dirname, '..', 'support', 'failing-disk.cjs')}`,
    FAILING_DISK: control,
  });

beforeEach(async () => {
  fresh = await freshDatabase('embedded');
  control = `${fresh.url.slice('file:'.length)}-disk`;
  gateway = await start();
});
afterEach(async () => {
  await gateway.stop('SIGKILL');
  await fresh.drop();
  fs.rmSync(control, { force: true });
});

const STATES = ['full', 'stuffed', 'broken'] as const;
const disk = (state: (typeof STATES)[number] | 'well') => fs.writeFileSync(control, state);

/** Large enough that the table needs a new page every 35 rows. */
const register = (id: string, headers?: Record<string, string>) =>
  ask(gateway, '/cameras', { camera_id: id, friendly_name: 'x'.repeat(200) }, 'POST', headers);
const registerOnce = (id: string) => register(id, { 'idempotency-key': id });
const record = () =>
  ask(gateway, '/graphql', {
    query: 'mutation { recordCameraStatuses(input: [{ cameraId: "before", online: true }]) { id } }',
  });
const list = () => ask(gateway, '/cameras');
const query = () => ask(gateway, '/graphql', { query: '{ cameras { nodes { id } } }' });

async function cameraIds(): Promise<string[]> {
  const answer = await list();
  expect(answer).toMatchObject({ status: 200 });
  return answer.body.map((camera: { camera_id: string }) => camera.camera_id).sort();
}

/** Answers the ids that were acknowledged until a write was refused. */
async function writeUntilRefused(): Promise<string[]> {
  const acknowledged: string[] = [];
  for (let n = 0; n < 500; n++) {
    const id = `meanwhile-${n}`;
    const answer = await (n % 2 ? register(id) : registerOnce(id));
    if (isRefused(answer)) {
      expectPlainRefusal(answer);
      return acknowledged;
    }
    acknowledged.push(id);
  }
  throw new Error('500 rows were stored on a disk that takes none.');
}

async function untilItAnswers(write: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await write();
    if (!isRefused(answer)) return answer;
    expectPlainRefusal(answer);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** What the log has said above its usual, and of the database. */
const BESIDE = 'statements fail while others are answered';

/** Without what may come before it, once: the first write fails while a read beside it is still answered. */
async function said(): Promise<string[]> {
  const lines = (await logUntilNow(gateway))
    .filter(({ level, msg }) => level >= 40 || msg.includes('database'))
    .map(({ msg }): string => msg);
  expect(lines.filter((msg) => msg === BESIDE).length).toBeLessThanOrEqual(1);
  expect(lines.indexOf(BESIDE)).toBeLessThanOrEqual(0);
  return lines.filter((msg) => msg !== BESIDE);
}

test.each(STATES)('a disk that is %s, and well again; a gateway on it ends with 0 in time', async (state) => {
  expect(await register('before')).toMatchObject({ status: 201 });
  disk(state);
  const acknowledged = await writeUntilRefused();

  // Long enough for three attempts to open it.
  for (let round = 0; round < 30; round++) {
    const ids = [1, 2, 3, 4, 5].map((n) => `refused-${round}-${n}`);
    const answers = await Promise.all(
      ids.flatMap((id) => [register(id), registerOnce(`${id}-once`), record(), list(), query()]),
    );
    for (const answer of answers) expectPlainRefusal(answer);
    expect(await ask(gateway, '/healthz')).toMatchObject({ status: 200 });
    expect(await ask(gateway, '/readyz')).toMatchObject({ status: 503 });
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(await said()).toEqual(['the database does not answer']);

  disk('well');
  await untilItAnswers(() => registerOnce('after'));
  expect(await registerOnce('after')).toMatchObject({ status: 201 });
  expect(await ask(gateway, '/readyz')).toMatchObject({ status: 200 });
  expect(await record()).toMatchObject({ status: 200, body: { data: expect.anything() } });
  expect(await query()).toMatchObject({ status: 200, body: { data: expect.anything() } });
  const kept = await cameraIds();
  expect(kept).toEqual(expect.arrayContaining(['before', ...acknowledged, 'after']));
  // The statement that found the disk out may have arrived whole, those that were refused after it have not.
  expect(kept.filter((id) => id.startsWith('refused'))).toEqual([]);
  expect(kept.length).toBeLessThanOrEqual(acknowledged.length + 3);
  expect(await said()).toEqual(['the database does not answer', 'the database answers again']);

  expect(await gateway.stop()).toBe(0);
  gateway = await start();
  expect(await cameraIds()).toEqual(kept);

  disk(state);
  await writeUntilRefused();
  expect({ code: await gateway.stop(), output: gateway.output }).toMatchObject({ code: 0 });
});
