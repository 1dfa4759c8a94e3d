// The GraphQL types of print jobs.
import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { BadInput } from '../../errors';
import { defineEnum } from '../graph/enums';
import { Node } from '../graph/node';
import { defineConnection } from '../graph/relay-connection';
import { DateTimeScalar, DecimalScalar } from '../graph/scalars';
import { Printer, Spool } from '../inventory/inventory.types';
import { MAX_COUNTED_JOBS } from './print-job.limits';
import type { JobStatus } from './print-job.status';

/** The GraphQL names of the statuses. The documents and the tables have the spellings on the right. */
export const PrintJobStatusEnum = {
  QUEUED: 'Queued',
  PRINTING: 'Printing',
  COMPLETED: 'Completed',
  CANCELLED: 'Cancelled',
  FAILED: 'Failed',
} as const satisfies { [Status in JobStatus as Uppercase<Status>]: Status };

registerEnumType(PrintJobStatusEnum, {
  name: 'PrintJobStatus',
  description: 'The status of a print job. The field allowedTransitions lists the statuses that it can change to.',
  valuesConfig: {
    QUEUED: { description: 'Waiting for its printer. Every new job has this status.' },
    PRINTING: { description: 'Being printed.' },
    COMPLETED: { description: 'Printed to the end.' },
    CANCELLED: { description: 'Stopped on purpose, or deleted. The job is not removed.' },
    FAILED: { description: 'Ended by a fault.' },
  },
});

/** §2 of the print job document. */
export const DATA_SOURCES = ['Mqtt', 'PrinterApi', 'Manual'] as const;
export type DataSource = (typeof DATA_SOURCES)[number];

/** POST rule 5: "When DataSource is not one of Mqtt, PrinterApi, Manual (case-insensitive), the response is 400." */
export function parseDataSource(value: unknown): DataSource {
  const name = typeof value === 'string' ? value.toLowerCase() : undefined;
  const source = DATA_SOURCES.find((candidate) => candidate.toLowerCase() === name);
  if (source === undefined) throw new BadInput(`must be one of ${DATA_SOURCES.join(', ')}`, 'input', 'dataSource');
  return source;
}

export const DataSourceEnum = {
  MQTT: 'Mqtt',
  PRINTER_API: 'PrinterApi',
  MANUAL: 'Manual',
} as const satisfies Record<string, DataSource>;

registerEnumType(DataSourceEnum, {
  name: 'DataSource',
  description: 'The source of the figures of a print job.',
  valuesConfig: {
    MQTT: { description: 'MQTT messages of the printer.' },
    PRINTER_API: { description: 'The API of the printer.' },
    MANUAL: { description: 'Entered by a user.' },
  },
});

@ObjectType({ description: 'A change of the status of a print job.', simpleResolvers: true })
export class PrintJobStatusChange {
  @Field(() => PrintJobStatusEnum, {
    nullable: true,
    description: 'The status before the change; null for the first status.',
  })
  from!: string | null;

  @Field(() => PrintJobStatusEnum, { description: 'The status after the change.' })
  to!: string;

  @Field(() => DateTimeScalar, { description: 'When the status changed.' })
  at!: string;
}

export const PrintJobOrderEnum = defineEnum(
  'PrintJobOrder',
  'The order of a list of print jobs. Jobs with the same time are ordered by id, in the same direction. The orders by status, printer, spool ' +
    'and recording show equal jobs newest first; they read all jobs of the list, so they cost as much as a search.',
  {
    CREATED_AT_DESC: 'By createdAt, newest first.',
    CREATED_AT_ASC: 'By createdAt, oldest first.',
    COMPLETED_AT_DESC: 'By completedAt, latest first; jobs without completedAt are last.',
    STATUS_ASC: 'By status: QUEUED, PRINTING, COMPLETED, CANCELLED, FAILED.',
    STATUS_DESC: 'By status: FAILED, CANCELLED, COMPLETED, PRINTING, QUEUED.',
    PRINTER_ASC: 'By the name of the printer; upper and lower case of the letters A to Z are the same.',
    PRINTER_DESC: 'By the name of the printer, from Z to A.',
    SPOOL_ASC: 'By the serial number of the spool of the job; upper and lower case of the letters A to Z are the same.',
    SPOOL_DESC: 'By the serial number of the spool of the job, from Z to A.',
    RECORDED_ASC:
      'By the share of the print that was recorded, by the camera that recorded most of it, smallest first; jobs without a final recording are last.',
    RECORDED_DESC:
      'By the share of the print that was recorded, by the camera that recorded most of it, greatest first; jobs without a final recording are last.',
  },
);
export type PrintJobOrder = keyof typeof PrintJobOrderEnum;

export const PrintJobRecordingEnum = defineEnum(
  'PrintJobRecording',
  'How much of a print job was recorded, by the camera that recorded most of it. See `filming` of the job.',
  {
    COMPLETE: 'A camera recorded the whole print. The recording is final.',
    PARTIAL: 'Cameras recorded a part of the print. The recordings are final.',
    NONE: 'The job has ended, and no camera recorded any of it.',
    PRELIMINARY: 'A recording is not final yet: the job is printing, or it ended within about the last day.',
  },
);
export type PrintJobRecording = keyof typeof PrintJobRecordingEnum;

@ObjectType({ description: 'The formulas for grams and cost, step by step.', simpleResolvers: true })
export class GramDerivation {
  @Field(() => DecimalScalar, {
    description: 'Cross-section of the filament in mm2, π × (diameter / 2)², rounded to 8 decimals.',
  })
  areaMm2!: string;

  @Field(() => DecimalScalar, { description: 'Millimetres × area × density / 1000, rounded to 2 decimals.' })
  grams!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Price of the spool / net weight of the full spool, rounded to 28 decimals; null without a price, or if the weight is 0.',
  })
  pricePerGram!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Grams × price / net weight of the full spool, rounded half to even to 4 decimals; null without a price, or if the weight is 0.',
  })
  cost!: string | null;
}

@ObjectType({
  implements: Node,
  description: 'The record of one print and the filament that it used.',
  simpleResolvers: true,
})
export class PrintJob {
  @Field(() => ID, { description: 'GUID, created by the gateway.' })
  id!: string;

  @Field(() => Printer, {
    nullable: true,
    description: 'The printer; null only if another program removed its row.',
  })
  printer!: Printer | null;

  @Field(() => Spool, { nullable: true, description: 'The spool; null only if another program removed its row.' })
  spool!: Spool | null;

  @Field(() => String, { description: 'Name of the print.' })
  printName!: string;

  @Field(() => String, { description: 'Path of the G-code file; empty if unknown.' })
  gcodeFilePath!: string;

  @Field(() => DecimalScalar, { description: 'Millimetres of filament extruded, 0 or more.' })
  mmExtruded!: string;

  @Field(() => DecimalScalar, {
    description:
      'Grams of filament used, 0 or more. If derived: mmExtruded × area × density / 1000, with area = π × (diameter / 2)² ' +
      'in mm2 rounded to 8 decimals, and the grams rounded to 2 decimals.',
  })
  gramsDerived!: string;

  @Field(() => DecimalScalar, {
    description:
      'Cost of the print, 0 or more, in the currency of the prices of spools. If calculated: grams × (price / net weight of the full ' +
      'spool), rounded to 4 decimals.',
  })
  costPerPrint!: string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When printing started, or the time that was given at creation; null before that.',
  })
  startedAt!: string | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the job was last set to COMPLETED, FAILED or CANCELLED; null before that.',
  })
  completedAt!: string | null;

  @Field(() => PrintJobStatusEnum, { description: 'The current status.' })
  status!: string;

  @Field(() => DataSourceEnum, { description: 'Where the figures come from.' })
  dataSource!: string;

  @Field(() => DecimalScalar, { description: 'Filament diameter in mm at print time, 0 or more.' })
  filamentDiameterAtPrintMm!: string;

  @Field(() => DecimalScalar, { description: 'Material density in g/cm3 at print time, 0 or more.' })
  materialDensityAtPrint!: string;

  @Field(() => String, { nullable: true, description: 'Free text; null if there is none.' })
  notes!: string | null;

  @Field(() => DateTimeScalar, { description: 'When the job was created.' })
  createdAt!: string;

  @Field(() => DateTimeScalar, { description: 'When the job was last changed.' })
  updatedAt!: string;
}

export const PrintJobConnection = defineConnection(
  PrintJob,
  'print jobs',
  'The exact number of print jobs that match the filter, over all pages. Without spoolId it is as fast for a million jobs as for ten. ' +
    `With \`search\`, \`createdFrom\` or \`createdTo\` the jobs are counted if the total is selected, up to ${MAX_COUNTED_JOBS}.`,
);
