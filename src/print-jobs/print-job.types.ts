// Print jobs as the graph shows them.
import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import type { PrintJobRow } from '../database/rows';
import { connectionOf } from '../graphql/connection';
import { DateTimeScalar, DecimalScalar } from '../graphql/scalars';
import { Printer, Spool } from '../inventory/inventory.types';
import type { DataSource } from './print-job.data-source';
import type { JobStatus } from './print-job.status';

/** The graph's names of the documents' spellings, which are what the tables hold. */
export const PrintJobStatusEnum = {
  QUEUED: 'Queued',
  PRINTING: 'Printing',
  COMPLETED: 'Completed',
  CANCELLED: 'Cancelled',
  FAILED: 'Failed',
} as const satisfies Record<string, JobStatus>;

registerEnumType(PrintJobStatusEnum, {
  name: 'PrintJobStatus',
  description: 'The statuses of a print job (§3 of the print job document).',
  valuesConfig: {
    QUEUED: { description: 'Waiting for its printer; every new job starts so.' },
    PRINTING: { description: 'On the printer.' },
    COMPLETED: { description: 'Printed to the end.' },
    CANCELLED: { description: 'Stopped on purpose, or deleted: the record is kept.' },
    FAILED: { description: 'Ended by a fault.' },
  },
});

export const DataSourceEnum = {
  MQTT: 'Mqtt',
  PRINTER_API: 'PrinterApi',
  MANUAL: 'Manual',
} as const satisfies Record<string, DataSource>;

registerEnumType(DataSourceEnum, {
  name: 'DataSource',
  description: 'Where the figures of a print job come from (§2 of the print job document).',
  valuesConfig: {
    MQTT: { description: 'The printer’s MQTT messages.' },
    PRINTER_API: { description: 'The printer’s own API.' },
    MANUAL: { description: 'Entered by a person.' },
  },
});

@ObjectType({
  description: 'The operational record of one print and the filament it used (§2 of the print job document).',
  simpleResolvers: true,
})
export class PrintJob {
  @Field(() => ID, { description: 'GUID, made by the gateway.' })
  id!: string;

  @Field(() => Printer, { nullable: true, description: 'The printer; null when its record is gone.' })
  printer!: Printer | null;

  @Field(() => Spool, { nullable: true, description: 'The spool; null when its record is gone.' })
  spool!: Spool | null;

  @Field(() => String, { description: 'What is printed.' })
  printName!: string;

  @Field(() => String, { description: 'Path of the G-code file; empty when unknown.' })
  gcodeFilePath!: string;

  @Field(() => DecimalScalar, { description: 'Millimetres of filament extruded, 0 or more.' })
  mmExtruded!: string;

  @Field(() => DecimalScalar, {
    description: 'Grams of filament used, 0 or more; 2 decimals when derived (§4, gram derivation formula).',
  })
  gramsDerived!: string;

  @Field(() => DecimalScalar, {
    description:
      'Cost of the print, 0 or more, in the currency of the spools’ prices; 4 decimals when computed (PUT rule 4).',
  })
  costPerPrint!: string;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When printing began; null before.' })
  startedAt!: string | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the job was last set to Completed, Failed or Cancelled; null before.',
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

  @Field(() => String, { nullable: true, description: 'Free text; null when there is none.' })
  notes!: string | null;

  @Field(() => DateTimeScalar, { description: 'When the record was made.' })
  createdAt!: string;

  @Field(() => DateTimeScalar, { description: 'When the record was last changed.' })
  updatedAt!: string;
}

export const { Connection: PrintJobConnection, ConnectionResolver: PrintJobConnectionResolver } =
  connectionOf<PrintJobRow>(
    PrintJob,
    'PrintJob',
    'print jobs',
    'How many print jobs match the filter, on all pages. Exact, and kept as jobs are written, so that it costs the same for a ' +
      'million jobs; with `search`, `createdFrom` or `createdTo` it is counted when selected, up to 10,000.',
  );
