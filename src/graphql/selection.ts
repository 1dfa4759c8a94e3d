// What a query selects below the field that is being resolved, for resolvers that read no more and no later than that.
import {
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  getArgumentValues,
  getNamedType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { createParameterDecorator } from 'type-graphql';

/**
 * The selections of these fields; one behind @skip or @include is among them. A fragment is followed once, however often
 * it is spread: followed at each of its uses, half a kilobyte of fragments in fragments takes 0.1 s.
 */
export function selectedFields({ fieldNodes, fragments }: GraphQLResolveInfo, names: string[]): FieldNode[] {
  const followed = new Set<string>();
  const among = (set: SelectionSetNode | undefined): FieldNode[] =>
    (set?.selections ?? []).flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return names.includes(selection.name.value) ? [selection] : [];
      if (selection.kind === Kind.INLINE_FRAGMENT) return among(selection.selectionSet);
      const { value: name } = selection.name;
      return followed.size === followed.add(name).size ? [] : among(fragments[name]?.selectionSet);
    });
  return fieldNodes.flatMap(({ selectionSet }) => among(selectionSet));
}

/** The arguments of a field of the answer, so that it is read together with it; null unless it is selected just once. */
export const ArgumentsOfSelected = (name: string) =>
  createParameterDecorator(({ info }) => {
    const [field, another] = selectedFields(info, [name]);
    if (field === undefined || another !== undefined) return null;
    const definition = (getNamedType(info.returnType) as GraphQLObjectType).getFields()[name];
    return definition ? getArgumentValues(definition, field, info.variableValues) : null;
  });
