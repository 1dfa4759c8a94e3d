// The limits of one operation: measured from the document and its page sizes, and checked before execution.
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type NamedTypeNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import { BadInput } from '../errors';
import { type Cost, costOf, type Given, priceOf } from '../graph/costs';
import { clamp, MAX_PAGE_ROWS } from '../values/page';
import { earlyRefusal } from './issues';

export interface GraphLimits {
  /** Levels of selections. */
  depth: number;
  aliases: number;
  directives: number;
  /** The number of objects that the answer can have, computed from the page sizes, and the price of other rows it reads. */
  cost: number;
  tokens: number;
}

/** The items of all input lists together: an operation must not write for longer than a request may take. */
const MAX_LISTED = 1000;

type Values = Record<string, unknown>;
type Variables = Values | undefined;

type WithFields = GraphQLObjectType | GraphQLInterfaceType;

/** A figure that the cost needs of a value in the document. */
interface Reading {
  node: ValueNode;
  read(value: unknown): number | undefined;
  found: number | undefined;
}

interface Measure {
  depth: number;
  aliases: number;
  directives: number;
  cost: number;
  listed: number;
  /** Whether it selects a field whose extension `reads` says that it needs the right to read. */
  reads: boolean;
  /** Of values with variables: while they read the same, the measure is the same. */
  readings: Reading[];
}

export function limitCheck(schema: GraphQLSchema, limits: GraphLimits) {
  // To measure an operation takes up to 0.02 ms, a twentieth of the time of a status record (W5).
  const known = new WeakMap<OperationDefinitionNode, Measure>();
  return (document: DocumentNode, operation: OperationDefinitionNode, variables: Variables): Measure => {
    const values = valuesOf(operation, variables);
    let measure = known.get(operation);
    if (measure?.readings.every(({ node, read, found }) => read(plainValue(node, values)) === found) !== true) {
      measure = measureOf(schema, document, operation, values, limits);
      known.set(operation, measure);
    }
    // One list alone is refused by the rule of its field.
    if (measure.listed > MAX_LISTED)
      throw refusal(`The operation has ${measure.listed} items in its lists; the limit is ${MAX_LISTED}`);
    for (const name of ['depth', 'aliases', 'directives', 'cost'] as const) {
      if (measure[name] <= limits[name]) continue;
      const what =
        name === 'aliases' || name === 'directives' ? `${measure[name]} ${name}` : `a ${name} of ${measure[name]}`;
      throw refusal(`The operation has ${what}; the limit is ${limits[name]}`);
    }
    return measure;
  };
}

const refusal = (message: string) => earlyRefusal(new BadInput(message));

/** The length of a list is all that is read of it, so its items stay as they are. */
const plainValue = (node: ValueNode, values: Values) =>
  node.kind === Kind.LIST ? node.values : valueFromASTUntyped(node, values);

/** The values of the variables, those of their defaults included. */
function valuesOf({ variableDefinitions = [] }: OperationDefinitionNode, variables: Variables): Values {
  return Object.fromEntries(
    variableDefinitions.map(({ variable: { name }, defaultValue }) => {
      const given = variables && Object.hasOwn(variables, name.value) ? variables[name.value] : null;
      return [name.value, given ?? (defaultValue && valueFromASTUntyped(defaultValue))];
    }),
  );
}

const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined);

/** A value that is no list counts as a list of one. */
const lengthOf = (value: unknown) => (Array.isArray(value) ? value.length : value == null ? undefined : 1);

/** An empty text filters nothing. */
function filterPriceOf(value: unknown, type: GraphQLInputType | undefined): number | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const members = isInputObjectType(type) ? Object.values(type.getFields()) : [];
  const given = members.filter(({ name }) => ((value as Values)[name] ?? '') !== '');
  return given.reduce((sum, member) => sum + priceOf(member), 0);
}

const takesList = ({ args }: GraphQLField<unknown, unknown>) =>
  args.some(({ name, type }) => name === 'input' && isListType(getNullableType(type)));

/** The number of objects that a field answers for each of its parents. */
function sizeOf(field: GraphQLField<unknown, unknown>, { size = 1 }: Cost, given: Given): number {
  const first = field.args.find(({ name }) => name === 'first');
  if (first) {
    const usual = Number(first.defaultValue ?? MAX_PAGE_ROWS);
    return clamp(given.number('first') ?? usual, 1, MAX_PAGE_ROWS);
  }
  if (takesList(field)) return clamp(given.length('input') ?? 1, 1, MAX_LISTED);
  return typeof size === 'function' ? size(given) : size;
}

function measureOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  values: Values,
  limits: GraphLimits,
): Measure {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const measure: Measure = {
    depth: 0,
    aliases: 0,
    directives: operation.directives?.length ?? 0,
    cost: 0,
    listed: 0,
    reads: false,
    readings: [],
  };

  const givenOf = (selection: FieldNode, { args }: GraphQLField<unknown, unknown>): Given => {
    const reading = (argument: string, read: Reading['read']) => {
      const node = selection.arguments?.find(({ name }) => name.value === argument)?.value;
      if (node === undefined) return undefined;
      const found = read(plainValue(node, values));
      if (node.kind === Kind.VARIABLE || node.kind === Kind.OBJECT) measure.readings.push({ node, read, found });
      return found;
    };
    return {
      number: (argument) => reading(argument, numberOf),
      length: (argument) => reading(argument, lengthOf),
      price(argument) {
        const type = args.find(({ name }) => name === argument)?.type;
        return reading(argument, (value) => filterPriceOf(value, type));
      },
    };
  };

  /** The type of a fragment: its condition may be one of the types of an interface. */
  const narrowed = (condition: NamedTypeNode | undefined, type: WithFields): WithFields =>
    condition ? (schema.getType(condition.name.value) as WithFields) : type;

  /** @param copies how many times the answer has this selection */
  const walk = (selections: SelectionSetNode, type: WithFields, depth: number, copies: number): void => {
    measure.depth = Math.max(measure.depth, depth);
    for (const selection of selections.selections) {
      measure.directives += selection.directives?.length ?? 0;
      // Nested fragments can describe more fields than can be walked.
      if (measure.cost > limits.cost || measure.aliases > limits.aliases || measure.depth > limits.depth) return;
      if (selection.kind === Kind.FIELD) {
        if (selection.alias) measure.aliases += 1;
        const field = type.getFields()[selection.name.value];
        measure.reads ||= field?.extensions['reads'] === true;
        if (!selection.selectionSet || !field) continue;
        const inner = getNamedType(field.type);
        if (!isObjectType(inner) && !isInterfaceType(inner)) continue;
        // The rows of a connection are in its nodes and edges; every other field is one object.
        const given = givenOf(selection, field);
        const cost = costOf(field);
        const objects = copies * sizeOf(field, cost, given);
        measure.cost += objects + copies * (cost.priceOfEach ?? 0) + (cost.price?.(given) ?? 0);
        if (takesList(field)) measure.listed += objects;
        walk(selection.selectionSet, inner, depth + 1, objects);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        walk(selection.selectionSet, narrowed(selection.typeCondition, type), depth, copies);
      } else {
        const fragment = fragments.get(selection.name.value);
        // The fields of a fragment count too, so that walking nested fragments ends at the limit.
        measure.cost += fragment?.selectionSet.selections.length ?? 0;
        if (fragment) walk(fragment.selectionSet, narrowed(fragment.typeCondition, type), depth, copies);
      }
    }
  };
  const root = schema.getRootType(operation.operation);
  if (root) walk(operation.selectionSet, root, 1, 1);
  return measure;
}
