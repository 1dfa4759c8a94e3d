// What a printer does now, in the graph.
import { Args, Ctx, FieldResolver, Resolver, Root, Subscription } from 'type-graphql';
import type { NewestEvent } from '../../sharing/newest';
import type { Context } from '../graph/context';
import { link } from '../graph/link';
import { Printer } from '../inventory/inventory.types';
import { ObservedPrint } from '../prints/observed-print.types';
import { type PrinterStateService, type ShownState, watchStates } from './printer-state.service';
import { PrinterStatesArguments, StateOfPrinter } from './printer-state.types';

/** The field `state` of a printer, and the subscription to it. */
@Resolver(() => Printer)
export class PrinterStateResolver {
  constructor(private readonly service: PrinterStateService) {}

  @FieldResolver(() => StateOfPrinter, {
    nullable: true,
    description: 'What it does now; null without a device, and before its first message.',
  })
  state(@Root() { id }: Printer, @Ctx() { now }: Context): Promise<ShownState | null> {
    return this.service.ofPrinter(id, now);
  }

  @Subscription(() => Printer, {
    description:
      'The newest state of each printer at once, then each newer one; states in between may be left out. A printer comes ' +
      'when a member of its state other than heardAt changes. It has no cursor: a client that was cut off subscribes again.',
    subscribe: ({ args }: { args: Record<string, unknown> }) =>
      watchStates((args as unknown as PrinterStatesArguments).printerIds),
  })
  printerStateChanged(
    @Root() { id }: NewestEvent,
    @Args(() => PrinterStatesArguments) _arguments: PrinterStatesArguments,
  ): Promise<Printer> {
    return this.service.printer(id);
  }
}

export const STATE_LINKS = [
  link(StateOfPrinter, 'print', ObservedPrint, ({ printId }: ShownState) => printId, {
    nullable: true,
    description: 'The print that it reports; null without one.',
  }),
];
