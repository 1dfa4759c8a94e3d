// Holds the GraphQL types of observed prints, their filament and their sightings.
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { defineEnum } from '../graph/enums';
import { Node } from '../graph/node';
import { defineConnection } from '../graph/relay-connection';
import { DateTimeScalar, DecimalScalar } from '../graph/scalars';
import { Printer } from '../inventory/inventory.types';
import type { ObservedFilament as FilamentOfSlot, PrintOutcome } from '../print-rules/print.model';

/** A list counts at most this many prints, because counting takes longer with each print. */
export const MAX_COUNTED_PRINTS = 10_000;

export const PrintOutcomeEnum = defineEnum<PrintOutcome>('PrintOutcome', 'How a print ended.', {
  RUNNING: 'The print is running or paused.',
  COMPLETED: 'The print was finished.',
  CANCELLED: 'The print was stopped on purpose.',
  FAILED: 'A fault ended the print.',
  UNRESOLVED:
    'The end was not seen, and the machine can no longer report it. A user enters the outcome; the gateway never guesses it.',
});

export const PrintWaitEnum = defineEnum('PrintWait', 'What a user must enter for a print.', {
  SPOOL:
    'The spool of a slot that feeds the print. The job is created when the spool of each slot is known. If another slot feeds later, ' +
    'the job gets a part for it then.',
  OUTCOME: 'How the print ended.',
});
export type PrintWait = keyof typeof PrintWaitEnum;

export const FilamentBasisEnum = defineEnum<FilamentOfSlot['basis']>(
  'FilamentBasis',
  'How an amount of filament is known.',
  {
    MEASURED: 'The machine measured the amount.',
    PLANNED: 'The slicer’s amount, for a print that was completed or is still running.',
    ESTIMATED:
      'One of these: a part of the slicer’s amount, by layers or by the share of the file, never by time; the length measured until the ' +
      'last contact, if the end was not seen; or a part of a length that several slots, or several spools of a slot, share.',
    UNKNOWN: 'The amount is unknown. The job has 0 grams, and an alert is active.',
    MANUAL: 'A user or another program entered the amount.',
  },
);
export type FilamentBasis = keyof typeof FilamentBasisEnum;

const SightingKindEnum = defineEnum('SightingKind', 'What happened to a print.', {
  STARTED: 'The print started, or it was already printing.',
  PAUSED: 'The print paused.',
  RESUMED: 'The print continues after a pause.',
  SLOT_CHANGED: 'Another slot feeds the print.',
  LOST: 'The gateway lost contact with the printer.',
  BACK: 'The printer reports the print again.',
  ENDED: 'The print ended.',
  RESOLVED: 'The printer reported the outcome later, or a user entered it.',
  AMENDED: 'The printer reported later how much filament the print used.',
  CORRECTED: 'A user entered the spool.',
});

@ObjectType({
  description:
    'The filament that a print uses or used from one slot. A slot has several entries if its spool was changed. A filament of the slicer has ' +
    'several entries if another slot continued it.',
  simpleResolvers: true,
})
export class ObservedFilament {
  @Field(() => String, {
    description: 'The slot, numbered as the kind of machine numbers its slots: tool:0, ams:0:2, ext:0.',
  })
  slot!: string;

  @Field(() => DecimalScalar, { nullable: true, description: 'Millimetres of filament; null if they are unknown.' })
  mm!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Grams that the slicer or the machine reported; null if they reported none. If the millimetres are known, the grams of the job are ' +
      'calculated from them.',
  })
  grams!: string | null;

  @Field(() => FilamentBasisEnum, { description: 'How the amount is known.' })
  basis!: FilamentBasis;

  @Field(() => Int, {
    nullable: true,
    description:
      'The first layer that was printed from this filament. Null if it is unknown, or if one slot with one spool fed the whole filament.',
  })
  fromLayer?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The last layer that was printed from this filament. Null in the same cases as fromLayer.',
  })
  toLayer?: number | null;
}

@ObjectType({ description: 'One line of the history of a print.', simpleResolvers: true })
export class PrintSighting {
  @Field(() => DateTimeScalar, { description: 'When the event happened.' })
  at!: string;

  @Field(() => SightingKindEnum, { description: 'The kind of event.' })
  kind!: string;

  @Field(() => String, { description: 'A sentence for users, in English. It may contain the printer’s own text.' })
  text!: string;
}

export const PrintSightingConnection = defineConnection(PrintSighting, 'sightings');

@ObjectType({
  implements: Node,
  description:
    'A print as its printer reported it. It is kept as evidence, and gets a print job when its spool is known.',
  simpleResolvers: true,
})
export class ObservedPrint {
  @Field(() => ID, { description: 'GUID that the gateway generated.' })
  id!: string;

  @Field(() => Printer, { description: 'The printer that reported the print.' })
  printer!: Printer;

  @Field(() => String, { nullable: true, description: 'The machine’s own id of the print; null if it has none.' })
  externalId!: string | null;

  @Field(() => String, { description: 'Name of the print.' })
  name!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Path of the file on the machine; null if the machine does not report it.',
  })
  filePath!: string | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the print started; null if its start was not seen.',
  })
  startedAt!: string | null;

  @Field(() => Boolean, { description: 'Whether startedAt was calculated and not seen.' })
  startedAtEstimated!: boolean;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the print ended; null while it is running, or if its end is unknown.',
  })
  endedAt!: string | null;

  @Field(() => Boolean, { description: 'Whether endedAt was calculated and not seen.' })
  endedAtEstimated!: boolean;

  @Field(() => PrintOutcomeEnum, { description: 'How the print ended.' })
  outcome!: PrintOutcome;

  @Field(() => String, {
    nullable: true,
    description: 'Why the print failed or was cancelled, in the printer’s words; null if the printer gave no reason.',
  })
  reason!: string | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When a user excluded the print from booking; null if the print is booked.',
  })
  ignoredAt!: string | null;

  @Field(() => DateTimeScalar, { description: 'When the gateway first saw the print.' })
  createdAt!: string;
}

export const ObservedPrintConnection = defineConnection(
  ObservedPrint,
  'observed prints',
  `The number of prints that match the filter, on all pages; counted when selected, up to ${MAX_COUNTED_PRINTS}.`,
);
