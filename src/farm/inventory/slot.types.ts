// The GraphQL types of slots and of loads.
import { ArgsType, Field, ObjectType } from 'type-graphql';
import { pageArguments } from '../graph/page-arguments';
import { defineConnection } from '../graph/relay-connection';
import { DateTimeScalar } from '../graph/scalars';

/** The slot of a printer without a device, and the default where a request names no slot. */
export const FIRST_SLOT = 'tool:0';

export const PAGE_OF_LOADS = 20;

@ArgsType()
export class LoadPageArguments extends pageArguments(PAGE_OF_LOADS) {}

@ObjectType({
  description:
    'A place for a spool in a printer, such as a tool or a tray of an AMS. A printer whose machine reports no slots has tool:0.',
  simpleResolvers: true,
})
export class PrinterSlot {
  @Field(() => String, {
    description: 'The slot in the numbering of its kind of machine, such as tool:0, ams:0:2 or ext:0.',
  })
  slot!: string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the spool was put into the slot; null if the slot has no spool.',
  })
  loadedAt!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The filament that the printer itself reports for the slot, as a text to show; null if the printer reports nothing.',
  })
  reported!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The UID of the tag that the machine reads in the slot, whether a spool has it or not; null if it reads none. For a Bambu spool this is ' +
      'the tray_uuid, which both of its chips have.',
  })
  tag!: string | null;
}

@ObjectType({ description: 'A load: a spool in a slot, from one time to another.', simpleResolvers: true })
export class SlotLoad {
  @Field(() => String, { description: 'The slot, named as in PrinterSlot.' })
  slot!: string;

  @Field(() => DateTimeScalar, { description: 'When the spool was put into the slot.' })
  from!: string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the spool was taken out; null while it is in the slot.',
  })
  to!: string | null;
}

export const SlotLoadConnection = defineConnection(SlotLoad, 'loads');
