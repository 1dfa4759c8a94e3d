// The variables of a request as their operation declares them, as far as the executors do not see to it themselves.
import {
  GraphQLID,
  type GraphQLInputObjectType,
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

/**
 * A number that no float holds keeps its digits only where a Decimal is declared, and is a number like any other
 * elsewhere. Members of an input that are left out have their defaults, without which graphql-jit would refuse it.
 */
export function asDeclared(schema: GraphQLSchema, operation: OperationDefinitionNode, variables: Variables): Variables {
  const read = { ...variables };
  for (const { variable, type } of operation.variableDefinitions ?? []) {
    const name = variable.name.value;
    const declared = typeFromAST(schema, type as never) as GraphQLInputType | undefined;
    if (name in read && declared !== undefined) read[name] = declaredValue(read[name], declared);
  }
  return read;
}

function declaredValue(value: unknown, given: GraphQLInputType): unknown {
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
    return type === GraphQLID && /^-?\d+$/.test(digits) ? digits : Number(digits);
  }
  if (!isInputObjectType(type) || Array.isArray(value)) return value;
  const fields = type.getFields();
  const read: Variables = { ...defaultsOf(type), ...value };
  for (const [name, item] of Object.entries(value)) {
    if (typeof item === 'object' && fields[name] !== undefined) read[name] = declaredValue(item, fields[name].type);
  }
  return read;
}

const defaults = new WeakMap<GraphQLInputObjectType, Variables>();

function defaultsOf(type: GraphQLInputObjectType): Variables {
  const known = defaults.get(type);
  if (known !== undefined) return known;
  const fields = Object.values(type.getFields()).filter(({ defaultValue }) => defaultValue !== undefined);
  const found = Object.fromEntries(fields.map(({ name, defaultValue }) => [name, defaultValue]));
  defaults.set(type, found);
  return found;
}
