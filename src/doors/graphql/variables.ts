// Converts variables to the types that the operation declares, where the executors do not.
import {
  type DocumentNode,
  GraphQLError,
  GraphQLFloat,
  GraphQLID,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import { DecimalScalar } from '../../farm/graph/scalars';
import { exactDigits } from '../../values/decimal';
import { isSecret } from './demands';
import { pathOfVariable } from './variable-issues';

type Variables = Record<string, unknown>;

/** The variables that the operation declares. A client may send 100,000 others, which every later step would look at. */
export function keepDeclaredVariables(operation: OperationDefinitionNode, given: Variables): Variables {
  const declared = operation.variableDefinitions ?? [];
  for (const name in given) {
    if (declared.some(({ variable }) => variable.name.value === name)) continue;
    const names = declared.map(({ variable }) => variable.name.value).filter((one) => Object.hasOwn(given, one));
    return Object.fromEntries(names.map((one) => [one, given[one]]));
  }
  return given;
}

/** A number that no float can hold keeps its digits for a Decimal or an ID, becomes a float for a Float, and is refused for others. */
export function convertToDeclaredTypes(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
): Variables {
  let read = variables;
  for (const [name, type] of declarationsOf(schema, operation)) {
    if (!Object.hasOwn(read, name)) continue;
    const value = declaredValue(read[name], type, document, [name]);
    // A client may send thousands that are not declared.
    if (value !== read[name]) read = { ...read, [name]: value };
  }
  return read;
}

/** The variable, and the steps inside it. */
type Steps = [variable: string, ...inside: (string | number)[]];

function declarationsOf(schema: GraphQLSchema, operation: OperationDefinitionNode) {
  return (operation.variableDefinitions ?? []).flatMap(({ variable, type }): [string, GraphQLInputType][] => {
    const declared = typeFromAST(schema, type as never) as GraphQLInputType | undefined;
    return declared === undefined ? [] : [[variable.name.value, declared]];
  });
}

function declaredValue(
  value: unknown,
  given: GraphQLInputType,
  document: DocumentNode,
  steps: Steps,
  isHidden = false,
): unknown {
  if (value === null || typeof value !== 'object') return value;
  const type = getNullableType(given);
  if (isListType(type)) {
    if (!Array.isArray(value)) return declaredValue(value, type.ofType, document, steps);
    // Plans have lists of thousands of texts.
    return value.map((item, index) =>
      typeof item === 'object' ? declaredValue(item, type.ofType, document, [...steps, index]) : item,
    );
  }
  const digits = exactDigits(value);
  if (digits !== undefined) {
    if (type === DecimalScalar) return value;
    if (type === GraphQLID && /^-?\d+$/.test(digits)) return digits;
    if (type === GraphQLFloat && Number.isFinite(Number(digits))) return Number(digits);
    const [name, ...inside] = steps;
    const path = name + inside.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
    const sent = isHidden ? 'such a number' : digits;
    const issue = {
      path: [...pathOfVariable(document, name), ...inside],
      message: `${type} cannot represent ${sent}`,
    };
    throw new GraphQLError(`Variable "$${path}" got invalid value ${sent}; ${type} cannot represent it`, {
      extensions: { code: 'BAD_USER_INPUT', issues: [issue], http: { status: 400 } },
    });
  }
  if (!isInputObjectType(type)) return value;
  // graphql-jit would read an array as an object without members.
  if (Array.isArray(value)) return JSON.stringify(value);
  const fields = type.getFields();
  const read: Variables = { ...value };
  for (const name of Object.keys(read)) {
    const item = read[name];
    if (typeof item === 'string' || fields[name] === undefined) continue;
    const declared = declaredValue(item, fields[name].type, document, [...steps, name], isSecret(fields[name]));
    if (declared !== item) read[name] = declared;
  }
  return read;
}

/** Fills in the members of inputs that have defaults and are left out. No input holds another one. */
export function defaultsOf(schema: GraphQLSchema, operation: OperationDefinitionNode): (given: Variables) => Variables {
  const inputs = declarationsOf(schema, operation).flatMap(([name, type]) => {
    const declared = getNamedType(type);
    const fields = isInputObjectType(declared) ? Object.values(declared.getFields()) : [];
    const defaults = fields.flatMap((field) =>
      field.defaultValue === undefined ? [] : [[field.name, field.defaultValue]],
    );
    return defaults.length > 0 ? [{ name, values: Object.fromEntries(defaults) as Variables }] : [];
  });
  const filled = (input: unknown, values: Variables): unknown => {
    if (Array.isArray(input)) return input.map((item) => filled(item, values));
    return typeof input === 'object' && input !== null ? { ...values, ...input } : input;
  };
  return (given) => {
    if (inputs.length === 0) return given;
    const whole = { ...given };
    for (const { name, values } of inputs) if (Object.hasOwn(whole, name)) whole[name] = filled(whole[name], values);
    return whole;
  };
}
