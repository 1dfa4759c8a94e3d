// The costs that the fields of the schema declare, and how they are computed. A list without a limit is counted while it is answered.
import {
  type GraphQLField,
  getNullableType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import { readConfig } from '../../src/config';
import { createLimitCheck, MAX_DIRECTIVES } from '../../src/doors/graphql/operation-limits';
import { readFieldCost } from '../../src/farm/graph/costs';
import manifest from '../../src/generated/persisted-operations.json';
import { buildGraph } from '../../src/schema';

const schema = buildGraph();
const fields = Object.values(schema.getTypeMap())
  .filter((type) => (isObjectType(type) || isInterfaceType(type)) && !type.name.startsWith('__'))
  .flatMap((type) =>
    Object.values((type as { getFields(): Record<string, GraphQLField<unknown, unknown>> }).getFields()).map(
      (field) => [`${type}.${field.name}`, field] as const,
    ),
  );

const isList = ({ type }: GraphQLField<unknown, unknown>) => isListType(getNullableType(type));

test('a size is declared only for lists with a limit, and it is not the page size', () => {
  const sized = fields.filter(([, field]) => readFieldCost(field).size !== undefined);
  const others = sized.filter(([, field]) => !isList(field));
  expect(others.map(([name]) => name)).toEqual([]);
  expect(sized.map(([name]) => name).sort()).toEqual([
    'Camera.series',
    'CameraAvailability.gaps',
    'FarmSummary.jobsByStatus',
    'NotificationTarget.printers',
    'ObservedPrint.filament',
    'Query._entities',
    'Query.alerts',
    'Query.devices',
    'Query.filamentUsage',
    'Query.notificationTargets',
    'Query.places',
  ]);
});

const costOfQuery = (text: string, variables = {}) => {
  const document = parse(text);
  const check = createLimitCheck(schema, { depth: 100, aliases: 100, directives: 100, cost: 1e9, tokens: 5000 });
  return check(document, document.definitions[0] as OperationDefinitionNode, variables).cost;
};

// The tests of each domain check what its list really answers at most.
test.each([
  ['alerts { message }', 20_000],
  ['alerts(first: 7) { message }', 7],
  ['alerts(first: 1000000) { message }', 20_000],
  // All cameras of the farm: 1,000 are assumed.
  ['cameras { nodes { id } }', 1000],
  ['cameras(first: 20000) { nodes { id } }', 20_000],
  ['printers { nodes { id } }', 50],
  ['printers(first: 20000) { nodes { id } }', 1000],
  ['printJobs(first: 20000) { nodes { id } }', 1000],
  ['changes(first: 20000) { nodes { cursor } }', 1000],
  ['observedPrints { nodes { id } }', 20],
  ['observedPrints(first: 20000) { nodes { id } }', 1000],
])('%s counts %i objects', (field, objects) => {
  const perRow = field.includes('nodes') ? 2 : 1;
  expect(costOfQuery(`{ ${field} }`)).toBe(objects * perRow);
});

test.each([
  ['', 1],
  ['(from: "2026-11-01T00:00:00Z", to: "2026-11-01T00:00:01Z")', 1],
  ['(from: "2026-11-01T00:00:00+01:00", to: "2026-11-30T23:00:00Z")', 30],
  ['(from: $from, to: "2026-11-30T23:00:00Z")', 30],
  ['(to: "2026-11-30T23:00:00Z")', 1],
])('a sum over a log, %s, costs the price of its days', (times, days) => {
  const text = (field: string) => `query ($from: DateTime) { camera(id: "c") { ${field}${times} { __typename } } }`;
  const variables = { from: '2026-10-31T23:00:00Z' };
  expect(costOfQuery(text('availability'), variables)).toBe(1 + 1 + 200 * days);
  expect(costOfQuery(text('series'), variables)).toBe(1 + 200 + 200 * days);
});

test('a subscription has a lower limit, and cannot sum a log', () => {
  const costOfFields = (fields: string) =>
    costOfQuery(`subscription { cameraStatusRecorded { camera { ${fields} } } }`);
  expect(costOfFields('friendlyName history(first: 100) { id }')).toBeLessThanOrEqual(200);
  expect(costOfQuery('subscription { changes(filter: { types: [MATERIAL] }) { cursor } }')).toBeLessThanOrEqual(200);
  for (const fields of ['availability { fraction }', 'series { records }', 'history(first: 200) { id }'])
    expect(() => costOfFields(fields)).toThrow(/has a cost of \d+; the limit of a subscription is 200/);
});

test('the operations of the dashboard are within the limit', () => {
  const check = createLimitCheck(schema, { ...readConfig({}).graph.limits, directives: MAX_DIRECTIVES });
  for (const { body } of manifest.operations) {
    const document = parse(body);
    const operation = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
    check(document, operation as OperationDefinitionNode, { jobs: Array(50).fill({}) });
  }
});

test('the schema costs its price each time that it is selected, and for each alias in it', () => {
  expect(costOfQuery('{ __typename }')).toBe(0);
  expect(costOfQuery('{ __schema { types { name } } again: __type(name: "Query") { name } }')).toBe(2 * 30_000);
  expect(costOfQuery('{ __schema { a: types { ...N } } } fragment N on __Type { b: name }')).toBe(3 * 30_000);
});

test('a number of a wrong type has no cost, so that it is refused for its type', () => {
  const document = parse('query ($n: Int) { cameras(first: $n) { nodes { history(first: 1000) { id } } } }');
  const [operation] = document.definitions as [OperationDefinitionNode];
  const check = createLimitCheck(schema, { depth: 100, aliases: 100, directives: 100, cost: 500_000, tokens: 5000 });
  expect(() => check(document, operation, {})).toThrow('a cost of 1002000');
  for (const n of ['5', [], {}, true])
    expect(check(document, operation, { n }).cost).toBe(check(document, operation, { n: 1 }).cost);
});
