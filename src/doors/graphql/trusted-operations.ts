// Gives the callers of TRUSTED_OPERATIONS higher limits, because a program writes their operations, such as the router of a
// supergraph. A hundred look-ups through the router Hive have 1,800 tokens.
import type { GraphQLRequest } from '@apollo/server';
import { GraphQLError, parse } from 'graphql';
import { LRUCache } from 'lru-cache';
import { sha256 } from '../../values/sha256';
import type { GraphLimits } from './operation-limits';

const FACTOR = 10;
/** Characters of the documents that trusted callers can send by their hashes. */
const MAX_SENT = 10_000_000;

/** The limits of documents that a program makes. */
export const tenfold = (limits: GraphLimits): GraphLimits => ({
  ...limits,
  tokens: limits.tokens * FACTOR,
  aliases: limits.aliases * FACTOR,
  directives: limits.directives * FACTOR,
});

/**
 * Apollo has one bound of tokens for all that it parses, which is that of trusted callers. This one is for all others.
 * @returns the refusal, as Apollo's parser would make it
 */
export function refusalOfTokens(query: string | undefined, maxTokens: number): GraphQLError | undefined {
  // Each token has a character.
  if (query === undefined || query.length <= maxTokens) return undefined;
  try {
    parse(query, { maxTokens, noLocation: true });
    return undefined;
  } catch (error) {
    // Apollo reports any other fault.
    if (!(error instanceof GraphQLError) || !error.message.includes('tokens')) return undefined;
    return new GraphQLError(error.message, {
      source: error.source,
      positions: error.positions,
      extensions: { code: 'GRAPHQL_PARSE_FAILED', http: { status: 400 } },
    });
  }
}

/** PERSISTED_ONLY: the documents that trusted callers sent with their hashes. Apollo's store has those of the manifests alone. */
export class SentDocuments {
  private readonly texts = new LRUCache<string, string>({
    maxSize: MAX_SENT,
    sizeCalculation: (text) => text.length + 1,
  });

  /** The request with the text that was sent before. Apollo compares text and hash. */
  complete(request: GraphQLRequest): GraphQLRequest {
    const hash: unknown = request.extensions?.['persistedQuery']?.sha256Hash;
    const { query } = request;
    if (typeof hash !== 'string') return request;
    if (query === undefined) return { ...request, query: this.texts.get(hash) };
    if (sha256(query) === hash) this.texts.set(hash, query);
    return request;
  }
}
