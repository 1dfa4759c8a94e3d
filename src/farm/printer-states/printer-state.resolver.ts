// Offers the newest state of a printer in GraphQL, as a field and as a subscription.
import { Args, Ctx, FieldResolver, Resolver, Root, Subscription } from 'type-graphql';
import type { NewestEvent } from '../../sharing/newest';
import type { Context } from '../graph/context';
import { link } from '../graph/link';
import { Printer } from '../inventory/inventory.types';
import { ObservedPrint } from '../prints/observed-print.types';
import { type PrinterStateService, type ShownState, watchStates } from './printer-state.service';
import { PrinterStatesArguments, StateOfPrinter } from './printer-state.types';

/** Offers the field `state` of a printer and the subscription to its changes. */
@Resolver(() => Printer)
export class PrinterStateResolver {
  constructor(private readonly service: PrinterStateService) {}

  @FieldResolver(() => StateOfPrinter, {
    nullable: true,
    description: 'What the printer is doing now; null without a device, and before the first message of the printer.',
  })
  state(@Root() { id }: Printer, @Ctx() { now }: Context): Promise<ShownState | null> {
    return this.service.ofPrinter(id, now);
  }

  @Subscription(() => Printer, {
    description:
      'First the newest state of each printer, then each newer state; intermediate states may be left out. A printer is sent if a member of its ' +
      'state other than heardAt changes. There is no cursor: after a lost connection, the client subscribes again.',
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
    description: 'The print that the printer reports; null if it reports none.',
  }),
];
