// Wraps the resolver of each list of the schema, so that the objects of a response are counted (answer-size.ts).
import {
  defaultFieldResolver,
  type FieldNode,
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { type GivenArguments, readFieldCost } from '../../farm/graph/costs';
import { findAnswerSize } from './answer-size';

/**
 * Both executors call these resolvers. Fields that are not lists are not wrapped: graphql-jit reads fields without a resolver fastest.
 */
export function countLists(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const { priceOfEach } = readFieldCost(field);
      const isList = isListType(getNullableType(field.type));
      if (!isList && priceOfEach === undefined) continue;
      const resolve = field.resolve ?? defaultFieldResolver;
      const itemType = getNamedType(field.type);
      field.resolve = (source, args, context, info) => {
        const read = () => resolve(source, args, context, info);
        const size = findAnswerSize(context);
        if (priceOfEach) size?.addPrice(priceOfEach(readCostArguments(args)));
        return isList && size ? size.readList(() => countObjectsOfItem(info, itemType), read) : read();
      };
    }
  }
}

/** Reads the figures of a cost from the arguments that the resolver gets. */
function readCostArguments(args: Record<string, unknown>): GivenArguments {
  const numberOf = (value: unknown, isNumber: boolean) => (isNumber ? (value as number) : undefined);
  return {
    number: (name) => numberOf(args[name], typeof args[name] === 'number'),
    instant: (name) => (typeof args[name] === 'string' ? Date.parse(args[name]) : undefined),
    length: (name) => (Array.isArray(args[name]) ? args[name].length : undefined),
    isOneOf: (name, values) => values.has(String(args[name])),
    price: () => undefined,
  };
}

const objectsBySelection = new WeakMap<SelectionSetNode, number>();

/** Counts the objects of one item of a list: the item and the objects inside it, but not those of lists inside it. */
function countObjectsOfItem(
  { fieldNodes, ...info }: SchemaAndFragments & { fieldNodes: readonly FieldNode[] },
  type: GraphQLNamedType,
) {
  return fieldNodes.reduce((sum, { selectionSet }) => sum + countObjects(selectionSet, type, info), 1);
}

type SchemaAndFragments = Pick<GraphQLResolveInfo, 'schema' | 'fragments'>;

/**
 * Counts the objects that a selection adds. A field without an alias needs no count, because a type has only so many fields. Clients
 * can repeat a field any number of times with aliases, so each alias of a plain value counts as an object.
 */
function countObjects(
  set: SelectionSetNode | undefined,
  type: GraphQLNamedType | undefined,
  parts: SchemaAndFragments,
): number {
  if (set === undefined) return 0;
  const known = objectsBySelection.get(set);
  if (known !== undefined) return known;
  let objects = 0;
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) {
      const fields = isObjectType(type) || isInterfaceType(type) ? type.getFields() : {};
      const field = fields[selection.name.value];
      const isList = isListType(field && getNullableType(field.type));
      if (selection.selectionSet === undefined) objects += selection.alias ? 1 : 0;
      else if (!isList) objects += 1 + countObjects(selection.selectionSet, field && getNamedType(field.type), parts);
    } else {
      const one = selection.kind === Kind.FRAGMENT_SPREAD ? parts.fragments[selection.name.value] : selection;
      const narrowed = one?.typeCondition ? parts.schema.getType(one.typeCondition.name.value) : type;
      objects += countObjects(one?.selectionSet, narrowed, parts);
    }
  }
  objectsBySelection.set(set, objects);
  return objects;
}
