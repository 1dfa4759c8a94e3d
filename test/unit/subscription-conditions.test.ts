// Conditions at the top level of subscriptions are refused; GraphQL handles all others.
import { refuseConditionalSubscription } from '../../src/doors/graphql/subscription-conditions';

test.each([
  'subscription ($x: Boolean!) { changes @include(if: $x) { cursor } }',
  'subscription { ...F @skip(if: true) } fragment F on Subscription { changes { cursor } }',
  'subscription { ...F } fragment F on Subscription { changes @skip(if: true) { cursor } }',
  'subscription { ... { ... @include(if: false) { changes { cursor } } } }',
  'subscription { ...F } fragment F on Subscription { ...G } fragment G on Subscription { ...F changes @skip(if: true) { cursor } }',
  'query A { viewer } subscription B { changes @include(if: false) { cursor } }',
])('%s is refused', (query) => {
  expect(() => refuseConditionalSubscription(query, 100)).toThrow('must not have @skip or @include');
});

test.each([
  'subscription ($x: Boolean!) { changes { cursor @include(if: $x) } }',
  'query ($x: Boolean!) { cameras @include(if: $x) { totalCount } }',
  'subscription { @',
])('%s is accepted', (query) => {
  expect(() => refuseConditionalSubscription(query, 100)).not.toThrow();
});

test('a document with too many tokens is not read to its end', () => {
  const query = 'subscription { changes @include(if: false) { cursor } }';
  expect(() => refuseConditionalSubscription(query, 14)).toThrow();
  expect(() => refuseConditionalSubscription(query, 12)).not.toThrow();
});
