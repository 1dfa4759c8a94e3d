// The GraphQL types of what other programs know of a spool or a filament: values of the farm's own fields, and ids.
import { Field, ObjectType } from 'type-graphql';

@ObjectType({
  description: "A value of one of the farm's own fields, as `extra` of Spoolman's API has it.",
  simpleResolvers: true,
})
export class ExtraValue {
  @Field(() => String, { description: 'The key of the field.' })
  key!: string;

  @Field(() => String, { description: 'The value as JSON, such as 42, true or "hello" with its quotation marks.' })
  value!: string;
}

@ObjectType({ description: 'The id of an object in the program from which it was imported.', simpleResolvers: true })
export class ExternalId {
  @Field(() => String, { description: 'The name of the source, such as spoolman.' })
  source!: string;

  @Field(() => String, { description: 'The id in this source.' })
  id!: string;
}
