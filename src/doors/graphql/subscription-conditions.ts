// Refuses @skip and @include on the field of a subscription: graphql-js reads their variables before it has them.
import { type DocumentNode, Kind, parse } from 'graphql';
import { BadInput } from '../../errors';
import { rootSelectionsOf } from './root-fields';

/**
 * @param query the text of a document; one that cannot be parsed is refused elsewhere
 * @param maxTokens a document with more is refused elsewhere too
 */
export function refuseConditionalSubscription(query: string | undefined, maxTokens: number): void {
  if (query === undefined || !/\bsubscription\b/i.test(query) || !query.includes('@')) return;
  const document = parsed(query, maxTokens);
  const isConditional = document?.definitions.some(
    (one) =>
      one.kind === Kind.OPERATION_DEFINITION &&
      one.operation === 'subscription' &&
      rootSelectionsOf(document, one).some(({ directives }) => (directives?.length ?? 0) > 0),
  );
  if (isConditional) throw new BadInput('A subscription must not have @skip or @include at its top level');
}

function parsed(query: string, maxTokens: number): DocumentNode | undefined {
  try {
    return parse(query, { maxTokens });
  } catch {
    return undefined;
  }
}
