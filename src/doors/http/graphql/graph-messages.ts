// Admits, executes and observes each message of a WebSocket of /graphql like a request.
import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { TooManyRequests } from '../../../errors';
import type { Observation } from '../../../observability/observation';
import type { Observer } from '../../../observability/observer';
import { takeLongTurn } from '../../../sharing/turns';
import type { Executed, GraphServer } from '../../graphql/apollo-server';
import { readGraphRequest } from '../../graphql/http-request';
import { failedMessage } from '../answers';
import type { Admission } from '../limits/admission';
import { nameClient } from '../limits/forwarded';
import { type CreateContext, respondWithin } from '../request-context';

export interface Messages {
  /** Counts a message of any type for the rate limit; throws if the limit is exceeded. */
  count(request: FastifyRequest): Promise<void>;
  /** Waits for the turn of a long message. */
  turn(request: FastifyRequest): Promise<void>;
  /** Finds the caller by the client's first message; throws if the credentials are wrong. */
  admit(request: FastifyRequest, credentials: Record<string, unknown>): Promise<void>;
  /** Executes an operation. @param running the number of running operations of the connection, including this operation */
  execute(
    request: FastifyRequest,
    payload: unknown,
    running: number,
  ): Promise<Pick<Executed, 'answer' | 'beginDelivery'>>;
}

interface MessageParts {
  graph: GraphServer;
  admission: Admission;
  createContext: CreateContext;
  settings: { operationsPerSocket: number };
  observer: Observer;
}

/** @param route the route under which the observer counts the messages */
export function createMessages(route: string, parts: MessageParts): Messages {
  const { graph, admission, createContext, settings, observer } = parts;

  /** Observes each message separately, because `request.observation` belongs to the whole connection. */
  const observeMessage = async <Answer>(
    request: FastifyRequest,
    work: (observation: Observation) => Promise<Answer>,
  ) => {
    const began = performance.now();
    const observation = observer.requestStarted(randomUUID(), {});
    let status = 200;
    try {
      return await work(observation);
    } catch (error) {
      status = failedMessage(error, request, observation);
      throw error;
    } finally {
      const ms = performance.now() - began;
      const caller = request.caller.name;
      observer.requestEnded(observation, { method: 'WEBSOCKET', route, status, ms, caller, quiet: false });
    }
  };

  return {
    count: admission.count,
    turn: (request) => takeLongTurn(nameClient(request), request.answerMs),
    admit: (request, credentials) => observeMessage(request, () => admission.admitMessage(request, credentials)),
    execute: (request, payload, running) =>
      observeMessage(request, async (observation) => {
        request.caller.requireCredentials();
        request.caller.requireUnexpired(Date.now());
        if (running > settings.operationsPerSocket)
          throw new TooManyRequests(
            `One connection may run ${settings.operationsPerSocket} operations at a time. Complete one first.`,
          );
        const operation = readGraphRequest({ method: 'POST', search: '', body: payload });
        const context = { ...createContext(request), observation };
        // graphql-ws keeps the payload of an open operation in memory.
        const door = { takesSubscriptions: true, heldLength: () => JSON.stringify(payload).length };
        return respondWithin(request.answerMs, graph.execute(operation, context, door));
      }),
  };
}
