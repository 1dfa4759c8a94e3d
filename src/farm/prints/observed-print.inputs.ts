// Holds the GraphQL inputs and page sizes of observed prints.
import { ArgsType, Field, ID, InputType } from 'type-graphql';
import type { PageRange } from '../../values/page';
import { FieldPrice } from '../graph/costs';
import { pageArguments } from '../graph/page-arguments';
import { DateTimeScalar } from '../graph/scalars';
import { PrintOutcomeEnum, type PrintWait, PrintWaitEnum } from './observed-print.types';

export const PAGE_OF_PRINTS = 20;
export const PAGE_OF_SIGHTINGS = 100;
/** A filter that few prints match still reads many prints. */
const WALK_PRICE = 10_000;

@ArgsType()
export class PrintPageArguments extends pageArguments(PAGE_OF_PRINTS) {}

@ArgsType()
export class SightingPageArguments extends pageArguments(PAGE_OF_SIGHTINGS) {}

@InputType({
  description: 'Selects the prints that match every member. A member that is left out or null matches all prints.',
})
export class ObservedPrintFilter {
  @Field(() => ID, { nullable: true, description: 'Prints of this printer (GUID).' })
  printerId?: string | null;

  @FieldPrice(WALK_PRICE)
  @Field(() => [PrintOutcomeEnum], {
    nullable: true,
    description: 'Prints with one of these outcomes; an empty list matches no print.',
  })
  outcome?: string[] | null;

  @Field(() => PrintWaitEnum, { nullable: true, description: 'Prints that wait for this entry of a user.' })
  waitsFor?: PrintWait | null;

  @FieldPrice(WALK_PRICE)
  @Field(() => DateTimeScalar, { nullable: true, description: 'Prints that started at or after this instant.' })
  startedFrom?: string | null;

  @FieldPrice(WALK_PRICE)
  @Field(() => DateTimeScalar, { nullable: true, description: 'Prints that started at or before this instant.' })
  startedTo?: string | null;
}

@InputType({ description: 'The spool that fed a slot of a print.' })
export class SlotSpoolInput {
  @Field(() => String, { description: 'The slot, such as tool:0, as `filament` of the print names it.' })
  slot!: string;

  @Field(() => ID, {
    description: 'GUID of the spool. BAD_USER_INPUT if there is no such spool, or if it is archived.',
  })
  spoolId!: string;
}

@InputType({ description: 'How a print ended.' })
export class PrintOutcomeInput {
  @Field(() => ID, { description: 'GUID of the print. NOT_FOUND if there is no such print.' })
  printId!: string;

  @Field(() => PrintOutcomeEnum, { description: 'COMPLETED, CANCELLED or FAILED.' })
  outcome!: string;
}

/** What a request asks of the prints of each printer. Printers with an equal question are read with one statement. */
export interface PrintsLike {
  filter: ObservedPrintFilter;
  range: PageRange;
}
