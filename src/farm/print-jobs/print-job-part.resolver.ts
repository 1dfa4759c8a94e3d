// The parts of print jobs in the graph. REST calls these resolvers too.
import { Arg, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import type { Unread } from '../../values/members';
import type { Context } from '../graph/context';
import { MAX_PARTS } from './print-job.limits';
import type { JobRow } from './print-job.rows';
import { PrintJob } from './print-job.types';
import type { PrintJobPartService } from './print-job-part.service';
import { PrintJobPart, PrintJobPartInput } from './print-job-part.types';

@Resolver(() => PrintJob)
export class PrintJobPartsResolver {
  constructor(private readonly service: PrintJobPartService) {}

  @FieldResolver(() => [PrintJobPart], {
    description:
      'What it used of each spool: the job’s own spool first, then by slot (in the order of their numbers, none last), then by ' +
      'layer. A job with one spool has one part. Their sums are mmExtruded, gramsDerived and costPerPrint, to the digit.',
  })
  parts(@Root() job: JobRow): Promise<PrintJobPart[]> {
    return this.service.ofJob(job);
  }

  @Mutation(() => PrintJob, {
    description:
      `Says what a job used of each spool, in place of what was said before: 1 to ${MAX_PARTS} parts. The job’s amounts become ` +
      'their sums, and its filamentBasis MANUAL. It keeps its spool when a part has it, else it gets that of the part with the ' +
      'most grams (the lowest slot of equal ones). A spool may stand in several parts. NOT_FOUND is checked first, then ' +
      'BAD_USER_INPUT when a spool is unknown, or archived while the job is QUEUED or PRINTING and does not have it, or when an ' +
      'amount is negative.',
  })
  setPrintJobParts(
    @Arg('id', () => ID, { description: 'GUID of the job.' }) id: string,
    @Arg('parts', () => [PrintJobPartInput], { description: 'The parts, in any order.' })
    parts: Unread<PrintJobPartInput>[],
    @Ctx() context: Context,
  ): Promise<JobRow> {
    return this.service.setParts(id, parts, context);
  }
}
