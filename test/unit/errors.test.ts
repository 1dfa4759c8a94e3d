// Errors of graphql-js itself: faults of the client, and faults that only a mistake in the gateway can cause.
import { buildSchema, execute, type GraphQLError, parse } from 'graphql';
import { findUnexpectedCause, formatError } from '../../src/doors/graphql/graphql-errors';

const schema = buildSchema('type Query { always: String! sometimes(first: Int!): Int }');

async function executeForError(query: string, variableValues = {}): Promise<GraphQLError> {
  const rootValue = { always: () => null, sometimes: () => 'a word' };
  const { errors = [] } = await execute({ schema, document: parse(query), rootValue, variableValues });
  expect(errors).toHaveLength(1);
  return errors[0] as GraphQLError;
}

test.each(['{ always }', '{ sometimes(first: 1) }'])(
  'a value that the schema does not allow is an internal failure, and the answer reveals nothing: %s',
  async (query) => {
    const error = await executeForError(query);
    expect(findUnexpectedCause(error)).toBe(error.originalError ?? error);
    const { message, extensions, path } = formatError(error.toJSON(), error);
    expect({ message, extensions, path }).toEqual({
      message: 'The gateway could not complete the request. The operator finds the reason in its log.',
      extensions: { code: 'INTERNAL_SERVER_ERROR' },
      path: error.path,
    });
  },
);

test('null from a variable, where the argument does not allow null, is the fault of the client', async () => {
  const error = await executeForError('query ($first: Int = 1) { sometimes(first: $first) }', { first: null });
  expect(findUnexpectedCause(error)).toBeUndefined();
  expect(formatError(error.toJSON(), error).extensions).toMatchObject({ code: 'BAD_USER_INPUT' });
});
