// Every example of the playground is one valid operation of the schema, with the variables that it takes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, getVariableValues, Kind, parse, print, validate } from 'graphql';
import { examples } from '../../src/web/playground-examples';

const schema = buildSchema(readFileSync(join(__dirname, '../../src/generated/schema.graphql'), 'utf8'));

const named = examples.map((example) => {
  const document = parse(example.query);
  const [operation] = document.definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error(`Not an operation:\n${print(document)}`);
  return { name: operation.name?.value, document, operation, variables: JSON.parse(example.variables ?? '{}') };
});

test.each(named)('$name is valid', ({ document, operation, variables }) => {
  const coerced = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
  const errors = [...validate(schema, document), ...(coerced.errors ?? [])];
  expect({ document: print(document), variables, errors: errors.map((error) => error.message) }).toMatchObject({
    errors: [],
  });
});

test('each example is one operation with a unique name, which is the title of its tab', () => {
  const names = named.map(({ name }) => name);
  expect(named.map(({ document }) => document.definitions.length)).toEqual(named.map(() => 1));
  expect(new Set(names).size).toBe(examples.length);
  expect(names).not.toContain(undefined);
});
