// The costs that the fields of the schema declare, and how they are read. A list without a bound would count as one object.
import {
  type GraphQLField,
  getNullableType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import { costOf } from '../../src/graph/costs';
import { limitCheck } from '../../src/graphql/limits';
import { buildGraph } from '../../src/schema';

const fields = Object.values(buildGraph().getTypeMap())
  .filter((type) => (isObjectType(type) || isInterfaceType(type)) && !type.name.startsWith('__'))
  .flatMap((type) =>
    Object.values((type as { getFields(): Record<string, GraphQLField<unknown, unknown>> }).getFields()).map(
      (field) => [`${type}.${field.name}`, field] as const,
    ),
  );

const isPage = ({ type }: GraphQLField<unknown, unknown>) => /^\w+Connection$/.test(String(getNullableType(type)));
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

test('a size is declared for lists alone, and for those that no argument bounds', () => {
  const sized = fields.filter(([, field]) => costOf(field).size !== undefined);
  const others = sized.filter(([, field]) => !isList(field) || field.args.some(({ name }) => name === 'first'));
  expect(others.map(([name]) => name)).toEqual([]);
  expect(sized.map(([name]) => name).sort()).toEqual([
    'Camera.series',
    'CameraAvailability.gaps',
    'FarmSummary.jobsByStatus',
    'PrintJob.statusHistory',
    'Printer.cameras',
    'Query.filamentUsage',
    'Query.materials',
  ]);
});

test('an argument in nested fragments is read once, and again when its operation comes again', () => {
  const schema = buildGraph();
  const nested = (level: number) =>
    `fragment F${level} on Printer { ...F${level - 1} ...F${level - 1} ...F${level - 1} }`;
  const document = parse(
    `query ($first: Int, $id: ID!) { printer(id: $id) { ...F8 } } ${[1, 2, 3, 4, 5, 6, 7, 8].map(nested).join(' ')}
      fragment F0 on Printer { jobs(first: $first) { totalCount } }`,
  );
  const [operation] = document.definitions as OperationDefinitionNode[];
  const check = limitCheck(schema, { depth: 100, aliases: 100, directives: 100, cost: 1_000_000, tokens: 5000 });
  let reads = 0;
  const variables = (first: number) => ({
    get first() {
      reads += 1;
      return first;
    },
  });
  const costOfFirst = (first: number) => check(document, operation as OperationDefinitionNode, variables(first)).cost;
  const cost = costOfFirst(1);
  expect([cost > 3 ** 8, reads]).toEqual([true, 1]);
  expect([costOfFirst(1), reads]).toEqual([cost, 2]);
  expect([costOfFirst(3) - cost, reads]).toEqual([2 * 3 ** 8, 4]);
});

test('a number of a wrong type has no cost for which it would be refused instead of for its type', () => {
  const document = parse('query ($n: Int) { cameras(first: $n) { nodes { history(first: 1000) { id } } } }');
  const [operation] = document.definitions as [OperationDefinitionNode];
  const check = limitCheck(buildGraph(), { depth: 100, aliases: 100, directives: 100, cost: 500_000, tokens: 5000 });
  expect(() => check(document, operation, {})).toThrow('a cost of 1002000');
  for (const n of ['5', [], {}, true])
    expect(check(document, operation, { n }).cost).toBe(check(document, operation, { n: 1 }).cost);
});
