// Observed prints in the graph, with the printers, spools and jobs behind them.
import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { BadInput } from '../../errors';
import { type Page, pageRange, type Selected } from '../../values/page';
import type { Context } from '../graph/context';
import { Costs } from '../graph/costs';
import { link } from '../graph/link';
import { SelectedOfPage } from '../graph/relay-connection';
import { Requires } from '../graph/rights';
import { DateTimeScalar } from '../graph/scalars';
import { Printer, Spool } from '../inventory/inventory.types';
import { PrintJob } from '../print-jobs/print-job.types';
import { PrintJobPart } from '../print-jobs/print-job-part.types';
import {
  ObservedPrintFilter,
  PAGE_OF_PRINTS,
  PAGE_OF_SIGHTINGS,
  PrintPageArguments,
  SightingPageArguments,
  SlotSpoolInput,
} from './observed-print.inputs';
import type { ObservedPrintRow, SightingRow } from './observed-print.rows';
import type { ObservedPrintService, SlotFilament } from './observed-print.service';
import { findWait } from './observed-print.status';
import {
  type FilamentBasis,
  FilamentBasisEnum,
  ObservedFilament,
  ObservedPrint,
  ObservedPrintConnection,
  PrintOutcomeEnum,
  PrintSightingConnection,
  type PrintWait,
  PrintWaitEnum,
} from './observed-print.types';
import type { WrittenJob } from './print-booking.service';
import { assignFittingSpools, assignSpools, ignorePrint, resolvePrint } from './print-decisions.service';
import type { PrintListStore } from './print-lists.store';
import type { InTransaction } from './prints.transaction';

/** Of one print, for the cost of its filament: four AMS of four slots. */
const MAX_SLOTS = 16;

/** In one request: each takes some 10 ms. */
const MAX_ASSIGNED = 100;

const Filter = () =>
  Arg('filter', () => ObservedPrintFilter, { nullable: true, description: 'Only prints that match.' });
const CostsOfPrints = () => Costs({ price: (given) => given.price('filter') ?? 0 });
const IN_ORDER = 'newest first: by createdAt, then id';

@Resolver(() => ObservedPrint)
export class ObservedPrintResolver {
  constructor(
    private readonly service: ObservedPrintService,
    private readonly store: PrintListStore,
  ) {}

  @Query(() => ObservedPrint, { nullable: true, description: 'One observed print; null when there is none.' })
  observedPrint(
    @Arg('id', () => ID, { description: 'GUID of the print.' }) id: string,
  ): Promise<ObservedPrintRow | null> {
    return this.service.byId(id);
  }

  @CostsOfPrints()
  @Query(() => ObservedPrintConnection, {
    description: `The prints that machines reported, ${IN_ORDER}. With waitsFor: what waits for a person.`,
  })
  observedPrints(
    @Filter() filter: ObservedPrintFilter | null,
    @Args(() => PrintPageArguments) page: PrintPageArguments,
    @SelectedOfPage() selected: Selected,
  ): Promise<Page<ObservedPrintRow>> {
    return this.service.page(filter ?? {}, pageRange(page, selected, PAGE_OF_PRINTS));
  }

  @Costs({ size: MAX_SLOTS })
  @FieldResolver(() => [ObservedFilament], { description: 'What the print uses or used, by slot.' })
  filament(@Root() print: ObservedPrintRow): SlotFilament[] | Promise<SlotFilament[]> {
    return this.service.filamentOf(print);
  }

  @FieldResolver(() => PrintWaitEnum, {
    nullable: true,
    description: 'What it waits for; null when it waits for nothing.',
  })
  waitsFor(@Root() print: ObservedPrintRow): PrintWait | null {
    return findWait(print);
  }

  @Requires('read')
  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Why it still waits, as a sentence for people, such as: the spool in its slot is archived, it uses several slots, no spool was in ' +
      'its slot when it started, or the printer did not report how it ended. Null when it waits for nothing.',
  })
  waitsBecause(@Root() print: ObservedPrintRow): Promise<string | null> {
    return this.service.explainWait(print);
  }

  @Requires('read')
  @FieldResolver(() => [String], {
    description:
      'The slots whose spools a person is to choose by assignSpools: those of which none is known, and all where each is known. Empty ' +
      'when it waits for no spool.',
  })
  slotsToChoose(@Root() print: ObservedPrintRow): Promise<readonly string[]> {
    return this.service.slotsToChoose(print);
  }

  @FieldResolver(() => PrintSightingConnection, { description: 'What was heard, oldest first.' })
  sightings(
    @Root() print: ObservedPrintRow,
    @Args(() => SightingPageArguments) page: SightingPageArguments,
    @SelectedOfPage() selected: Selected,
    @Ctx() context: Context,
  ): Promise<Page<SightingRow>> {
    return this.store.sightings(print.id, pageRange(page, selected, PAGE_OF_SIGHTINGS), context.deadline);
  }
}

const PrintId = () => Arg('printId', () => ID, { description: 'GUID of the print.' });

/** What people decide about prints. */
@Resolver()
export class PrintDecisionsResolver {
  constructor(
    private readonly inTransaction: InTransaction,
    private readonly service: ObservedPrintService,
  ) {}

  @Mutation(() => ObservedPrint, {
    description:
      'Gives a waiting print the spools of its slots, and makes its job with the times of the print. Each slot is named once; those ' +
      'whose spools are in the printer may be left out. A print that has its job, and waits for the spool of a slot that fed it ' +
      'later, names that slot alone: the job gets a part of it. NOT_FOUND when there is no such print, BAD_USER_INPUT for other ' +
      'slots or spools, CONFLICT when the print waits for no spool or is ignored.',
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
      'Gives waiting prints the same spools, each as assignSpools does. A print gets those of its slots. One that waits for another slot, ' +
      'too, or for no spool, stays as it is: its waitsFor and waitsBecause say so. Answers all prints, in the order of printIds. NOT_FOUND ' +
      'when there is no such print, BAD_USER_INPUT for wrong spools, CONFLICT when the printer is archived.',
  })
  async assignSpoolsToPrints(
    @Arg('printIds', () => [ID], { description: `GUIDs of the prints: at most ${MAX_ASSIGNED}.` }) ids: string[],
    @Arg('spools', () => [SlotSpoolInput], { description: 'The spool of each slot, once.' }) spools: SlotSpoolInput[],
    @Ctx() context: Context,
  ): Promise<ObservedPrintRow[]> {
    if (ids.length > MAX_ASSIGNED) throw new BadInput(`must have at most ${MAX_ASSIGNED} ids`, 'printIds');
    for (const id of ids) await this.inTransaction((prints) => assignFittingSpools(prints, id, spools, context));
    return Promise.all(ids.map((id) => this.existing(id)));
  }

  @Mutation(() => ObservedPrint, {
    description:
      'Says what became of an UNRESOLVED print: COMPLETED, CANCELLED or FAILED. Its job gets that status and the amounts. ' +
      'NOT_FOUND when there is no such print, BAD_USER_INPUT for another outcome or time, CONFLICT when the print is not UNRESOLVED.',
  })
  async resolvePrint(
    @PrintId() id: string,
    @Arg('outcome', () => PrintOutcomeEnum, { description: 'COMPLETED, CANCELLED or FAILED.' }) outcome: string,
    @Arg('endedAt', () => DateTimeScalar, {
      nullable: true,
      description:
        'When it ended, not before its start and not later than now; without it when the print was last seen, as an estimate.',
    })
    endedAt: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<ObservedPrintRow> {
    await this.inTransaction((prints) => resolvePrint(prints, id, outcome, endedAt, context));
    return this.existing(id);
  }

  @Mutation(() => ObservedPrint, {
    description:
      'Says that a print is not to be booked (true), or is after all (false). NOT_FOUND when there is no such print, CONFLICT ' +
      'when it has a job: then cancel the job. Of a print that waits beside its job, what the slot without a spool used is not to be ' +
      'booked.',
  })
  async ignorePrint(
    @PrintId() id: string,
    @Arg('ignored', () => Boolean, { defaultValue: true, description: 'Whether it is not to be booked.' })
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

export const PRINT_LINKS = [
  link(ObservedPrint, 'printer', Printer, ({ printerId }: ObservedPrintRow) => printerId, null),
  link(ObservedPrint, 'job', PrintJob, ({ jobId }: ObservedPrintRow) => jobId, {
    nullable: true,
    description: 'The job that was made of it; null while it waits or is ignored.',
  }),
  link(ObservedFilament, 'spool', Spool, ({ spoolId }: SlotFilament) => spoolId, {
    nullable: true,
    description: 'The spool that feeds the slot; null when it is not known.',
  }),
];

/** The field `observedPrints` of a printer. */
@Resolver(() => Printer)
export class PrinterPrintsResolver {
  constructor(private readonly service: ObservedPrintService) {}

  @CostsOfPrints()
  @FieldResolver(() => ObservedPrintConnection, { description: `The prints that it reported, ${IN_ORDER}.` })
  observedPrints(
    @Root() { id }: Printer,
    @Filter() filter: ObservedPrintFilter | null,
    @Args(() => PrintPageArguments) page: PrintPageArguments,
    @SelectedOfPage() selected: Selected,
    @Ctx() context: Context,
  ): Promise<Page<ObservedPrintRow>> {
    return this.service.pageOf(id, filter ?? {}, pageRange(page, selected, PAGE_OF_PRINTS), context);
  }
}

/** The fields of a job that are those of its print. */
@Resolver(() => PrintJob)
export class JobPrintResolver {
  constructor(
    private readonly service: ObservedPrintService,
    private readonly store: PrintListStore,
  ) {}

  @FieldResolver(() => ObservedPrint, {
    nullable: true,
    description: 'The print of which it was made; null for jobs that a person or program wrote.',
  })
  observedPrint(@Root() { id }: PrintJob): Promise<ObservedPrintRow | null> {
    return this.store.byJob.load(id);
  }

  @Requires('read')
  @FieldResolver(() => FilamentBasisEnum, {
    description:
      'How grams and millimetres are known, of a print with several slots the least certain way. MANUAL for jobs that a ' +
      'person or program wrote, or changed in more than name, path and notes.',
  })
  filamentBasis(@Root() job: WrittenJob): Promise<FilamentBasis> {
    return this.service.basisOf(job);
  }
}

/** How the amounts of a part are known. The only part of a job is as its job. */
@Resolver(() => PrintJobPart)
export class PartBasisResolver {
  constructor(private readonly service: ObservedPrintService) {}

  @Requires('read')
  @FieldResolver(() => FilamentBasisEnum, { description: 'How grams and millimetres are known.' })
  async filamentBasis(@Root() { basis, job }: PrintJobPart): Promise<FilamentBasis> {
    return (basis as FilamentBasis | null) ?? this.service.basisOf(job);
  }
}
