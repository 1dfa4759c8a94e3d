// Inputs read by tables of readers: all values, or all faults, each with the path of its member.
import { BadInput, inWords } from '../../src/errors';
import { amount } from '../../src/values/decimal';
import { parseGuid } from '../../src/values/guid';
import { allRead, checkEach, membersOf, nullable, optional, readBoolean } from '../../src/values/members';
import { pascal } from '../../src/values/spelling';
import { nonEmptyText } from '../../src/values/text';
import { refusalOf } from '../support/refusal';

const read = membersOf({ name: nonEmptyText(3), grams: amount, spoolId: optional(parseGuid), notes: nullable(amount) });

test('an input without a fault is read member by member', () => {
  const input = { name: 'PLA', grams: 1.5, spoolId: null, notes: null, unknown: 1 };
  expect(read(input, 'input')).toEqual({ name: 'PLA', grams: '1.5', spoolId: undefined, notes: null });
});

test('all faults are reported at once, each with its path and in the words of each interface', () => {
  const refusal = refusalOf(() => read({ name: '', grams: -1, spoolId: 'x', notes: '1' }, 'input'));
  expect(refusal.issues).toEqual([
    { path: ['input', 'name'], message: 'must not be empty' },
    { path: ['input', 'grams'], message: 'must not be negative' },
    { path: ['input', 'spoolId'], message: expect.stringMatching(/^must be a GUID/) },
  ]);
  expect(refusal.message).toMatch(/^name must not be empty; grams must not be negative; spoolId must be a GUID/);
  expect(inWords(refusal.issues, pascal)).toMatch(/^Name must not be empty; Grams must .*; SpoolId must/);
});

test('a fault alone has its own words', () => {
  expect(refusalOf(() => read({ name: 'x', grams: -1 }, 'input')).message).toBe('grams must not be negative');
  expect(new BadInput('A Queued job cannot become Completed', 'status').message).toBe(
    'A Queued job cannot become Completed',
  );
});

test('the items of a list have their indices, and words that are the same are said once', () => {
  const item = membersOf({ on: readBoolean });
  const items = [{ on: true }, { on: 1 }, { on: false }, { on: 'yes' }];
  const refusal = refusalOf(() => checkEach(items, ['input'], (value, at) => item(value, at)));
  expect(refusal.issues.map(({ path }) => path)).toEqual([
    ['input', 1, 'on'],
    ['input', 3, 'on'],
  ]);
  expect(refusal.message).toBe('on must be true or false');
});

test('more than a hundred faults are told by the first hundred and the number of the others', () => {
  const refusal = refusalOf(() => checkEach(Array(50_000).fill(''), ['ids'], (id, at) => nonEmptyText(3)(id, `${at}`)));
  expect(refusal.issues).toHaveLength(101);
  expect(refusal.issues.slice(99)).toEqual([
    { path: ['ids', '99'], message: 'must not be empty' },
    { path: [], message: 'There are more faults: 49900' },
  ]);
  expect(refusal.message.endsWith('99 must not be empty; There are more faults: 49900')).toBe(true);
});

test('readings that wait report their faults together, and a failure of another kind comes first', async () => {
  const bad = (member: string) => Promise.reject(new BadInput('must exist', 'input', member));
  expect(
    await allRead(
      () => 1,
      async () => 'two',
    ),
  ).toEqual([1, 'two']);
  await expect(
    allRead(
      () => bad('a'),
      () => 1,
      () => {
        throw new BadInput('must exist', 'input', 'b');
      },
    ),
  ).rejects.toThrow('a must exist; b must exist');
  await expect(
    allRead(
      () => bad('a'),
      () => Promise.reject(new Error('away')),
    ),
  ).rejects.toThrow('away');
});
