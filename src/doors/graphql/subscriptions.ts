// Starts subscriptions: Apollo Server checks them like other operations, and a broadcast executes them once for each change.
import type { GraphQLRequestContextResponseForOperation } from '@apollo/server';
import {
  createSourceEventStream,
  type DocumentNode,
  execute,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { BadInput, BadRequest, DatabaseUnavailable, NotFound } from '../../errors';
import type { DoorContext } from '../../farm/graph/context';
import type { Log } from '../../observability/log';
import { withObservation } from '../../observability/observation';
import type { Watcher } from '../../sharing/broadcast';
import type { Broadcasts } from '../../sharing/broadcast-registry';
import { type FeedEvent, WatchedEvents } from '../../sharing/feed';
import type { AnswerSizes } from './answer-size';
import type { Result } from './compiled';
import type { FindAudience } from './demands';
import { causeOf, formatGraphQLError, logUnexpected } from './graphql-errors';
import { sourceOf } from './parsed-documents';
import { collectRootFields } from './root-fields';

/** Starts to deliver messages to a watcher. Returns a function that ends the delivery. */
export type BeginDelivery = (watcher: Watcher) => () => void;

/** The context of an operation in Apollo Server. */
export interface OperationContext extends DoorContext {
  /** Gets the subscription, because a response of Apollo Server has no member for it. Undefined if the door takes no subscriptions. */
  readonly takeSubscription?: (begin: BeginDelivery) => void;
  /** How many characters of the request the door keeps in memory while the subscription is open. */
  readonly heldLength?: (() => number) | undefined;
}

/** What Apollo hands over for the execution of an operation. */
export type Handover = GraphQLRequestContextResponseForOperation<OperationContext>;

/**
 * The maximum number of characters of a subscription. A broadcast keeps the document and the variables in memory, and the door keeps the
 * whole request. A list of 1,000 GUIDs has 39,000 characters.
 */
const MAX_CHARACTERS = 50_000;

/** Makes the function that hands a subscription to its door. Its result has errors if the subscription cannot start. */
export function createSubscriptionStart(
  schema: GraphQLSchema,
  broadcasts: Broadcasts,
  log: Log,
  findAudience: FindAudience,
  sizes: AnswerSizes,
  hideSuggestions: boolean,
) {
  return async ({
    document,
    operation,
    operationName,
    queryHash,
    contextValue,
    request,
  }: Handover): Promise<Result> => {
    const { takeSubscription, heldLength, caller } = contextValue;
    if (!takeSubscription) {
      throw new BadRequest(
        'A subscription needs a WebSocket (graphql-transport-ws), or the header Accept: text/event-stream',
      );
    }
    const operationArguments = { schema, document, operationName, variableValues: request.variables, hideSuggestions };
    const source = await createSourceEventStream({ ...operationArguments, contextValue });
    // Errors without a path are refused variables; then the result has no data, and the caller formats them as such.
    if (!(source instanceof WatchedEvents)) {
      const { errors } = source as Result;
      return errors?.every(({ path }) => path === undefined) ? { errors } : { data: null, ...(errors && { errors }) };
    }
    const makeMessage = async (event: FeedEvent): Promise<string | null> => {
      // The event becomes the root value, which the resolver of the subscription gets as @Root().
      const context = { ...contextValue.restart(), observation: contextValue.observation };
      const run = () =>
        execute({ ...operationArguments, contextValue: context, rootValue: event }) as Result | Promise<Result>;
      const { data, errors } = await sizes.runWithinLimits(context, run).catch(toErrorResult);
      if (errors === undefined) return JSON.stringify({ data });
      const causes = errors.map(causeOf);
      // The object was removed after this change was read. The feed reports the removal as a later change.
      if (causes.some((cause) => cause instanceof NotFound)) return null;
      const outage = causes.find((cause) => cause instanceof DatabaseUnavailable);
      if (outage) throw outage;
      logUnexpected(log, errors, contextValue.observation, operationName);
      return JSON.stringify({ data, errors: errors.map(formatGraphQLError) });
    };
    const variables = removeAfterVariable(document, operation, request.variables);
    const given = JSON.stringify(variables);
    if (Math.max(sourceOf(document).length + given.length, heldLength?.() ?? 0) > MAX_CHARACTERS)
      throw new BadInput(
        `The subscription, with its variables, has more than ${MAX_CHARACTERS} characters. Select fewer fields or send shorter lists.`,
      );
    const key = [findAudience(document, operation, caller), queryHash, operationName, given].join(' ');
    broadcasts.refuseBeyondLimit(key, contextValue.client);
    const { matches, feed } = source;
    const content = { name: operationName ?? 'A subscription', feed, matches, makeMessage };
    // The broadcast reads for all its watchers and may outlive this request, so its statements belong to no request.
    takeSubscription((watcher) =>
      withObservation(undefined, () => broadcasts.watch(key, contextValue.client, content, watcher, source.after)),
    );
    return HANDED_OVER;
  };
}

/** Replaces a message that is too large by a message with this error. */
function toErrorResult(error: unknown): Result {
  if (error instanceof GraphQLError) return { data: null, errors: [error] } as unknown as Result;
  throw error;
}

/** A placeholder that no client gets, because the door starts the delivery instead. */
const HANDED_OVER = { data: null } as const;

/**
 * Removes the variable of the argument `after`, so that watchers of the same changes share a broadcast although they start at
 * different positions. A variable that is also used elsewhere stays.
 */
export function removeAfterVariable(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown> = {},
) {
  const [nodes = []] = collectRootFields(document, operation).values();
  const after = nodes[0]?.arguments?.find(({ name }) => name.value === 'after')?.value;
  if (after?.kind !== Kind.VARIABLE) return variables;
  let uses = 0;
  visit(document, {
    [Kind.VARIABLE_DEFINITION]: () => false,
    [Kind.VARIABLE]: ({ name }) => {
      if (name.value === after.name.value) uses += 1;
    },
  });
  return uses > 1 ? variables : { ...variables, [after.name.value]: undefined };
}
