// Tells the operator of pages of other origins that ask whether they may use the gateway (a preflight), and may not.
import type { FastifyInstance } from 'fastify';

/** The log names an origin again after this time. */
const QUIET_MS = 60_000;
/** Origins that are told of in this time. Clients choose their names, and so the length of the log. */
const MAX_ORIGINS = 20;
const MAX_LENGTH = 200;

/** This hook comes before the hook of @fastify/cors, which answers a preflight itself. */
export function tellOfPreflights(app: FastifyInstance, trusted: readonly string[]): void {
  const told = new Set<string>();
  app.addHook('onRequest', ({ method, headers, log }, _reply, done) => {
    if (method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method']) {
      const origin = headers.origin.slice(0, MAX_LENGTH);
      if (!trusted.includes(origin) && !told.has(origin) && told.size < MAX_ORIGINS) {
        told.add(origin);
        setTimeout(() => told.delete(origin), QUIET_MS).unref();
        log.warn(
          { origin },
          'a page of another origin asks to use the gateway: CORS_ORIGINS does not name this origin',
        );
      }
    }
    done();
  });
}
