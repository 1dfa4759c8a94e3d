// The GraphQL fields of observed prints, and the links to their printers, spools and jobs.
import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { type Page, readPageRange, type Selected } from '../../values/page';
import type { Context } from '../graph/context';
import { Costs } from '../graph/costs';
import { link } from '../graph/link';
import { SelectedOfPage } from '../graph/relay-connection';
import { Requires } from '../graph/rights';
import { Printer, Spool } from '../inventory/inventory.types';
import { PrintJob } from '../print-jobs/print-job.types';
import { PrintJobPart } from '../print-jobs/print-job-part.types';
import {
  ObservedPrintFilter,
  PAGE_OF_PRINTS,
  PAGE_OF_SIGHTINGS,
  PrintPageArguments,
  SightingPageArguments,
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
  PrintSightingConnection,
  type PrintWait,
  PrintWaitEnum,
} from './observed-print.types';
import type { WrittenJob } from './print-booking.service';
import type { PrintListStore } from './print-lists.store';

/** The slots that a print is assumed to have for the cost of its filament: four AMS with four slots each. */
const MAX_SLOTS = 16;

const Filter = () =>
  Arg('filter', () => ObservedPrintFilter, { nullable: true, description: 'Only prints that match.' });
const CostsOfPrints = () => Costs({ price: (given) => given.price('filter') ?? 0 });
const ORDER = 'newest first: by createdAt, then id';

@Resolver(() => ObservedPrint)
export class ObservedPrintResolver {
  constructor(
    private readonly service: ObservedPrintService,
    private readonly store: PrintListStore,
  ) {}

  @Query(() => ObservedPrint, {
    nullable: true,
    description: 'The observed print with this id; null if there is none.',
  })
  observedPrint(
    @Arg('id', () => ID, { description: 'GUID of the print.' }) id: string,
  ): Promise<ObservedPrintRow | null> {
    return this.service.byId(id);
  }

  @CostsOfPrints()
  @Query(() => ObservedPrintConnection, {
    description: `The prints that machines reported, ${ORDER}. Filter by waitsFor to get the prints that wait for a user.`,
  })
  observedPrints(
    @Filter() filter: ObservedPrintFilter | null,
    @Args(() => PrintPageArguments) page: PrintPageArguments,
    @SelectedOfPage() selected: Selected,
  ): Promise<Page<ObservedPrintRow>> {
    return this.service.page(filter ?? {}, readPageRange(page, selected, PAGE_OF_PRINTS));
  }

  @Costs({ size: MAX_SLOTS })
  @FieldResolver(() => [ObservedFilament], { description: 'The filament that the print uses or used, by slot.' })
  filament(@Root() print: ObservedPrintRow): SlotFilament[] | Promise<SlotFilament[]> {
    return this.service.filamentOf(print);
  }

  @FieldResolver(() => PrintWaitEnum, {
    nullable: true,
    description: 'What the print waits for; null if it waits for nothing.',
  })
  waitsFor(@Root() print: ObservedPrintRow): PrintWait | null {
    return findWait(print);
  }

  @Requires('read')
  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Why the print waits, as a sentence for users. For example, the spool in its slot is archived, it uses several slots, no spool was ' +
      'in its slot when it started, or the printer did not report how it ended. Null if the print waits for nothing.',
  })
  waitsBecause(@Root() print: ObservedPrintRow): Promise<string | null> {
    return this.service.explainWait(print);
  }

  @Requires('read')
  @FieldResolver(() => [String], {
    description:
      'The slots whose spools a user must choose with assignSpools: the slots without a known spool, or all slots if each spool is known. ' +
      'Empty if the print waits for no spool.',
  })
  slotsToChoose(@Root() print: ObservedPrintRow): Promise<readonly string[]> {
    return this.service.slotsToChoose(print);
  }

  @FieldResolver(() => PrintSightingConnection, { description: 'The history of the print, oldest first.' })
  sightings(
    @Root() print: ObservedPrintRow,
    @Args(() => SightingPageArguments) page: SightingPageArguments,
    @SelectedOfPage() selected: Selected,
    @Ctx() context: Context,
  ): Promise<Page<SightingRow>> {
    return this.store.sightings(print.id, readPageRange(page, selected, PAGE_OF_SIGHTINGS), context.deadline);
  }
}

export const PRINT_LINKS = [
  link(ObservedPrint, 'printer', Printer, ({ printerId }: ObservedPrintRow) => printerId, null),
  link(ObservedPrint, 'job', PrintJob, ({ jobId }: ObservedPrintRow) => jobId, {
    nullable: true,
    description: 'The job of the print; null while the print waits for its spool, or if it is not booked.',
  }),
  link(ObservedFilament, 'spool', Spool, ({ spoolId }: SlotFilament) => spoolId, {
    nullable: true,
    description: 'The spool that feeds the slot; null if it is unknown.',
  }),
];

/** The field `observedPrints` of a printer. */
@Resolver(() => Printer)
export class PrinterPrintsResolver {
  constructor(private readonly service: ObservedPrintService) {}

  @CostsOfPrints()
  @FieldResolver(() => ObservedPrintConnection, { description: `The prints that the printer reported, ${ORDER}.` })
  observedPrints(
    @Root() { id }: Printer,
    @Filter() filter: ObservedPrintFilter | null,
    @Args(() => PrintPageArguments) page: PrintPageArguments,
    @SelectedOfPage() selected: Selected,
    @Ctx() context: Context,
  ): Promise<Page<ObservedPrintRow>> {
    return this.service.pageOf(id, filter ?? {}, readPageRange(page, selected, PAGE_OF_PRINTS), context);
  }
}

/** The fields of a job that come from its print. */
@Resolver(() => PrintJob)
export class JobPrintResolver {
  constructor(
    private readonly service: ObservedPrintService,
    private readonly store: PrintListStore,
  ) {}

  @FieldResolver(() => ObservedPrint, {
    nullable: true,
    description: 'The print of this job; null for a job that a user or another program entered.',
  })
  observedPrint(@Root() { id }: PrintJob): Promise<ObservedPrintRow | null> {
    return this.store.byJob.load(id);
  }

  @Requires('read')
  @FieldResolver(() => FilamentBasisEnum, {
    description:
      'How grams and millimetres are known. For a print with several slots, the least certain basis. MANUAL for a job that a user or ' +
      'another program entered, or in which they changed more than name, path, notes and spool.',
  })
  filamentBasis(@Root() job: WrittenJob): Promise<FilamentBasis> {
    return this.service.basisOf(job);
  }
}

/** How the amounts of a part are known. A single part has the basis of its job. */
@Resolver(() => PrintJobPart)
export class PartBasisResolver {
  constructor(private readonly service: ObservedPrintService) {}

  @Requires('read')
  @FieldResolver(() => FilamentBasisEnum, { description: 'How grams and millimetres are known.' })
  async filamentBasis(@Root() { basis, job }: PrintJobPart): Promise<FilamentBasis> {
    return (basis as FilamentBasis | null) ?? this.service.basisOf(job);
  }
}
