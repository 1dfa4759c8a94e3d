// The parts of print jobs in the GraphQL schema. REST calls these resolvers too.
import { Arg, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import type { Unread } from '../../values/members';
import type { Context } from '../graph/context';
import type { PartsOfJobService } from './parts-of-job.service';
import { MAX_PARTS } from './print-job.limits';
import type { JobRow } from './print-job.rows';
import { PrintJob } from './print-job.types';
import { PrintJobPart, PrintJobPartInput } from './print-job-part.types';

@Resolver(() => PrintJob)
export class PrintJobPartsResolver {
  constructor(private readonly service: PartsOfJobService) {}

  @FieldResolver(() => [PrintJobPart], {
    description:
      'The parts of the job: what it used of each spool. The part of the job’s spool is first; the others are ordered by slot (by number, ' +
      'parts without a slot last), then by layer. A job with one spool has one part. The sums of the parts are exactly mmExtruded, ' +
      'gramsDerived and costPerPrint of the job.',
  })
  parts(@Root() job: JobRow): Promise<PrintJobPart[]> {
    return this.service.partsOfJob(job);
  }

  @Mutation(() => PrintJob, {
    description:
      `Replaces the parts of a job by 1 to ${MAX_PARTS} new parts: what the job used of each spool. The amounts of the job become the sums ` +
      'of the parts, and its filamentBasis becomes MANUAL. The job keeps its spool if a part has that spool; otherwise it gets the spool ' +
      'of the part with the most grams (of equal parts, the lowest slot). Several parts may have the same spool. NOT_FOUND is checked ' +
      'first, then BAD_USER_INPUT: if a spool is unknown, if a job that is QUEUED or PRINTING would get a spool that is archived, or if ' +
      'an amount is negative.',
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
