// The costs that the fields of the schema declare: a list without a bound would count as one object.
import { type GraphQLField, getNullableType, isInterfaceType, isLeafType, isListType, isObjectType } from 'graphql';
import { costOf } from '../../src/graph/costs';
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
