// Tells the observer about every request: its begin, its statements and its answer.
import type { FastifyInstance } from 'fastify';
import type { Observer } from '../observability/observer';
import { noting, type RequestRecord } from '../observability/request-record';

declare module 'fastify' {
  interface FastifyRequest {
    record: RequestRecord;
  }
  interface FastifyContextConfig {
    /** Its requests are logged only at LOG_LEVEL=debug. */
    quiet?: boolean;
  }
}

/** The options of the routes of probes and pages, which are requested all the time. */
export const QUIET = { config: { quiet: true } };

export function observe(app: FastifyInstance, observer: Observer): void {
  app.decorateRequest('record');
  app.addHook('onRequest', (request, _reply, done) => {
    request.record = observer.requestBegan(request.id, request.headers);
    done();
  });
  // preHandler runs after the body has arrived. The body's socket events would lose the request.
  if (observer.followsStatements) app.addHook('preHandler', (request, _reply, done) => noting(request.record, done));
  app.addHook('onResponse', (request, reply, done) => {
    // A URL that Fastify itself refuses passes only this hook.
    if (!request.record) return done();
    const { config, url: route = 'unknown' } = request.routeOptions;
    observer.requestEnded(request.record, {
      method: request.method,
      route,
      status: reply.statusCode,
      ms: reply.elapsedTime,
      caller: request.caller.name,
      quiet: config.quiet === true,
    });
    done();
  });
}
