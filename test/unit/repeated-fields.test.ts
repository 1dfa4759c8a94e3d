// Documents that would take long to validate are refused first.
import { createRepeatCheck } from '../../src/doors/graphql/repeated-fields';

const check = createRepeatCheck(5000);
const times = (count: number, text: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => text(n)).join(' ');

test.each([
  ['a field', (count: number) => `{ ${times(count, () => 'cameras { totalCount }')} }`],
  ['an alias', (count: number) => `{ ${times(count, (n) => `a: f${n}`)} }`],
  ['a field in inline fragments', (count: number) => `{ ${times(count, () => '... { a }')} }`],
  ['a field below another', (count: number) => `{ cameras { nodes { ${times(count, () => 'id')} } } }`],
])('%s: 150 repeats are allowed, 201 are not, and neither are repeats in several places', (_what, document) => {
  expect(() => check(document(150))).not.toThrow();
  expect(() => check(document(201))).toThrow('The document repeats fields or uses fragments too often');
  const several = document(150).slice(1, -1);
  expect(() => check(`{ a { ${several} } b { ${several} } }`)).toThrow('too often');
});

test('201 fragments are refused, used or not; 100 fragments and 2,000 fields of other names are allowed', () => {
  const fragments = (count: number) => times(count, (n) => `fragment F${n} on Query { a }`);
  expect(() => check(`{ a } ${fragments(201)}`)).toThrow('too often');
  expect(() => check(`{ ${times(100, (n) => `...F${n}`)} } ${fragments(100)}`)).not.toThrow();
  expect(() => check(`{ ${times(2000, (n) => `x${n}`)} }`)).not.toThrow();
});

test('an unreadable document is refused elsewhere', () => {
  expect(() => check('{ '.repeat(3000))).not.toThrow();
});
