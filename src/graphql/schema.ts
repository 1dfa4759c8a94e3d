// The schema of the graph, out of the resolver classes of the domains.
import 'reflect-metadata';
import type { GraphQLObjectType, GraphQLSchema } from 'graphql';
import { buildSchemaSync, type ResolverData } from 'type-graphql';
import { CameraResolver, CameraStatusResolver } from '../cameras/camera.resolver';
import { CameraConnectionResolver } from '../cameras/camera.types';
import { InventoryResolver } from '../inventory/inventory.resolver';
import { PrinterConnectionResolver, SpoolConnectionResolver } from '../inventory/inventory.types';
import { PrinterJobsResolver, PrintJobResolver, SpoolJobsResolver } from '../print-jobs/print-job.resolver';
import { PrintJobConnectionResolver } from '../print-jobs/print-job.types';
import type { Context } from './context';

export function buildGraph(): GraphQLSchema {
  const schema = buildSchemaSync({
    resolvers: [
      CameraResolver,
      CameraStatusResolver,
      CameraConnectionResolver,
      InventoryResolver,
      PrinterConnectionResolver,
      SpoolConnectionResolver,
      PrintJobResolver,
      PrinterJobsResolver,
      SpoolJobsResolver,
      PrintJobConnectionResolver,
    ],
    // Those without a service behind them are the same for all.
    container: {
      get: (type, { context }: ResolverData<Context>) => context.farm.resolvers.get(type) ?? alone(type),
    },
    // The scalars and services check what they are given; a second validator would check it twice.
    validate: false,
  });
  // type-graphql has no place for the descriptions of the root types.
  describe(schema.getQueryType(), 'What can be read. Something absent is null, never an error.');
  describe(
    schema.getMutationType(),
    'What can be changed. A refused change changes nothing; its error carries a code.',
  );
  return schema;
}

const made = new Map<unknown, unknown>();

function alone(type: unknown): unknown {
  const known = made.get(type) ?? new (type as new () => unknown)();
  made.set(type, known);
  return known;
}

function describe(type: GraphQLObjectType | null | undefined, description: string): void {
  if (type) type.description = description;
}
