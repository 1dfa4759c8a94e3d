// Serves the WebSocket of /graphql with the protocol graphql-transport-ws of the library graphql-ws.
import type { WebSocket } from '@fastify/websocket';
import type { FastifyRequest } from 'fastify';
import { type ExecutionResult, type FormattedExecutionResult, GraphQLError, GraphQLSchema, parse } from 'graphql';
import { CloseCode, MessageType, makeServer } from 'graphql-ws';
import { UNEXPECTED_MESSAGE } from '../../../errors';
import { NOBODY } from '../../../farm/graph/caller';
import type { Executed } from '../../graphql/apollo-server';
import { formatFailure } from '../../graphql/graphql-errors';
import type { BeginDelivery } from '../../graphql/subscriptions';
import { logFailure } from '../answers';
import type { ClientMemory } from '../limits/client-memory';
import { LONG_FROM } from '../request-bodies';
import type { Messages } from './graph-messages';
import { MAX_BUFFERED, type OpenSubscriptions } from './open-subscriptions';
import { Inbox } from './socket-inbox';

/** The time that a client has to send connection_init. */
const INIT_MS = 5000;
const PONG = JSON.stringify({ type: MessageType.Pong });
/** The close code of RFC 6455, 7.4.1, for a client that breaks a policy. */
const TOO_MANY = 1008;
/** The maximum number of characters of a connection_init, which stays in memory as long as the socket. */
const MAX_INIT = 16_384;
/** The bytes that a client may send before its caller is known: a connection_init, its frame, and a few operations that get errors. */
const MAX_BEFORE_INIT = 4 * MAX_INIT;
/** The maximum number of characters of the id of an operation. Clients count, or use GUIDs. */
const MAX_ID = 256;

interface Extra {
  socket: WebSocket;
  /** Resolves if the rate limit admits the message that is being read. Undefined after a hook has taken the promise over. */
  counted: Promise<void> | undefined;
  /** The answer of the hook that took `counted` over. */
  answering: Promise<unknown> | undefined;
  /** Whether the client's first message was accepted, with credentials if the gateway needs them. */
  isAdmitted: boolean;
  /** The ids of operations that are running. */
  running: Set<string>;
  request: FastifyRequest;
}

/**
 * graphql-ws 6.4.2 executes operations itself, and reads the kind of an operation from its document. Here Apollo Server has already
 * executed the operation. So graphql-ws gets this document for all operations, and the result as the context. Remove this when
 * onSubscribe may return a result.
 */
const ANSWERED = { schema: new GraphQLSchema({}), document: parse('subscription { answered }') };

const END = { done: true, value: undefined } as const;

export function createSocketHandler(subscriptions: OpenSubscriptions, messages: Messages, clientMemory: ClientMemory) {
  const formatErrors = (error: Error) => formatFailure(error).errors.map(toGraphQLError);
  const server = makeServer<Record<string, unknown>, Extra>({
    connectionInitWaitTimeout: INIT_MS,
    onConnect: async ({ extra, connectionParams }) => {
      if (JSON.stringify(connectionParams ?? {}).length > MAX_INIT) {
        extra.socket.close(CloseCode.BadRequest, `connection_init may have at most ${MAX_INIT} characters`);
        return false;
      }
      try {
        await answerAfterCount(extra, () => messages.admit(extra.request, connectionParams ?? {}));
        extra.isAdmitted = extra.request.caller !== NOBODY;
      } catch (error) {
        extra.socket.close(CloseCode.Forbidden, formatErrors(error as Error)[0]?.message.slice(0, 100));
        return false;
      }
    },
    onSubscribe: async ({ extra }, id, payload) => {
      if (id.length > MAX_ID) {
        extra.socket.close(CloseCode.BadRequest, `The id of an operation may have at most ${MAX_ID} characters`);
        return [new GraphQLError('The id of the operation is too long')];
      }
      // Checked here, because graphql-ws forgets an operation that the client completed, although it may still be running.
      if (extra.running.has(id)) {
        extra.socket.close(CloseCode.SubscriberAlreadyExists, `Subscriber for ${id} already exists`.slice(0, 100));
        return [new GraphQLError('The id of the operation is in use')];
      }
      extra.running.add(id);
      const { answer, beginDelivery } = await answerAfterCount(extra, () =>
        messages.execute(extra.request, payload, extra.running.size),
      ).catch((error: Error): Omit<Executed, 'http'> => ({ answer: formatFailure(error) }));
      if (beginDelivery) return { ...ANSWERED, contextValue: startDelivery(extra, id, beginDelivery) };
      if (answer.data !== undefined) return { ...ANSWERED, contextValue: answer };
      extra.running.delete(id);
      return (answer.errors ?? []).map(toGraphQLError);
    },
    subscribe: ({ contextValue }) => contextValue as ExecutionResult | AsyncIterable<never>,
    onComplete: ({ extra }, id) => void extra.running.delete(id),
    // graphql-ws would repeat the payload of the ping, which may be large.
    onPing: ({ extra }) => sendBounded(extra.socket, PONG),
    // Apollo Server has already formatted the answer.
    onNext: (_context, _id, _payload, { contextValue }) => contextValue as FormattedExecutionResult,
  });

  /**
   * Delivers a subscription. The returned iterator yields nothing; graphql-ws only waits for its end. The messages are written
   * directly to the socket, because watchers of the same changes share one text for each change (a change for 1,000 watchers is
   * written as JSON once), and texts that arrive together leave in one chunk. Remove this when onNext may return the text of a
   * payload.
   */
  const startDelivery = (
    { socket, request }: Extra,
    id: string,
    beginDelivery: BeginDelivery,
  ): AsyncIterableIterator<never> => {
    let ending: { resolve(end: typeof END): void; reject(error: Error): void };
    const ended = new Promise<typeof END>((resolve, reject) => {
      ending = { resolve, reject };
    });
    const head = `{"id":${JSON.stringify(id)},"type":"next","payload":`;
    const net = request.raw.socket;
    const stop = subscriptions.open(
      beginDelivery,
      {
        send: (texts) => {
          net.cork();
          for (const text of texts) sendBounded(socket, `${head}${text}}`);
          net.uncork();
        },
        stream: net,
        // The frame of the message and the closing brace take up to 11 bytes.
        overhead: Buffer.byteLength(head) + 11,
        end: (error) => {
          net.off('close', stop);
          // Without an error the gateway stops and closes the socket, and the client reconnects.
          if (error) ending.reject(formatErrors(error)[0] ?? error);
        },
      },
      request.caller,
    );
    // Stopped when the socket closes, because graphql-ws forgets an operation if the client starts another with the same id.
    net.once('close', stop);
    // Returns END instead of `ended`, which rejects if the subscription failed. The client then already gets the error.
    const done = async () => {
      net.off('close', stop);
      stop();
      ending.resolve(END);
      return END;
    };
    const iterator: AsyncIterableIterator<never> = {
      next: () => ended,
      return: done,
      [Symbol.asyncIterator]: () => iterator,
    };
    return iterator;
  };

  return (socket: WebSocket, request: FastifyRequest): void => {
    const net = request.raw.socket;
    // Each subscription adds a listener for the close of the socket.
    net.setMaxListeners(0);
    net.on('data', ({ length }: Buffer) => {
      clientMemory.add(net, length);
      if (extra.isAdmitted) return;
      bytesBefore += length;
      if (bytesBefore > MAX_BEFORE_INIT) socket.terminate();
    });
    for (const frame of ['ping', 'pong']) socket.on(frame, () => inbox.recount());
    // ws answers each ping frame itself.
    socket.on('ping', () => endIfFull(socket));
    for (const frame of ['ping', 'pong']) socket.on(frame, () => endIfTooMany(inbox.during(messages.count(request))));
    // ws closes the connection after an error.
    socket.on('error', () => {});
    const endTooMany = ({ message }: Error) => socket.close(TOO_MANY, message.slice(0, 100));
    const endIfTooMany = (counted: Promise<void>) => void counted.catch(endTooMany);
    const extra: Extra = {
      socket,
      request,
      isAdmitted: false,
      counted: undefined,
      answering: undefined,
      running: new Set(),
    };
    let take: (text: string) => Promise<void>;
    const read = async (data: Buffer): Promise<void> => {
      const counted = messages.count(request);
      if (data.length > LONG_FROM) {
        await counted;
        await messages.turn(request);
      }
      extra.counted = counted;
      extra.answering = undefined;
      // The hooks of graphql-ws that answer a message start before this call returns.
      take(String(data)).catch(() => socket.close(CloseCode.InternalServerError, UNEXPECTED_MESSAGE));
      // The hook answers a failure itself.
      await (extra.counted === undefined ? Promise.allSettled([extra.answering]) : counted);
    };
    const inbox = new Inbox(socket, net, clientMemory, (data) => read(data).catch(endTooMany));
    let bytesBefore = 0;
    const closed = server.opened(
      {
        protocol: socket.protocol,
        send: (text) => sendBounded(socket, text),
        close: (code, reason) => socket.close(code, reason),
        onMessage: (takeMessage) => {
          take = takeMessage;
          socket.on('message', (data: Buffer) => inbox.put(data));
        },
      },
      extra,
    );
    socket.once('close', (code, reason) => {
      closed(code, String(reason)).catch((error: Error) => logFailure(error, request));
    });
  };
}

/** Answers a message after the rate limit has admitted it. */
function answerAfterCount<T>(extra: Extra, answer: () => Promise<T>): Promise<T> {
  const counted = extra.counted ?? Promise.resolve();
  extra.counted = undefined;
  const answering = counted.then(answer);
  extra.answering = answering;
  return answering;
}

/** Closes the socket of a client that does not read what the gateway sends. */
function endIfFull(socket: WebSocket): void {
  if (socket.bufferedAmount > MAX_BUFFERED) socket.terminate();
}

function sendBounded(socket: WebSocket, text: string): void {
  endIfFull(socket);
  socket.send(text);
}

/**
 * Wraps a formatted error. graphql-ws 6.4.2 accepts only instances of GraphQLError, which compute their locations from a source.
 * Remove this when onSubscribe may return formatted errors.
 */
function toGraphQLError({
  message,
  path,
  locations,
  extensions,
}: NonNullable<FormattedExecutionResult['errors']>[number]): GraphQLError {
  const error = new GraphQLError(message, { path, extensions });
  return Object.defineProperty(error, 'toJSON', { value: () => ({ message, path, locations, extensions }) });
}
