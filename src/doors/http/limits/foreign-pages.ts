// Warns the operator in the log about pages of other origins that try to use the gateway without being allowed.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { setTimeout } from '../../../values/timers';
import { CORS, isSameOrigin } from './origin';

/** The time before the log repeats a line. */
const QUIET_MS = 60_000;
/** The maximum number of lines in QUIET_MS. Without a limit, clients could fill the log with made-up origins. */
const MAX_LINES = 20;
const MAX_LENGTH = 200;

/** Must be called before @fastify/cors is registered, whose hook answers preflights and ends them. */
export function logForeignPages(app: FastifyInstance, trusted: readonly string[]): void {
  const logged = new Set<string>();
  app.addHook('onRequest', (request, _reply, done) => {
    const refused = describeRefusal(request, trusted);
    if (refused !== undefined) {
      const { reason, ...requested } = refused;
      const key = JSON.stringify(requested);
      if (!logged.has(key) && logged.size < MAX_LINES) {
        logged.add(key);
        setTimeout(() => logged.delete(key), QUIET_MS).unref();
        request.log.warn(requested, `A page of another origin tried to use the gateway. ${reason}`);
      }
    }
    done();
  });
}

/** Describes what a page requested and why its browser does not let it; undefined if the page is allowed. */
function describeRefusal(request: FastifyRequest, trusted: readonly string[]) {
  const { method, headers } = request;
  const { origin } = headers;
  if (origin === undefined || isSameOrigin(headers)) return undefined;
  const preflighted = method === 'OPTIONS' ? headers['access-control-request-method'] : undefined;
  if (method === 'OPTIONS' && preflighted === undefined) return undefined;
  const isTrusted = trusted.includes(origin);
  if (isTrusted && (preflighted === undefined || CORS.methods.includes(preflighted))) return undefined;
  return {
    origin: origin.slice(0, MAX_LENGTH),
    method: (preflighted ?? method).slice(0, MAX_LENGTH),
    headers: headers['access-control-request-headers']?.slice(0, MAX_LENGTH),
    reason: isTrusted
      ? `Only these methods are allowed: ${CORS.methods.join(', ')}.`
      : 'CORS_ORIGINS does not name its origin. If you trust the page, add the origin.',
  };
}
