// What a printer does now, in the graph.
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../graph/context';
import { Printer } from '../inventory/inventory.types';
import { ObservedPrint } from './observed-print.types';
import type { PrinterStateService, ShownState } from './printer-state.service';
import { StateOfPrinter } from './printer-state.types';

/** The field `state` of a printer. */
@Resolver(() => Printer)
export class PrinterStateResolver {
  constructor(private readonly service: PrinterStateService) {}

  @FieldResolver(() => StateOfPrinter, {
    nullable: true,
    description: 'What it does now; null without a device, and before its first word.',
  })
  state(@Root() { id }: Printer, @Ctx() { caller, now }: Context): Promise<ShownState | null> {
    caller.mayRead();
    return this.service.ofPrinter(id, now);
  }
}

@Resolver(() => StateOfPrinter)
export class StatePrintResolver {
  constructor(private readonly lookUps: { observedPrint(id: string): Promise<unknown> }) {}

  @FieldResolver(() => ObservedPrint, { nullable: true, description: 'The print that it tells of; null without one.' })
  print(@Root() { printId }: ShownState, @Ctx() { caller }: Context): Promise<unknown> | null {
    caller.mayRead();
    return printId === null ? null : this.lookUps.observedPrint(printId);
  }
}
