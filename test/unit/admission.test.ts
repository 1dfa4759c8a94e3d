// The rate limit counts each caller separately, whatever strangers do.
import fastify, { type FastifyRequest } from 'fastify';
import { createAdmission } from '../../src/doors/http/limits/admission';
import { Caller, NOBODY } from '../../src/farm/graph/caller';

test('strangers from any number of addresses do not push out a caller', async () => {
  // The minute does not end during the test.
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'setTimeout', 'performance'] });
  const app = fastify();
  try {
    const { count } = createAdmission(app, async () => NOBODY, 2, 1000);
    await app.ready();
    const counted = (caller: Caller, ip: string) =>
      count({ caller, ip, routeOptions: { config: {} } } as FastifyRequest);
    const mine = () => counted(new Caller('one', ['read']), '127.0.0.1');
    for (let n = 0; n < 2; n += 1) await mine();
    for (let n = 0; n < 6000; n += 1) await counted(NOBODY, `172.16.${n >> 8}.${n & 255}`);
    await expect(mine()).rejects.toThrow('More than 2 requests in a minute');
  } finally {
    jest.useRealTimers();
    await app.close();
  }
});
