// The parts of print jobs as the graph shows and takes them.
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { DecimalScalar } from '../graph/scalars';
import { Spool } from '../inventory/inventory.types';
import type { PrintJob } from './print-job.types';

@ObjectType({
  description: 'What a job used of one spool: from one slot, between two layers.',
  simpleResolvers: true,
})
export class PrintJobPart {
  @Field(() => String, {
    nullable: true,
    description: 'The slot that fed it, such as tool:0 or ams:0:2; null where none was said.',
  })
  slot!: string | null;

  @Field(() => Spool, { nullable: true, description: 'The spool; null only where another program removed its row.' })
  spool!: Spool | null;

  @Field(() => DecimalScalar, { description: 'Millimetres of filament extruded, 0 or more.' })
  mmExtruded!: string;

  @Field(() => DecimalScalar, { description: 'Grams of filament used, 0 or more.' })
  gramsDerived!: string;

  @Field(() => DecimalScalar, {
    description:
      'By the price and the weight of this spool, 0 without a price. Of the job’s own part what the others leave of costPerPrint.',
  })
  cost!: string;

  @Field(() => DecimalScalar, { description: 'Filament diameter in mm at print time, 0 or more.' })
  filamentDiameterAtPrintMm!: string;

  @Field(() => DecimalScalar, { description: 'Material density in g/cm3 at print time, 0 or more.' })
  materialDensityAtPrint!: string;

  @Field(() => Int, {
    nullable: true,
    description:
      'The first layer that it was printed in; null where it is not known, and for the only part of its slot.',
  })
  fromLayer!: number | null;

  @Field(() => Int, { nullable: true, description: 'The last layer that it was printed in; null as fromLayer.' })
  toLayer!: number | null;

  job!: Pick<PrintJob, 'id' | 'updatedAt' | 'mmExtruded' | 'gramsDerived' | 'costPerPrint' | 'status'> & {
    spoolId: string;
    divided: boolean;
  };

  /** How its amounts are known, where it is stored; null for the only part of a job, which is as its job. */
  basis!: string | null;
}

@InputType({ description: 'What a job used of one spool.' })
export class PrintJobPartInput {
  @Field(() => ID, { description: 'GUID of the spool; BAD_USER_INPUT when there is none.' })
  spoolId!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The slot that fed it: letters and one or two numbers, such as tool:0 or ams:0:2.',
  })
  slot?: string | null;

  @Field(() => DecimalScalar, { description: 'Millimetres of filament extruded, 0 or more.' })
  mmExtruded!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Grams used, 0 or more. Without it: by the formula, with the spool’s diameter and its material’s density.',
  })
  gramsDerived?: string | null;
}
