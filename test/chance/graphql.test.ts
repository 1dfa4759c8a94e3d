// Generates operations from the schema: every mutation and query, with valid, nearly valid and hostile arguments.
import fs from 'node:fs';
import { join } from 'node:path';
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { describeOnDatabases } from '../support/databases';
import { makeCamera, makeFarm, makeJob, STATUSES } from '../support/farm';
import { formatExchange, type GraphqlResponse, test, useGateway } from '../support/gateway';
import fc from '../support/generated';
import { anything, type Kind, listValue, mostly, objectValue, rightValue, textValue, type Value } from './values';
import { checkProperty, watchTables, wellFormedRefusal } from './watch';

const schema = buildSchema(fs.readFileSync(join(__dirname, '..', '..', 'src', 'generated', 'schema.graphql'), 'utf8'));
const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
const queries = Object.values(schema.getQueryType()?.getFields() ?? {});

/** The codes that a client may get, from the table of docs/reference/errors.md. */
const CODES =
  /^(BAD_USER_INPUT|NOT_FOUND|CONFLICT|GRAPHQL_(PARSE|VALIDATION)_FAILED|OPERATION_RESOLUTION_FAILURE|BAD_REQUEST)$/;

type Pool = Record<'camera' | 'printer' | 'spool' | 'material' | 'printJob', string[]>;

/** Which rows a member of this name refers to, in this field of the root. */
function referred(name: string, root: string): keyof Pool | undefined {
  const [, what] = /^(camera|printer|spool|material)Id$/.exec(name) ?? [];
  if (what !== undefined) return what as keyof Pool;
  if (name !== 'id' || root === 'registerCamera') return undefined;
  const [, of = 'printJob'] = /(camera|printer|spool|material)/i.exec(root) ?? [];
  return (of[0]?.toLowerCase() + of.slice(1)) as keyof Pool;
}

/** Numbers of the schema that have a narrower range than their type. */
const KINDS: Record<string, Kind> = {
  batteryPct: 'percent',
  batteryAtMost: 'percent',
  fps: 'count',
  videoRemainingSec: 'count',
  densityGPerCm3: 'positive',
  filamentDiameterMm: 'positive',
};
const OF_TYPE: Record<string, Kind> = {
  ID: 'name',
  String: 'name',
  Int: 'count',
  Float: 'float',
  Boolean: 'boolean',
  Decimal: 'decimal',
  DateTime: 'instant',
};

function generator(pool: Pool) {
  const known = (what: keyof Pool) => fc.nat().map((at) => textValue(pool[what][at % pool[what].length] as string));

  /** Of an object of a subgraph. */
  const representation = fc
    .tuple(
      fc.constantFrom('Camera', 'Printer', 'Spool', 'Material', 'PrintJob', 'Query'),
      known('camera'),
      known('spool'),
    )
    .map(([type, camera, spool]) =>
      objectValue([
        ['__typename', textValue(type)],
        ['id', type === 'Camera' ? camera : spool],
      ]),
    );

  function right(type: GraphQLInputType, name: string, root: string): fc.Arbitrary<Value> {
    if (isNonNullType(type)) return right(type.ofType, name, root);
    if (isListType(type)) return fc.array(deviating(type.ofType, name, root), { maxLength: 4 }).map(listValue);
    if (isEnumType(type)) {
      const names = fc.constantFrom(...type.getValues().map((value) => value.name));
      return names.map((literal) => ({ json: JSON.stringify(literal), literal }));
    }
    if (isInputObjectType(type)) return members(Object.values(type.getFields()), root).map(objectValue);
    const what = referred(name, root);
    if (what !== undefined) return known(what);
    if (type.name === '_Any') return representation;
    const kind = KINDS[name] ?? OF_TYPE[type.name];
    if (kind === undefined) throw new Error(`${type.name} of ${root}.${name} has no generated values`);
    return rightValue(kind);
  }

  const deviating = (type: GraphQLInputType, name: string, root: string) => mostly(right(type, name, root), 20);

  /** All required fields, and each of the others or not; sometimes a field that the schema does not have. */
  function members(
    fields: readonly (GraphQLInputField | GraphQLArgument)[],
    root: string,
  ): fc.Arbitrary<[string, Value][]> {
    const some = (weight: number, arbitrary: fc.Arbitrary<[string, Value][]>) =>
      fc.oneof({ weight, arbitrary }, { weight: 1, arbitrary: fc.constant<[string, Value][]>([]) });
    const given = fields.map(({ name, type, defaultValue }) => {
      const value = deviating(type, name, root).map((value): [string, Value][] => [[name, value]]);
      return some(isNonNullType(type) && defaultValue === undefined ? 40 : 3, value);
    });
    const unknown = fc
      .tuple(anything, fc.nat(40))
      .map(([value, n]): [string, Value][] => (n ? [] : [['unknown', value]]));
    return fc.tuple(...given, unknown).map((lists) => lists.flat());
  }

  /** The body of a request for one field of the root, its arguments as variables or written into the document. */
  return (operation: 'mutation' | 'query') =>
    (field: GraphQLField<unknown, unknown>): fc.Arbitrary<string> =>
      fc.tuple(members(field.args, field.name), fc.nat(3)).map(([args, form]) => {
        const selection = createSelection(field);
        if (form === 0) {
          const literals = args.map(([name, { literal }]) => `${name}: ${literal}`).join(', ');
          return body(`${operation} { ${field.name}${literals && `(${literals})`}${selection} }`, '{}');
        }
        const declared = field.args.map(({ name, type, defaultValue }) => {
          const otherwise = defaultValue === undefined ? '' : ` = ${defaultValue}`;
          return `$${name}: ${type}${otherwise}`;
        });
        const passed = field.args.map(({ name }) => `${name}: $${name}`);
        const [declaration, call] = [declared, passed].map((parts) =>
          parts.length === 0 ? '' : `(${parts.join(', ')})`,
        );
        return body(`${operation} ${declaration} { ${field.name}${call}${selection} }`, objectValue(args).json);
      });
}

const body = (document: string, variables: string) =>
  `{"query": ${JSON.stringify(document)}, "variables": ${variables}}`;

/** Every leaf of the result, and of the objects that it leads to directly. */
function createSelection(field: GraphQLField<unknown, unknown>, depth = 0): string {
  const type = named(field.type);
  if (isAbstractType(type as GraphQLNamedType)) return ' { __typename }';
  if (!isObjectType(type)) return '';
  const fields = Object.values(type.getFields()).filter(
    ({ type, args }) => !isObjectType(named(type)) || (depth < 1 && args.length === 0),
  );
  return ` { ${fields.map((inner) => inner.name + createSelection(inner, depth + 1)).join(' ') || '__typename'} }`;
}

function named(type: unknown): unknown {
  return isNonNullType(type) || isListType(type) ? named(type.ofType) : type;
}

describeOnDatabases('generated operations', (kind) => {
  const gateway = useGateway(kind);
  const pool: Pool = { camera: [], printer: [], spool: [], material: [], printJob: [] };

  beforeAll(async () => {
    for (const spool of [{}, { price: null }, { weight: '0' }, { density: '999999999999999999' }]) {
      const farm = await makeFarm(gateway, spool);
      pool.printer.push(farm.printerId);
      pool.spool.push(farm.spoolId);
      pool.material.push(farm.materialId);
      for (const status of STATUSES) pool.printJob.push((await makeJob(gateway, farm, {}, status)).Id);
      pool.camera.push(await makeCamera(gateway));
    }
  });

  async function send(request: string): Promise<GraphqlResponse> {
    const answer = await gateway.rest('POST', '/graphql', request, { 'content-type': 'application/json' });
    const response = { ...answer, data: answer.body?.data, errors: answer.body?.errors ?? [] };
    if (answer.status >= 500 || answer.body === undefined) {
      throw new Error(`an operation must not fail inside\n${formatExchange(answer)}`);
    }
    for (const error of response.errors) {
      wellFormedRefusal(answer, error.message);
      if (!CODES.test(error.extensions?.code)) throw new Error(`no code of the family\n${formatExchange(answer)}`);
    }
    return response;
  }

  for (const [operation, fields] of [
    ['mutation', mutations],
    ['query', queries],
  ] as const) {
    test(`each ${operation} gets a well-formed answer, and changes nothing if it is refused`, async () => {
      const tables = await watchTables(gateway);
      const outcomes = { done: 0, refused: 0 };
      await checkProperty(
        fc.asyncProperty(fc.oneof(...fields.map(generator(pool)(operation))), async (text) => {
          const answer = await send(text);
          outcomes[answer.errors.length === 0 ? 'done' : 'refused'] += 1;
          if (answer.errors.length === 0) return tables.written();
          await tables.expectUnchanged(answer);
        }),
        // Otherwise the generator no longer produces useful input.
        () => Math.min(outcomes.done, outcomes.refused) > 0,
      );
    });
  }

  test('invalid documents, and invalid bodies around them, are refused as such', async () => {
    const tables = await watchTables(gateway);
    const TOKENS = [...'{}()[]$!:=|&@"', '...', 'query', 'mutation', 'on', ' ', 'cameras', 'id', '1', '"""', '#'];
    const documents = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.array(fc.constantFrom(...TOKENS)).map((tokens) => tokens.join(' ')),
      fc.constantFrom('{ ...a } fragment a on Query { ...a }', 'subscription { x }', '{ __proto__ }', 'mutation { }'),
    );
    const bodies = fc.oneof(
      documents.map((document) => body(document, '{}')),
      anything.map(({ json }) => json),
      anything.map(({ json }) => `{"query": ${json}}`),
      ...['variables', 'extensions', 'operationName'].map((member) =>
        anything.map(({ json }) => `{"query": "{ materials { id } }", "${member}": ${json}}`),
      ),
      fc.string({ unit: 'binary' }),
    );
    await checkProperty(
      fc.asyncProperty(bodies, async (text) => {
        const answer = await send(text);
        if (answer.errors.length > 0) await tables.expectUnchanged(answer);
      }),
    );
  });
});
