// Reports every request to the observer: its start, its statements and its response.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Observation, withObservation } from '../../observability/observation';
import type { Observer } from '../../observability/observer';

declare module 'fastify' {
  interface FastifyRequest {
    observation: Observation;
    /** The time until its event stream started, in ms. Undefined for requests without an event stream. */
    msToStream: number | undefined;
  }
  interface FastifyContextConfig {
    /** Whether requests of the route are logged only at LOG_LEVEL=debug. */
    quiet?: boolean;
  }
}

/** Route options of probes and pages, which are requested so often that the log would be full of them. */
export const QUIET = { config: { quiet: true } };

export function observe(app: FastifyInstance, observer: Observer): void {
  app.decorateRequest('observation');
  app.decorateRequest('msToStream');
  app.addHook('onRequest', (request, _reply, done) => {
    request.observation = observer.requestStarted(request.id, request.headers);
    done();
  });
  // This hook runs after the body has arrived, because Node runs the callbacks of a body outside the request's async context.
  if (observer.followsStatements)
    app.addHook('preHandler', (request, _reply, done) => withObservation(request.observation, done));
  app.addHook('onResponse', (request, reply, done) => {
    // A request whose URL Fastify refuses passes only this hook, so it has no observation.
    if (request.observation && request.msToStream === undefined) reportEnd(request, reply, observer);
    done();
  });
}

/**
 * Reports a request with an event stream when its client leaves, because Fastify has no hook for that. The reported response time is
 * the time until the stream started.
 */
export function observeStream(request: FastifyRequest, reply: FastifyReply, observer: Observer): void {
  request.msToStream = reply.elapsedTime;
  const end = () => reportEnd(request, reply, observer);
  // If the client has already left, no close event follows.
  if (reply.raw.destroyed) end();
  else reply.raw.once('close', end);
}

function reportEnd(request: FastifyRequest, reply: FastifyReply, observer: Observer): void {
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
