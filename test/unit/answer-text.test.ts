// How results become the text that is sent: bytes for long ones, made once for all clients that share a result.
import { LARGE, textOf } from '../../src/graphql/answer-text';

const resultOf = (length: number) => ({ data: { text: 'ü'.repeat(length) } });
const written = (result: object) => `${JSON.stringify(result)}\n`;

test('a long result is bytes, the same for all its clients', () => {
  const result = resultOf(LARGE);
  const bytes = textOf({ ...result });
  expect(bytes).toEqual(Buffer.from(written(result)));
  expect(textOf({ ...result })).toBe(bytes);
});

test('a short result stays a string', () => {
  const result = resultOf(LARGE / 2);
  for (let client = 0; client < 3; client += 1) expect(textOf({ ...result })).toBe(written(result));
});

test('results with errors are never taken for results without', () => {
  const result = resultOf(LARGE);
  textOf(result);
  const errors = [{ message: 'one field failed' }];
  expect(textOf({ ...result, errors })).toEqual(Buffer.from(written({ errors, ...result })));
});
