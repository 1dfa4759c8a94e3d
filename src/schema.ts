// Builds the GraphQL schema from the resolver classes of the domains.
import 'reflect-metadata';
import type { GraphQLAbstractType, GraphQLObjectType, GraphQLSchema } from 'graphql';
import { buildSchemaSync, type ContainerType, type NonEmptyArray, type ResolverData } from 'type-graphql';
import { countLists } from './doors/graphql/counted-lists';
import { type ChangeRow, TYPE_NAMES } from './farm/changes/change.types';
import type { DoorContext } from './farm/graph/context';
import { RESOLVERS } from './resolvers';

let built: GraphQLSchema | undefined;

/** The process builds the schema once, because building takes 50 ms and all apps of a process can share it. */
export function buildGraph(): GraphQLSchema {
  built ??= buildFromClasses();
  return built;
}

function buildFromClasses(): GraphQLSchema {
  const container: ContainerType = {
    // Each request brings its own resolvers, because a write with an idempotency key needs resolvers that use its transaction.
    get: (type, { context }: ResolverData<DoorContext>) => context.resolvers.get(type),
  };
  const schema = buildSchemaSync({
    resolvers: RESOLVERS as NonEmptyArray<(typeof RESOLVERS)[number]>,
    container,
    pubSub: NO_TOPICS,
    // Scalars and services already check their input.
    validate: false,
    // The check would execute an introspection, which takes 70 ms at each start. Apollo Server checks the schema, too.
    skipCheck: true,
  });
  // type-graphql 2.0.0-rc.4 makes resolveType asynchronous, and graphql-jit 0.8.9 needs it to be synchronous. Remove these
  // lines when one of the two packages has changed.
  const abstractNamed = (name: string) => schema.getType(name) as GraphQLAbstractType;
  abstractNamed('Change').resolveType = ({ type }: ChangeRow) => TYPE_NAMES[type];
  for (const name of ['Node', 'Numbered', '_Entity'])
    abstractNamed(name).resolveType = ({ __typename }: { __typename: string }) => __typename;
  // type-graphql 2.0.0-rc.4 cannot describe the root types.
  describe(schema.getQueryType(), 'All queries. An object that does not exist is null, not an error.');
  describe(
    schema.getSubscriptionType(),
    'All subscriptions. They work over WebSocket (graphql-transport-ws) and as event streams.',
  );
  describe(
    schema.getMutationType(),
    'All mutations. A mutation that fails changes nothing, and its error has a code. The errors BAD_USER_INPUT and CONFLICT have ' +
      '`issues`, which name the members with faults. The mutations of one operation run one after the other, and each is stored ' +
      'separately. If one fails, the mutations before it remain stored, the mutations after it do not run, and the response has no data.',
  );
  countLists(schema);
  return schema;
}

/** type-graphql 2.0.0-rc.4 requires a pubSub for a schema with subscriptions. The subscriptions here do not use it. */
const NO_TOPICS = {
  publish: () => {},
  subscribe: (): never => {
    throw new Error('Subscriptions do not use the pubSub of type-graphql');
  },
};

function describe(type: GraphQLObjectType | null | undefined, description: string): void {
  if (type) type.description = description;
}
