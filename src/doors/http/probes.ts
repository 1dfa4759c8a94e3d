// Serves monitoring: /healthz (the process runs), /readyz (the database answers) and /metrics.

import type { FastifyInstance } from 'fastify';
import { errorBody } from '../rest/rest-errors';
import { logFailure, sendJson } from './answers';
import type { Admission } from './limits/admission';
import { QUIET } from './observed-requests';
import { respondWithin } from './request-context';

interface Probes {
  /** Resolves when the database answers. */
  ready(): Promise<void>;
  metrics(): Promise<{ type: string; text: string }>;
  admission: Admission;
  budget: { requestMs: number };
}

export function mountProbes(app: FastifyInstance, { ready, metrics, admission, budget }: Probes): void {
  app.get('/healthz', QUIET, (_request, reply) => sendJson(reply, 200, '{"status":"ok"}'));
  let check: Promise<void> | undefined;
  /** Shares one check among all requests that arrive meanwhile, because anybody may send any number of them. */
  const readyOnce = () => {
    check ??= ready().finally(() => {
      check = undefined;
    });
    return check;
  };
  app.get('/readyz', QUIET, async (request, reply) => {
    try {
      await respondWithin(budget.requestMs, readyOnce());
      return sendJson(reply, 200, '{"status":"ready"}');
    } catch (error) {
      logFailure(error, request);
      return sendJson(reply, 503, errorBody('The database does not answer'));
    }
  });
  // Metrics need the right to read, because they show names of operations and figures of the farm.
  app.get('/metrics', { ...QUIET, onRequest: admission.admit }, async (request, reply) => {
    request.caller.requireRead();
    const { type, text } = await respondWithin(budget.requestMs, metrics());
    return reply.type(type).send(text);
  });
}
