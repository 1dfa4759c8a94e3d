// The slots of printers and the loads of spools, as the graph shows them.
import { ArgsType, Field, ObjectType } from 'type-graphql';
import { pageArguments } from '../graph/page-arguments';
import { connectionOf } from '../graph/relay-connection';
import { DateTimeScalar } from '../graph/scalars';

/** A printer without a device has it, and it is meant where no slot is named. */
export const FIRST_SLOT = 'tool:0';

export const PAGE_OF_LOADS = 20;

@ArgsType()
export class LoadPageArguments extends pageArguments(PAGE_OF_LOADS) {}

@ObjectType({
  description: 'A position for filament in a printer. A printer whose machine reports no slots has tool:0.',
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
