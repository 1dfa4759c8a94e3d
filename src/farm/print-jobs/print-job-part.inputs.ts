// The inputs of the parts of print jobs.
import { Field, ID, InputType } from 'type-graphql';
import { DecimalScalar } from '../graph/scalars';

@InputType({ description: 'What a job used of one spool.' })
export class PrintJobPartInput {
  @Field(() => ID, { description: 'GUID of the spool; BAD_USER_INPUT when there is none.' })
  spoolId!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The slot that fed it: letters and one or two numbers, such as tool:0 or ams:0:2.',
  })
  slot?: string | null;

  @Field(() => DecimalScalar, { description: 'Millimetres of filament extruded, 0 or more.' })
  mmExtruded!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Grams used, 0 or more. Without it: by the formula, with the spool’s diameter and its material’s density.',
  })
  gramsDerived?: string | null;
}
