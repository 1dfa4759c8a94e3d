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
import { findVariablePath } from './variable-issues';

type Variables = Record<string, unknown>;

/** Keeps the variables that the operation declares. A client may send 100,000 others, which would slow down every later step. */
export function keepDeclaredVariables(operation: OperationDefinitionNode, given: Variables): Variables {
  const declared = operation.variableDefinitions ?? [];
  for (const name in given) {
    if (declared.some(({ variable }) => variable.name.value === name)) continue;
    const names = declared.map(({ variable }) => variable.name.value).filter((one) => Object.hasOwn(given, one));
    return Object.fromEntries(names.map((one) => [one, given[one]]));
  }
  return given;
}

/**
 * Converts numbers with more digits than a float can hold: they keep their digits for a Decimal or an ID, become a float for a Float,
 * and are refused for all other types.
 */
export function convertToDeclaredTypes(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
): Variables {
  let read = variables;
  for (const [name, type] of readDeclarations(schema, operation)) {
    if (!Object.hasOwn(read, name)) continue;
    const value = convertValue(read[name], type, document, [name]);
    // The variables are copied only if a value changes.
    if (value !== read[name]) read = { ...read, [name]: value };
  }
  return read;
}

/** The name of the variable, and the members and indices that lead to a value inside it. */
type Steps = [variable: string, ...inside: (string | number)[]];

function readDeclarations(schema: GraphQLSchema, operation: OperationDefinitionNode) {
  return (operation.variableDefinitions ?? []).flatMap(({ variable, type }): [string, GraphQLInputType][] => {
    const declared = typeFromAST(schema, type as never) as GraphQLInputType | undefined;
    return declared === undefined ? [] : [[variable.name.value, declared]];
  });
}

function convertValue(
  value: unknown,
  given: GraphQLInputType,
  document: DocumentNode,
  steps: Steps,
  isHidden = false,
): unknown {
  if (value === null || typeof value !== 'object') return value;
  const type = getNullableType(given);
  if (isListType(type)) {
    if (!Array.isArray(value)) return convertValue(value, type.ofType, document, steps);
    // Items that are not objects need no conversion. Plans have lists of thousands of texts.
    return value.map((item, index) =>
      typeof item === 'object' ? convertValue(item, type.ofType, document, [...steps, index]) : item,
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
      path: [...findVariablePath(document, name), ...inside],
      message: `${type} cannot represent ${sent}`,
    };
    throw new GraphQLError(`Variable "$${path}" got invalid value ${sent}; ${type} cannot represent it`, {
      extensions: { code: 'BAD_USER_INPUT', issues: [issue], http: { status: 400 } },
    });
  }
  if (!isInputObjectType(type)) return value;
  // graphql-jit would read an array as an object without members, so it becomes a text, which every executor refuses.
  if (Array.isArray(value)) return JSON.stringify(value);
  const fields = type.getFields();
  const read: Variables = { ...value };
  for (const name of Object.keys(read)) {
    const item = read[name];
    if (typeof item === 'string' || fields[name] === undefined) continue;
    const declared = convertValue(item, fields[name].type, document, [...steps, name], isSecret(fields[name]));
    if (declared !== item) read[name] = declared;
  }
  return read;
}

/** Makes a function that adds the defaults of missing members to inputs. No input of the schema contains another input. */
export function createDefaultsFiller(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
): (given: Variables) => Variables {
  const inputs = readDeclarations(schema, operation).flatMap(([name, type]) => {
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
