// Defines the queries `_service` and `_entities`, with which the router of a supergraph reads this subgraph.

import { GraphQLScalarType } from 'graphql';
import { Arg, Ctx, createUnionType, Extensions, Field, ObjectType, Query, Resolver } from 'type-graphql';
import type { Context } from '../../farm/graph/context';
import { Costs } from '../../farm/graph/costs';
import type { NodeLookUps } from '../../farm/graph/node';
import { ENTITIES } from './entities';
import { MAX_REPRESENTATIONS, readEntities } from './entity.service';
import { readSubgraph } from './subgraph';

const Entity = createUnionType({
  name: '_Entity',
  description: 'An object that other subgraphs can reference by a key.',
  types: () => ENTITIES,
});

const AnyScalar = new GraphQLScalarType({
  name: '_Any',
  description: 'A representation of an object: its `__typename`, and `id` or `nodeId`. Other members are ignored.',
});

@ObjectType('_Service', { description: 'The gateway as a subgraph of Apollo Federation 2.', simpleResolvers: true })
class Service {
  @Field({ description: 'The schema of the subgraph in SDL, for tools that compose a supergraph.' })
  sdl!: string;
}

@Resolver()
export class EntityResolver {
  constructor(private readonly lookUps: NodeLookUps) {}

  @Query(() => Service, {
    name: '_service',
    description: 'The gateway as a subgraph, for tools that compose a supergraph.',
  })
  service(): Service {
    return { sdl: readSubgraph() };
  }

  // The response depends on the caller, because some objects need other rights than `read`.
  @Extensions({ personal: true })
  @Costs({ size: (given) => given.length('representations') ?? 0, maxInOperation: MAX_REPRESENTATIONS })
  @Query(() => [Entity], {
    name: '_entities',
    nullable: 'items',
    description:
      'Returns the objects of these representations in the same order; null for an object that does not exist, and for a representation ' +
      'whose two keys name different objects. A representation without a key, with an unknown type or with an id that the query of its ' +
      'type refuses gets the error BAD_USER_INPUT; the other objects are still returned. This query is for routers. Clients use the ' +
      'query of each type, or `node`.',
  })
  entities(
    @Arg('representations', () => [AnyScalar], { description: `At most ${MAX_REPRESENTATIONS} in one operation.` })
    representations: unknown[],
    @Ctx() { caller }: Context,
  ): Promise<(object | null)[]> {
    return readEntities(this.lookUps, representations, caller);
  }
}
