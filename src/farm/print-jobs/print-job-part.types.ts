// The GraphQL types of the parts of print jobs.
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { DecimalScalar } from '../graph/scalars';
import { Spool } from '../inventory/inventory.types';
import type { PrintJob } from './print-job.types';

@ObjectType({
  description: 'A part of a job: what the job used of one spool, from one slot, between two layers.',
  simpleResolvers: true,
})
export class PrintJobPart {
  @Field(() => String, {
    nullable: true,
    description: 'The slot that fed the filament, such as tool:0 or ams:0:2; null if unknown.',
  })
  slot!: string | null;

  @Field(() => Spool, { nullable: true, description: 'The spool; null only if another program removed its row.' })
  spool!: Spool | null;

  @Field(() => DecimalScalar, { description: 'Millimetres of filament extruded, 0 or more.' })
  mmExtruded!: string;

  @Field(() => DecimalScalar, { description: 'Grams of filament used, 0 or more.' })
  gramsDerived!: string;

  @Field(() => DecimalScalar, {
    description:
      'The cost by the price and the net weight of this spool, 0 without a price. The part of the job’s spool has the remainder of costPerPrint.',
  })
  cost!: string;

  @Field(() => DecimalScalar, { description: 'Filament diameter in mm at print time, 0 or more.' })
  filamentDiameterAtPrintMm!: string;

  @Field(() => DecimalScalar, { description: 'Material density in g/cm3 at print time, 0 or more.' })
  materialDensityAtPrint!: string;

  @Field(() => Int, {
    nullable: true,
    description: 'The first layer that was printed with this part; null if unknown, and for the only part of a slot.',
  })
  fromLayer!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The last layer that was printed with this part; null if fromLayer is null.',
  })
  toLayer!: number | null;

  job!: Pick<PrintJob, 'id' | 'updatedAt' | 'mmExtruded' | 'gramsDerived' | 'costPerPrint' | 'status'> & {
    spoolId: string;
    divided: boolean;
  };

  /** How the amounts of a stored part are known; `null` for the only part of a job, which has the basis of the job. */
  basis!: string | null;
}

@InputType({ description: 'A part of a job: what the job used of one spool.' })
export class PrintJobPartInput {
  @Field(() => ID, { description: 'GUID of the spool; BAD_USER_INPUT if it is unknown.' })
  spoolId!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The slot that fed the filament: letters and one or two numbers, such as tool:0 or ams:0:2.',
  })
  slot?: string | null;

  @Field(() => DecimalScalar, { description: 'Millimetres of filament extruded, 0 or more.' })
  mmExtruded!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Grams used, 0 or more. If missing, derived by the formula from the diameter of the spool and the density of its material.',
  })
  gramsDerived?: string | null;
}
