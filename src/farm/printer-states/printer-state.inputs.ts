// The arguments of the subscription to states of printers.
import { ArgsType, Field, ID } from 'type-graphql';
import { MAX_WATCHED } from './printer-state.limits';

@ArgsType()
export class PrinterStatesArguments {
  @Field(() => [ID], {
    nullable: true,
    description: `GUIDs of printers, at most ${MAX_WATCHED}; all printers if left out.`,
  })
  printerIds?: string[] | null;
}
