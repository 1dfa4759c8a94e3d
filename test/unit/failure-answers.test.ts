// Failures that no interface has answered itself get the same answer, wherever they were found.
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { sendError, sendGraphError } from '../../src/doors/http/answers';
import { respondWithin } from '../../src/doors/http/request-context';
import { OUTAGE_MESSAGES } from '../../src/errors';

test.each([
  [
    '/graphql',
    sendGraphError,
    { errors: [{ message: OUTAGE_MESSAGES.LATE, extensions: { code: 'INTERNAL_SERVER_ERROR' } }] },
  ],
  ['REST', sendError, { error: OUTAGE_MESSAGES.LATE }],
])('a request that takes too long is answered with what to do next: %s', async (_door, send, body) => {
  const app = Fastify();
  app.addHook('onRequest', async (request) => {
    request.observation = { id: request.id, statements: 0, codes: [], span: undefined };
  });
  app.get('/', () => respondWithin(1, new Promise(() => {})));
  app.setErrorHandler((error, request, reply) => send(error, request as FastifyRequest, reply as FastifyReply));
  const answer = await app.inject('/');
  expect([answer.statusCode, answer.headers['retry-after'], answer.json()]).toEqual([503, '5', body]);
  await app.close();
});
