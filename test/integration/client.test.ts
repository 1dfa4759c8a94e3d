// Tests the typed client against a server that gives any answer that a gateway, a proxy or a broken network may give.
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ClientOptions, createClient, GatewayRequestError } from '../../src/client/client';
import type { WatchOptions, WatchState } from '../../src/client/watch';
import { CameraDetailDocument, FarmChangesDocument, MaterialsDocument } from '../../src/generated/operations';
import { has, inTime, until } from '../support/waiting';

type Answer = (response: ServerResponse) => unknown;

let server: Server;
let url: string;
/** The answers to the requests, in their order; the last one is given to all further requests. */
let answers: Answer[];
/** `latest` for a request of the latest cursor, else the cursor after which a stream was requested. */
let asked: string[];
let received: { headers: IncomingMessage['headers']; socket: IncomingMessage['socket']; body: string }[];

beforeAll(async () => {
  const listener: RequestListener = async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString();
    const { query, variables } = JSON.parse(body);
    asked.push(query.includes('latestChangeCursor') ? 'latest' : variables?.after);
    received.push({ headers: request.headers, socket: request.socket, body });
    response.setHeader('connection', 'close');
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    answer?.(response);
  };
  server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, resolve));
  url = `http://loopback:${(server.address() as AddressInfo).port}/graphql`;
});

let requests = 0;
/** Each request has a different address, because Node may send a request on a kept connection that the server has just cut. */
const clientWith = (options: Partial<ClientOptions> = {}) =>
  createClient({
    url,
    fetch: (target, init) => {
      requests += 1;
      return fetch(String(target).replace('loopback', `127.0.${requests >> 7}.${(requests & 127) + 1}`), init);
    },
    ...options,
  });

/** The pauses of the client in milliseconds; they end immediately. */
let pauses: number[];
/** The silence limits of the client; a test may let one expire. */
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
      // The next chunk gets a separate packet.
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
/** A stream that ends without `complete`, like that of a stopping gateway. */
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

const isClosed = (request: number) =>
  until(`the connection of request ${request} is closed`, () => received[request]?.socket.destroyed);

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
  const failure = await inTime(
    'the client ends its stream',
    watching.then(
      () => undefined,
      (error: unknown) => error,
    ),
    () => ({ states, cursors, asked, pauses }),
  );
  return { states, cursors, failure };
}

describe('watching', () => {
  test('reports that it is connected, yields the changes, and ends when the gateway sends "complete"', async () => {
    answers = [latest('0'), stream(BEAT, change('1'), BEAT, change('2') + COMPLETE)];
    expect(await watch()).toEqual({ states: ['connected'], cursors: ['1', '2'], failure: undefined });
    expect(asked).toEqual(['latest', '0']);
    expect(received[1]?.headers.accept).toBe('text/event-stream');
  });

  test('continues after the last change when the stream ends or is cut off, without a change twice', async () => {
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

  test('an event that is cut in the middle comes whole from the next stream; characters may span chunks', async () => {
    answers = [ended(BEAT, change('1') + change('2').slice(0, -1)), stream(BEAT, change('2') + COMPLETE)];
    expect(await watch('0')).toMatchObject({ cursors: ['1', '2'], failure: undefined });
    expect(asked).toEqual(['0', '1']);
    const bytes = Buffer.from(BEAT + change('ä€🖨1') + change('2') + COMPLETE);
    answers = [stream(...Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)))];
    expect(await watch('0')).toMatchObject({ cursors: ['ä€🖨1', '2'], failure: undefined });
  });

  test.each([
    ['no answer', (response: ServerResponse) => response.destroy()],
    ['429', refuse(429, JSON.stringify(errorWith('TOO_MANY_REQUESTS')))],
    ['502 with a page of a proxy', refuse(502, '<h1>Bad Gateway</h1>')],
    ['503', refuse(503, '{"error":"The gateway stops"}')],
    ['INTERNAL_SERVER_ERROR', refuse(200, JSON.stringify(errorWith('INTERNAL_SERVER_ERROR')))],
    ['INTERNAL_SERVER_ERROR in the stream', stream(next(errorWith('INTERNAL_SERVER_ERROR')) + COMPLETE)],
    ['an event that is not JSON', stream('event: next\ndata: {"da\n\n')],
    ['an event that is not an answer', stream('event: next\ndata: {}\n\n')],
    ['errors that are not a list', stream('event: next\ndata: {"errors":"busy"}\n\n')],
  ])('tries again after %s', async (_name, answer: Answer) => {
    answers = [answer, stream(BEAT, change('1') + COMPLETE)];
    expect(await watch('0')).toEqual({ states: ['behind', 'connected'], cursors: ['1'], failure: undefined });
    expect(asked).toEqual(['0', '0']);
  });

  test('throws when the next change fails each time, and starts to count again after each change', async () => {
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
    ['FORBIDDEN in the stream', stream(next(errorWith('FORBIDDEN')) + COMPLETE), 'FORBIDDEN'],
  ])('throws after %s', async (_name, answer: Answer, code) => {
    answers = [answer];
    const { states, failure } = await watch('0');
    expect(failure).toBeInstanceOf(GatewayRequestError);
    expect(failure).toMatchObject({ message: `It is ${code}`, codes: [code] });
    expect(states).toEqual([]);
    expect(asked).toEqual(['0']);
  });

  test('throws when the server does not support event streams', async () => {
    answers = [refuse(200, JSON.stringify({ data: { changes: null } }))];
    const { failure } = await watch('0');
    expect(failure).toMatchObject({
      name: 'GatewayRequestError',
      message: 'the answer is not an event stream',
      status: 200,
    });
    expect(asked).toEqual(['0']);
  });

  test('throws the faults of its caller without a second request', async () => {
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
  });

  test('an error page of a proxy is retried after a cut, and thrown on the first request', async () => {
    const page = refuse(200, '<html>Sign in to the network</html>');
    answers = [cut(BEAT), ...Array<Answer>(9).fill(page), stream(BEAT, change('1') + COMPLETE)];
    const states = ['connected', 'behind', 'connected'];
    expect(await watch('0')).toEqual({ states, cursors: ['1'], failure: undefined });
    asked = [];
    answers = [page];
    const failure = { message: 'the answer is not from a GraphQL server (HTTP 200)' };
    expect(await watch('0')).toMatchObject({ states: [], failure });
    expect(asked).toEqual(['0']);
  });

  test('reports that the cursor has expired, and throws', async () => {
    const expired = stream(next(errorWith('CURSOR_EXPIRED')) + COMPLETE);
    for (const [given, said] of [
      [[expired], ['expired']],
      [
        [cut(BEAT), expired],
        ['connected', 'behind', 'expired'],
      ],
    ] as const) {
      answers = [...given];
      const { states, failure } = await watch('0');
      expect(failure).toMatchObject({ name: 'GatewayRequestError', codes: ['CURSOR_EXPIRED'] });
      expect(states).toEqual(said);
    }
  });

  test('a token that expires is replaced; a caller that has no other token is refused', async () => {
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

  test('pauses grow up to 10 seconds, and are short again after a change or a heartbeat of a stream that lasts', async () => {
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
      await until(
        'the client waits during a silence, after what came before',
        () => [asked.length, cursors.length, silences.size],
        (counts) => counts.join() === `1,${before.length},1`,
      );
      for (const giveUp of silences.values()) giveUp();
      expect(await watching).toEqual({ states, cursors: [...before, '2'], failure: undefined });
      expect(asked).toEqual(requests);
      await isClosed(0);
    },
  );

  test('an abort ends the loop immediately, drops the changes that had arrived, and closes the connection', async () => {
    answers = [stream(BEAT + change('1') + change('2'))];
    const abort = new AbortController();
    const cursors: string[] = [];
    const { signal } = abort;
    const watching = async () => {
      for await (const { changes } of clientWith().subscribe(FarmChangesDocument, { after: '0' }, { signal })) {
        cursors.push(changes.cursor);
        abort.abort();
      }
    };
    await inTime('the loop ends', watching(), () => cursors);
    expect(cursors).toEqual(['1']);
    await isClosed(0);
    // Leaving the loop does the same.
    for await (const _ of clientWith().subscribe(FarmChangesDocument, { after: '0' })) break;
    await isClosed(1);
  });

  test('an abort ends the wait for an answer, and a pause', async () => {
    answers = [() => {}];
    const waiting = new AbortController();
    const unanswered = watch(undefined, { signal: waiting.signal });
    await until('the client has sent its request', () => asked, has({ length: 1 }));
    waiting.abort();
    expect(await unanswered).toEqual({ states: [], cursors: [], failure: undefined });
    asked = [];
    answers = [refuse(503, '')];
    jest.restoreAllMocks();
    const abort = new AbortController();
    // These pauses are real, and soon too long for a test.
    const watching = watch('0', { signal: abort.signal, onState: () => abort.abort() });
    expect(await watching).toMatchObject({ failure: undefined });
    expect(asked).toEqual(['0']);
  });
});

describe('a request', () => {
  const materials = (options: Partial<ClientOptions> = {}) => clientWith(options).request(MaterialsDocument);

  async function failure(request: Promise<unknown>): Promise<GatewayRequestError> {
    const error = await request.then(
      (data) => new Error(`It was answered: ${JSON.stringify(data)}`),
      (reason: unknown) => reason,
    );
    if (error instanceof GatewayRequestError) return error;
    throw new Error(`Not a GatewayRequestError: ${error}`);
  }

  test('sends document, variables and headers, computes headers anew for each request, and returns the data', async () => {
    answers = [refuse(200, '{"data":{"camera":null}}')];
    let count = 0;
    const client = clientWith({ headers: async () => ({ authorization: `token ${++count}` }) });
    const variables = { id: 'c', records: 5 };
    for (let times = 0; times < 2; times += 1)
      expect(await client.request(CameraDetailDocument, variables)).toEqual({ camera: null });
    expect(received.map(({ headers }) => headers)).toMatchObject(
      ['token 1', 'token 2'].map((authorization) => ({
        authorization,
        'content-type': 'application/json',
        accept: expect.stringMatching(/^application\/graphql-response\+json/),
      })),
    );
    const query = CameraDetailDocument.loc.source.body;
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({ query, variables });
  });

  test('reports errors, each error code once, partial data, status and request id', async () => {
    const errors = [
      { message: 'no such camera', path: ['camera'], extensions: { code: 'NOT_FOUND' } },
      { message: 'nor that', extensions: { code: 'NOT_FOUND' } },
      { message: 'taken', extensions: { code: 'CONFLICT' } },
      { message: 'without a code' },
    ];
    const body = JSON.stringify({ errors, data: { materials: [] } });
    answers = [(response) => response.writeHead(200, { 'x-request-id': 'r-1' }).end(body)];
    expect(await failure(materials())).toMatchObject({
      name: 'GatewayRequestError',
      message: 'no such camera; nor that; taken; without a code',
      errors,
      codes: ['NOT_FOUND', 'CONFLICT'],
      status: 200,
      requestId: 'r-1',
      data: { materials: [] },
    });
  });

  const NONE = 'the answer is not from a GraphQL server';
  test.each([
    ['a refusal', 400, '{"errors":[{"message":"bad","extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}]}', 'bad'],
    ['a body too large', 413, '{"error":"The body is too large"}', 'The body is too large (HTTP 413)'],
    ['a page of a proxy', 502, '<h1>Bad Gateway</h1>', `${NONE} (HTTP 502)`],
    ['nothing', 200, '', `${NONE} (HTTP 200)`],
    ['an empty object', 200, '{}', `${NONE} (HTTP 200)`],
    ['no errors beside data', 200, '{"errors":[],"data":{}}', `${NONE} (HTTP 200)`],
    ['an error without a message', 200, '{"errors":[{"message":""}]}', `${NONE} (HTTP 200)`],
  ])('%s is an error with its status', async (_name, status, body, message) => {
    answers = [refuse(status, body)];
    expect(await failure(materials())).toMatchObject({ status, message });
  });

  test('a missing answer has status 0 and its cause; an answer that breaks off has the status that had arrived', async () => {
    answers = [(response) => response.destroy()];
    expect(await failure(materials())).toMatchObject({ status: 0, requestId: undefined, cause: expect.anything() });
    answers = [
      (response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"data":', () => response.destroy());
      },
    ];
    expect(await failure(materials())).toMatchObject({
      status: 200,
      message: 'the connection was lost before the whole answer arrived',
    });
  });

  test('fails with the reason of its abort', async () => {
    const abort = new AbortController();
    answers = [() => abort.abort(new Error('changed my mind'))];
    const request = clientWith().request(MaterialsDocument, undefined, { signal: abort.signal });
    await expect(request).rejects.toThrow('changed my mind');
  });

  test('has variables exactly when the operation requires them', () => {
    const { request } = clientWith();
    const wrong = () => [
      // @ts-expect-error the operation has a required variable
      request(CameraDetailDocument),
      // @ts-expect-error of another type
      request(CameraDetailDocument, { id: 1 }),
    ];
    expect(wrong).toBeInstanceOf(Function);
  });
});
