// The warning of refused preflights: again after a minute, and never for an origin that is configured.
import fastify from 'fastify';
import { tellOfPreflights } from '../../src/http/preflight';

test('an origin is told of once a minute, and a trusted one never', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  try {
    const told: string[] = [];
    const log = { write: (line: string) => told.push(JSON.parse(line).origin) };
    const app = fastify({ logger: { level: 'warn', stream: log } });
    tellOfPreflights(app, ['https://trusted.example']);
    const ask = (origin: string) =>
      app.inject({ method: 'OPTIONS', url: '/', headers: { origin, 'access-control-request-method': 'POST' } });
    await ask('https://trusted.example');
    await ask('https://one.example');
    jest.advanceTimersByTime(59_999);
    await ask('https://one.example');
    await ask('https://two.example');
    expect(told).toEqual(['https://one.example', 'https://two.example']);
    jest.advanceTimersByTime(1);
    await ask('https://one.example');
    await ask('https://two.example');
    expect(told).toEqual(['https://one.example', 'https://two.example', 'https://one.example']);
    await app.close();
  } finally {
    jest.useRealTimers();
  }
});
