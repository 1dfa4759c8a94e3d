// Which fields a query selects below a field, for resolvers that read no more than those.
import {
  type FragmentDefinitionNode,
  type GraphQLResolveInfo,
  Kind,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import { selectedFields } from '../../src/farm/graph/selection';

/** The names under which `a` or `b` are selected below the one field of the document. */
function selected(text: string): string[] {
  const { definitions } = parse(text);
  const [operation] = definitions as [OperationDefinitionNode];
  const fragments = definitions.filter((one): one is FragmentDefinitionNode => one.kind === Kind.FRAGMENT_DEFINITION);
  const info = {
    fieldNodes: operation.selectionSet.selections,
    fragments: Object.fromEntries(fragments.map((one) => [one.name.value, one])),
  } as unknown as GraphQLResolveInfo;
  return selectedFields(info, ['a', 'b']).map(({ alias, name }) => alias?.value ?? name.value);
}

test('fields are found under any alias, in fragments and behind conditions, but not deeper', () => {
  expect(selected('{ f { a c x: b ... { y: a @skip(if: true) } ...F c { a } } } fragment F on T { z: b }')).toEqual([
    'a',
    'x',
    'y',
    'z',
  ]);
  expect(selected('{ f { c } }')).toEqual([]);
});

test('a fragment is followed once, so fragments that spread the next one twice, forty deep, end', () => {
  const fragments = Array.from({ length: 40 }, (_, n) => `fragment F${n} on T { ...F${n + 1} ...F${n + 1} }`);
  expect(selected(`{ f { ...F0 ...F0 } } ${fragments.join(' ')} fragment F40 on T { a }`)).toEqual(['a']);
});
