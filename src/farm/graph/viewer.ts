// The caller of a request, as the graph shows it to itself.
import { Ctx, Extensions, Field, ID, ObjectType, Query, Resolver } from 'type-graphql';
import type { Context } from './context';
import { Requires } from './rights';

@ObjectType({ description: 'The caller of the request, and its rights.', simpleResolvers: true })
class Viewer {
  @Field(() => String, {
    nullable: true,
    description: 'Name of the API key, or subject of the token; null where no credentials are needed.',
  })
  name!: string | null;

  @Field(() => Boolean, { description: 'Whether the caller may read.' })
  mayRead!: boolean;

  @Field(() => Boolean, { description: 'Whether the caller may write.' })
  mayWrite!: boolean;

  @Field(() => Boolean, { description: 'Whether the caller may add, change, test and remove devices.' })
  mayConfigureDevices!: boolean;

  @Field(() => ID, { nullable: true, description: 'The only camera that the caller may write for; null: any.' })
  cameraId!: string | null;
}

@Resolver()
export class ViewerResolver {
  // /graphql has refused callers without credentials already.
  @Requires()
  @Extensions({ personal: true })
  @Query(() => Viewer, { description: 'The caller, and its rights. Every caller may ask this.' })
  viewer(@Ctx() { caller }: Context): Viewer {
    return caller.viewer;
  }
}
