// The operations that may be compiled: the usual ones of frontends and cameras, and none that graphql-jit gets wrong.
import {
  buildSchema,
  type GraphQLScalarType,
  getNamedType,
  isInputObjectType,
  isObjectType,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql';
import { createRunner, isCompilable } from '../../src/doors/graphql/compiled';
import { buildGraph } from '../../src/schema';

const schema = buildGraph();

function compilable(text: string): boolean {
  const document = parse(text);
  expect(validate(schema, document)).toEqual([]);
  return isCompilable(document, document.definitions[0] as OperationDefinitionNode);
}

test.each([
  '{ cameras { nodes { id lastStatus { online } } totalCount } }',
  'query ($id: ID!) { camera(id: $id) { ...C history(first: 10) { id } } } fragment C on Camera { id again: id }',
  `query ($s: [PrintJobStatus!], $n: Int, $d: DateTime) {
    printJobs(filter: { status: $s, createdFrom: $d }, first: $n) { nodes { id printer { name } } } }`,
  '{ printJobs(filter: { status: [QUEUED, PRINTING] }, first: 5) { totalCount } }',
  'query ($f: PrintJobFilter) { printJobs(filter: $f) { totalCount } }',
  'mutation ($i: [CameraStatusInput!]!) { recordCameraStatuses(input: $i) { id } }',
  'mutation ($i: CreatePrintJobInput!) { createPrintJob(input: $i) { id } }',
  'mutation ($id: ID!, $s: PrintJobStatus!) { changePrintJobStatus(id: $id, status: $s) { id status } }',
])('%s may be compiled', (text) => {
  expect(compilable(text)).toBe(true);
});

test.each([
  ['a text', '{ camera(id: "cam") { id } }'],
  ['a text', '{ cameras(filter: { search: """x""" }) { totalCount } }'],
  ['a fraction', '{ cameras(filter: { batteryAtMost: 1e999 }) { totalCount } }'],
  ['a condition', 'query ($v: Boolean!) { cameras { totalCount @include(if: $v) } }'],
  ['a condition', '{ cameras { ...F @skip(if: false) } } fragment F on CameraConnection { totalCount }'],
  ['a default', 'query ($n: Int = 5) { printJobs(first: $n) { totalCount } }'],
  ['a fragment twice', '{ cameras { ...F nodes { id } ...F } } fragment F on CameraConnection { totalCount }'],
  [
    'an alias that could be confused',
    'query ($p: ID!) { jobs_printer: printJobs { totalCount } printer(id: $p) { name } }',
  ],
  ['the schema', '{ __schema { queryType { name } } }'],
  ['several operations', 'query A { cameras { totalCount } } query B { cameras { totalCount } }'],
  ['a name that every object has', '{ cameras { __proto__: totalCount } }'],
  ['a name that every object has', 'query ($toString: Int) { printJobs(first: $toString) { totalCount } }'],
  [
    'several mutations',
    'mutation ($a: ID!, $b: ID!) { a: cancelPrintJob(id: $a) { id } b: cancelPrintJob(id: $b) { id } }',
  ],
  ['mutations in a fragment', 'mutation ($a: ID!) { ...M } fragment M on Mutation { cancelPrintJob(id: $a) { id } }'],
  [
    'an input in parts',
    'mutation ($id: ID!, $n: String) { updateCamera(id: $id, input: { friendlyName: $n }) { id } }',
  ],
])('an operation that has %s may not be compiled: %s', (_what, text) => {
  expect(compilable(text)).toBe(false);
});

test('no field has a name that could be confused, except fields of subgraphs, which are not compiled', () => {
  const types = Object.values(schema.getTypeMap()).filter(isObjectType);
  const names = types.filter(({ name }) => !name.startsWith('__')).flatMap((type) => Object.keys(type.getFields()));
  const confused = names.filter((name) => name.includes('_'));
  expect(confused).toEqual(['_service', '_entities']);
  expect(compilable('{ _service { sdl } }')).toBe(false);
  expect(compilable('{ cameras { __typename totalCount } }')).toBe(true);
});

test('no nested input has defaults, which a compiled operation would not fill in', () => {
  const inputs = Object.values(schema.getTypeMap()).filter(isInputObjectType);
  const held = inputs.flatMap((type) => Object.values(type.getFields()).map((field) => getNamedType(field.type)));
  const defaults = held
    .filter(isInputObjectType)
    .flatMap((type) => Object.values(type.getFields()).filter(({ defaultValue }) => defaultValue !== undefined));
  expect(held.filter(isInputObjectType).length).toBeGreaterThan(0);
  expect(defaults.map(({ name }) => name)).toEqual([]);
});

test.each([
  ['in a variable', '$list: [Even!]', 'list: $list', (list: number[]) => ({ list })],
  ['in an input', '$in: In', 'in: $in', (list: number[]) => ({ in: { list } })],
])('each wrong item of a list %s that no rule admits costs no error', async (_where, declared, given, variablesOf) => {
  const small = buildSchema(`
    scalar Even
    input In { list: [Even!] }
    type Query { all(list: [Even!], in: In): Int }`);
  let read = 0;
  (small.getType('Even') as GraphQLScalarType).parseValue = (value) => {
    read += 1;
    throw new Error(`${value} is wrong`);
  };
  const document = parse(`query (${declared}) { all(${given}) }`);
  const runOf = createRunner(small, false);
  const run = () => runOf(document, document.definitions[0] as OperationDefinitionNode, null);
  run();
  const { errors } = await run()({}, variablesOf(Array(5000).fill(1)));
  expect([errors?.length, read < 100]).toEqual([51, true]);
});
