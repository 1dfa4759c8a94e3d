// Replicas on one database: an idempotency key is the same for all of them, whatever their clocks show.
import { type App, createApp } from '../../src/app';
import { holdClock } from '../support/clock';
import { type FreshDatabase, freshDatabase } from '../support/databases';
import { PATIENT } from '../support/gateway';

let fresh: FreshDatabase;
const replicas: App[] = [];
const started = async () => {
  const replica = await createApp({ ...PATIENT, database: fresh.target });
  replicas.push(replica);
  return replica;
};
const register = async (replica: App, id: string) => {
  const payload = { camera_id: id, friendly_name: 'Door' };
  const headers = { 'idempotency-key': id.replace(' ', '-') };
  const answer = await replica.inject({ method: 'POST', url: '/cameras', payload, headers });
  return [answer.statusCode, answer.payload];
};
beforeAll(async () => {
  fresh = await freshDatabase('server');
});
afterAll(async () => {
  jest.useRealTimers();
  for (const replica of replicas) await replica.close();
  await fresh.drop();
});

test('write once, also if the clock of one is a day ahead', async () => {
  const [one, two] = [await started(), await started()];
  for (let round = 0; round < 10; round += 1) {
    const answers = await Promise.all([one, two, one, two].map((replica) => register(replica, `cam ${round}`)));
    for (const answer of answers) expect(answer).toEqual([201, expect.stringContaining(`cam ${round}`)]);
  }
  const first = await register(one, 'cam');
  holdClock(Date.now() + 25 * 3_600_000);
  for (const replica of [await started(), one]) expect(await register(replica, 'cam')).toEqual(first);
});
