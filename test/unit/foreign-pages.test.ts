// The log of refused requests from pages of other origins: what they requested, again after a minute, and no trusted page.
import fastify from 'fastify';
import { logForeignPages } from '../../src/doors/http/limits/foreign-pages';

const TRUSTED = 'https://trusted.example';
type Line = { origin: string; method: string; headers?: string; msg: string };

async function withPages(use: (lines: Line[], ask: (method: string, headers: object) => Promise<unknown>) => unknown) {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  const lines: Line[] = [];
  const stream = { write: (line: string) => lines.push(JSON.parse(line)) };
  const app = fastify({ logger: { level: 'warn', stream } });
  logForeignPages(app, [TRUSTED]);
  try {
    await use(lines, (method, headers) =>
      app.inject({ method: method as 'GET', url: '/', headers: { host: 'farm.example', ...headers } }),
    );
  } finally {
    await app.close();
    jest.useRealTimers();
  }
}

const preflight = (origin: string, method = 'POST') => ({ origin, 'access-control-request-method': method });

test('a line is logged once a minute', () =>
  withPages(async (lines, ask) => {
    await ask('OPTIONS', preflight('https://one.example'));
    jest.advanceTimersByTime(59_999);
    await ask('OPTIONS', preflight('https://one.example'));
    await ask('OPTIONS', preflight('https://two.example'));
    expect(lines.map(({ origin }) => origin)).toEqual(['https://one.example', 'https://two.example']);
    jest.advanceTimersByTime(1);
    await ask('OPTIONS', preflight('https://one.example'));
    expect(lines.map(({ origin }) => origin).slice(2)).toEqual(['https://one.example']);
  }));

test('the line names the origin, the method, the headers and the setting', () =>
  withPages(async (lines, ask) => {
    const origin = 'https://one.example';
    await ask('OPTIONS', { ...preflight(origin, 'PUT'), 'access-control-request-headers': 'x-a,x-b' });
    await ask('GET', { origin });
    await ask('OPTIONS', preflight(TRUSTED, 'PURGE'));
    expect(lines).toMatchObject([
      { origin, method: 'PUT', headers: 'x-a,x-b', msg: expect.stringContaining('CORS_ORIGINS') },
      { origin, method: 'GET', msg: expect.stringContaining('CORS_ORIGINS') },
      { origin: TRUSTED, method: 'PURGE', msg: expect.stringContaining('GET, POST, PUT, PATCH, DELETE') },
    ]);
  }));

test('pages that may use the gateway, and programs without a page, are not logged', () =>
  withPages(async (lines, ask) => {
    await ask('OPTIONS', { ...preflight(TRUSTED), 'access-control-request-headers': 'x-any' });
    await ask('POST', { origin: TRUSTED });
    await ask('POST', { origin: 'https://farm.example' });
    await ask('GET', {});
    expect(lines).toEqual([]);
  }));
