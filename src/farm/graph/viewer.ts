// Offers the query with which a caller sees its name and rights.
import { Ctx, Extensions, Field, ID, ObjectType, Query, Resolver } from 'type-graphql';
import type { Context } from './context';
import { Requires } from './rights';

@ObjectType({ description: 'The caller of the request and its rights.', simpleResolvers: true })
class Viewer {
  @Field(() => String, {
    nullable: true,
    description: 'The name of the API key, or the subject of the token; null if the gateway requires no credentials.',
  })
  name!: string | null;

  @Field(() => Boolean, { description: 'Whether the caller may read.' })
  mayRead!: boolean;

  @Field(() => Boolean, { description: 'Whether the caller may write.' })
  mayWrite!: boolean;

  @Field(() => Boolean, { description: 'Whether the caller may add, change, test and remove devices.' })
  mayConfigureDevices!: boolean;

  @Field(() => ID, {
    nullable: true,
    description: 'The only camera for which the caller may write; null for all cameras.',
  })
  cameraId!: string | null;
}

@Resolver()
export class ViewerResolver {
  // No right is needed: /graphql has already refused callers without credentials.
  @Requires()
  @Extensions({ personal: true })
  @Query(() => Viewer, { description: 'The caller and its rights. Every caller may use this query.' })
  viewer(@Ctx() { caller }: Context): Viewer {
    return caller.viewer;
  }
}
