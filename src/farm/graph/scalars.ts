// Defines the GraphQL scalars DateTime and Decimal, and which inputs they accept.
import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { BadInput } from '../../errors';
import { DECIMAL_RANGE, parseDecimal } from '../../values/decimal';
import { parseInstant } from '../../values/instant';

/** Turns a BadInput into a GraphQLError, so that GraphQL adds the path of the value and clients get the error code. */
function readScalar<T>(read: (value: unknown, member: string) => T, value: unknown, name: string): T {
  try {
    return read(value, name);
  } catch (error) {
    if (error instanceof BadInput) throw new GraphQLError(error.message, { extensions: { code: error.code } });
    throw error;
  }
}

/** The text of a literal, so that `1.50` keeps its digits. */
function readLiteral(node: ValueNode): unknown {
  return node.kind === Kind.STRING || node.kind === Kind.INT || node.kind === Kind.FLOAT ? node.value : undefined;
}

export const DateTimeScalar = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  description:
    'An instant. Output is RFC 3339 in UTC with milliseconds and Z, such as `2026-11-20T08:30:00.000Z`. Input may have ' +
    'any offset (`2026-11-20T09:30:00+01:00`); digits below the millisecond are cut off. A time without an offset, a day ' +
    'that does not exist or a year outside 0001 to 9999 is refused: in a variable with BAD_USER_INPUT, in the document with ' +
    'GRAPHQL_VALIDATION_FAILED.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize: (value) => value as string,
  parseValue: (value) => readScalar(parseInstant, value, 'DateTime'),
  parseLiteral: (node) => readScalar(parseInstant, node.kind === Kind.STRING ? node.value : undefined, 'DateTime'),
});

export const DecimalScalar = new GraphQLScalarType<string, string>({
  name: 'Decimal',
  description:
    `An exact decimal number with ${DECIMAL_RANGE}. Input is a JSON number or a numeric ` +
    'text (`"1250.75"`, `1.5e3`); use a text if your client rounds numbers. Output is a text, so that no digit is lost.',
  serialize: (value) => value as string,
  parseValue: (value) => readScalar(parseDecimal, value, 'Decimal'),
  parseLiteral: (node) => readScalar(parseDecimal, readLiteral(node), 'Decimal'),
});
