// Tells the observer of every request: when it begins, whose statements are whose, and how it was answered.
import type { FastifyInstance } from 'fastify';
import type { Observer } from '../observability/observer';
import { noting, type RequestRecord } from '../observability/request-record';

declare module 'fastify' {
  interface FastifyRequest {
    record: RequestRecord;
  }
  interface FastifyContextConfig {
    /** No line in the log for each of its requests. */
    quiet?: boolean;
  }
}

/** The options of a route that probes and pages ask for all the time. */
export const QUIET = { config: { quiet: true } };

export function observe(app: FastifyInstance, observer: Observer): void {
  app.decorateRequest('record');
  app.addHook('onRequest', (request, _reply, done) => {
    request.record = observer.requestBegan(request.id, request.headers);
    done();
  });
  // Not before the body has come: it comes by events of the socket, which know no request.
  if (observer.followsStatements) app.addHook('preHandler', (request, _reply, done) => noting(request.record, done));
  app.addHook('onResponse', (request, reply, done) => {
    // A URL that Fastify itself refuses passes none of the hooks but this.
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
