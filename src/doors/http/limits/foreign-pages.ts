// Warns the operator in the log about pages of other origins that try to use the gateway without being allowed.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { setTimeout } from '../../../values/timers';
import { CORS, isOwnOrigin } from './origin';

/** The time before the log repeats a line. */
const QUIET_MS = 60_000;
/** The maximum number of lines in QUIET_MS. Without a limit, clients could fill the log with made-up origins. */
const MAX_LINES = 20;
const MAX_LENGTH = 200;

/** Must be called before @fastify/cors is registered, whose hook answers preflights and ends them. */
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

/** Describes what a page requested and why its browser does not let it; undefined if the page is allowed. */
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
    reason: isTrusted ? `allowed methods are ${CORS.methods.join(', ')}` : 'CORS_ORIGINS does not name this origin',
  };
}
