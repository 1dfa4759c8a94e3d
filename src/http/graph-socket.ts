// The WebSocket of /graphql: graphql-ws's protocol graphql-transport-ws.
import type { WebSocket } from '@fastify/websocket';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type FormattedExecutionResult, GraphQLError, type GraphQLSchema, parse } from 'graphql';
import { CloseCode, makeServer } from 'graphql-ws';
import type { Subscribed } from '../graph/context';
import { UNEXPECTED } from '../graphql/errors';
import { BEAT_MS, type Watchings } from './watching';

/** The time that a client has to send connection_init. */
const INIT_MS = 5000;

/** An answered operation: its only answer, or the subscription that it begins. */
export type Outcome = { answer: FormattedExecutionResult } | { subscribed: Subscribed };

export interface SocketParts {
  watchings: Watchings;
  /** Finds the caller by what the client sent when it connected; throws when it is refused. */
  admit(request: FastifyRequest, credentials: Record<string, unknown>): Promise<void>;
  /** @param running the number of operations of the connection, with this one */
  execute(request: FastifyRequest, payload: unknown, running: number): Promise<Outcome>;
  /** The answer of an error. */
  answerOf(error: Error): FormattedExecutionResult;
}

interface Extra {
  socket: WebSocket;
  /** The ids of operations that have not ended. */
  running: Set<string>;
  request: FastifyRequest;
}

/** graphql-ws asks for the document of an operation that was answered already, to know its kind. */
const ANSWERED = { schema: undefined as unknown as GraphQLSchema, document: parse('subscription { answered }') };

export function socketHandler(app: FastifyInstance, { watchings, admit, execute, answerOf }: SocketParts) {
  const errorsOf = (error: Error) => (answerOf(error).errors ?? []).map(asError);
  const server = makeServer<Record<string, unknown>, Extra>({
    connectionInitWaitTimeout: INIT_MS,
    onConnect: async ({ extra, connectionParams }) => {
      try {
        await admit(extra.request, connectionParams ?? {});
      } catch (error) {
        extra.socket.close(CloseCode.Forbidden, errorsOf(error as Error)[0]?.message.slice(0, 100));
        return false;
      }
    },
    onSubscribe: async ({ extra }, id, payload) => {
      // graphql-ws would take this operation for one with the same id that was completed and is not answered yet.
      if (extra.running.has(id)) {
        extra.socket.close(CloseCode.SubscriberAlreadyExists, `Subscriber for ${id} already exists`.slice(0, 100));
        return [new GraphQLError('The id is in use')];
      }
      extra.running.add(id);
      const outcome = await execute(extra.request, payload, extra.running.size).catch((error: Error) => ({
        answer: answerOf(error),
      }));
      if ('answer' in outcome && outcome.answer.data === undefined) {
        extra.running.delete(id);
        return (outcome.answer.errors ?? []).map(asError);
      }
      return { ...ANSWERED, contextValue: { ...outcome, id } };
    },
    subscribe: (({ contextValue }: { contextValue: Outcome & { id: string } }) =>
      'answer' in contextValue ? contextValue.answer : contextValue) as never,
    onOperation: ({ extra }, id, _payload, _args, result) =>
      'subscribed' in (result as object)
        ? (watched(extra, id, (result as unknown as { subscribed: Subscribed }).subscribed) as never)
        : undefined,
    onComplete: ({ extra }, id) => void extra.running.delete(id),
    // Answers are formatted already.
    onNext: (_context, _id, _payload, _args, result) => result as never,
  });

  /**
   * graphql-ws waits for this iterator's end. The answers are written beside it: watchers of the same changes share one
   * text for each change, and all that comes at once goes out in one piece.
   */
  const watched = ({ socket, request }: Extra, id: string, subscribed: Subscribed): AsyncGenerator<never> => {
    let settle: { resolve(end: IteratorReturnResult<undefined>): void; reject(error: Error): void };
    const ended = new Promise<IteratorReturnResult<undefined>>((resolve, reject) => {
      settle = { resolve, reject };
    });
    const head = `{"id":${JSON.stringify(id)},"type":"next","payload":`;
    const net = request.raw.socket;
    const stop = watchings.begin(
      subscribed,
      {
        send: (texts) => {
          net.cork();
          for (const text of texts) socket.send(`${head}${text}}`);
          net.uncork();
        },
        stream: net,
        end: (error) => {
          net.off('close', stop);
          // Without an error the gateway stops and closes the socket: the client connects again.
          if (error) settle.reject(errorsOf(error)[0] ?? error);
        },
      },
      request.caller,
    );
    // graphql-ws forgets an operation when the client begins another one with the same id before the first is answered.
    net.once('close', stop);
    const done = async () => {
      net.off('close', stop);
      stop();
      settle.resolve({ done: true, value: undefined });
      return ended;
    };
    const iterator = {
      next: () => ended,
      return: done,
      throw: done,
      [Symbol.asyncIterator]: () => iterator,
      [Symbol.asyncDispose]: async () => void (await done()),
    };
    return iterator as unknown as AsyncGenerator<never>;
  };

  const alive = new WeakSet<WebSocket>();
  // A client that has not answered a ping when the next one is due is closed.
  const beat = setInterval(() => {
    for (const socket of app.websocketServer.clients) {
      if (!alive.delete(socket)) socket.terminate();
      else socket.ping();
    }
  }, BEAT_MS).unref();
  app.addHook('onClose', async () => clearInterval(beat));

  return (socket: WebSocket, request: FastifyRequest): void => {
    // Each subscription waits for its end.
    request.raw.socket.setMaxListeners(0);
    alive.add(socket);
    socket.on('pong', () => alive.add(socket));
    // ws closes the connection after an error.
    socket.on('error', () => {});
    const closed = server.opened(
      {
        protocol: socket.protocol,
        send: (text) => new Promise((resolve) => socket.send(text, () => resolve())),
        close: (code, reason) => socket.close(code, reason),
        onMessage: (take) =>
          socket.on('message', (data) => {
            take(String(data)).catch(() => socket.close(CloseCode.InternalServerError, UNEXPECTED));
          }),
      },
      { socket, request, running: new Set() },
    );
    socket.once('close', (code, reason) => void closed(code, String(reason)));
  };
}

/** graphql-ws sends instances of GraphQLError. */
function asError({
  message,
  path,
  locations,
  extensions,
}: NonNullable<FormattedExecutionResult['errors']>[number]): GraphQLError {
  const error = new GraphQLError(message, { path, extensions });
  return Object.defineProperty(error, 'toJSON', { value: () => ({ message, path, locations, extensions }) });
}
