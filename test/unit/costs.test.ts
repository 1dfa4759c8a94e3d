// The costs that the fields of the schema declare, and how they are read. A list without a bound would count as one object.
import {
  type GraphQLField,
  getNullableType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import { readConfig } from '../../src/config';
import { limitCheck, MAX_DIRECTIVES } from '../../src/doors/graphql/limits';
import { costOf } from '../../src/farm/graph/costs';
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

/** The connection of a device is none to rows. */
const isPage = ({ type }: GraphQLField<unknown, unknown>) => {
  const page = getNullableType(type);
  return isObjectType(page) && Object.hasOwn(page.getFields(), 'pageInfo');
};
const isList = ({ type }: GraphQLField<unknown, unknown>) => isListType(getNullableType(type));

function isBounded(field: GraphQLField<unknown, unknown>): boolean {
  const bounds = field.args.filter(
    ({ name, type }) => name === 'first' || (name === 'input' && isListType(getNullableType(type))),
  );
  return bounds.length > 0 || costOf(field).size !== undefined;
}

/** A list of texts or numbers, whose items are no objects. */
function isOfLeaves({ type }: GraphQLField<unknown, unknown>): boolean {
  const list = getNullableType(type);
  return isListType(list) && isLeafType(getNullableType(list.ofType));
}

test('each list and each connection has a size, except the rows of a connection, which are counted with it', () => {
  const lists = fields.filter(([, field]) => isList(field) || isPage(field));
  const unbounded = lists.filter(([, field]) => !isBounded(field) && !isOfLeaves(field)).map(([name]) => name);
  expect(unbounded.filter((name) => !/^\w+Connection\.(nodes|edges)$/.test(name))).toEqual([]);
  expect(lists.length).toBeGreaterThan(20);
});

test('a size is declared for lists alone, and for those whose bound is not that of a page', () => {
  const sized = fields.filter(([, field]) => costOf(field).size !== undefined);
  const others = sized.filter(([, field]) => !isList(field));
  expect(others.map(([name]) => name)).toEqual([]);
  expect(sized.map(([name]) => name).sort()).toEqual([
    'Camera.series',
    'Camera.watches',
    'CameraAvailability.gaps',
    'FarmSummary.jobsByStatus',
    'JobFilming.gaps',
    'NotificationTarget.printers',
    'ObservedPrint.filament',
    'PrintJob.filming',
    'PrintJob.parts',
    'PrintJob.statusHistory',
    'Printer.cameras',
    'Printer.slots',
    'Query._entities',
    'Query.alerts',
    'Query.devices',
    'Query.filamentUsage',
    'Query.materials',
    'Query.notificationTargets',
  ]);
});

const costOfQuery = (text: string, variables = {}) => {
  const document = parse(text);
  const check = limitCheck(schema, { depth: 100, aliases: 100, directives: 100, cost: 1e9, tokens: 5000 });
  return check(document, document.definitions[0] as OperationDefinitionNode, variables).cost;
};

// What each list really answers at most: its tests are those of its domain.
test.each([
  ['alerts { message }', 20_000],
  ['alerts(first: 7) { message }', 7],
  ['alerts(first: 1000000) { message }', 20_000],
  // All, as many as the farm has: 1,000 are assumed.
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
])('a log that is added up, %s, has the price of its days', (times, days) => {
  const text = (field: string) => `query ($from: DateTime) { camera(id: "c") { ${field}${times} { __typename } } }`;
  const variables = { from: '2026-10-31T23:00:00Z' };
  expect(costOfQuery(text('availability'), variables)).toBe(1 + 1 + 200 * days);
  expect(costOfQuery(text('series'), variables)).toBe(1 + 200 + 200 * days);
});

test('a subscription has a low limit of its own, and adds up no log', () => {
  const asked = (fields: string) => costOfQuery(`subscription { cameraStatusRecorded { camera { ${fields} } } }`);
  expect(asked('friendlyName history(first: 100) { id }')).toBeLessThanOrEqual(200);
  expect(costOfQuery('subscription { changes(filter: { types: [MATERIAL] }) { cursor } }')).toBeLessThanOrEqual(200);
  for (const fields of ['availability { fraction }', 'series { records }', 'history(first: 200) { id }'])
    expect(() => asked(fields)).toThrow(/has a cost of \d+; the limit of a subscription is 200/);
});

test.each([
  ['parts { slot mmExtruded spool { spoolSerial material { name } } }', 13],
  ['parts { spool { jobs(first: 5) { nodes { id } } } }', 9 + 64 * 5 * 2],
  ['parts { spool { jobs(first: 1) { nodes { parts { cost } } } } }', 9 + 64 * (1 + 1 + 64)],
])('a job counts 4 parts, and a list below them for 64, with all that it has: %s', (fields, cost) => {
  expect(costOfQuery(`{ printJob(id: "j") { ${fields} } }`)).toBe(cost);
});

test('parts in parts are refused before they multiply; the operations of the dashboard are not', () => {
  const check = limitCheck(schema, { ...readConfig({}).graph.limits, directives: MAX_DIRECTIVES });
  const checked = (text: string, variables = {}) => {
    const document = parse(text);
    const operation = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
    return () => check(document, operation as OperationDefinitionNode, variables);
  };
  const jobs = (first: number, below: string) => `obs(first: ${first}) { nodes { parts { spool { ${below} } } } }`;
  const nested = `{ printJ${jobs(5, `j${jobs(5, `j${jobs(5, 'id')}`)}`)} }`;
  expect(checked(nested)).toThrow('The operation has a cost of 720050; the limit is 500000');
  expect(checked(`{ printJ${jobs(1000, 'spoolSerial material { name }')} }`)).not.toThrow();
  expect(checked(`{ printJ${jobs(20, 'jobs(first: 20) { nodes { printName } }')} }`)).not.toThrow();
  for (const { body } of manifest.operations) expect(checked(body, { jobs: Array(50).fill({}) })).not.toThrow();
});

test('a number of a wrong type has no cost for which it would be refused instead of for its type', () => {
  const document = parse('query ($n: Int) { cameras(first: $n) { nodes { history(first: 1000) { id } } } }');
  const [operation] = document.definitions as [OperationDefinitionNode];
  const check = limitCheck(schema, { depth: 100, aliases: 100, directives: 100, cost: 500_000, tokens: 5000 });
  expect(() => check(document, operation, {})).toThrow('a cost of 1002000');
  for (const n of ['5', [], {}, true])
    expect(check(document, operation, { n }).cost).toBe(check(document, operation, { n: 1 }).cost);
});
