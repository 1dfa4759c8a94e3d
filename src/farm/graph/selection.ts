// Finds the fields that a query selects below the current field, so that a resolver reads only what is needed.
import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

/**
 * The selections of these fields, including those with @skip or @include. Each fragment is followed only once: if it were followed at each use, half
 * a kilobyte of nested fragments would take 0.1 s.
 */
export function selectedFields({ fieldNodes, fragments }: GraphQLResolveInfo, names: string[]): FieldNode[] {
  const followed = new Set<string>();
  const collect = (set: SelectionSetNode | undefined): FieldNode[] =>
    (set?.selections ?? []).flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return names.includes(selection.name.value) ? [selection] : [];
      if (selection.kind === Kind.INLINE_FRAGMENT) return collect(selection.selectionSet);
      const { value: name } = selection.name;
      return followed.size === followed.add(name).size ? [] : collect(fragments[name]?.selectionSet);
    });
  return fieldNodes.flatMap(({ selectionSet }) => collect(selectionSet));
}
