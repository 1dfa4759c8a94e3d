// The probes of monitoring: /healthz (liveness, of the process), /readyz (readiness, of the database) and /metrics.

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
  let asked: Promise<void> | undefined;
  /** One question for all who ask meanwhile: anybody may ask, and as often as he likes. */
  const readyOnce = () => {
    asked ??= ready().finally(() => {
      asked = undefined;
    });
    return asked;
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
  // Needs the right to read, because metrics show the names of operations and the figures of the farm.
  app.get('/metrics', { ...QUIET, onRequest: admission.admit }, async (request, reply) => {
    request.caller.requireRead();
    const { type, text } = await respondWithin(budget.requestMs, metrics());
    return reply.type(type).send(text);
  });
}
