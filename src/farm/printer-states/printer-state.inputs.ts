// The arguments of the subscription to states of printers.
import { ArgsType, Field, ID } from 'type-graphql';

/** The longest list of printers whose states are watched. */
export const MAX_WATCHED = 1000;

@ArgsType()
export class PrinterStatesArguments {
  @Field(() => [ID], {
    nullable: true,
    description: `GUIDs of printers, at most ${MAX_WATCHED}; all printers if left out.`,
  })
  printerIds?: string[] | null;
}
