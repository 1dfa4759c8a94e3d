// The GraphQL type of a tag of a spool.
import { Field, ObjectType } from 'type-graphql';
import { DateTimeScalar } from '../graph/scalars';

@ObjectType({
  description: 'An RFID or NFC tag on a spool. Its UID belongs to at most one spool, archived or not.',
  simpleResolvers: true,
})
export class SpoolTag {
  @Field(() => String, { description: 'Hexadecimal digits in capitals, without separators.' })
  uid!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Its type as the reader names it, such as ntag or bambu-tray; null if unknown.',
  })
  format!: string | null;

  @Field(() => DateTimeScalar, { description: 'When the tag was linked to the spool.' })
  addedAt!: string;
}
