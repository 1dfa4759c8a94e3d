// What is never compressed, however long it is: streams, such as those of events.
import { Readable } from 'node:stream';
import fastify from 'fastify';
import { compressAnswers } from '../../src/http/compression';

const LONG = `data: ${'x'.repeat(5000)}\n\n`;

test('a stream of events is sent as it comes, and the same text as an answer is compressed', async () => {
  const app = fastify();
  compressAnswers(app);
  app.get('/events', (_request, reply) => reply.type('text/event-stream').send(Readable.from([LONG])));
  app.get('/text', (_request, reply) => reply.type('text/plain').send(LONG));
  const headers = { 'accept-encoding': 'br, gzip' };
  const events = await app.inject({ url: '/events', headers });
  expect(events.headers).not.toHaveProperty('content-encoding');
  expect(events.headers).not.toHaveProperty('vary');
  expect(events.payload).toBe(LONG);
  expect((await app.inject({ url: '/text', headers })).headers).toMatchObject({ 'content-encoding': 'br' });
  await app.close();
});
