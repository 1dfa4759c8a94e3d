// Refuses @skip and @include on the field of a subscription, because graphql-js evaluates them before it has read the variables.
import { type DocumentNode, Kind, parse } from 'graphql';
import { BadInput } from '../../errors';
import { collectRootSelections } from './root-fields';

/**
 * @param query the text of a document; a document that cannot be parsed passes here, because Apollo refuses it
 * @param maxTokens a document with more tokens passes here too
 */
export function refuseConditionalSubscription(query: string | undefined, maxTokens: number): void {
  if (query === undefined || !/\bsubscription\b/i.test(query) || !query.includes('@')) return;
  const document = parseIfPossible(query, maxTokens);
  const isConditional = document?.definitions.some(
    (one) =>
      one.kind === Kind.OPERATION_DEFINITION &&
      one.operation === 'subscription' &&
      collectRootSelections(document, one).some(({ directives }) => (directives?.length ?? 0) > 0),
  );
  if (isConditional)
    throw new BadInput('The field of a subscription must not have @skip or @include. Remove the directive.');
}

function parseIfPossible(query: string, maxTokens: number): DocumentNode | undefined {
  try {
    return parse(query, { maxTokens });
  } catch {
    return undefined;
  }
}
