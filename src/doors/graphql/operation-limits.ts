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
import {
  type ArgumentFigures,
  areUnchanged,
  createFigureReaders,
  createVariableReader,
  type VariableValue,
} from './cost-arguments';
import { earlyRefusal } from './variable-issues';

/** What a client can do if its operation exceeds a limit. */
const LIMIT_REMEDIES = {
  depth: 'Select fewer levels.',
  aliases: 'Use fewer aliases.',
  directives: 'Use fewer directives.',
  cost: 'Request fewer rows or fields.',
  items: 'Send the items in several operations.',
};

/** The dashboard's operations have no directives. An app has one for each part of an operation that it can leave out. */
export const MAX_DIRECTIVES = 100;

export interface GraphLimits {
  /** How many levels of selections the operation may have. */
  depth: number;
  aliases: number;
  directives: number;
  /** The number of objects that the response can have, computed from the page sizes, plus the price of other rows that are read. */
  cost: number;
  tokens: number;
}

type Selectable = GraphQLObjectType | GraphQLInterfaceType | GraphQLUnionType;

interface OperationSize {
  depth: number;
  aliases: number;
  directives: number;
  cost: number;
  listItems: number;
  /** The number of objects of each field that has a limit of its own in one operation. */
  limitedFields: Map<GraphQLField<unknown, unknown>, number>;
  /** The figures that were read from the arguments. If other variables give the same figures, the measure stays the same. */
  figures: ArgumentFigures;
}

/** The number of rows that is assumed for a list without a page size. No farm has more cameras. */
const MAX_ASSUMED_ROWS = 20_000;
/** The number of objects of the whole schema. It counts for each time that an operation reads the schema, and for each alias there. */
const INTROSPECTION_PRICE = 30_000;
/** The highest cost of a subscription, which has its cost again at each change that it watches. */
const MAX_SUBSCRIPTION_COST = 200;

export function createLimitCheck(schema: GraphQLSchema, limits: GraphLimits) {
  // Measuring an operation takes up to 0.02 ms, a twentieth of the time of a status record (W5), so measures are stored.
  const measures = new WeakMap<OperationDefinitionNode, OperationSize>();
  return (
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Record<string, unknown> | undefined,
  ): OperationSize => {
    const variableValue = createVariableReader(operation, variables);
    let measure = measures.get(operation);
    if (measure === undefined || !areUnchanged(measure.figures, variableValue)) {
      measure = measureOperation(schema, document, operation, variableValue, limits);
      measures.set(operation, measure);
    }
    // A single list that is too long is refused by the rule of its field. Here all lists of the operation count together.
    if (measure.listItems > MAX_INPUT_ITEMS)
      throw makeRefusal(
        `The operation has ${measure.listItems} items in its lists; the limit is ${MAX_INPUT_ITEMS}. ${LIMIT_REMEDIES.items}`,
      );
    for (const [field, objects] of measure.limitedFields) {
      const { maxInOperation = objects } = readFieldCost(field);
      if (objects > maxInOperation)
        throw makeRefusal(
          `The operation has ${objects} items in ${field.name}; the limit is ${maxInOperation}. ${LIMIT_REMEDIES.items}`,
        );
    }
    const isSubscription = operation.operation === 'subscription';
    for (const name of ['depth', 'aliases', 'directives', 'cost'] as const) {
      const limit = name === 'cost' && isSubscription ? Math.min(limits.cost, MAX_SUBSCRIPTION_COST) : limits[name];
      if (measure[name] <= limit) continue;
      const measured =
        name === 'aliases' || name === 'directives' ? `${measure[name]} ${name}` : `a ${name} of ${measure[name]}`;
      throw makeRefusal(
        `The operation has ${measured}; the limit${isSubscription ? ' of a subscription' : ''} is ${limit}. ${LIMIT_REMEDIES[name]}`,
      );
    }
    return measure;
  };
}

const makeRefusal = (message: string) => earlyRefusal(new BadInput(message));

const takesList = ({ args }: GraphQLField<unknown, unknown>) =>
  args.some(({ name, type }) => name === 'input' && isListType(getNullableType(type)));

/**
 * Calculates how many objects a field returns for each parent. A list without a limit counts as one object, because answer-size.ts
 * counts its items while the response is being made.
 */
function calculateSize(field: GraphQLField<unknown, unknown>, given: GivenArguments): number {
  const { size } = readFieldCost(field);
  if (size !== undefined) return typeof size === 'function' ? size(given) : size;
  const first = field.args.find(({ name }) => name === 'first');
  if (first) {
    const usual = Number(first.defaultValue ?? MAX_PAGE_ROWS);
    // A list whose `first` has no default returns as many rows as the client requests, and all rows if the client gives no number.
    const max = first.defaultValue === undefined ? MAX_ASSUMED_ROWS : MAX_PAGE_ROWS;
    return clamp(given.number('first') ?? usual, 1, max);
  }
  return takesList(field) ? clamp(given.length('input') ?? 1, 1, MAX_INPUT_ITEMS) : 1;
}

/** Counts the aliases below a selection. Each fragment counts once. */
function countAliases(set: SelectionSetNode, fragments: ReadonlyMap<string, FragmentDefinitionNode>): number {
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
): OperationSize {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const measure: OperationSize = {
    depth: 0,
    aliases: 0,
    directives: operation.directives?.length ?? 0,
    cost: 0,
    listItems: 0,
    limitedFields: new Map(),
    figures: new Map(),
  };

  /** The type of a fragment: its condition may be one of the types of an interface or a union. */
  const narrowType = (condition: NamedTypeNode | undefined, type: Selectable): Selectable =>
    condition ? (schema.getType(condition.name.value) as Selectable) : type;

  const walk = (selections: SelectionSetNode, type: Selectable, depth: number, copies: number): void => {
    measure.depth = Math.max(measure.depth, depth);
    for (const selection of selections.selections) {
      measure.directives += selection.directives?.length ?? 0;
      // Nested fragments can describe more fields than could be walked, so the walk stops at the limits.
      if (measure.cost > limits.cost || measure.aliases > limits.aliases || measure.depth > limits.depth) return;
      if (selection.kind === Kind.FIELD) {
        if (selection.alias) measure.aliases += 1;
        const field = isUnionType(type) ? undefined : type.getFields()[selection.name.value];
        if (selection.selectionSet && !field && selection.name.value.startsWith('__'))
          measure.cost += INTROSPECTION_PRICE * (1 + countAliases(selection.selectionSet, fragments));
        if (!selection.selectionSet || !field) continue;
        const inner = getNamedType(field.type);
        if (!isCompositeType(inner)) continue;
        // A field that takes `first` or a list has many objects; every other field has one.
        const given = createFigureReaders(selection, field, variableValue, measure.figures);
        const { priceOfEach, price, maxInOperation } = readFieldCost(field);
        const objects = copies * calculateSize(field, given);
        measure.cost += objects + copies * (priceOfEach?.(given) ?? 0) + (price?.(given) ?? 0);
        if (takesList(field)) measure.listItems += objects;
        if (maxInOperation !== undefined)
          measure.limitedFields.set(field, (measure.limitedFields.get(field) ?? 0) + objects);
        walk(selection.selectionSet, inner, depth + 1, objects);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        walk(selection.selectionSet, narrowType(selection.typeCondition, type), depth, copies);
      } else {
        const fragment = fragments.get(selection.name.value);
        // The fields of a fragment count too, so that walking nested fragments ends at the limit.
        measure.cost += fragment?.selectionSet.selections.length ?? 0;
        if (fragment) walk(fragment.selectionSet, narrowType(fragment.typeCondition, type), depth, copies);
      }
    }
  };
  const root = schema.getRootType(operation.operation);
  if (root) walk(operation.selectionSet, root, 1, 1);
  return measure;
}
