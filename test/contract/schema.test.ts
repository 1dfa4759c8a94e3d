// Compares the schema in the repository with the contract and its additions, and the served schema with the one in the repository.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildClientSchema,
  buildSchema,
  findBreakingChanges,
  findDangerousChanges,
  type GraphQLNamedType,
  getIntrospectionQuery,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  validateSchema,
} from 'graphql';
import { manifestText } from '../../src/commands/emit-manifest';
import { schemaText } from '../../src/commands/emit-schema';
import { createAppSchema, createSubgraph } from '../../src/doors/federation/subgraph';
import { buildGraph } from '../../src/schema';
import { anyDatabase } from '../support/databases';
import { expectData, test, useGateway } from '../support/gateway';
import { readDocument } from './clauses';

const contract = buildSchema(
  ['schema', 'live', 'operate', 'devices', 'parts', 'reports', 'stock', 'spoolman']
    .map((name) => readDocument(`${name}.graphql`))
    .join(''),
);
const committed = (path: string) => readFileSync(join(__dirname, '../../src/generated', path), 'utf8');
const ours = buildSchema(committed('schema.graphql'));

test('src/generated/schema.graphql is what the resolvers make (else: npm run codegen)', () => {
  expect(committed('schema.graphql')).toBe(schemaText());
});

test('the schema is valid', () => {
  expect(validateSchema(buildGraph())).toEqual([]);
});

test('src/generated/subgraph.graphql is what the resolvers make for a subgraph (else: npm run codegen)', () => {
  expect(committed('subgraph.graphql')).toBe(createSubgraph(buildGraph()));
});

test('src/generated/persisted-operations.json has the typed documents (else: npm run codegen)', () => {
  expect(committed('persisted-operations.json')).toBe(manifestText());
});

describe('the schema in the repository', () => {
  test('breaks nothing of the contract', () => {
    expect(findBreakingChanges(contract, ours)).toEqual([]);
  });

  test('keeps the default values of the contract', () => {
    const changed = findDangerousChanges(contract, ours).filter(({ type }) => type === 'ARG_DEFAULT_VALUE_CHANGE');
    expect(changed).toEqual([]);
    for (const type of Object.values(contract.getTypeMap())) {
      const counterpart = ours.getType(type.name);
      if (!isInputObjectType(type) || !isInputObjectType(counterpart)) continue;
      for (const field of Object.values(type.getFields())) {
        const name = `${type.name}.${field.name}`;
        // A Decimal's default is written 0 in the contract and may be written "0".
        const text = (value: unknown) => (value === undefined ? undefined : String(value));
        expect([name, text(counterpart.getFields()[field.name]?.defaultValue)]).toEqual([
          name,
          text(field.defaultValue),
        ]);
      }
    }
  });

  test('describes every type, field, argument, value and input field', () => {
    const undescribed = Object.values(ours.getTypeMap())
      .filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type))
      .flatMap(undescribedIn);
    expect(undescribed).toEqual([]);
  });
});

function undescribedIn(type: GraphQLNamedType): string[] {
  const described: [name: string, description: string | null | undefined][] = [[type.name, type.description]];
  if (isObjectType(type) || isInterfaceType(type)) {
    for (const field of Object.values(type.getFields())) {
      described.push([`${type.name}.${field.name}`, field.description]);
      for (const argument of field.args) {
        described.push([`${type.name}.${field.name}(${argument.name}:)`, argument.description]);
      }
    }
  }
  if (isInputObjectType(type)) {
    for (const field of Object.values(type.getFields()))
      described.push([`${type.name}.${field.name}`, field.description]);
  }
  if (isEnumType(type)) {
    for (const value of type.getValues()) described.push([`${type.name}.${value.name}`, value.description]);
  }
  return described.filter(([, description]) => !description?.trim()).map(([name]) => name);
}

describe('the served schema', () => {
  const gateway = useGateway(anyDatabase);

  test('equals the schema in the repository, plus the fields of a subgraph', async () => {
    const served = buildClientSchema(expectData(await gateway.graphql(getIntrospectionQuery())));
    expect(findBreakingChanges(ours, served)).toEqual([]);
    expect(findBreakingChanges(createAppSchema(served), ours)).toEqual([]);
    const more = findBreakingChanges(served, ours).map(({ description }) => description);
    expect(more.sort()).toEqual([
      'Query._entities was removed.',
      'Query._service was removed.',
      '_Any was removed.',
      '_Entity was removed.',
      '_Service was removed.',
    ]);
    const { _service } = expectData(await gateway.graphql('{ _service { sdl } }'));
    expect(_service.sdl).toBe(committed('subgraph.graphql'));
  });
});
