// Answers 405 for a wrong method on a known path, and 404 for an unknown path.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { asksForPage } from '../graphql/accept';
import { errorBody } from '../rest/rest-errors';
import { sendJson } from './answers';
import { readPath } from './url';
import { sendNoPage } from './web-files';

/** Must be called before the routes are added. @param hasPages whether a browser gets a page of the dashboard instead of JSON */
export function answerUnknownPaths(app: FastifyInstance, hasPages: boolean): void {
  const routes: { method: string; pattern: RegExp }[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    // The route `*` only answers preflight requests.
    if (url === '*') return;
    const pattern = new RegExp(`^${url.replace(/:\w+/g, '[^/]+')}$`);
    for (const name of [method].flat()) routes.push({ method: name, pattern });
  });
  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    const path = readPath(request.url);
    const allowed = routes.filter((route) => route.pattern.test(path)).map((route) => route.method);
    if (allowed.length === 0) {
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      if (hasPages && isRead && asksForPage(request.headers.accept)) return sendNoPage(reply, path);
      return sendJson(reply, 404, errorBody(`There is nothing at ${path}`));
    }
    reply.header('allow', allowed.join(', '));
    return sendJson(reply, 405, errorBody(`${request.method} is not allowed here. Allowed: ${allowed.join(', ')}`));
  };
  // Answered before the body is read. Fastify would first read it, even from a client without credentials.
  app.addHook('preParsing', (request, reply, body, done) => {
    if (request.is404) answer(request, reply);
    else done(null, body);
  });
  app.setNotFoundHandler(answer);
}
