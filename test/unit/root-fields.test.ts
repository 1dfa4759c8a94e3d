// Finds the same fields at the root of an operation that its execution collects.
import { type DocumentNode, type OperationDefinitionNode, parse } from 'graphql';
import { collectRootFields } from '../../src/doors/graphql/root-fields';

function listNames(text: string): string[] {
  const document: DocumentNode = parse(text);
  return [...collectRootFields(document, document.definitions[0] as OperationDefinitionNode).keys()];
}

test.each([
  ['{ a b { c } }', ['a', 'b']],
  ['{ a { x } ... { a { y } } }', ['a']],
  ['{ x: a y: a }', ['x', 'y']],
  ['{ a @skip(if: true) b @include(if: $x) }', ['a', 'b']],
  ['{ ...F a } fragment F on Query { b ... on Query { ...G } } fragment G on Query { c }', ['b', 'c', 'a']],
  ['{ ...F ...F } fragment F on Query { a ...G } fragment G on Query { ...F b }', ['a', 'b']],
  ['{ a } query Other { b } fragment F on Query { c }', ['a']],
])('%s', (text, names) => {
  expect(listNames(text)).toEqual(names);
});

test('fragments that spread the next one twice, forty deep, are followed once', () => {
  const fragments = Array.from({ length: 40 }, (_, n) => `fragment F${n} on Query { ...F${n + 1} ...F${n + 1} }`);
  expect(listNames(`{ ...F0 } ${fragments.join(' ')} fragment F40 on Query { a }`)).toEqual(['a']);
});
