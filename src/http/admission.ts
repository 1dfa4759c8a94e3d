// Who comes in, and how often: credentials become a caller, and one caller has no more than a share of requests.
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ANYBODY, type Caller } from '../auth/caller';
import { TooManyRequests } from '../errors';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; whoever has not been asked for credentials is anybody. */
    caller: Caller;
  }
}

const MINUTE_MS = 60_000;

/** Answers what a route that needs a caller does first. */
export function admission(
  app: FastifyInstance,
  authenticate: (headers: FastifyRequest['headers']) => Promise<Caller>,
  ratePerMinute: number | null,
): (request: FastifyRequest) => Promise<void> {
  app.decorateRequest('caller');
  app.addHook('onRequest', (request, _reply, done) => {
    request.caller = ANYBODY;
    done();
  });
  if (ratePerMinute === null) {
    return async (request) => {
      request.caller = await authenticate(request.headers);
    };
  }
  app.register(rateLimit, {
    global: false,
    max: ratePerMinute,
    timeWindow: MINUTE_MS,
    keyGenerator: ({ caller, ip }) => caller.name || ip,
  });
  let limit: ReturnType<typeof app.createRateLimit>;
  app.after(() => {
    limit = app.createRateLimit();
  });
  return async (request) => {
    const caller = await authenticate(request.headers).catch((error: Error) => error);
    if (!(caller instanceof Error)) request.caller = caller;
    // Credentials that are not accepted count for the address that sends them.
    const share = await limit(request);
    if (!share.isAllowed && share.isExceeded) throw new TooManyRequests(ratePerMinute, share.ttlInSeconds);
    if (caller instanceof Error) throw caller;
  };
}
