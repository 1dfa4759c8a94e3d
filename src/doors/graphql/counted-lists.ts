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
import { sizeOfAnswer } from './answer-size';

/** Both executors call these resolvers. Fields that are no lists keep theirs, and the compiled ones without any stay as fast. */
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
        const size = sizeOfAnswer(context);
        if (priceOfEach) size?.addPrice(priceOfEach(givenIn(args)));
        return isList && size ? size.list(() => objectsInItem(info, itemType), read) : read();
      };
    }
  }
}

/** The arguments as they are given to the resolver. */
function givenIn(args: Record<string, unknown>): GivenArguments {
  const numberOf = (value: unknown, isNumber: boolean) => (isNumber ? (value as number) : undefined);
  return {
    number: (name) => numberOf(args[name], typeof args[name] === 'number'),
    instant: (name) => (typeof args[name] === 'string' ? Date.parse(args[name]) : undefined),
    length: (name) => (Array.isArray(args[name]) ? args[name].length : undefined),
    price: () => undefined,
  };
}

const objectsBySelection = new WeakMap<SelectionSetNode, number>();

/** How many objects an item of a list has, itself included, without those of further lists. */
function objectsInItem({ fieldNodes, ...info }: Parts & { fieldNodes: readonly FieldNode[] }, type: GraphQLNamedType) {
  return fieldNodes.reduce((sum, { selectionSet }) => sum + objectsIn(selectionSet, type, info), 1);
}

type Parts = Pick<GraphQLResolveInfo, 'schema' | 'fragments'>;

/** A type has so many fields, and each alias makes one more: that of a text counts as an object too. */
function objectsIn(set: SelectionSetNode | undefined, type: GraphQLNamedType | undefined, parts: Parts): number {
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
      else if (!isList) objects += 1 + objectsIn(selection.selectionSet, field && getNamedType(field.type), parts);
    } else {
      const one = selection.kind === Kind.FRAGMENT_SPREAD ? parts.fragments[selection.name.value] : selection;
      const narrowed = one?.typeCondition ? parts.schema.getType(one.typeCondition.name.value) : type;
      objects += objectsIn(one?.selectionSet, narrowed, parts);
    }
  }
  objectsBySelection.set(set, objects);
  return objects;
}
