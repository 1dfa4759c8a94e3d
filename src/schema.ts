// The schema of the graph, out of the resolver classes of the domains.
import 'reflect-metadata';
import type { GraphQLObjectType, GraphQLSchema } from 'graphql';
import { buildSchemaSync, type ContainerType, type ResolverData } from 'type-graphql';
import { CameraResolver, CameraStatusResolver } from './cameras/camera.resolver';
import { CameraConnectionResolver } from './cameras/camera.types';
import type { DoorContext } from './graph/context';
import { InventoryResolver } from './inventory/inventory.resolver';
import { PrinterConnectionResolver, SpoolConnectionResolver } from './inventory/inventory.types';
import { PrinterJobsResolver, PrintJobResolver, SpoolJobsResolver } from './print-jobs/print-job.resolver';
import { PrintJobConnectionResolver } from './print-jobs/print-job.types';

/** These read nothing: one instance of each serves all requests. */
const CONNECTIONS = [
  CameraConnectionResolver,
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
      InventoryResolver,
      PrintJobResolver,
      PrinterJobsResolver,
      SpoolJobsResolver,
      ...CONNECTIONS,
    ],
    container,
    // Scalars and services check their input; a second validator would check it twice.
    validate: false,
  });
  // type-graphql has no place for the descriptions of the root types.
  describe(schema.getQueryType(), 'All queries. A missing object is null, not an error.');
  describe(
    schema.getMutationType(),
    'All changes. A refused change changes nothing; its error carries a code, and `issues` that name the members at fault. ' +
      'The mutations of one operation run one after the other, and each is stored by itself. When one fails, those before ' +
      'it stay, those after it do not run, and the answer has no data.',
  );
  return schema;
}

function describe(type: GraphQLObjectType | null | undefined, description: string): void {
  if (type) type.description = description;
}
