// Gives the callers of TRUSTED_OPERATIONS higher limits, because a program such as the router of a supergraph writes their
// operations. A hundred look-ups through the router Hive have 1,800 tokens.
import type { GraphQLRequest } from '@apollo/server';
import { GraphQLError, parse } from 'graphql';
import { LRUCache } from 'lru-cache';
import { sha256 } from '../../values/sha256';
import type { GraphLimits } from './operation-limits';

const FACTOR = 10;
/** The maximum number of characters of all documents that are stored for trusted callers, which then may send only the hashes. */
const MAX_SENT_CHARACTERS = 10_000_000;

/** Raises the limits for documents that a program writes. */
export const raiseLimits = (limits: GraphLimits): GraphLimits => ({
  ...limits,
  tokens: limits.tokens * FACTOR,
  aliases: limits.aliases * FACTOR,
  directives: limits.directives * FACTOR,
});

/**
 * Checks the number of tokens for callers who are not trusted. Apollo has one limit for all documents: that of trusted callers.
 * @returns the error that Apollo's parser would make; undefined if the document may pass
 */
export function checkTokenLimit(query: string | undefined, maxTokens: number): GraphQLError | undefined {
  // Each token has at least one character.
  if (query === undefined || query.length <= maxTokens) return undefined;
  try {
    parse(query, { maxTokens, noLocation: true });
    return undefined;
  } catch (error) {
    // Apollo itself reports all other faults.
    if (!(error instanceof GraphQLError) || !error.message.includes('tokens')) return undefined;
    return new GraphQLError(error.message, {
      source: error.source,
      positions: error.positions,
      extensions: { code: 'GRAPHQL_PARSE_FAILED', http: { status: 400 } },
    });
  }
}

/**
 * Stores the documents that trusted callers sent together with their hashes. It is needed with PERSISTED_ONLY, when Apollo's store has
 * only the documents of the manifests.
 */
export class SentDocuments {
  private readonly texts = new LRUCache<string, string>({
    maxSize: MAX_SENT_CHARACTERS,
    sizeCalculation: (text) => text.length + 1,
  });

  /** Adds the stored text to a request that has only the hash. Apollo compares text and hash. */
  complete(request: GraphQLRequest): GraphQLRequest {
    const hash: unknown = request.extensions?.['persistedQuery']?.sha256Hash;
    const { query } = request;
    if (typeof hash !== 'string') return request;
    if (query === undefined) return { ...request, query: this.texts.get(hash) };
    if (sha256(query) === hash) this.texts.set(hash, query);
    return request;
  }
}
