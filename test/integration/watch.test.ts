// Subscriptions of the typed client against anything that a gateway, a proxy or a broken network may answer.
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ClientOptions, createClient, GatewayRequestError } from '../../src/client/client';
import type { WatchOptions, WatchState } from '../../src/client/watch';
import { FarmChangesDocument } from '../../src/generated/operations';
import { until } from '../support/waiting';

type Answer = (response: ServerResponse) => unknown;

let server: Server;
let url: string;
/** The answers to the requests, in their order; the last one is for all further requests. */
let answers: Answer[];
/** `latest` for a request of the latest cursor, else the cursor after which a stream was asked for. */
let asked: string[];
let received: IncomingMessage[];

beforeAll(async () => {
  const listener: RequestListener = async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { query, variables } = JSON.parse(Buffer.concat(parts).toString());
    asked.push(query.includes('latestChangeCursor') ? 'latest' : variables.after);
    received.push(request);
    response.setHeader('connection', 'close');
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    answer?.(response);
  };
  server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, resolve));
  url = `http://loopback:${(server.address() as AddressInfo).port}/graphql`;
});

let requests = 0;
/** Each request has an address of its own: Node may send a request by a kept connection that the server has just cut. */
const clientWith = (options: Partial<ClientOptions> = {}) =>
  createClient({
    url,
    fetch: (target, init) => {
      requests += 1;
      return fetch(String(target).replace('loopback', `127.0.${requests >> 7}.${(requests & 127) + 1}`), init);
    },
    ...options,
  });

/** The client's pauses, in milliseconds; they are over at once. */
let pauses: number[];
/** The limits of silence that the client waits with now; a test may say that one is over. */
const silences = new Map<unknown, () => void>();
const { setTimeout: setRealTimeout, clearTimeout: clearRealTimeout } = globalThis;
beforeEach(() => {
  [asked, received, pauses] = [[], [], []];
  silences.clear();
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms: number) => {
    const isSilence = ms >= 20_000;
    const timer = setRealTimeout(run, isSilence ? ms : 0);
    if (isSilence) silences.set(timer, run);
    else pauses.push(ms);
    return timer;
  }) as typeof setTimeout);
  jest.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    silences.delete(timer);
    clearRealTimeout(timer);
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  server.closeAllConnections();
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const BEAT = ':\n\n';
const COMPLETE = 'event: complete\ndata:\n\n';
const next = (value: unknown) => `event: next\ndata: ${JSON.stringify(value)}\n\n`;
const change = (cursor: string) => next({ data: { changes: { cursor, __typename: 'CameraChanged' } } });
const errorWith = (code: string) => ({ errors: [{ message: `It is ${code}`, extensions: { code } }] });

const latest =
  (cursor: string): Answer =>
  (response) =>
    response.end(JSON.stringify({ data: { latestChangeCursor: cursor } }));
const refuse =
  (status: number, body: string): Answer =>
  (response) =>
    response.writeHead(status).end(body);
/** A stream of these chunks that stays open. */
const stream =
  (...chunks: (string | Buffer)[]): Answer =>
  async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    for (const chunk of chunks) {
      response.write(chunk);
      // The next chunk goes into a packet of its own.
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
/** A stream that ends without `complete`, as that of a gateway that stops. */
const ended =
  (...chunks: string[]): Answer =>
  async (response) => {
    await stream(...chunks)(response);
    response.end();
  };
/** A stream that is cut off. */
const cut =
  (...chunks: string[]): Answer =>
  async (response) => {
    await stream(...chunks)(response);
    response.write(':', () => response.destroy());
  };

/** Watches until the stream is complete or has failed. */
async function watch(
  after?: string,
  options: WatchOptions = {},
  clientOptions: Partial<ClientOptions> = {},
  cursors: string[] = [],
) {
  const states: WatchState[] = [];
  const onState = (state: WatchState) => states.push(state);
  const client = clientWith(clientOptions);
  const watching = (async () => {
    for await (const { changes } of client.subscribe(FarmChangesDocument, after === undefined ? {} : { after }, {
      onState,
      ...options,
    })) {
      cursors.push(changes.cursor);
    }
  })();
  const failure = await watching.then(
    () => undefined,
    (error: unknown) => error,
  );
  return { states, cursors, failure };
}

test('says that it is connected, tells the changes, and ends when the gateway says that it is complete', async () => {
  answers = [latest('0'), stream(BEAT, change('1'), BEAT, change('2') + COMPLETE)];
  expect(await watch()).toEqual({ states: ['connected'], cursors: ['1', '2'], failure: undefined });
  expect(asked).toEqual(['latest', '0']);
  expect(received[1]?.headers.accept).toBe('text/event-stream');
});

test('goes on after the last change when the stream ends or is cut off, without a change twice', async () => {
  answers = [
    ended(BEAT, change('1'), change('2')),
    cut(BEAT, change('3')),
    cut(BEAT),
    stream(BEAT, change('4') + COMPLETE),
  ];
  expect(await watch('0')).toEqual({
    states: ['connected', 'behind', 'connected', 'behind', 'connected', 'behind', 'connected'],
    cursors: ['1', '2', '3', '4'],
    failure: undefined,
  });
  expect(asked).toEqual(['0', '2', '3', '3']);
});

test('an event that is cut in the middle comes whole from the next stream', async () => {
  answers = [ended(BEAT, change('1') + change('2').slice(0, -1)), stream(BEAT, change('2') + COMPLETE)];
  expect(await watch('0')).toMatchObject({ cursors: ['1', '2'], failure: undefined });
  expect(asked).toEqual(['0', '1']);
});

test('events may span chunks, and characters too', async () => {
  const bytes = Buffer.from(BEAT + change('ä€🖨1') + change('2') + COMPLETE);
  answers = [stream(...Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)))];
  expect(await watch('0')).toMatchObject({ cursors: ['ä€🖨1', '2'], failure: undefined });
});

test.each([
  ['no answer', (response: ServerResponse) => response.destroy()],
  ['408', refuse(408, '')],
  ['429', refuse(429, JSON.stringify(errorWith('TOO_MANY_REQUESTS')))],
  ['500', refuse(500, JSON.stringify(errorWith('INTERNAL_SERVER_ERROR')))],
  ['502 with a page of a proxy', refuse(502, '<h1>Bad Gateway</h1>')],
  ['503', refuse(503, '{"error":"The gateway stops"}')],
  ['504', refuse(504, '')],
  ['INTERNAL_SERVER_ERROR', refuse(200, JSON.stringify(errorWith('INTERNAL_SERVER_ERROR')))],
  ['INTERNAL_SERVER_ERROR in the stream', stream(next(errorWith('INTERNAL_SERVER_ERROR')) + COMPLETE)],
  ['SLOW_CONSUMER', stream(next(errorWith('SLOW_CONSUMER')) + COMPLETE)],
  ['an event that is no JSON', stream('event: next\ndata: {"da\n\n')],
])('tries again after %s', async (_name, answer: Answer) => {
  answers = [answer, stream(BEAT, change('1') + COMPLETE)];
  expect(await watch('0')).toEqual({ states: ['behind', 'connected'], cursors: ['1'], failure: undefined });
  expect(asked).toEqual(['0', '0']);
});

test('throws when the next change fails each time, and counts anew behind each change', async () => {
  const failing = stream(BEAT, next(errorWith('INTERNAL_SERVER_ERROR')) + COMPLETE);
  const away = refuse(503, JSON.stringify(errorWith('INTERNAL_SERVER_ERROR')));
  const four = [failing, failing, failing, failing];
  answers = [...four, ...four.map(() => away), cut(BEAT, change('1')), ...four, failing];
  const { cursors, failure } = await watch('0');
  expect(cursors).toEqual(['1']);
  expect(failure).toMatchObject({ name: 'GatewayRequestError', codes: ['INTERNAL_SERVER_ERROR'] });
  expect(asked).toEqual([...Array(9).fill('0'), ...Array(5).fill('1')]);
});

test.each([
  ['400', refuse(400, JSON.stringify(errorWith('GRAPHQL_VALIDATION_FAILED'))), 'GRAPHQL_VALIDATION_FAILED'],
  ['401', refuse(401, JSON.stringify(errorWith('UNAUTHENTICATED'))), 'UNAUTHENTICATED'],
  ['403', refuse(403, JSON.stringify(errorWith('FORBIDDEN'))), 'FORBIDDEN'],
  ['FORBIDDEN in the stream', stream(next(errorWith('FORBIDDEN')) + COMPLETE), 'FORBIDDEN'],
])('throws after %s', async (_name, answer: Answer, code) => {
  answers = [answer];
  const { states, failure } = await watch('0');
  expect(failure).toBeInstanceOf(GatewayRequestError);
  expect(failure).toMatchObject({ message: `It is ${code}`, codes: [code] });
  expect(states).toEqual([]);
  expect(asked).toEqual(['0']);
});

test.each([
  '{"errors":[{"message":"","extensions":{"code":"FORBIDDEN"}}]}',
  '{"errors":[{"message":"","extensions":{"code":"FORBIDDEN"}}],"data":{"changes":null}}',
])('%s in the stream is thrown with a sentence', async (text) => {
  answers = [stream(`event: next\ndata: ${text}\n\n`)];
  const { failure } = await watch('0');
  expect(failure).toMatchObject({ message: 'the answer is not a GraphQL answer (HTTP 200)', codes: ['FORBIDDEN'] });
});

test('throws when the server knows no event streams', async () => {
  answers = [refuse(200, JSON.stringify({ data: { changes: null } }))];
  const { failure } = await watch('0');
  expect(failure).toMatchObject({ name: 'GatewayRequestError', message: 'the answer is no event stream', status: 200 });
  expect(asked).toEqual(['0']);
});

test('throws the faults of its caller, and asks no second time', async () => {
  const fault = new Error('sign in again');
  const wrong = () => {
    throw fault;
  };
  answers = [stream(BEAT)];
  expect(await watch('0', {}, { headers: wrong })).toMatchObject({ failure: fault, states: [] });
  expect(await watch(undefined, {}, { headers: wrong })).toMatchObject({ failure: fault, states: [] });
  expect(asked).toEqual([]);
  expect(await watch('0', { onState: wrong })).toMatchObject({ failure: fault });
  expect(asked).toEqual(['0']);
  for (const options of [{ url: '/graphql' }, { url: 'http://' }, { headers: { 'x-api-key': '€' } }]) {
    expect(await watch('0', {}, { fetch: undefined, ...options } as ClientOptions)).toMatchObject({
      failure: { name: 'TypeError' },
      states: [],
    });
  }
  const infinite = clientWith().subscribe(FarmChangesDocument, { after: 1n as never });
  await expect(infinite.next()).rejects.toThrow(/BigInt/);
  expect(asked).toEqual(['0']);
});

test.each([
  [4, undefined],
  [5, 'no token now'],
])('after a cut, headers that cannot be had %d times end the watching or not', async (times, message) => {
  answers = [cut(BEAT), stream(BEAT, change('1') + COMPLETE)];
  let calls = 0;
  const headers = () => {
    calls += 1;
    if (calls > 1 && calls <= 1 + times) throw new Error('no token now');
    return {};
  };
  const { failure, cursors } = await watch('0', {}, { headers });
  expect((failure as Error | undefined)?.message).toBe(message);
  expect(cursors).toEqual(message ? [] : ['1']);
});

/** Headers that cannot be had at these calls. */
const failingAt = (...calls: number[]) => {
  let count = 0;
  return () => {
    count += 1;
    if (calls.includes(count)) throw new Error(`no token at call ${count}`);
    return {};
  };
};

test('headers that cannot be had before the first connection end the watching at once', async () => {
  answers = [refuse(503, ''), stream(BEAT, change('1') + COMPLETE)];
  const { failure, states } = await watch('0', {}, { headers: failingAt(2) });
  expect(failure).toEqual(new Error('no token at call 2'));
  expect(states).toEqual(['behind']);
});

test.each(['connected', 'behind'])(
  'an error of onState ends the watching at once, at the second %s too',
  async (at) => {
    answers = [cut(BEAT), cut(BEAT), stream(BEAT, change('1') + COMPLETE)];
    let count = 0;
    const onState = (state: WatchState) => {
      if (state === at) count += 1;
      if (count === 2) throw new Error('the page is gone');
    };
    expect(await watch('0', { onState })).toMatchObject({ cursors: [], failure: { message: 'the page is gone' } });
    expect(asked).toEqual(['0', '0']);
  },
);

test('an error that is thrown into the changes comes out of them, and closes the connection', async () => {
  answers = [stream(BEAT, change('1')), stream(BEAT, change('2') + COMPLETE)];
  const changes = clientWith().subscribe(FarmChangesDocument, { after: '0' });
  await changes.next();
  await expect(changes.throw(new Error('mine'))).rejects.toThrow('mine');
  expect(await changes.next()).toEqual({ done: true, value: undefined });
  await until(() => received[0]?.socket.destroyed);
  expect(asked).toEqual(['0']);
});

test.each([
  ['null', 'null'],
  ['a text', '"busy"'],
  ['errors that are a text', '{"errors":"busy"}'],
  ['errors without messages', '{"errors":[null]}'],
  ['an empty object', '{}'],
  ['an empty list', '[]'],
  ['no errors and no data', '{"errors":[]}'],
  ['a list of no errors beside its data', '{"errors":[],"data":{"changes":{"cursor":"1"}}}'],
])('tries again after an event with %s', async (_name, text) => {
  answers = [stream(BEAT, `event: next\ndata: ${text}\n\n`), refuse(502, text), stream(BEAT, change('1') + COMPLETE)];
  const { cursors, failure } = await watch('0');
  expect({ cursors, failure }).toEqual({ cursors: ['1'], failure: undefined });
  expect(asked).toEqual(['0', '0', '0']);
});

test.each([
  ['200', refuse(200, '<html>Sign in to the network</html>')],
  ['403', refuse(403, '<html>Not from here</html>')],
  ['404', refuse(404, '<html>No such page</html>')],
])(
  'a page of a proxy with %s is tried again after a cut, and thrown at the beginning',
  async (status, page: Answer) => {
    answers = [cut(BEAT), ...Array<Answer>(9).fill(page), stream(BEAT, change('1') + COMPLETE)];
    expect(await watch('0')).toEqual({
      states: ['connected', 'behind', 'connected'],
      cursors: ['1'],
      failure: undefined,
    });
    asked = [];
    answers = [page];
    expect(await watch('0')).toMatchObject({
      states: [],
      failure: { message: `the answer is not a GraphQL answer (HTTP ${status})` },
    });
    expect(asked).toEqual(['0']);
  },
);

test.each([
  ['at the beginning', [stream(next(errorWith('CURSOR_EXPIRED')) + COMPLETE)], ['expired']],
  [
    'after a cut',
    [cut(BEAT), stream(next(errorWith('CURSOR_EXPIRED')) + COMPLETE)],
    ['connected', 'behind', 'expired'],
  ],
])('says that the cursor is expired, and throws, %s', async (_name, given: Answer[], said) => {
  answers = given;
  const { states, failure } = await watch('0');
  expect(failure).toMatchObject({ name: 'GatewayRequestError', codes: ['CURSOR_EXPIRED'] });
  expect(states).toEqual(said);
});

test('a token that expires is replaced; a caller that has no other is refused', async () => {
  const expired = next(errorWith('UNAUTHENTICATED')) + COMPLETE;
  let count = 0;
  const headers = async () => ({ authorization: `token ${++count}` });
  answers = [
    stream(BEAT, change('1') + expired),
    stream(BEAT, change('2') + expired),
    refuse(401, JSON.stringify(errorWith('UNAUTHENTICATED'))),
  ];
  const { cursors, failure } = await watch('0', {}, { headers });
  expect(cursors).toEqual(['1', '2']);
  expect(failure).toMatchObject({ status: 401, codes: ['UNAUTHENTICATED'] });
  expect(received.map((request) => request.headers.authorization)).toEqual(['token 1', 'token 2', 'token 3']);
});

test('pauses get longer up to 10 seconds, and short again after a change or a beat of a stream that lasts', async () => {
  const lost = Array.from({ length: 8 }, () => refuse(503, ''));
  answers = [...lost, cut(BEAT), cut(BEAT, change('1')), ...lost.slice(0, 3), cut(BEAT, BEAT), stream(COMPLETE)];
  expect(await watch('0')).toMatchObject({ cursors: ['1'], failure: undefined });
  const limits = [250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000, 250, 500, 1000, 2000, 250];
  expect(pauses.length).toBe(limits.length);
  for (const [at, pause] of pauses.entries()) {
    const limit = limits[at] as number;
    expect([limit / 2 <= pause && pause <= limit, pause, limit]).toEqual([true, pause, limit]);
  }
});

test.each([
  ['stream', stream(BEAT + change('1')), ['1'], ['connected', 'behind', 'connected'], ['0', '1']],
  ['request', () => {}, [], ['behind', 'connected'], ['0', '0']],
])(
  'a %s that is silent for too long is given up',
  async (_name, silent: Answer, before: string[], states, requests) => {
    answers = [silent, stream(BEAT, change('2') + COMPLETE)];
    const cursors: string[] = [];
    const watching = watch('0', {}, {}, cursors);
    await until(() => asked.length === 1 && cursors.length === before.length && silences.size === 1);
    for (const giveUp of silences.values()) giveUp();
    expect(await watching).toEqual({ states, cursors: [...before, '2'], failure: undefined });
    expect(asked).toEqual(requests);
    await until(() => received[0]?.socket.destroyed);
  },
);

test('headers that never come are given up as silence is, and called again', async () => {
  answers = [cut(BEAT), stream(BEAT, change('1') + COMPLETE)];
  let calls = 0;
  const headers = () => (++calls === 2 ? new Promise<never>(() => {}) : {});
  const watching = watch('0', {}, { headers });
  await until(() => calls === 2 && silences.size === 1);
  for (const giveUp of silences.values()) giveUp();
  expect(await watching).toEqual({
    states: ['connected', 'behind', 'connected'],
    cursors: ['1'],
    failure: undefined,
  });
});

test('headers that never come at the beginning end the watching', async () => {
  const watching = watch('0', {}, { headers: () => new Promise<never>(() => {}) });
  await until(() => silences.size === 1);
  for (const giveUp of silences.values()) giveUp();
  expect(await watching).toMatchObject({ failure: { message: 'nothing came in 30 seconds' }, states: [] });
  expect([asked, silences.size]).toEqual([[], 0]);
});

test('a reader that takes long is not taken for silence', async () => {
  answers = [stream(BEAT + change('1') + COMPLETE)];
  const waiting: number[] = [];
  for await (const _ of clientWith().subscribe(FarmChangesDocument, { after: '0' })) waiting.push(silences.size);
  expect(waiting).toEqual([0]);
});

test('leaving the loop closes the connection', async () => {
  answers = [stream(BEAT, change('1'), change('2'))];
  const cursors: string[] = [];
  for await (const { changes } of clientWith().subscribe(FarmChangesDocument, { after: '0' })) {
    cursors.push(changes.cursor);
    break;
  }
  expect(cursors).toEqual(['1']);
  await until(() => received[0]?.socket.destroyed);
});

test('an abort ends the loop at once, without the changes that had come, and closes the connection', async () => {
  answers = [stream(BEAT + change('1') + change('2'))];
  const abort = new AbortController();
  const cursors: string[] = [];
  const { signal } = abort;
  for await (const { changes } of clientWith().subscribe(FarmChangesDocument, { after: '0' }, { signal })) {
    cursors.push(changes.cursor);
    abort.abort();
  }
  expect(cursors).toEqual(['1']);
  await until(() => received[0]?.socket.destroyed);
});

test.each([
  ['before the first answer', undefined, [() => {}], ['latest']],
  ['while the stream is opened', '0', [() => {}], ['0']],
])('an abort %s ends the loop', async (_name, after, given: Answer[], requests) => {
  answers = given;
  const abort = new AbortController();
  const watching = watch(after, { signal: abort.signal });
  await until(() => asked.length === 1);
  abort.abort();
  expect(await watching).toEqual({ states: [], cursors: [], failure: undefined });
  expect(asked).toEqual(requests);
});

test.each([
  ['headers', { headers: () => new Promise<never>(() => {}) }],
  ['a fetch that takes no signal', { fetch: () => new Promise<never>(() => {}) }],
])('an abort ends the loop while it waits for %s, and leaves no timer', async (_name, clientOptions) => {
  const abort = new AbortController();
  const watching = watch('0', { signal: abort.signal }, clientOptions);
  await until(() => silences.size === 1);
  abort.abort();
  expect(await watching).toEqual({ states: [], cursors: [], failure: undefined });
  expect(silences.size).toBe(0);
});

test('an abort ends a pause', async () => {
  answers = [refuse(503, '')];
  jest.restoreAllMocks();
  const abort = new AbortController();
  // The pauses are real, and soon too long for a test.
  const watching = watch('0', { signal: abort.signal, onState: () => abort.abort() });
  expect(await watching).toMatchObject({ failure: undefined });
  expect(asked).toEqual(['0']);
});
