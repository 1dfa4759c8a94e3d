// Collects what an operation selects at its root, including the selections of fragments, as the execution collects them.
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** Collects all selections at the root: fields, fragments, and the selections of these fragments. Each named fragment counts once. */
export function collectRootSelections(
  { definitions }: DocumentNode,
  { selectionSet }: OperationDefinitionNode,
): SelectionNode[] {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const one of definitions) if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one);
  const found: SelectionNode[] = [];
  const follow = (set: SelectionSetNode | undefined): void => {
    for (const selection of set?.selections ?? []) {
      found.push(selection);
      if (selection.kind === Kind.INLINE_FRAGMENT) follow(selection.selectionSet);
      if (selection.kind !== Kind.FRAGMENT_SPREAD) continue;
      const fragment = fragments.get(selection.name.value);
      fragments.delete(selection.name.value);
      follow(fragment?.selectionSet);
    }
  };
  follow(selectionSet);
  return found;
}

/**
 * Collects the root fields by their names in the response; nodes with the same name are one field. A field with @skip or @include
 * counts, because the next request can have other variables.
 */
export function collectRootFields(
  document: DocumentNode,
  operation: OperationDefinitionNode,
): ReadonlyMap<string, readonly FieldNode[]> {
  const fields = new Map<string, FieldNode[]>();
  for (const selection of collectRootSelections(document, operation)) {
    if (selection.kind !== Kind.FIELD) continue;
    const name = (selection.alias ?? selection.name).value;
    fields.set(name, [...(fields.get(name) ?? []), selection]);
  }
  return fields;
}
