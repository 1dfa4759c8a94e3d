// What is compressed while it is sent, and what never is: streams of events.
import { Readable } from 'node:stream';
import fastify from 'fastify';
import { sendCsv } from '../../src/doors/http/answers';
import { compressAnswers } from '../../src/doors/http/compression';

const LONG = `data: ${'x'.repeat(5000)}\n\n`;

test('a stream of events is sent uncompressed as it arrives, and the same text as an answer is compressed', async () => {
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

test('a file is compressed while it is sent, and its answer breaks off if the file fails in the middle', async () => {
  const app = fastify();
  compressAnswers(app);
  const pieces = async function* (fails: boolean) {
    for (let n = 0; n < 100; n += 1) yield `${n},${'x'.repeat(5000)}\r\n`;
    if (fails) throw new Error('the database is gone');
  };
  for (const fails of [true, false]) {
    app.get(`/${fails}`, (_request, reply) => sendCsv(reply, 'a.csv', pieces(fails)));
  }
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const getting = (path: string, coding: string) => fetch(url + path, { headers: { 'accept-encoding': coding } });
  const plain = await (await getting('/false', 'identity')).text();
  expect(plain).toHaveLength(100 * 5004 + 90);
  for (const coding of ['br', 'gzip']) {
    const answer = await getting('/false', coding);
    expect([answer.headers.get('content-encoding'), answer.headers.get('vary')]).toEqual([coding, 'accept-encoding']);
    expect(await answer.text()).toBe(plain);
  }
  for (const coding of ['identity', 'br', 'gzip']) {
    await expect(getting('/true', coding).then((answer) => answer.text())).rejects.toThrow();
  }
  await app.close();
});
