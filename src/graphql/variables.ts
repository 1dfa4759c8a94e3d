// The variables of a request as their operation declares them, as far as the executors do not see to it themselves.
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

/** A number that no float holds keeps its digits where a Decimal is declared, and is a number like any other elsewhere. */
export function asDeclared(schema: GraphQLSchema, operation: OperationDefinitionNode, variables: Variables): Variables {
  const read = { ...variables };
  for (const { variable, type } of operation.variableDefinitions ?? []) {
    const name = variable.name.value;
    const declared = typeFromAST(schema, type as never) as GraphQLInputType | undefined;
    if (Object.hasOwn(read, name) && declared !== undefined) read[name] = declaredValue(read[name], declared);
  }
  return read;
}

function declaredValue(value: unknown, given: GraphQLInputType): unknown {
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) return { tooLarge: String(value) };
  if (value === null || typeof value !== 'object') return value;
  const type = getNullableType(given);
  if (isListType(type)) {
    return Array.isArray(value)
      ? value.map((item) => declaredValue(item, type.ofType))
      : declaredValue(value, type.ofType);
  }
  const digits = digitsOf(value);
  if (digits !== undefined) {
    if (type === DecimalScalar) return value;
    if (type === GraphQLID && /^-?\d+$/.test(digits)) return digits;
    // Infinity would be the same as null to whoever compares requests by their JSON; every type refuses this.
    return Number.isFinite(Number(digits)) ? Number(digits) : { tooLarge: digits };
  }
  if (!isInputObjectType(type)) return value;
  // graphql-jit would take it for an object without members.
  if (Array.isArray(value)) return JSON.stringify(value);
  const read: Variables = { ...value };
  for (const { name, type: declared, defaultValue } of Object.values(type.getFields())) {
    if (!Object.hasOwn(read, name)) {
      // graphql-jit would refuse the input without it.
      if (defaultValue !== undefined) read[name] = defaultValue;
    } else if (typeof read[name] !== 'string') read[name] = declaredValue(read[name], declared);
  }
  return read;
}
