// The context of a request that comes by HTTP or over a WebSocket, for REST and GraphQL alike.
import { createHash, randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { DoorContext, Resolvers } from '../graph/context';
import type { IdempotencyService } from '../idempotency/idempotency.service';
import { instantNow } from '../values/instant';
import { until } from './deadline';

export interface ContextParts {
  resolvers: Resolvers;
  /** Runs a write with an idempotency key once, in a transaction. */
  once: IdempotencyService<Resolvers>['once'];
  /** Wakes the reader of the feed after each write. */
  onWrite(): void;
}

export type ContextOf = (request: FastifyRequest) => DoorContext;

export function contexts({ resolvers, once, onWrite }: ContextParts, requestMs: number): ContextOf {
  const contextOf = (request: FastifyRequest, ms: number): DoorContext => {
    const now = instantNow();
    const end = performance.now() + ms;
    const inTime = until(end, resolvers);
    const key = request.headers['idempotency-key'];
    const { caller } = request;
    return {
      record: request.record,
      caller,
      now,
      end,
      newId: randomUUID,
      resolvers: inTime,
      anew: () => contextOf(request, requestMs),
      write: async (fingerprint, work) => {
        try {
          // The header of a WebSocket's request belongs to no operation.
          if (key === undefined || request.ws) return await work(inTime, false);
          // Rights come before keys: a caller without them leaves no trace in the database.
          caller.needs('write');
          return await once(
            { caller: caller.name, key: String(key), fingerprint: hashOf([...fingerprint(), ...caller.restrictions]) },
            { end, bytes: request.bodyBytes },
            (own) => work(until(end, own), true),
          );
        } finally {
          onWrite();
        }
      },
    };
  };
  return (request) => contextOf(request, request.answerMs);
}

/** Hashes each part with its length, so that different parts cannot give the same bytes. */
function hashOf(parts: (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('base64url');
}
