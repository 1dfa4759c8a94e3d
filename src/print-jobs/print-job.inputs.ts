// What clients send about print jobs.
import { Field, ID, InputType } from 'type-graphql';
import { DateTimeScalar, DecimalScalar } from '../graphql/scalars';
import { DataSourceEnum, type PrintJob, PrintJobStatusEnum } from './print-job.types';

@InputType({
  description: 'Which print jobs to keep; members that are left out or null keep all. A job must match every member.',
})
export class PrintJobFilter {
  @Field(() => ID, { nullable: true, description: 'Jobs of this printer (GUID).' })
  printerId?: string | null;

  @Field(() => ID, { nullable: true, description: 'Jobs of this spool (GUID).' })
  spoolId?: string | null;

  @Field(() => [PrintJobStatusEnum], {
    nullable: true,
    description: 'Jobs in one of these statuses; an empty list keeps none.',
  })
  status?: string[] | null;

  @Field(() => DataSourceEnum, { nullable: true, description: 'Jobs from this source.' })
  dataSource?: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Created at or after this instant.' })
  createdFrom?: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Created at or before this instant.' })
  createdTo?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Part of printName, in any case; at most 1,000 characters. Names are looked through from the newest on until the ' +
      'page is full: a part that few of a million have takes about half a second.',
  })
  search?: string | null;
}

/** PUT of the print job document: what it replaces. */
@InputType({
  description:
    'Replaces every member, as the PUT of the print job document does: what is left out becomes empty, 0 or null.',
})
export class UpdatePrintJobInput implements Partial<PrintJob> {
  @Field(() => ID, { description: 'GUID of the printer; BAD_USER_INPUT when there is none (rule 1).' })
  printerId!: string;

  @Field(() => ID, { description: 'GUID of the spool; BAD_USER_INPUT when there is none (rule 1).' })
  spoolId!: string;

  @Field(() => String, { description: 'What is printed, at most 1,000 characters.' })
  printName!: string;

  @Field(() => String, { defaultValue: '', description: 'Path of the G-code file, at most 4,096 characters.' })
  gcodeFilePath!: string;

  @Field(() => DecimalScalar, { defaultValue: 0, description: 'Millimetres of filament extruded, 0 or more.' })
  mmExtruded!: string;

  @Field(() => DecimalScalar, {
    defaultValue: 0,
    description: 'Grams used, 0 or more; overridden when autoDeriveGrams is true (rule 3).',
  })
  gramsDerived!: string;

  @Field(() => DecimalScalar, {
    defaultValue: 0,
    description: 'Cost of the print, 0 or more; overridden when it can be computed from the spool’s price (rule 4).',
  })
  costPerPrint!: string;

  @Field(() => String, { nullable: true, description: 'Free text, at most 10,000 characters.' })
  notes?: string | null;

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Take diameter and density from the spool and derive grams and cost from them (rules 3 and 4).',
  })
  autoDeriveGrams!: boolean;
}

@InputType({
  description: 'A print job to create (CreatePrintJobRequest of the print job document). It starts as QUEUED.',
})
export class CreatePrintJobInput implements Partial<PrintJob> {
  @Field(() => ID, { description: 'GUID of the printer; BAD_USER_INPUT when there is none (rule 1).' })
  printerId!: string;

  @Field(() => ID, { description: 'GUID of the spool; BAD_USER_INPUT when there is none (rule 2).' })
  spoolId!: string;

  @Field(() => String, { description: 'What is printed, at most 1,000 characters.' })
  printName!: string;

  @Field(() => String, { defaultValue: '', description: 'Path of the G-code file, at most 4,096 characters.' })
  gcodeFilePath!: string;

  @Field(() => DecimalScalar, { defaultValue: 0, description: 'Millimetres of filament extruded, 0 or more.' })
  mmExtruded!: string;

  @Field(() => DecimalScalar, {
    defaultValue: 0,
    description: 'Grams used, 0 or more; 0 lets them be derived (rule 4), autoDeriveGrams overrides them (rule 3).',
  })
  gramsDerived!: string;

  @Field(() => DecimalScalar, {
    defaultValue: 0,
    description: 'Cost of the print, 0 or more, taken as given (rule 6).',
  })
  costPerPrint!: string;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When printing began, taken as given (rule 6).' })
  startedAt?: string | null;

  @Field(() => DataSourceEnum, { description: 'Where the figures come from (rule 5).' })
  dataSource!: string;

  @Field(() => DecimalScalar, {
    defaultValue: 0,
    description: 'Filament diameter in mm, 0 or more; autoDeriveGrams overrides it (rule 3).',
  })
  filamentDiameterAtPrintMm!: string;

  @Field(() => DecimalScalar, {
    defaultValue: 0,
    description: 'Material density in g/cm3, 0 or more; autoDeriveGrams overrides it (rule 3).',
  })
  materialDensityAtPrint!: string;

  @Field(() => String, { nullable: true, description: 'Free text, at most 10,000 characters.' })
  notes?: string | null;

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Take diameter and density from the spool and derive the grams from them (rule 3).',
  })
  autoDeriveGrams!: boolean;
}
