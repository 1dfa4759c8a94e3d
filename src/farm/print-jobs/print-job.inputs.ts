// The inputs that list, create, change and derive print jobs.
import { ArgsType, Field, ID, InputType } from 'type-graphql';
import type { PageRange } from '../../values/page';
import { FieldPrice } from '../graph/costs';
import { OffsetArguments, pageArguments } from '../graph/page-arguments';
import { DateTimeScalar, DecimalScalar } from '../graph/scalars';
import {
  MAX_COUNTED_JOBS,
  MAX_NOTES_LENGTH,
  MAX_PATH_LENGTH,
  MAX_PRINT_NAME_LENGTH,
  PAGE_OF_JOBS,
} from './print-job.limits';
import { DataSourceEnum, type PrintJob, type PrintJobOrder, PrintJobStatusEnum } from './print-job.types';

/**
 * A search may read all jobs. With 300,000 jobs it takes 0.4 s in the built-in database, and 330 searches in one operation blocked the
 * database for 135 s.
 */
export const SEARCH_PRICE = 100_000;

@InputType({
  description: 'Selects the print jobs that match every member. A member that is missing or null matches all jobs.',
})
export class PrintJobFilter {
  @Field(() => ID, { nullable: true, description: 'Jobs of this printer (GUID).' })
  printerId?: string | null;

  @Field(() => ID, { nullable: true, description: 'Jobs that used this spool (GUID) in any of their parts.' })
  spoolId?: string | null;

  /** Jobs with this spool as the spool of the job: the filter of the print job document. */
  ownSpoolId?: string | null;

  @Field(() => [PrintJobStatusEnum], {
    nullable: true,
    description: 'Jobs in one of these statuses; an empty list matches no job.',
  })
  status?: string[] | null;

  @Field(() => DataSourceEnum, { nullable: true, description: 'Jobs from this source.' })
  dataSource?: string | null;

  @FieldPrice(MAX_COUNTED_JOBS)
  @Field(() => DateTimeScalar, { nullable: true, description: 'Created at or after this instant.' })
  createdFrom?: string | null;

  @FieldPrice(MAX_COUNTED_JOBS)
  @Field(() => DateTimeScalar, { nullable: true, description: 'Created at or before this instant.' })
  createdTo?: string | null;

  @FieldPrice(SEARCH_PRICE)
  @Field(() => String, {
    nullable: true,
    description:
      `A part of printName, at most ${MAX_PRINT_NAME_LENGTH} characters; upper and lower case are the same. Jobs are searched from the newest ` +
      'until the page is full, so a rare text takes about half a second with a million jobs.',
  })
  search?: string | null;
}

@ArgsType()
export class JobPageArguments extends pageArguments(PAGE_OF_JOBS, OffsetArguments) {}

/** A page of the jobs of one printer or spool. */
export interface JobsOf {
  owner: 'printer' | 'spool';
  id: string;
  filter: PrintJobFilter;
  order: PrintJobOrder;
  range: PageRange;
}

@InputType({
  description: 'The new members of a print job. A missing optional member becomes empty, 0, false or null.',
})
export class UpdatePrintJobInput implements Partial<PrintJob> {
  @Field(() => ID, { description: 'GUID of the printer; BAD_USER_INPUT if it is unknown.' })
  printerId!: string;

  @Field(() => ID, { description: 'GUID of the spool; BAD_USER_INPUT if it is unknown.' })
  spoolId!: string;

  @Field(() => String, { description: `Name of the print, at most ${MAX_PRINT_NAME_LENGTH} characters.` })
  printName!: string;

  @Field(() => String, {
    defaultValue: '',
    description: `Path of the G-code file, at most ${MAX_PATH_LENGTH} characters.`,
  })
  gcodeFilePath!: string;

  @Field(() => DecimalScalar, { defaultValue: 0, description: 'Millimetres of filament extruded, 0 or more.' })
  mmExtruded!: string;

  @Field(() => DecimalScalar, {
    defaultValue: 0,
    description:
      'Grams used, 0 or more; autoDeriveGrams overrides them. For a new job, 0 is replaced by grams derived from ' +
      'filamentDiameterAtPrintMm and materialDensityAtPrint, if mmExtruded and materialDensityAtPrint are above 0.',
  })
  gramsDerived!: string;

  @Field(() => DecimalScalar, {
    defaultValue: 0,
    description:
      'Cost of the print, 0 or more. On update, autoDeriveGrams overrides it with grams × (price / net weight of the full ' +
      'spool), rounded to 4 decimals, if the spool has a price and the grams are above 0.',
  })
  costPerPrint!: string;

  @Field(() => String, { nullable: true, description: `Free text, at most ${MAX_NOTES_LENGTH} characters.` })
  notes?: string | null;

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Takes diameter and density from the spool and its material, and derives the grams from them.',
  })
  autoDeriveGrams!: boolean;
}

@InputType({ description: 'A print job to create. It starts as QUEUED.' })
export class CreatePrintJobInput extends UpdatePrintJobInput {
  @Field(() => DateTimeScalar, { nullable: true, description: 'When printing started; stored as given.' })
  startedAt?: string | null;

  @Field(() => DataSourceEnum, { description: 'Where the figures come from.' })
  dataSource!: string;

  @Field(() => DecimalScalar, {
    defaultValue: 0,
    description: 'Filament diameter in mm, 0 or more; autoDeriveGrams overrides it.',
  })
  filamentDiameterAtPrintMm!: string;

  @Field(() => DecimalScalar, {
    defaultValue: 0,
    description: 'Material density in g/cm3, 0 or more; autoDeriveGrams overrides it.',
  })
  materialDensityAtPrint!: string;
}

@ArgsType()
export class DeriveFilamentArguments {
  @Field(() => DecimalScalar, { description: 'Millimetres of filament extruded, 0 or more.' })
  mmExtruded!: string;

  @Field(() => DecimalScalar, { description: 'Filament diameter in mm, 0 or more.' })
  filamentDiameterMm!: string;

  @Field(() => DecimalScalar, { description: 'Material density in g/cm3, 0 or more.' })
  densityGPerCm3!: string;

  @Field(() => ID, {
    nullable: true,
    description: 'GUID of the spool whose price counts; without a spool there is no cost.',
  })
  spoolId?: string | null;
}
