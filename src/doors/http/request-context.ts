// The context of a request that comes by HTTP or over a WebSocket, for REST and GraphQL alike, and its time limit. `respondWithin` ends the
// wait for its answer with a DatabaseUnavailable. `resolversUntil` refuses its further resolvers. Behind them: refuseLate
// (values/request-time.ts) refuses further steps of a service, sharing/ leaves late items out, database/bulkhead.ts limits the wait for a
// connection, and values/time-budget.ts the time of a statement.
import { createHash, createHmac, type Hash, type Hmac, randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { DatabaseUnavailable } from '../../errors';
import type { DoorContext, Resolvers } from '../../farm/graph/context';
import type { Feed } from '../../sharing/feed';
import { instantNow } from '../../values/instant';
import { refuseLate } from '../../values/request-time';
import { setTimeout } from '../../values/timers';
import type { IdempotencyService } from '../idempotency/idempotency.service';
import { clientOf } from './limits/forwarded';

export interface ContextParts {
  resolvers: Resolvers;
  idempotency: Pick<IdempotencyService, 'once'>;
  /** Its key is not in the database. */
  secrets: { fingerprintKey(): Buffer };
  /** Woken after each write, also after a failed one, whose outcome may be unknown. */
  feed: Pick<Feed, 'wake'>;
}

export type ContextOf = (request: FastifyRequest) => DoorContext;

export function contexts({ resolvers, idempotency, feed, secrets }: ContextParts, requestMs: number): ContextOf {
  const contextOf = (request: FastifyRequest, ms: number): DoorContext => {
    const now = instantNow();
    const deadline = performance.now() + ms;
    const inTime = resolversUntil(deadline, resolvers);
    const key = request.headers['idempotency-key'];
    const { caller } = request;
    return {
      observation: request.observation,
      caller,
      shownOnce: new Set(),
      client: clientOf(request),
      now,
      deadline,
      newId: randomUUID,
      resolvers: inTime,
      restarted: () => contextOf(request, requestMs),
      write: async (fingerprint, work, { isConfidential = false, hasSeveralMutations = false, storedOf } = {}) => {
        try {
          // The header of a WebSocket's request belongs to no operation.
          if (key === undefined || fingerprint === null || request.ws) return await work(inTime, { isKeyed: false });
          // Rights come before keys: a caller without them leaves no trace in the database.
          caller.requireAnyChange();
          const hash = isConfidential ? createHmac('sha256', secrets.fingerprintKey()) : createHash('sha256');
          return await idempotency.once(
            {
              caller: caller.name,
              key: String(key),
              fingerprint: digestOf(hash, [...fingerprint(), ...caller.restrictions]),
            },
            { deadline, hasSeveralMutations },
            (own) => work(resolversUntil(deadline, own), { isKeyed: true }),
            storedOf,
          );
        } finally {
          feed.wake();
        }
      },
    };
  };
  return (request) => contextOf(request, request.answerMs);
}

/** Hashes each part with its length, so that different parts cannot give the same bytes. */
function digestOf(hash: Hash | Hmac, parts: (string | Buffer)[]): string {
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('base64url');
}

/** Ends the wait. The database may still finish a statement. */
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

/** The resolvers for work that must have called them by their deadline. */
function resolversUntil(deadline: number, resolvers: Resolvers): Resolvers {
  return {
    get(type) {
      refuseLate({ deadline });
      return resolvers.get(type);
    },
  };
}
