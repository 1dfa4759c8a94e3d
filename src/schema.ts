// The schema of the graph, out of the resolver classes of the domains.
import 'reflect-metadata';
import type { GraphQLAbstractType, GraphQLObjectType, GraphQLSchema } from 'graphql';
import { buildSchemaSync, type ContainerType, type NonEmptyArray, type ResolverData } from 'type-graphql';
import { countLists } from './doors/graphql/counted-lists';
import { type ChangeRow, TYPE_NAMES } from './farm/changes/change.types';
import type { DoorContext } from './farm/graph/context';
import { RESOLVERS } from './resolvers';

let built: GraphQLSchema | undefined;

/** One for the process: building it takes 50 ms, and nothing in it belongs to one app. */
export function buildGraph(): GraphQLSchema {
  built ??= fromClasses();
  return built;
}

function fromClasses(): GraphQLSchema {
  const container: ContainerType = {
    // The resolvers of the request, or of the transaction of a keyed write.
    get: (type, { context }: ResolverData<DoorContext>) => context.resolvers.get(type),
  };
  const schema = buildSchemaSync({
    resolvers: RESOLVERS as NonEmptyArray<(typeof RESOLVERS)[number]>,
    container,
    pubSub: NO_TOPICS,
    // Scalars and services check their input; a second validator would check it twice.
    validate: false,
    // It would execute an introspection, 70 ms of each start. Apollo's server checks the schema too.
    skipCheck: true,
  });
  // type-graphql 2.0.0-rc.4 makes resolveType asynchronous, and graphql-jit 0.8.9 needs a synchronous one. Remove this when
  // one of the two has changed.
  const abstractNamed = (name: string) => schema.getType(name) as GraphQLAbstractType;
  abstractNamed('Change').resolveType = ({ type }: ChangeRow) => TYPE_NAMES[type];
  for (const name of ['Node', 'Numbered', '_Entity'])
    abstractNamed(name).resolveType = ({ __typename }: { __typename: string }) => __typename;
  // type-graphql 2.0.0-rc.4 has no place for the descriptions of the root types.
  describe(schema.getQueryType(), 'All queries. A missing object is null, not an error.');
  describe(
    schema.getSubscriptionType(),
    'All that clients can watch, by WebSocket (graphql-transport-ws) or as an event stream.',
  );
  describe(
    schema.getMutationType(),
    'All changes. A refused change changes nothing; its error carries a code. BAD_USER_INPUT and CONFLICT carry `issues`, which name the members at fault. ' +
      'The mutations of one operation run one after the other, and each is stored by itself. When one fails, those before ' +
      'it stay, those after it do not run, and the answer has no data.',
  );
  countLists(schema);
  return schema;
}

/** type-graphql 2.0.0-rc.4 demands a pubSub for a schema with subscriptions. Each subscription here has its own source. */
const NO_TOPICS = {
  publish: () => {},
  subscribe: (): never => {
    throw new Error('There are no topics');
  },
};

function describe(type: GraphQLObjectType | null | undefined, description: string): void {
  if (type) type.description = description;
}
