// The variables that separate subscriptions: watchers of the same changes share executions wherever they start.
import { type OperationDefinitionNode, parse } from 'graphql';
import { removeAfterVariable } from '../../src/doors/graphql/subscriptions';

function key(text: string, variables: Record<string, unknown>): string {
  const document = parse(text);
  return JSON.stringify(removeAfterVariable(document, document.definitions[0] as OperationDefinitionNode, variables));
}

test('the variable of `after` does not separate subscriptions', () => {
  const text =
    'subscription ($after: String, $filter: ChangeFilter) { changes(after: $after, filter: $filter) { cursor } }';
  expect(key(text, { after: 'a', filter: {} })).toBe(key(text, { after: 'b', filter: {} }));
  expect(key(text, { after: 'a', filter: {} })).not.toBe(key(text, { after: 'a', filter: { types: [] } }));
  const inFragment = 'subscription ($a: String) { ...S } fragment S on Subscription { changes(after: $a) { cursor } }';
  expect(key(inFragment, { a: 'a' })).toBe(key(inFragment, { a: 'b' }));
});

test.each([
  [
    'used in a fragment too',
    'subscription ($a: String) { changes(after: $a) { ...F } } fragment F on PrinterChanged { printer { jobs(after: $a) { totalCount } } }',
  ],
  [
    'the `after` of a list',
    'subscription ($a: String) { changes { ... on PrinterChanged { printer { jobs(after: $a) { totalCount } } } } }',
  ],
])('a variable separates subscriptions if it is %s', (_name, text) => {
  expect(key(text, { a: 'a' })).not.toBe(key(text, { a: 'b' }));
});
