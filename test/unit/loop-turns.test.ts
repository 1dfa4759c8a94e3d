// Work that holds the event loop: one item in each of its turns.
import fastify from 'fastify';
import { readBodies } from '../../src/http/bodies';
import { turns } from '../../src/sharing/turns';

let loop = 0;
let next: NodeJS.Immediate;
beforeAll(() => {
  const count = () => {
    loop += 1;
    next = setImmediate(count);
  };
  count();
});
afterAll(() => clearImmediate(next));

test('of items that come at once, each has a turn of the event loop for itself', async () => {
  const turn = turns();
  const at = await Promise.all(Array.from({ length: 5 }, () => turn().then(() => loop)));
  expect(new Set(at).size).toBe(5);
});

test('of large bodies that come at once too; a fault in one is its own', async () => {
  const app = fastify();
  const at: number[] = [];
  readBodies(app, (bytes) => {
    at.push(loop);
    if (String(bytes).startsWith('3')) throw new Error('a fault');
    return {};
  });
  app.post('/', async () => 'done');
  const post = (n: number) => app.inject({ method: 'POST', url: '/', payload: `${n}${'x'.repeat(100_000)}` });
  const answers = await Promise.all([1, 2, 3, 4, 5].map(post));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 500, 200, 200]);
  expect(new Set(at).size).toBe(5);
  await app.close();
});
