// Measures an operation by its document and its page sizes, and refuses it before execution if it exceeds a limit.
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLUnionType,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isUnionType,
  Kind,
  type NamedTypeNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { BadInput } from '../../errors';
import { type GivenArguments, readFieldCost } from '../../farm/graph/costs';
import { clamp, MAX_INPUT_ITEMS, MAX_PAGE_ROWS } from '../../values/page';
import { type ArgumentFigures, areUnchanged, givenOf, type VariableValue, variableValues } from './cost-arguments';
import { earlyRefusal } from './variable-issues';

/** The dashboard's operations have none, and an app has one for each part that it can leave out. */
export const MAX_DIRECTIVES = 100;

export interface GraphLimits {
  /** Levels of selections. */
  depth: number;
  aliases: number;
  directives: number;
  /** The number of objects that the answer can have, computed from the page sizes, and the price of other rows it reads. */
  cost: number;
  tokens: number;
}

type Selectable = GraphQLObjectType | GraphQLInterfaceType | GraphQLUnionType;

interface Measure {
  depth: number;
  aliases: number;
  directives: number;
  cost: number;
  listed: number;
  /** The objects of fields that may have so many and no more. */
  bounded: Map<GraphQLField<unknown, unknown>, number>;
  /** While the variables give the same figures, the measure is the same. */
  figures: ArgumentFigures;
}

/** The number of rows assumed for a list without a page size. No farm has more cameras than this. */
const MAX_ASSUMED_ROWS = 20_000;
/** What the whole schema has, for each time that it is asked for, and for each alias in it. */
const INTROSPECTION_PRICE = 30_000;
/** A subscription costs this much again at each change that it watches. */
const MAX_SUBSCRIPTION_COST = 200;

export function limitCheck(schema: GraphQLSchema, limits: GraphLimits) {
  // To measure an operation takes up to 0.02 ms, a twentieth of the time of a status record (W5).
  const measures = new WeakMap<OperationDefinitionNode, Measure>();
  return (
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Record<string, unknown> | undefined,
  ): Measure => {
    const variableValue = variableValues(operation, variables);
    let measure = measures.get(operation);
    if (measure === undefined || !areUnchanged(measure.figures, variableValue)) {
      measure = measureOperation(schema, document, operation, variableValue, limits);
      measures.set(operation, measure);
    }
    // One list alone is refused by the rule of its field.
    if (measure.listed > MAX_INPUT_ITEMS)
      throw refusal(`The operation has ${measure.listed} items in its lists; the limit is ${MAX_INPUT_ITEMS}`);
    for (const [field, objects] of measure.bounded) {
      const { maxInOperation = objects } = readFieldCost(field);
      if (objects > maxInOperation)
        throw refusal(`The operation has ${objects} items in ${field.name}; the limit is ${maxInOperation}`);
    }
    const isSubscription = operation.operation === 'subscription';
    for (const name of ['depth', 'aliases', 'directives', 'cost'] as const) {
      const limit = name === 'cost' && isSubscription ? Math.min(limits.cost, MAX_SUBSCRIPTION_COST) : limits[name];
      if (measure[name] <= limit) continue;
      const measured =
        name === 'aliases' || name === 'directives' ? `${measure[name]} ${name}` : `a ${name} of ${measure[name]}`;
      throw refusal(
        `The operation has ${measured}; the limit${isSubscription ? ' of a subscription' : ''} is ${limit}`,
      );
    }
    return measure;
  };
}

const refusal = (message: string) => earlyRefusal(new BadInput(message));

const takesList = ({ args }: GraphQLField<unknown, unknown>) =>
  args.some(({ name, type }) => name === 'input' && isListType(getNullableType(type)));

/**
 * The number of objects that a field answers for each parent. A list that has no bound counts as one: it is counted while the answer
 * is made (answer-size.ts).
 */
function sizeOf(field: GraphQLField<unknown, unknown>, given: GivenArguments): number {
  const { size } = readFieldCost(field);
  if (size !== undefined) return typeof size === 'function' ? size(given) : size;
  const first = field.args.find(({ name }) => name === 'first');
  if (first) {
    const usual = Number(first.defaultValue ?? MAX_PAGE_ROWS);
    // A list without a default answers as many as are asked for, and all of the farm's when no number is given.
    const max = first.defaultValue === undefined ? MAX_ASSUMED_ROWS : MAX_PAGE_ROWS;
    return clamp(given.number('first') ?? usual, 1, max);
  }
  return takesList(field) ? clamp(given.length('input') ?? 1, 1, MAX_INPUT_ITEMS) : 1;
}

/** The aliases below a selection; each fragment once. */
function aliasesIn(set: SelectionSetNode, fragments: ReadonlyMap<string, FragmentDefinitionNode>): number {
  let aliases = 0;
  const sets = new Set([set]);
  for (const { selections } of sets) {
    for (const one of selections) {
      if (one.kind === Kind.FIELD && one.alias) aliases += 1;
      const below = (one.kind === Kind.FRAGMENT_SPREAD ? fragments.get(one.name.value) : one)?.selectionSet;
      if (below) sets.add(below);
    }
  }
  return aliases;
}

function measureOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variableValue: VariableValue,
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
    bounded: new Map(),
    figures: new Map(),
  };

  /** The type of a fragment: its condition may be one of the types of an interface or a union. */
  const narrowed = (condition: NamedTypeNode | undefined, type: Selectable): Selectable =>
    condition ? (schema.getType(condition.name.value) as Selectable) : type;

  const walk = (selections: SelectionSetNode, type: Selectable, depth: number, copies: number): void => {
    measure.depth = Math.max(measure.depth, depth);
    for (const selection of selections.selections) {
      measure.directives += selection.directives?.length ?? 0;
      // Nested fragments can describe more fields than can be walked.
      if (measure.cost > limits.cost || measure.aliases > limits.aliases || measure.depth > limits.depth) return;
      if (selection.kind === Kind.FIELD) {
        if (selection.alias) measure.aliases += 1;
        const field = isUnionType(type) ? undefined : type.getFields()[selection.name.value];
        if (selection.selectionSet && !field && selection.name.value.startsWith('__'))
          measure.cost += INTROSPECTION_PRICE * (1 + aliasesIn(selection.selectionSet, fragments));
        if (!selection.selectionSet || !field) continue;
        const inner = getNamedType(field.type);
        if (!isCompositeType(inner)) continue;
        // The rows of a connection are in its nodes and edges; every other field is one object.
        const given = givenOf(selection, field, variableValue, measure.figures);
        const { priceOfEach, price, maxInOperation } = readFieldCost(field);
        const objects = copies * sizeOf(field, given);
        measure.cost += objects + copies * (priceOfEach?.(given) ?? 0) + (price?.(given) ?? 0);
        if (takesList(field)) measure.listed += objects;
        if (maxInOperation !== undefined) measure.bounded.set(field, (measure.bounded.get(field) ?? 0) + objects);
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
