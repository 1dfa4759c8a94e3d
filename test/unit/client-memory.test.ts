// Unanswered requests and unread answers: the gateway holds a limited number of their bytes, whoever sent them.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import fastify from 'fastify';
import { BODY_BYTES } from '../../src/doors/http/limits/body-memory';
import { limitClientMemory, MAX_CLIENT_BYTES } from '../../src/doors/http/limits/client-memory';
import { MAX_WAITING_BYTES } from '../../src/wire/waiting-bytes';
import { atLeast, inTime, until } from '../support/waiting';

const MEGABYTE = 1024 * 1024;
/** The kernel buffers up to 10 MB of each connection. */
const ANSWER = Buffer.alloc(20 * MEGABYTE);
const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

test('the memory limits of clients and machines, beside an idle process of 115 MB, fit 256 MB', () => {
  expect((MAX_CLIENT_BYTES + BODY_BYTES + MAX_WAITING_BYTES) / MEGABYTE).toBe(128);
});

test('the connection that holds the most memory is ended, and the others continue', async () => {
  const app = fastify({ forceCloseConnections: true });
  limitClientMemory(app, 70 * MEGABYTE);
  let answered = 0;
  app.get('/', (_request, reply) => {
    answered += 1;
    return reply.send(ANSWER);
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const clients: Socket[] = [];
  /** A client that reads nothing, when its requests are answered. @returns the gateway's end of its connection */
  const silent = async (requests: number): Promise<Socket> => {
    const client = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
    clients.push(client);
    const [own] = (await inTime('a client connects', once(app.server, 'connection'))) as [Socket];
    const sum = answered + requests;
    client.write(GET.repeat(requests));
    await until(`${sum} requests are answered`, () => answered, atLeast(sum));
    return own;
  };
  const first = await silent(2);
  const second = await silent(1);
  const ended = once(first, 'close');
  const third = await silent(1);
  await inTime('the first connection is ended', ended);
  expect([first, second, third].map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
  // Each answer that is read frees its memory: of two there is room for one.
  for (let n = 0; n < 2; n += 1) expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(ANSWER.length);
  expect([second, third].map(({ destroyed }) => destroyed)).toEqual([false, false]);
  for (const client of clients) client.destroy();
  await app.close();
});

test('unanswered requests count: a connection that sends thousands together is ended, and the others continue', async () => {
  const app = fastify({ forceCloseConnections: true });
  limitClientMemory(app, 4 * MEGABYTE);
  app.get('/never', () => new Promise(() => {}));
  app.get('/', async () => 'done');
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const client = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  const ended = once(client, 'close');
  client.write('GET /never HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1025));
  await inTime('the connection is ended', ended);
  expect(await (await fetch(url)).text()).toBe('done');
  await app.close();
});
