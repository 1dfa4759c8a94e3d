// Opens subscriptions over a WebSocket. Over HTTP/1.1 a browser opens at most six connections to a host, and the event streams of six
// windows would use all of them. WebSockets do not count towards this limit.
import { createClient } from 'graphql-ws';
import type { ClientOptions } from '../../client/client';
import type { StreamPart } from '../../client/event-stream';
import { GatewayRequestError, makeRequestError } from '../../client/request-error';

/** A proxy may block WebSockets. If the socket is not connected after this time, the client opens an event stream instead. */
const CONNECT_TIMEOUT_MS = 5_000;
/** The interval of pings. The gateway answers each ping, which shows that the connection still works. */
const PING_MS = 12_000;

/**
 * @param url the address of /graphql
 * @returns a function that opens a subscription; it returns null if the socket does not connect in time
 */
export function createSocketOpener(url: string): NonNullable<ClientOptions['openStream']> {
  return async ({ headers, ...payload }, signal) => {
    const parts = createQueue<StreamPart<unknown>>();
    const client = createClient({
      url: url.replace(/^http/, 'ws'),
      connectionParams: headers,
      retryAttempts: 0,
      keepAlive: PING_MS,
      on: { pong: (isReceived) => isReceived && parts.put('beat') },
    });
    // `terminate` does not wait for a closing handshake that may never end.
    const close = () => client.terminate();
    signal.addEventListener('abort', close);
    const opened = new Promise<boolean>((resolve) => {
      setTimeout(resolve, CONNECT_TIMEOUT_MS, false);
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
      error: (cause) => parts.fail(toRequestError(cause)),
    });
    if (await opened) return parts;
    signal.removeEventListener('abort', close);
    close();
    return null;
  };
}

/** A rejected operation fails with a list of errors. Any other cause means that the connection broke. */
const toRequestError = (cause: unknown) =>
  Array.isArray(cause)
    ? makeRequestError({ errors: cause }, { status: 200 })
    : new GatewayRequestError('the connection broke off', { status: 0, cause });

/** An async queue: received messages in their order, then the failure that ended the stream. */
function createQueue<Part>() {
  const entries: (Part | Promise<never>)[] = [];
  let wake = () => {};
  const add = (part: Part | Promise<never>) => {
    entries.push(part);
    wake();
  };
  return {
    put: (part: Part) => add(part),
    fail(error: Error) {
      const failed = Promise.reject(error);
      // Nobody may read the queue any more. An unhandled rejection would be logged as an error.
      failed.catch(() => {});
      add(failed);
    },
    async next(): Promise<IteratorResult<Part>> {
      while (entries.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return { done: false, value: await (entries.shift() as Part) };
    },
  };
}
