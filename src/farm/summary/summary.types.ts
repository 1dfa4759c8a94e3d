// Declares the GraphQL types of the summary of the farm.
import { Field, Int, ObjectType } from 'type-graphql';
import { Costs } from '../graph/costs';
import { PrintJobStatusEnum } from '../print-jobs/print-job.types';

@ObjectType({ description: 'How many jobs have a status.', simpleResolvers: true })
class JobsOfStatus {
  @Field(() => PrintJobStatusEnum, { description: 'The status.' })
  status!: string;

  @Field(() => Int, { description: 'The number of jobs with this status.' })
  jobs!: number;
}

@ObjectType({
  description: 'The numbers of the objects of the farm, by kind; archived objects are counted too.',
  simpleResolvers: true,
})
export class FarmSummary {
  @Field(() => Int, { description: 'The number of cameras.' })
  cameras!: number;

  @Field(() => Int, { description: 'The number of cameras whose liveness is LIVE.' })
  camerasLive!: number;

  @Field(() => Int, { description: 'The number of printers.' })
  printers!: number;

  @Field(() => Int, { description: 'The number of printers with a PRINTING job.' })
  printersBusy!: number;

  @Field(() => Int, { description: 'The number of spools.' })
  spools!: number;

  @Field(() => Int, { description: 'The number of filaments.' })
  filaments!: number;

  @Field(() => Int, { description: 'The number of materials.' })
  materials!: number;

  @Field(() => Int, { description: 'The number of print jobs.' })
  jobs!: number;

  @Costs({ size: 5 })
  @Field(() => [JobsOfStatus], { description: 'The number of print jobs of each status, all statuses.' })
  jobsByStatus!: JobsOfStatus[];
}
