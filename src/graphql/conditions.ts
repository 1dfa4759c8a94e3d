// Refuses @skip and @include on the field of a subscription: graphql-js reads their variables before it has them.
import { Kind, parse, type SelectionSetNode } from 'graphql';
import { BadInput } from '../errors';

/**
 * @param query the text of a document; one that cannot be parsed is refused elsewhere
 * @param maxTokens a document with more is refused elsewhere too
 */
export function refuseConditionalSubscription(query: string | undefined, maxTokens: number): void {
  if (query === undefined || !/\bsubscription\b/i.test(query) || !query.includes('@')) return;
  const roots = definitionsOf(query, maxTokens).flatMap((definition) => {
    if (definition.kind === Kind.OPERATION_DEFINITION)
      return definition.operation === 'subscription' ? [definition.selectionSet] : [];
    const isFragment = definition.kind === Kind.FRAGMENT_DEFINITION;
    return isFragment && definition.typeCondition.name.value === 'Subscription' ? [definition.selectionSet] : [];
  });
  if (roots.some(hasCondition)) throw new BadInput('A subscription must not have @skip or @include at its top level');
}

function definitionsOf(query: string, maxTokens: number) {
  try {
    return parse(query, { maxTokens }).definitions;
  } catch {
    return [];
  }
}

const hasCondition = ({ selections }: SelectionSetNode): boolean =>
  selections.some(
    (selection) =>
      (selection.directives?.length ?? 0) > 0 ||
      (selection.kind === Kind.INLINE_FRAGMENT && hasCondition(selection.selectionSet)),
  );
