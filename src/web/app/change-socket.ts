// Changes over a WebSocket: over HTTP/1.1 a browser opens six connections to a host, and event streams of six windows would
// take them all. Its WebSockets do not count there.
import { createClient } from 'graphql-ws';
import type { ClientOptions } from '../../client/client';
import type { StreamPart } from '../../client/event-stream';
import { GatewayRequestError, makeRequestError } from '../../client/request-error';

/** A proxy may lead no WebSockets: so long after the begin an event stream is opened instead. */
const MAX_OPENING_MS = 5_000;
/** The gateway answers each ping. */
const PING_MS = 12_000;

/** @param url of /graphql */
export function socketStreams(url: string): NonNullable<ClientOptions['openStream']> {
  return async ({ headers, ...payload }, signal) => {
    const parts = queueOf<StreamPart<unknown>>();
    const client = createClient({
      url: url.replace(/^http/, 'ws'),
      connectionParams: headers,
      retryAttempts: 0,
      keepAlive: PING_MS,
      on: { pong: (isReceived) => isReceived && parts.put('beat') },
    });
    // It does not wait for a handshake that may never end.
    const close = () => client.terminate();
    signal.addEventListener('abort', close);
    const opened = new Promise<boolean>((resolve) => {
      setTimeout(resolve, MAX_OPENING_MS, false);
      client.on('closed', () => resolve(false));
      client.on('error', () => resolve(false));
      client.on('connected', () => {
        parts.put('beat');
        resolve(true);
      });
    });
    client.subscribe(payload, {
      next: (answer) => parts.put(answer as StreamPart<unknown>),
      complete: () => parts.put('complete'),
      error: (cause) => parts.fail(failureIn(cause)),
    });
    if (await opened) return parts;
    signal.removeEventListener('abort', close);
    close();
    return null;
  };
}

/** A refusal is a list of errors; anything else is the end of the connection. */
const failureIn = (cause: unknown) =>
  Array.isArray(cause)
    ? makeRequestError({ errors: cause }, { status: 200 })
    : new GatewayRequestError('the connection broke off', { status: 0, cause });

/** What came, in its order; after it a failure. */
function queueOf<Part>() {
  const waiting: (Part | Promise<never>)[] = [];
  let wake = () => {};
  const add = (part: Part | Promise<never>) => {
    waiting.push(part);
    wake();
  };
  return {
    put: (part: Part) => add(part),
    fail(error: Error) {
      const failed = Promise.reject(error);
      // It may be that nobody asks for it.
      failed.catch(() => {});
      add(failed);
    },
    async next(): Promise<IteratorResult<Part>> {
      while (waiting.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return { done: false, value: await (waiting.shift() as Part) };
    },
  };
}
