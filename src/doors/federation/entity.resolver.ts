// The two queries by which a supergraph reads its subgraph.

import { GraphQLScalarType } from 'graphql';
import { Arg, Ctx, createUnionType, Extensions, Field, ObjectType, Query, Resolver } from 'type-graphql';
import type { Context } from '../../farm/graph/context';
import { Costs } from '../../farm/graph/costs';
import type { NodeLookUps } from '../../farm/graph/node';
import { ENTITIES } from './entities';
import { MAX_REPRESENTATIONS, readEntities } from './entity.service';
import { subgraphText } from './subgraph';

const Entity = createUnionType({
  name: '_Entity',
  description: 'An object that other subgraphs name by a key.',
  types: () => ENTITIES,
});

const AnyScalar = new GraphQLScalarType({
  name: '_Any',
  description: 'A representation of an object: its `__typename`, and `id` or `nodeId`. Other members mean nothing.',
});

@ObjectType('_Service', { description: 'The gateway as a subgraph of Apollo Federation 2.', simpleResolvers: true })
class Service {
  @Field({ description: 'The schema of the subgraph, for a composer.' })
  sdl!: string;
}

@Resolver()
export class EntityResolver {
  constructor(private readonly lookUps: NodeLookUps) {}

  @Query(() => Service, { name: '_service', description: 'The gateway as a subgraph, for a composer.' })
  service(): Service {
    return { sdl: subgraphText() };
  }

  // Personal, because an object may ask for another right than to read.
  @Extensions({ personal: true })
  @Costs({ size: (given) => given.length('representations') ?? 0, maxInOperation: MAX_REPRESENTATIONS })
  @Query(() => [Entity], {
    name: '_entities',
    nullable: 'items',
    description:
      'The objects of these representations, in their order; null where there is none, and where two keys name two ' +
      'objects. BAD_USER_INPUT, for that object alone, without a key, for an id that its query refuses, and for another ' +
      'type. For routers: clients have the query of each type, and `node`.',
  })
  entities(
    @Arg('representations', () => [AnyScalar], { description: `At most ${MAX_REPRESENTATIONS} in one operation.` })
    representations: unknown[],
    @Ctx() { caller }: Context,
  ): Promise<(object | null)[]> {
    return readEntities(this.lookUps, representations, caller);
  }
}
