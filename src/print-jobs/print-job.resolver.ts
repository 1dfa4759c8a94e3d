// Print jobs in the graph: every door to them enters here.
import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { type Page, pageRange, type Selected } from '../database/paging';
import type { PrinterRow, PrintJobRow, SpoolRow } from '../database/rows';
import { SelectedOfPage } from '../graphql/connection';
import type { Context } from '../graphql/context';
import { JobPageArguments, PAGE_OF_JOBS } from '../graphql/page-arguments';
import { Printer, Spool } from '../inventory/inventory.types';
import { CreatePrintJobInput, PrintJobFilter, UpdatePrintJobInput } from './print-job.inputs';
import type { PrintJobService } from './print-job.service';
import { allowedTransitions, type JobStatus } from './print-job.status';
import { PrintJob, PrintJobConnection, PrintJobStatusEnum } from './print-job.types';

const FILTER = { nullable: true, description: 'Which jobs to keep.' } as const;
const NEWEST_FIRST = 'newest first (createdAt, then id, so that pages never overlap).';

@Resolver(() => PrintJob)
export class PrintJobResolver {
  constructor(private readonly service: PrintJobService) {}

  @Query(() => PrintJob, { nullable: true, description: 'One print job; null when there is none.' })
  printJob(
    @Arg('id', () => ID, { description: 'GUID of the job.' }) id: string,
    @Ctx() context: Context,
  ): Promise<PrintJobRow | null> {
    context.caller.mayRead();
    return this.service.byId(id);
  }

  @Query(() => PrintJobConnection, { description: `Print jobs, ${NEWEST_FIRST}` })
  printJobs(
    @Arg('filter', () => PrintJobFilter, FILTER) filter: PrintJobFilter | null,
    @Args(() => JobPageArguments) page: JobPageArguments,
    @SelectedOfPage() selected: Selected,
    @Ctx() context: Context,
  ): Promise<Page<PrintJobRow>> {
    context.caller.mayRead();
    return this.service.page(filter ?? {}, pageRange(page, selected, PAGE_OF_JOBS));
  }

  @FieldResolver(() => [PrintJobStatusEnum], {
    description: 'The statuses that changePrintJobStatus accepts now (§3 of the print job document).',
  })
  allowedTransitions(@Root() job: PrintJobRow): readonly JobStatus[] {
    return allowedTransitions(job.status as JobStatus);
  }

  @Mutation(() => PrintJob, {
    description:
      'Creates a job as QUEUED. BAD_USER_INPUT when the printer or the spool is unknown or an amount is negative (POST rules 1 to 6).',
  })
  createPrintJob(
    @Arg('input', () => CreatePrintJobInput, { description: 'The job.' }) input: CreatePrintJobInput,
    @Ctx() context: Context,
  ): Promise<PrintJobRow> {
    context.caller.mayWrite();
    return this.service.create(input, context);
  }

  @Mutation(() => PrintJob, {
    description:
      'Replaces what a job records; its status, times and data source stay (PUT rules 1 to 5). NOT_FOUND is checked first.',
  })
  updatePrintJob(
    @Arg('id', () => ID, { description: 'GUID of the job.' }) id: string,
    @Arg('input', () => UpdatePrintJobInput, { description: 'What to record.' }) input: UpdatePrintJobInput,
    @Ctx() context: Context,
  ): Promise<PrintJobRow> {
    context.caller.mayWrite();
    return this.service.update(id, input, context);
  }

  @Mutation(() => PrintJob, {
    description:
      'Changes the status (PATCH rules 1 to 4). NOT_FOUND when there is no such job, BAD_USER_INPUT when the transition is not among allowedTransitions.',
  })
  changePrintJobStatus(
    @Arg('id', () => ID, { description: 'GUID of the job.' }) id: string,
    @Arg('status', () => PrintJobStatusEnum, { description: 'The status to set.' }) status: string,
    @Ctx() context: Context,
  ): Promise<PrintJobRow> {
    context.caller.mayWrite();
    return this.service.changeStatus(id, status, context.now);
  }

  @Mutation(() => PrintJob, {
    description:
      'The soft delete of the print job document: sets CANCELLED and keeps the record. A CANCELLED job stays as it is; a COMPLETED one is BAD_USER_INPUT.',
  })
  cancelPrintJob(
    @Arg('id', () => ID, { description: 'GUID of the job.' }) id: string,
    @Ctx() context: Context,
  ): Promise<PrintJobRow> {
    context.caller.mayWrite();
    return this.service.cancel(id, context.now);
  }
}

@Resolver(() => Printer)
export class PrinterJobsResolver {
  constructor(private readonly service: PrintJobService) {}

  @FieldResolver(() => PrintJobConnection, { description: `Jobs of this printer, ${NEWEST_FIRST}` })
  jobs(
    @Root() { id }: PrinterRow,
    @Ctx() { caller }: Context,
    @Arg('filter', () => PrintJobFilter, FILTER) filter: PrintJobFilter | null,
    @Args(() => JobPageArguments) page: JobPageArguments,
    @SelectedOfPage() selected: Selected,
  ): Promise<Page<PrintJobRow>> {
    caller.mayRead();
    const range = pageRange(page, selected, PAGE_OF_JOBS);
    return this.service.pageOf({ owner: 'printer', id, filter: filter ?? {}, range });
  }
}

@Resolver(() => Spool)
export class SpoolJobsResolver {
  constructor(private readonly service: PrintJobService) {}

  @FieldResolver(() => PrintJobConnection, { description: `Jobs of this spool, ${NEWEST_FIRST}` })
  jobs(
    @Root() { id }: SpoolRow,
    @Ctx() { caller }: Context,
    @Arg('filter', () => PrintJobFilter, FILTER) filter: PrintJobFilter | null,
    @Args(() => JobPageArguments) page: JobPageArguments,
    @SelectedOfPage() selected: Selected,
  ): Promise<Page<PrintJobRow>> {
    caller.mayRead();
    const range = pageRange(page, selected, PAGE_OF_JOBS);
    return this.service.pageOf({ owner: 'spool', id, filter: filter ?? {}, range });
  }
}
