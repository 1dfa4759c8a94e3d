// Reports every request to the observer: its begin, its statements and its answer.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Observation, withObservation } from '../../observability/observation';
import type { Observer } from '../../observability/observer';

declare module 'fastify' {
  interface FastifyRequest {
    observation: Observation;
    /** The time until its event stream began, in ms. Undefined for other requests. */
    msToStream: number | undefined;
  }
  interface FastifyContextConfig {
    /** Its requests are logged only at LOG_LEVEL=debug. */
    quiet?: boolean;
  }
}

/** The options of the routes of probes and pages, which are requested all the time. */
export const QUIET = { config: { quiet: true } };

export function observe(app: FastifyInstance, observer: Observer): void {
  app.decorateRequest('observation');
  app.decorateRequest('msToStream');
  app.addHook('onRequest', (request, _reply, done) => {
    request.observation = observer.requestBegan(request.id, request.headers);
    done();
  });
  // Set after the body has arrived, because Node runs the callbacks of the body outside of the request's async context.
  if (observer.followsStatements)
    app.addHook('preHandler', (request, _reply, done) => withObservation(request.observation, done));
  app.addHook('onResponse', (request, reply, done) => {
    // A URL that Fastify itself refuses passes only this hook.
    if (request.observation && request.msToStream === undefined) ended(request, reply, observer);
    done();
  });
}

/** Fastify has no hook for an event stream whose client leaves. Its lifetime is no time of an answer. */
export function observeStream(request: FastifyRequest, reply: FastifyReply, observer: Observer): void {
  request.msToStream = reply.elapsedTime;
  const end = () => ended(request, reply, observer);
  // The client may have left already: then no close event follows.
  if (reply.raw.destroyed) end();
  else reply.raw.once('close', end);
}

function ended(request: FastifyRequest, reply: FastifyReply, observer: Observer): void {
  const { config, url: route = 'unknown' } = request.routeOptions;
  observer.requestEnded(request.observation, {
    method: request.method,
    route,
    status: reply.statusCode,
    ms: request.msToStream ?? request.msToAnswer ?? reply.elapsedTime,
    openMs: request.msToStream === undefined ? undefined : reply.elapsedTime,
    caller: request.caller.name,
    quiet: config.quiet === true,
  });
}
