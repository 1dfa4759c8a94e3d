// The limits of one operation: measured from the document and its page sizes, and checked before execution.
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
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
import { MAX_PAGE_ROWS } from '../values/page';
import { earlyRefusal } from './issues';
import { filterPriceOf, LOG_PRICES, objectsOf, readPriceOf, SIZES, type Weight } from './prices';

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

type Variables = Record<string, unknown> | undefined;

type WithFields = GraphQLObjectType | GraphQLInterfaceType;

interface Measure {
  depth: number;
  aliases: number;
  directives: number;
  cost: number;
  listed: number;
  /** Whether it selects a field whose extension `reads` says that it needs the right to read. */
  reads: boolean;
  /** The weights of variables, by name: with the same weights the measure is the same. */
  weights: Map<string, Weight>;
}

export function limitCheck(schema: GraphQLSchema, limits: GraphLimits) {
  // To measure an operation takes up to 0.02 ms, a twentieth of the time of a status record (W5).
  const known = new WeakMap<OperationDefinitionNode, Measure>();
  return (document: DocumentNode, operation: OperationDefinitionNode, variables: Variables): Measure => {
    const weightIn = (name: string): Weight => {
      const given = variables && Object.hasOwn(variables, name) ? variables[name] : null;
      const definition = operation.variableDefinitions?.find((one) => one.variable.name.value === name);
      return weightOf(given ?? (definition?.defaultValue && valueFromASTUntyped(definition.defaultValue)));
    };
    let measure = known.get(operation);
    if (measure === undefined || [...measure.weights].some(([name, weight]) => weightIn(name) !== weight)) {
      measure = measureOf(schema, document, operation, weightIn, limits);
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

function weightOf(given: unknown): Weight {
  if (typeof given === 'number') return given;
  if (typeof given === 'string') return given === '' ? undefined : 1;
  if (Array.isArray(given)) return given.length;
  if (typeof given !== 'object' || given === null) return undefined;
  return filterPriceOf(Object.entries(given).map(([member, value]) => [member, weightOf(value)]));
}

function measureOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  weightIn: (variable: string) => Weight,
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
    weights: new Map(),
  };

  /** The weight of a value in the document. */
  const weigh = (node: ValueNode | undefined): Weight => {
    switch (node?.kind) {
      case Kind.VARIABLE: {
        const weight = weightIn(node.name.value);
        measure.weights.set(node.name.value, weight);
        return weight;
      }
      case Kind.LIST:
        return node.values.length;
      case Kind.OBJECT:
        return filterPriceOf(node.fields.map(({ name, value }) => [name.value, weigh(value)]));
      default:
        return node && weightOf(node.kind === Kind.INT ? Number(node.value) : valueFromASTUntyped(node));
    }
  };

  const argumentsOf =
    ({ arguments: given }: FieldNode) =>
    (wanted: string): Weight =>
      weigh(given?.find(({ name }) => name.value === wanted)?.value);

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
        const length = field.args.find(({ name }) => name === 'first' || name === 'points');
        const usual = length ? Number(length.defaultValue ?? MAX_PAGE_ROWS) : SIZES[field.name];
        const argument = argumentsOf(selection);
        const objects = copies * (usual === undefined ? 1 : objectsOf(field.name, argument, usual));
        measure.cost += objects + copies * (LOG_PRICES[field.name] ?? 0) + readPriceOf(field.name, argument);
        if (field.args.some(({ name, type }) => name === 'input' && isListType(getNullableType(type))))
          measure.listed += objects;
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
