// The GraphQL mutations by which users enter the spools and the outcome of a print, and whether it is booked.
import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../graph/context';
import { DateTimeScalar } from '../graph/scalars';
import { PrintOutcomeInput, SlotSpoolInput } from './observed-print.inputs';
import type { ObservedPrintRow } from './observed-print.rows';
import type { ObservedPrintService } from './observed-print.service';
import { ObservedPrint, PrintOutcomeEnum } from './observed-print.types';
import {
  assignFittingSpools,
  assignSpools,
  checkAssignedCount,
  checkOutcomes,
  ignorePrint,
  MAX_DECIDED_PRINTS,
  resolveIfUnresolved,
  resolvePrint,
} from './print-decisions.service';
import type { InTransaction } from './prints.transaction';

const PrintId = () => Arg('printId', () => ID, { description: 'GUID of the print.' });

@Resolver()
export class PrintDecisionsResolver {
  constructor(
    private readonly inTransaction: InTransaction,
    private readonly service: ObservedPrintService,
  ) {}

  @Mutation(() => ObservedPrint, {
    description:
      'Enters the spools of a waiting print, and creates its job with the times of the print. Name each slot once. You may leave out ' +
      'slots whose spools are loaded in the printer. If the print already has a job and waits for the spool of a slot that fed later, ' +
      'name only that slot: the job gets a part for it. NOT_FOUND if there is no such print, BAD_USER_INPUT for other slots or for ' +
      'unknown or archived spools, CONFLICT if the print waits for no spool or is not booked.',
  })
  async assignSpools(
    @PrintId() id: string,
    @Arg('spools', () => [SlotSpoolInput], { description: 'The spool of each slot.' }) spools: SlotSpoolInput[],
    @Ctx() context: Context,
  ): Promise<ObservedPrintRow> {
    await this.inTransaction((prints) => assignSpools(prints, id, spools, context));
    return this.existing(id);
  }

  @Mutation(() => [ObservedPrint], {
    description:
      'Enters the same spools for several waiting prints, each like assignSpools. A print takes the spools of its slots. A print that ' +
      'also waits for another slot, or waits for no spool, stays as it is; its waitsFor and waitsBecause show why. Returns all prints, ' +
      'in the order of printIds. NOT_FOUND if there is no such print, BAD_USER_INPUT for unknown or archived spools, CONFLICT if the ' +
      'printer is archived.',
  })
  async assignSpoolsToPrints(
    @Arg('printIds', () => [ID], { description: `GUIDs of the prints: at most ${MAX_DECIDED_PRINTS}.` }) ids: string[],
    @Arg('spools', () => [SlotSpoolInput], { description: 'The spool of each slot, once.' }) spools: SlotSpoolInput[],
    @Ctx() context: Context,
  ): Promise<ObservedPrintRow[]> {
    checkAssignedCount(ids);
    for (const id of ids) await this.inTransaction((prints) => assignFittingSpools(prints, id, spools, context));
    return Promise.all(ids.map((id) => this.existing(id)));
  }

  @Mutation(() => ObservedPrint, {
    description:
      'Enters how an UNRESOLVED print ended: COMPLETED, CANCELLED or FAILED. Its job gets that status and the amounts. NOT_FOUND if ' +
      'there is no such print, BAD_USER_INPUT for another outcome or a wrong time, CONFLICT if the print is not UNRESOLVED.',
  })
  async resolvePrint(
    @PrintId() id: string,
    @Arg('outcome', () => PrintOutcomeEnum, { description: 'COMPLETED, CANCELLED or FAILED.' }) outcome: string,
    @Arg('endedAt', () => DateTimeScalar, {
      nullable: true,
      description:
        'When the print ended: not before its start, and not later than now. If you leave it out, the last contact is taken as an estimate.',
    })
    endedAt: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<ObservedPrintRow> {
    await this.inTransaction((prints) => resolvePrint(prints, id, outcome, endedAt, context));
    return this.existing(id);
  }

  @Mutation(() => [ObservedPrint], {
    description:
      'Enters how several UNRESOLVED prints ended, each like resolvePrint without endedAt: the print ends at its last contact, which is an ' +
      'estimate. A print that is not UNRESOLVED stays as it is; its outcome shows why. Returns all prints, in the order of outcomes. ' +
      'NOT_FOUND if there is no such print, BAD_USER_INPUT for another outcome.',
  })
  async resolvePrints(
    @Arg('outcomes', () => [PrintOutcomeInput], {
      description: `The outcome of each print: at most ${MAX_DECIDED_PRINTS} prints.`,
    })
    outcomes: PrintOutcomeInput[],
    @Ctx() context: Context,
  ): Promise<ObservedPrintRow[]> {
    checkOutcomes(outcomes);
    for (const one of outcomes) await this.inTransaction((prints) => resolveIfUnresolved(prints, one, context));
    return Promise.all(outcomes.map(({ printId }) => this.existing(printId)));
  }

  @Mutation(() => ObservedPrint, {
    description:
      'Excludes a print from booking (true), or includes it again (false). If the print has a job and waits for the spool of another ' +
      'slot, only the filament of that slot is not booked. NOT_FOUND if there is no such print, CONFLICT if the print has a job and ' +
      'waits for nothing: cancel the job instead.',
  })
  async ignorePrint(
    @PrintId() id: string,
    @Arg('ignored', () => Boolean, { defaultValue: true, description: 'Whether the print is excluded from booking.' })
    ignored: boolean,
    @Ctx() context: Context,
  ): Promise<ObservedPrintRow> {
    await this.inTransaction((prints) => ignorePrint(prints, id, ignored, context));
    return this.existing(id);
  }

  private async existing(id: string): Promise<ObservedPrintRow> {
    return (await this.service.byId(id)) as ObservedPrintRow;
  }
}
