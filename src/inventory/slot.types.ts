// The places for filament in printers as the graph shows them.
import { Field, ObjectType } from 'type-graphql';
import { DateTimeScalar } from '../graph/scalars';

@ObjectType({
  description: 'A place for filament in a printer. A printer whose machine tells of no slots has tool:0.',
  simpleResolvers: true,
})
export class PrinterSlot {
  @Field(() => String, { description: 'As the kind of machine numbers them: tool:0, ams:0:2, ext:0.' })
  slot!: string;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When the spool was put into it; null without a spool.' })
  loadedAt!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'What the printer itself says is in it, for people; null where it does not say.',
  })
  reported!: string | null;
}
