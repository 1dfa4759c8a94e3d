// Admission: finds the caller by the credentials, and limits the requests of each caller.
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler, onRequestHookHandler } from 'fastify';
import { ANYBODY, type Caller } from '../auth/caller';
import { TooManyRequests } from '../errors';

declare module 'fastify' {
  interface FastifyRequest {
    /** ANYBODY until the credentials are checked. */
    caller: Caller;
  }
}

/** The first step of a route that needs a caller. */
export type Admission = onRequestHookHandler | onRequestAsyncHookHandler;

const MINUTE_MS = 60_000;

/** @param authenticate undefined when no authentication is configured */
export function admission(
  app: FastifyInstance,
  authenticate: ((headers: FastifyRequest['headers']) => Promise<Caller>) | undefined,
  ratePerMinute: number | null,
): Admission {
  app.decorateRequest('caller');
  app.addHook('onRequest', (request, _reply, done) => {
    request.caller = ANYBODY;
    done();
  });
  if (ratePerMinute === null) {
    if (!authenticate) return (_request, _reply, done) => done();
    return async (request: FastifyRequest) => {
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
  return async (request: FastifyRequest) => {
    const caller = (await authenticate?.(request.headers).catch((error: Error) => error)) ?? ANYBODY;
    if (!(caller instanceof Error)) request.caller = caller;
    // Requests with wrong credentials count for their address.
    const share = await limit(request);
    if (!share.isAllowed && share.isExceeded) throw new TooManyRequests(ratePerMinute, share.ttlInSeconds);
    if (caller instanceof Error) throw caller;
  };
}
