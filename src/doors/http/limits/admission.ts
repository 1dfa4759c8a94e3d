// Decides who sends a request, by its credentials, and limits the number of requests per minute of each caller.
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { TooManyRequests, Unauthenticated } from '../../../errors';
import { ANYBODY, type Caller, NOBODY } from '../../../farm/graph/caller';
import type { Authenticate } from '../../auth/authentication';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sends the request. Until the credentials are checked, the caller has no rights if the gateway needs credentials. */
    caller: Caller;
    /** The time limit of the response, in ms from the arrival of the body. The time of the credential check is subtracted. */
    answerMs: number;
  }
}

export interface Admission {
  /** Finds the caller of a request and counts the request. The first step of every route that needs a caller. */
  admit(request: FastifyRequest): Promise<void>;
  /**
   * Finds the caller of a WebSocket by its first message, because browsers cannot set headers of a WebSocket. The message is
   * already counted.
   */
  admitMessage(request: FastifyRequest, credentials: Record<string, unknown>): Promise<void>;
  /** Counts a request, or a message of a WebSocket. */
  count(request: FastifyRequest): Promise<void>;
}

const MINUTE_MS = 60_000;
/** How many callers, and how many addresses, are counted at the same time. Each takes 320 bytes, so all take 16 MB. */
const MAX_COUNTED = 50_000;

/** @param authenticate undefined when no authentication is configured */
export function createAdmission(
  app: FastifyInstance,
  authenticate: Authenticate | undefined,
  ratePerMinute: number | null,
  requestMs: number,
): Admission {
  app.decorateRequest('caller');
  app.decorateRequest('answerMs', requestMs);
  const initialCaller = authenticate ? NOBODY : ANYBODY;
  app.addHook('onRequest', (request, _reply, done) => {
    request.caller = initialCaller;
    done();
  });
  const identify = async (request: FastifyRequest, headers: FastifyRequest['headers']) => {
    if (!authenticate) return;
    const began = performance.now();
    try {
      request.caller = await authenticate(headers);
    } catch (error) {
      const { cause } = error as Error;
      if (error instanceof Unauthenticated && cause instanceof Error)
        request.log.debug({ requestId: request.id, reason: cause.message }, 'rejected a token');
      throw error;
    } finally {
      request.answerMs -= Math.round(performance.now() - began);
    }
  };
  const count = ratePerMinute === null ? async () => {} : createRateCount(app, ratePerMinute);
  return {
    async admit(request) {
      const failure = await identify(request, request.headers).catch((error: Error) => error);
      // Counted before the error is thrown, so that requests with wrong credentials count for their address.
      await count(request);
      if (failure) throw failure;
    },
    async admitMessage(request, given) {
      const credentials = Object.entries(given).filter(
        (entry): entry is [string, string] =>
          CREDENTIALS.includes(entry[0].toLowerCase()) && typeof entry[1] === 'string',
      );
      if (credentials.length > 0)
        await identify(request, Object.fromEntries(credentials.map(([name, value]) => [name.toLowerCase(), value])));
      // The check of a WebSocket's credentials does not shorten the time of its operations.
      request.answerMs = requestMs;
    },
    count,
  };
}

type RateLimit = ReturnType<FastifyInstance['createRateLimit']>;

/** Counts the requests of each caller, and refuses those above the rate. */
function createRateCount(app: FastifyInstance, ratePerMinute: number): Admission['count'] {
  app.register(rateLimit, { global: false, timeWindow: MINUTE_MS });
  const limits = new Promise<{ ofCaller: RateLimit; ofAddress: RateLimit }>((resolve) => {
    app.after(() => {
      // @fastify/rate-limit 11.2.0 also reads `cache` here, although its type does not have it. The default is 5,000 callers.
      const counted = { max: ratePerMinute, cache: MAX_COUNTED };
      // Two stores, so that clients with many addresses cannot push callers with credentials out of the count. The library
      // counts an IPv6 network of 64 bits as one address, because a provider gives every customer a whole network.
      const ofCaller = app.createRateLimit({ ...counted, keyGenerator: ({ caller }) => caller.name });
      resolve({ ofCaller, ofAddress: app.createRateLimit(counted) });
    });
  });
  return async (request) => {
    const { ofCaller, ofAddress } = await limits;
    const share = await (request.caller.name === '' ? ofAddress : ofCaller)(request);
    if (share.isAllowed || !share.isExceeded) return;
    const seconds = share.ttlInSeconds;
    throw new TooManyRequests(`More than ${ratePerMinute} requests in a minute. Try again in ${seconds} s.`, seconds);
  };
}

/** The members of a WebSocket's connection_init that are read like the headers with the same names. */
const CREDENTIALS = ['authorization', 'x-api-key'];
