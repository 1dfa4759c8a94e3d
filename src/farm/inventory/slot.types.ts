// The places for filament in printers as the graph shows them, and the spools that were in them.
import { Field, ObjectType } from 'type-graphql';
import { connectionOf } from '../graph/connection';
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

@ObjectType({ description: 'That a spool was in a slot, from one time to another.', simpleResolvers: true })
export class SlotLoad {
  @Field(() => String, { description: 'The slot, as PrinterSlot names it.' })
  slot!: string;

  @Field(() => DateTimeScalar, { description: 'When the spool was put into it.' })
  from!: string;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was taken out; null while it is in it.' })
  to!: string | null;
}

export const SlotLoadConnection = connectionOf(SlotLoad, 'loads');
