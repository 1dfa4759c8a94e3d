// Tags of spools in the GraphQL schema.
import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../graph/context';
import { Spool } from './inventory.types';
import { MAX_FORMAT_LENGTH, MAX_TAGS_OF_SPOOL, type TagService } from './tag.service';
import { SpoolTag } from './tag.types';

const Uid = () =>
  Arg('uid', () => String, {
    description:
      'The UID of the tag: 1 to 64 hexadecimal digits, in capital or small letters, with or without blanks, colons, hyphens, points and 0x at the start.',
  });

@Resolver(() => Spool)
export class TagResolver {
  constructor(private readonly service: TagService) {}

  @FieldResolver(() => [SpoolTag], {
    description: `The RFID and NFC tags on the spool, the oldest first; at most ${MAX_TAGS_OF_SPOOL}.`,
  })
  tags(@Root() { id }: Spool): Promise<SpoolTag[]> {
    return this.service.ofSpool(id);
  }

  @Query(() => Spool, {
    nullable: true,
    description: 'The spool that has the tag with this UID, archived or not; null if no spool has it.',
  })
  spoolByTag(@Uid() uid: string): Promise<Spool | null> {
    return this.service.findSpool(uid);
  }

  @Mutation(() => Spool, {
    description:
      'Links a tag to a spool. If the spool already has the tag, only a format changes it. CONFLICT if another spool has the tag, unless ' +
      `move is true. BAD_USER_INPUT if the spool would have more than ${MAX_TAGS_OF_SPOOL} tags. NOT_FOUND if there is no such spool.`,
  })
  linkTag(
    @Arg('spoolId', () => ID, { description: 'GUID of the spool.' }) spoolId: string,
    @Uid() uid: string,
    @Arg('format', () => String, {
      nullable: true,
      description: `The type of the tag as the reader names it, at most ${MAX_FORMAT_LENGTH} characters, stored in small letters. It replaces the stored format; null keeps that.`,
    })
    format: string | null | undefined,
    @Arg('move', () => Boolean, {
      defaultValue: false,
      description: 'true to take the tag from another spool that has it.',
    })
    move: boolean,
    @Ctx() context: Context,
  ): Promise<Spool> {
    return this.service.link({ spoolId, uid, format, move }, context);
  }

  @Mutation(() => Spool, {
    description: 'Unlinks a tag and returns the spool that had it. NOT_FOUND if no spool has it.',
  })
  unlinkTag(@Uid() uid: string): Promise<Spool> {
    return this.service.unlink(uid);
  }
}
