// Makes the context of a request of REST or GraphQL, and enforces its time limit. When the time is over, `respondWithin` ends the
// wait with a DatabaseUnavailable, and `limitResolvers` refuses to call further resolvers. Below them, refusePastDeadline
// (values/request-time.ts) refuses further steps of a service, sharing/ drops late items, database/bulkhead.ts limits the wait for
// a connection, and values/time-budget.ts limits the time of a statement.
import { createHash, createHmac, type Hash, type Hmac, randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { DatabaseUnavailable } from '../../errors';
import type { DoorContext, Resolvers } from '../../farm/graph/context';
import type { Feed } from '../../sharing/feed';
import { instantNow } from '../../values/instant';
import { refusePastDeadline } from '../../values/request-time';
import { setTimeout } from '../../values/timers';
import type { IdempotencyService } from '../idempotency/idempotency.service';
import { nameClient } from './limits/forwarded';

export interface ContextParts {
  resolvers: Resolvers;
  idempotency: Pick<IdempotencyService, 'once'>;
  /** The key that hashes confidential requests. It is not stored in the database. */
  secrets: { fingerprintKey(): Buffer };
  /** Woken after each write. A failed write wakes it too, because it may have been committed. */
  feed: Pick<Feed, 'wake'>;
}

export type CreateContext = (request: FastifyRequest) => DoorContext;

export function createContexts(
  { resolvers, idempotency, feed, secrets }: ContextParts,
  requestMs: number,
): CreateContext {
  const createContext = (request: FastifyRequest, ms: number): DoorContext => {
    const now = instantNow();
    const deadline = performance.now() + ms;
    const inTime = limitResolvers(deadline, resolvers);
    const key = request.headers['idempotency-key'];
    const { caller } = request;
    return {
      observation: request.observation,
      caller,
      shownOnce: new Set(),
      client: nameClient(request),
      now,
      deadline,
      newId: randomUUID,
      resolvers: inTime,
      restart: () => createContext(request, requestMs),
      write: async (fingerprint, work, { isConfidential = false, hasSeveralMutations = false, storedOf } = {}) => {
        try {
          // A WebSocket's idempotency-key is ignored, because its headers belong to no single operation.
          if (key === undefined || fingerprint === null || request.ws) return await work(inTime, { isKeyed: false });
          // The rights are checked before the key, so that a caller without rights stores nothing in the database.
          caller.requireAnyChange();
          const hash = isConfidential ? createHmac('sha256', secrets.fingerprintKey()) : createHash('sha256');
          return await idempotency.once(
            {
              caller: caller.name,
              key: String(key),
              fingerprint: hashParts(hash, [...fingerprint(), ...caller.restrictions]),
            },
            { deadline, hasSeveralMutations },
            (resolversOfWrite) => work(limitResolvers(deadline, resolversOfWrite), { isKeyed: true }),
            storedOf,
          );
        } finally {
          feed.wake();
        }
      },
    };
  };
  return (request) => createContext(request, request.answerMs);
}

/** Hashes each part with its length, so that different parts cannot give the same bytes. */
function hashParts(hash: Hash | Hmac, parts: (string | Buffer)[]): string {
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('base64url');
}

/** Ends the wait for `work` after a time. The database may still finish a statement that is running. */
export function respondWithin<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new DatabaseUnavailable(`The request was not finished within ${ms} ms`, 'LATE')),
      ms,
    );
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Wraps resolvers so that they can only be taken before the deadline. */
function limitResolvers(deadline: number, resolvers: Resolvers): Resolvers {
  return {
    get(type) {
      refusePastDeadline({ deadline });
      return resolvers.get(type);
    },
  };
}
