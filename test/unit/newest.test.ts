// The newest value of each object as a feed: what comes at once, what is left out, and what is read.
import { NewestOf } from '../../src/sharing/newest';

let values: Record<string, string>;
let now: number;
const newest = () => new NewestOf(async () => ({ ...values }));

beforeEach(() => {
  [values, now] = [{ a: '1', b: '1' }, 1000];
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

const shown = (events: readonly { id: string; position: readonly unknown[] }[]) =>
  events.map(({ id, position }) => `${id} ${position[0]}`);

test('has one event of each object, at the position of its last change', async () => {
  const source = newest();
  expect(await source.latest()).toEqual([2, 0]);
  expect(shown(await source.after([0, 0], 9))).toEqual(['a 1', 'b 2']);
  values = { a: '2', b: '1', c: '1' };
  now += 1000;
  expect(shown(await source.after([2, 0], 9))).toEqual(['a 3', 'c 4']);
  values = { a: '3', b: '1', c: '1' };
  now += 1000;
  expect(shown(await source.after([0, 0], 9))).toEqual(['b 2', 'c 4', 'a 5']);
  expect(shown(await source.after([0, 0], 2))).toEqual(['b 2', 'c 4']);
  expect(await source.latest()).toEqual([5, 0]);
});

test('tells of an object whose value is gone, once, and of one that comes back', async () => {
  const source = newest();
  await source.latest();
  values = { b: '1' };
  await source.latest();
  expect(shown(await source.after([2, 0], 9))).toEqual(['a 3']);
  await source.latest();
  expect(await source.latest()).toEqual([3, 0]);
  values = { a: '1', b: '1' };
  expect(await source.latest()).toEqual([4, 0]);
});
