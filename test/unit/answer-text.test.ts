// How results become what is sent: a string for a lone client, bytes where clients share a result or compress it.
import { LARGE, textOf } from '../../src/graphql/answer-text';

const resultOf = (length: number) => ({ data: { text: 'ü'.repeat(length) } });
const written = (result: object) => `${JSON.stringify(result)}\n`;

test('a long result is a string for its first client, and the same bytes for all others', () => {
  const result = resultOf(LARGE);
  expect(textOf({ ...result }, false)).toBe(written(result));
  const bytes = textOf({ ...result }, false);
  expect(bytes).toEqual(Buffer.from(written(result)));
  expect(textOf({ ...result }, false)).toBe(bytes);
  expect(textOf({ ...result }, true)).toBe(bytes);
});

test('a client that can read compressed bytes gets the bytes of those that share its result', () => {
  const result = resultOf(LARGE);
  const bytes = textOf({ ...result }, true);
  expect(bytes).toEqual(Buffer.from(written(result)));
  expect(textOf({ ...result }, true)).toBe(bytes);
});

test('a short result stays a string', () => {
  const result = resultOf(LARGE / 2);
  for (let client = 0; client < 3; client += 1) expect(textOf({ ...result }, true)).toBe(written(result));
});

test('results with errors are never taken for results without', () => {
  const result = resultOf(LARGE);
  textOf(result, true);
  const errors = [{ message: 'one field failed' }];
  expect(textOf({ ...result, errors }, true)).toEqual(Buffer.from(written({ errors, ...result })));
});
