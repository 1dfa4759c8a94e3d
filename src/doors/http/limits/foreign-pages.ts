// Warns the operator of pages of other origins that try to use the gateway, and may not.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { setTimeout } from '../../../values/timers';
import { CORS, isOwnOrigin } from './origin';

/** The log repeats a line after this time. */
const QUIET_MS = 60_000;
/** Lines in this time. Clients choose their origins, and so the length of the log. */
const MAX_LINES = 20;
const MAX_LENGTH = 200;

/** This hook comes before the hook of @fastify/cors, which answers a preflight itself. */
export function logForeignPages(app: FastifyInstance, trusted: readonly string[]): void {
  const logged = new Set<string>();
  app.addHook('onRequest', (request, _reply, done) => {
    const refused = refusedBy(request, trusted);
    if (refused !== undefined) {
      const { reason, ...asked } = refused;
      const key = JSON.stringify(asked);
      if (!logged.has(key) && logged.size < MAX_LINES) {
        logged.add(key);
        setTimeout(() => logged.delete(key), QUIET_MS).unref();
        request.log.warn(asked, `a page of another origin may not use the gateway: ${reason}`);
      }
    }
    done();
  });
}

/** What a page asks for, in a preflight or itself, and why its browser gets no leave; undefined where nothing is refused. */
function refusedBy(request: FastifyRequest, trusted: readonly string[]) {
  const { method, headers } = request;
  const { origin } = headers;
  if (origin === undefined || isOwnOrigin(headers)) return undefined;
  const preflighted = method === 'OPTIONS' ? headers['access-control-request-method'] : undefined;
  if (method === 'OPTIONS' && preflighted === undefined) return undefined;
  const isTrusted = trusted.includes(origin);
  if (isTrusted && (preflighted === undefined || CORS.methods.includes(preflighted))) return undefined;
  return {
    origin: origin.slice(0, MAX_LENGTH),
    method: (preflighted ?? method).slice(0, MAX_LENGTH),
    headers: headers['access-control-request-headers']?.slice(0, MAX_LENGTH),
    reason: isTrusted ? `the methods are ${CORS.methods.join(', ')}` : 'CORS_ORIGINS does not name this origin',
  };
}
