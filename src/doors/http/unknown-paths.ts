// Answers 405 for a wrong method on a known path, and 404 for an unknown path.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorBody } from '../rest/errors';
import { sendJson } from './answers';
import { pathOf } from './url';

/** Must be called before the routes are added. */
export function answerUnknownPaths(app: FastifyInstance): void {
  const routes: { method: string; pattern: RegExp }[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    // The route `*` only answers preflight requests.
    if (url === '*') return;
    const pattern = new RegExp(`^${url.replace(/:\w+/g, '[^/]+')}$`);
    for (const name of [method].flat()) routes.push({ method: name, pattern });
  });
  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    const path = pathOf(request.url);
    const allowed = routes.filter((route) => route.pattern.test(path)).map((route) => route.method);
    if (allowed.length === 0) return sendJson(reply, 404, errorBody(`There is nothing at ${path}`));
    reply.header('allow', allowed.join(', '));
    return sendJson(reply, 405, errorBody(`${request.method} is not allowed here; allowed: ${allowed.join(', ')}`));
  };
  // Fastify would first read the body, whoever sends it.
  app.addHook('preParsing', (request, reply, body, done) => {
    if (request.is404) answer(request, reply);
    else done(null, body);
  });
  app.setNotFoundHandler(answer);
}
