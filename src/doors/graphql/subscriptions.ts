// Subscriptions: Apollo Server prepares them like other operations; a channel executes them once for each change.
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
import type { Watcher } from '../../sharing/channel';
import type { Channels } from '../../sharing/channel-registry';
import { type FeedEvent, WatchedEvents } from '../../sharing/feed';
import type { AnswerSizes } from './answer-size';
import type { Result } from './compiled';
import type { AudienceOf } from './demands';
import { causeOf, formatGraphQLError, logUnexpected } from './graphql-errors';
import { sourceOf } from './parsed-documents';
import { rootFieldsOf } from './root-fields';

/** Begins to deliver to a watcher; returns a function that ends it. */
export type BeginDelivery = (watcher: Watcher) => () => void;

/** The context of an operation in Apollo Server. */
export interface OperationContext extends DoorContext {
  /** Undefined where the door takes no subscriptions. The answer of Apollo Server has no member for a subscription. */
  readonly takeSubscription?: (begin: BeginDelivery) => void;
  /** Characters of the request that the door holds while its subscription is open. */
  readonly held?: (() => number) | undefined;
}

/** An operation that Apollo hands over. */
export type Handover = GraphQLRequestContextResponseForOperation<OperationContext>;

/** A channel holds its document and its variables, and the door the whole request. A list of 1,000 GUIDs has 39,000. */
const MAX_CHARACTERS = 50_000;

/** Hands a subscription to its door. The result has errors when it cannot begin, else no data. */
export function subscriptionsOn(
  schema: GraphQLSchema,
  channels: Channels,
  log: Log,
  audienceOf: AudienceOf,
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
    const { takeSubscription, held, caller } = contextValue;
    if (!takeSubscription) {
      throw new BadRequest(
        'A subscription needs a WebSocket (graphql-transport-ws), or the header Accept: text/event-stream',
      );
    }
    const asked = { schema, document, operationName, variableValues: request.variables, hideSuggestions };
    const source = await createSourceEventStream({ ...asked, contextValue });
    // Refused variables have no path: Apollo words them.
    if (!(source instanceof WatchedEvents)) {
      const { errors } = source as Result;
      return errors?.every(({ path }) => path === undefined) ? { errors } : { data: null, ...(errors && { errors }) };
    }
    const messageOf = async (event: FeedEvent): Promise<string | null> => {
      // The event is the root value, which the resolver of the subscription gets as @Root().
      const context = { ...contextValue.restart(), observation: contextValue.observation };
      const run = () => execute({ ...asked, contextValue: context, rootValue: event }) as Result | Promise<Result>;
      const { data, errors } = await sizes.bounded(context, run).catch(tooLarge);
      if (errors === undefined) return JSON.stringify({ data });
      const causes = errors.map(causeOf);
      // The object was removed after the change was read; the feed has that change too.
      if (causes.some((cause) => cause instanceof NotFound)) return null;
      const outage = causes.find((cause) => cause instanceof DatabaseUnavailable);
      if (outage) throw outage;
      logUnexpected(log, errors, contextValue.observation, operationName);
      return JSON.stringify({ data, errors: errors.map(formatGraphQLError) });
    };
    const variables = withoutAfter(document, operation, request.variables);
    const given = JSON.stringify(variables);
    if (Math.max(sourceOf(document).length + given.length, held?.() ?? 0) > MAX_CHARACTERS)
      throw new BadInput(`A subscription may have ${MAX_CHARACTERS} characters, its variables as JSON included`);
    const key = [audienceOf(document, operation, caller), queryHash, operationName, given].join(' ');
    channels.refuseOneMore(key, contextValue.client);
    const { matches, feed } = source;
    const content = { name: operationName ?? 'A subscription', feed, matches, messageOf };
    // The channel, which may outlive this request, reads for all of its watchers.
    takeSubscription((watcher) =>
      withObservation(undefined, () => channels.watch(key, contextValue.client, content, watcher, source.after)),
    );
    return HANDED_OVER;
  };
}

/** A message that says so replaces one that is too large. */
function tooLarge(error: unknown): Result {
  if (error instanceof GraphQLError) return { data: null, errors: [error] } as unknown as Result;
  throw error;
}

/** A placeholder that no client gets, because the door starts the delivery instead. */
const HANDED_OVER = { data: null } as const;

/**
 * The variables without that of `after`, because watchers of the same changes may begin at different positions. A variable
 * with a second use stays.
 */
export function withoutAfter(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown> = {},
) {
  const [nodes = []] = rootFieldsOf(document, operation).values();
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
