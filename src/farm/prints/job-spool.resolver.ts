// The GraphQL mutation that gives a job another spool.
import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../graph/context';
import type { JobRow } from '../print-jobs/print-job.rows';
import { PrintJob } from '../print-jobs/print-job.types';
import { changeJobSpool } from './job-spool.service';
import type { InTransaction } from './prints.transaction';

@Resolver()
export class JobSpoolResolver {
  constructor(private readonly inTransaction: InTransaction) {}

  @Mutation(() => PrintJob, {
    description:
      'Gives a job another spool, and keeps mmExtruded and filamentBasis. Derived grams follow the diameter of the spool and the density ' +
      'of its material; grams that were weighed or entered stay. The cost follows the price of the spool. A print that is running ends ' +
      'with this spool. NOT_FOUND is checked first, then BAD_USER_INPUT: if the spool is unknown, if the job has several parts (use ' +
      'setPrintJobParts), or if a job that is QUEUED or PRINTING would get a spool that is archived.',
  })
  changePrintJobSpool(
    @Arg('id', () => ID, { description: 'GUID of the job.' }) id: string,
    @Arg('spoolId', () => ID, { description: 'GUID of the spool.' }) spoolId: string,
    @Ctx() context: Context,
  ): Promise<JobRow> {
    return this.inTransaction((prints) => changeJobSpool(prints, id, spoolId, context));
  }
}
