// The schema of the graph, out of the resolver classes of the domains.
import 'reflect-metadata';
import type { GraphQLInterfaceType, GraphQLObjectType, GraphQLSchema } from 'graphql';
import { buildSchemaSync, type ContainerType, type ResolverData } from 'type-graphql';
import { AlertResolver } from './alerts/alert.resolver';
import { CameraResolver, CameraStatusResolver, PrinterCamerasResolver } from './cameras/camera.resolver';
import { CameraConnectionResolver } from './cameras/camera.types';
import { CameraHealthResolver } from './cameras/health.resolver';
import {
  ChangeResolver,
  JobChangedResolver,
  OBJECT_RESOLVERS,
  StatusRecordedResolver,
} from './changes/change.resolver';
import { ChangeConnectionResolver, type ChangeRow, TYPE_NAMES } from './changes/change.types';
import type { DoorContext } from './graph/context';
import { NodeResolver } from './graph/node';
import { ViewerResolver } from './graph/viewer';
import { InventoryResolver } from './inventory/inventory.resolver';
import { PrinterConnectionResolver, SpoolConnectionResolver } from './inventory/inventory.types';
import { PrinterJobsResolver, PrintJobResolver, SpoolJobsResolver } from './print-jobs/print-job.resolver';
import { PrintJobConnectionResolver } from './print-jobs/print-job.types';
import { SpoolUsageResolver, UsageResolver } from './reports/usage.resolver';
import { SummaryResolver } from './summary/summary.resolver';

/** These read nothing: one instance of each serves all requests. */
const CONNECTIONS = [
  CameraConnectionResolver,
  ChangeConnectionResolver,
  PrinterConnectionResolver,
  SpoolConnectionResolver,
  PrintJobConnectionResolver,
];

export function buildGraph(): GraphQLSchema {
  const connections = new Map<unknown, unknown>(CONNECTIONS.map((type) => [type, new type()]));
  const container: ContainerType = {
    get: (type, { context }: ResolverData<DoorContext>) => connections.get(type) ?? context.resolvers.get(type),
  };
  const schema = buildSchemaSync({
    resolvers: [
      CameraResolver,
      CameraStatusResolver,
      CameraHealthResolver,
      PrinterCamerasResolver,
      InventoryResolver,
      PrintJobResolver,
      PrinterJobsResolver,
      SpoolJobsResolver,
      AlertResolver,
      UsageResolver,
      SpoolUsageResolver,
      ChangeResolver,
      StatusRecordedResolver,
      JobChangedResolver,
      ...OBJECT_RESOLVERS,
      NodeResolver,
      ViewerResolver,
      SummaryResolver,
      ...CONNECTIONS,
    ],
    container,
    pubSub: NO_TOPICS,
    // Scalars and services check their input; a second validator would check it twice.
    validate: false,
  });
  // type-graphql would make it async, which graphql-jit does not take.
  const interfaceNamed = (name: string) => schema.getType(name) as GraphQLInterfaceType;
  interfaceNamed('Change').resolveType = ({ type }: ChangeRow) => TYPE_NAMES[type];
  interfaceNamed('Node').resolveType = ({ __typename }: { __typename: string }) => __typename;
  // type-graphql has no place for the descriptions of the root types.
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
  return schema;
}

/** type-graphql asks for it; every subscription has a source of its own. */
const NO_TOPICS = {
  publish: () => {},
  subscribe: (): never => {
    throw new Error('There are no topics');
  },
};

function describe(type: GraphQLObjectType | null | undefined, description: string): void {
  if (type) type.description = description;
}
