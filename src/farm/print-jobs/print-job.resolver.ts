// Print jobs in the GraphQL schema. REST calls these resolvers too.
import { Arg, Args, type ClassType, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Unread } from '../../values/members';
import { clamp, type Page, readPageRange, type Selected } from '../../values/page';
import type { Context } from '../graph/context';
import { Costs } from '../graph/costs';
import { SelectedOfPage } from '../graph/relay-connection';
import { Printer, Spool } from '../inventory/inventory.types';
import {
  CreatePrintJobInput,
  DeriveFilamentArguments,
  JobPageArguments,
  type JobsOf,
  PrintJobFilter,
  SEARCH_PRICE,
  UpdatePrintJobInput,
} from './print-job.inputs';
import { PAGE_OF_JOBS } from './print-job.limits';
import { DEFAULT_ORDER, UNINDEXED_ORDERS } from './print-job.order.rows';
import type { JobRow } from './print-job.rows';
import type { PrintJobService } from './print-job.service';
import { allowedTransitions, type JobStatus } from './print-job.status';
import {
  GramDerivation,
  PrintJob,
  PrintJobConnection,
  type PrintJobOrder,
  PrintJobOrderEnum,
  type PrintJobRecording,
  PrintJobRecordingEnum,
  PrintJobStatusChange,
  PrintJobStatusEnum,
} from './print-job.types';

/** An offset costs as much as the rows that it skips, because these rows are read. */
const MAX_OFFSET_PRICE = 100_000;

const ORDER =
  'newest first unless `orderBy` gives another order. Equal jobs are ordered by time and id, so pages never overlap.';

const Id = () => Arg('id', () => ID, { description: 'GUID of the job.' });
const Filter = () => Arg('filter', () => PrintJobFilter, { nullable: true, description: 'Only jobs that match.' });
const OrderBy = () =>
  Arg('orderBy', () => PrintJobOrderEnum, {
    nullable: true,
    defaultValue: DEFAULT_ORDER,
    description: 'The order of the list. A cursor belongs to the order of its page.',
  });

/** Only lists of jobs have a price. Other lists are short: a farm has few cameras, printers and spools. */
const CostsOfJobs = () =>
  Costs({
    price: (given) =>
      (given.price('filter') ?? 0) +
      clamp(given.number('offset') ?? 0, 0, MAX_OFFSET_PRICE) +
      (given.length('recording') === undefined ? 0 : SEARCH_PRICE) +
      (given.isOneOf('orderBy', UNINDEXED_ORDERS) ? SEARCH_PRICE : 0),
  });

@Resolver(() => PrintJob)
export class PrintJobResolver {
  constructor(private readonly service: PrintJobService) {}

  @Query(() => PrintJob, { nullable: true, description: 'One print job; null if there is none.' })
  printJob(@Id() id: string): Promise<JobRow | null> {
    return this.service.byId(id);
  }

  @CostsOfJobs()
  @Query(() => PrintJobConnection, { description: `Print jobs, ${ORDER}` })
  printJobs(
    @Filter() filter: PrintJobFilter | null,
    @Args(() => JobPageArguments) page: JobPageArguments,
    @SelectedOfPage() selected: Selected,
    @OrderBy() order?: PrintJobOrder | null,
    @Arg('recording', () => [PrintJobRecordingEnum], {
      nullable: true,
      description:
        'Only jobs with one of these recordings; an empty list matches no job. Jobs that have not started match none.',
    })
    recording?: PrintJobRecording[] | null,
  ): Promise<Page<JobRow>> {
    const range = readPageRange(page, selected, PAGE_OF_JOBS);
    return this.service.page(filter ?? {}, order ?? DEFAULT_ORDER, range, recording ?? null);
  }

  @Query(() => GramDerivation, {
    description:
      'Calculates grams and cost by the rules of createPrintJob and updatePrintJob, without storing anything. BAD_USER_INPUT if the spool ' +
      'is unknown or an amount is negative.',
  })
  deriveFilament(@Args(() => DeriveFilamentArguments) given: DeriveFilamentArguments): Promise<GramDerivation> {
    return this.service.derive(given);
  }

  /** "404 when the job does not exist; checked first". REST calls this even if it cannot read the body. */
  async requireExisting(id: string): Promise<void> {
    await this.service.requireJob(id);
  }

  @FieldResolver(() => [PrintJobStatusEnum], {
    description: 'The statuses that changePrintJobStatus accepts now, including the current status.',
  })
  allowedTransitions(@Root() job: JobRow): readonly JobStatus[] {
    return allowedTransitions(job.status as JobStatus);
  }

  @FieldResolver(() => [PrintJobStatusChange], {
    description:
      'The statuses that the job has had, oldest first; kept as long as the job. A job from before this list existed has the changes that ' +
      'its times show.',
  })
  statusHistory(@Root() job: JobRow): Promise<PrintJobStatusChange[]> {
    return this.service.statusHistory(job);
  }

  @FieldResolver(() => GramDerivation, {
    description:
      'The formulas for grams and cost, step by step: with mmExtruded, filamentDiameterAtPrintMm and materialDensityAtPrint of the job, and ' +
      'with the present price and weight of its spool. The stored gramsDerived and costPerPrint may differ.',
  })
  derivation(@Root() job: JobRow): GramDerivation {
    return this.service.derivation(job);
  }

  @Mutation(() => PrintJob, {
    description:
      'Creates a job as QUEUED. BAD_USER_INPUT if the printer or the spool is unknown or archived, or if an amount is negative.',
  })
  createPrintJob(
    @Arg('input', () => CreatePrintJobInput, { description: 'The job.' }) input: Unread<CreatePrintJobInput>,
    @Ctx() context: Context,
  ): Promise<JobRow> {
    return this.service.create(input, context);
  }

  @Mutation(() => PrintJob, {
    description:
      'Replaces the members of a job, except for status, startedAt, completedAt and dataSource. NOT_FOUND is checked first, then ' +
      'BAD_USER_INPUT: if the printer or the spool is unknown, if a new printer or spool is archived, or if an amount is negative.',
  })
  updatePrintJob(
    @Id() id: string,
    @Arg('input', () => UpdatePrintJobInput, { description: 'The new members.' }) input: Unread<UpdatePrintJobInput>,
    @Ctx() context: Context,
  ): Promise<JobRow> {
    return this.service.update(id, input, context);
  }

  @Mutation(() => PrintJob, {
    description:
      'Changes the status. PRINTING sets startedAt if it is empty; COMPLETED, CANCELLED and FAILED set completedAt. ' +
      'NOT_FOUND if there is no such job, BAD_USER_INPUT if the status is not in allowedTransitions.',
  })
  changePrintJobStatus(
    @Id() id: string,
    @Arg('status', () => PrintJobStatusEnum, { description: 'The status to set.' }) status: unknown,
    @Ctx() context: Context,
  ): Promise<JobRow> {
    return this.service.changeStatus(id, status, context);
  }

  @Mutation(() => PrintJob, {
    description:
      'Sets a job to CANCELLED and its completedAt to now; the job is not removed. A CANCELLED job does not change. NOT_FOUND if there is ' +
      'no such job, BAD_USER_INPUT for a COMPLETED job.',
  })
  cancelPrintJob(@Id() id: string, @Ctx() context: Context): Promise<JobRow> {
    return this.service.cancel(id, context);
  }
}

/** The field `jobs` of a printer or a spool. */
function defineJobsResolver(type: ClassType, owner: JobsOf['owner']) {
  @Resolver(() => type)
  class JobsOfOwnerResolver {
    constructor(private readonly service: PrintJobService) {}

    @CostsOfJobs()
    @FieldResolver(() => PrintJobConnection, { description: `Jobs of this ${owner}, ${ORDER}` })
    jobs(
      @Root() { id }: { id: string },
      @Ctx() context: Context,
      @Filter() filter: PrintJobFilter | null,
      @Args(() => JobPageArguments) page: JobPageArguments,
      @SelectedOfPage() selected: Selected,
      @OrderBy() order: PrintJobOrder | null | undefined,
    ): Promise<Page<JobRow>> {
      const range = readPageRange(page, selected, PAGE_OF_JOBS);
      const request = { owner, id, filter: filter ?? {}, order: order ?? DEFAULT_ORDER, range };
      return this.service.pageOf(request, context);
    }
  }
  return JobsOfOwnerResolver;
}

export const PrinterJobsResolver = defineJobsResolver(Printer, 'printer');
export const SpoolJobsResolver = defineJobsResolver(Spool, 'spool');
