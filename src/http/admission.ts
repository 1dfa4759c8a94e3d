// Admission: finds the caller by the credentials, and limits the requests of each caller.
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler, onRequestHookHandler } from 'fastify';
import { ANYBODY, type Caller } from '../auth/caller';
import { TooManyRequests } from '../errors';

declare module 'fastify' {
  interface FastifyRequest {
    /** ANYBODY until the credentials are checked. */
    caller: Caller;
    /** The time for the answer, in ms: from the arrival of the body on, less the time of the admission. */
    msLeft: number;
  }
}

/** The first step of a route that needs a caller. */
export type Admission = onRequestHookHandler | onRequestAsyncHookHandler;

const MINUTE_MS = 60_000;
/** Callers, and addresses, that are counted at the same time. Each takes 320 bytes: 16 MB. */
const MAX_COUNTED = 50_000;

/** @param authenticate undefined when no authentication is configured */
export function admission(
  app: FastifyInstance,
  authenticate: ((headers: FastifyRequest['headers']) => Promise<Caller>) | undefined,
  ratePerMinute: number | null,
  requestMs: number,
): Admission {
  app.decorateRequest('caller');
  app.decorateRequest('msLeft', requestMs);
  app.addHook('onRequest', (request, _reply, done) => {
    request.caller = ANYBODY;
    done();
  });
  const identify = async (request: FastifyRequest) => {
    if (!authenticate) return;
    const began = performance.now();
    try {
      request.caller = await authenticate(request.headers);
    } finally {
      request.msLeft -= Math.round(performance.now() - began);
    }
  };
  if (ratePerMinute === null) return authenticate ? identify : (_request, _reply, done) => done();
  // The library reads `cache` here too, although its type lacks it.
  const counted = { max: ratePerMinute, cache: MAX_COUNTED };
  app.register(rateLimit, { global: false, timeWindow: MINUTE_MS });
  let ofCaller: ReturnType<typeof app.createRateLimit>;
  let ofAddress: typeof ofCaller;
  app.after(() => {
    // Two stores, so that strangers with many addresses push no caller with credentials out. The library counts an IPv6
    // network of 64 bits as one address, because every customer of a provider has so many.
    ofCaller = app.createRateLimit({ ...counted, keyGenerator: ({ caller }) => caller.name });
    ofAddress = app.createRateLimit(counted);
  });
  return async (request: FastifyRequest) => {
    const failure = await identify(request).catch((error: Error) => error);
    // Requests with wrong credentials count for their address.
    const share = await (request.caller.name === '' ? ofAddress : ofCaller)(request);
    if (!share.isAllowed && share.isExceeded) throw new TooManyRequests(ratePerMinute, share.ttlInSeconds);
    if (failure) throw failure;
  };
}
