// The numbers of variables that no float holds as they were written: a Decimal wants their digits, every other type a
// number like any other.
import {
  GraphQLID,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isListType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import { digitsOf } from '../values/decimal';
import { DecimalScalar } from './scalars';

type Variables = Record<string, unknown>;

/** The variables with such numbers only where a Decimal is declared. */
export function numbersByType(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  variables: Variables,
): Variables {
  const read = { ...variables };
  for (const { variable, type } of operation.variableDefinitions ?? []) {
    const name = variable.name.value;
    const declared = typeFromAST(schema, type as never) as GraphQLInputType | undefined;
    if (name in read && declared !== undefined) read[name] = numbersOf(read[name], declared);
  }
  return read;
}

function numbersOf(value: unknown, given: GraphQLInputType): unknown {
  if (value === null || typeof value !== 'object') return value;
  const type = getNullableType(given);
  if (isListType(type)) {
    return Array.isArray(value) ? value.map((item) => numbersOf(item, type.ofType)) : numbersOf(value, type.ofType);
  }
  const digits = digitsOf(value);
  if (digits !== undefined) {
    if (type === DecimalScalar) return value;
    return type === GraphQLID && /^-?\d+$/.test(digits) ? digits : Number(digits);
  }
  if (!isInputObjectType(type)) return value;
  const fields = type.getFields();
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, fields[name] ? numbersOf(item, fields[name].type) : item]),
  );
}
