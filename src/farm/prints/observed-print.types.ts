// Observed prints as the graph shows them.
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { enumOf } from '../graph/enums';
import { Node } from '../graph/node';
import { connectionOf } from '../graph/relay-connection';
import { DateTimeScalar, DecimalScalar } from '../graph/scalars';
import { Printer } from '../inventory/inventory.types';
import type { ObservedFilament as FilamentOfSlot, PrintOutcome } from '../print-rules/print.model';

/** The count of a list ends here, because it grows with the number of prints. */
export const MAX_COUNTED_PRINTS = 10_000;

export const PrintOutcomeEnum = enumOf<PrintOutcome>('PrintOutcome', 'What became of a print.', {
  RUNNING: 'It runs, or it pauses.',
  COMPLETED: 'Printed to the end.',
  CANCELLED: 'Stopped on purpose.',
  FAILED: 'Ended by a fault.',
  UNRESOLVED:
    'Its end was not seen, and the machine cannot report it any more. A person says what became of it; it is never guessed.',
});

export const PrintWaitEnum = enumOf('PrintWait', 'What a print waits for: a person says it.', {
  SPOOL:
    'The spool of a slot that it is printed from. Its job is made when each slot has one; of a slot that begins to feed later, ' +
    'the job gets its part then.',
  OUTCOME: 'What became of it.',
});
export type PrintWait = keyof typeof PrintWaitEnum;

export const FilamentBasisEnum = enumOf<FilamentOfSlot['basis']>(
  'FilamentBasis',
  'How an amount of filament is known.',
  {
    MEASURED: 'The machine measured it.',
    PLANNED: 'The slicer’s amount, of a print that was completed or still runs.',
    ESTIMATED:
      'A part of the slicer’s amount, by layers or by the share of the file, never by time; what was measured until the last contact, ' +
      'of a print whose end was not seen; or a part of one length of several slots, or of several spools of a slot.',
    UNKNOWN: 'Nothing is known: 0 grams, with an alert.',
    MANUAL: 'A person or a program said it.',
  },
);
export type FilamentBasis = keyof typeof FilamentBasisEnum;

const SightingKindEnum = enumOf('SightingKind', 'What was heard of a print.', {
  STARTED: 'It began, or it was running already.',
  PAUSED: 'It paused.',
  RESUMED: 'It goes on after a pause.',
  SLOT_CHANGED: 'Another slot feeds it.',
  LOST: 'The printer is not heard of any more.',
  BACK: 'The printer is heard of again.',
  ENDED: 'It is over.',
  RESOLVED: 'The printer or a person said later what became of it.',
  AMENDED: 'The printer reported later how much it used.',
  CORRECTED: 'A person said its spool.',
});

@ObjectType({
  description:
    'The filament that a print uses or used from one slot. A slot whose spool was changed has several, and so has a filament that ' +
    'went on from another slot.',
  simpleResolvers: true,
})
export class ObservedFilament {
  @Field(() => String, { description: 'As the kind of machine numbers them: tool:0, ams:0:2, ext:0.' })
  slot!: string;

  @Field(() => DecimalScalar, { nullable: true, description: 'Millimetres of filament; null when they are not known.' })
  mm!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Grams as the slicer or the machine says; null when they do not. The grams of the job follow the formula from the ' +
      'millimetres where these are known.',
  })
  grams!: string | null;

  @Field(() => FilamentBasisEnum, { description: 'How the amount is known.' })
  basis!: FilamentBasis;

  @Field(() => Int, {
    nullable: true,
    description:
      'The first layer of it; null where it is not known, and for a slot that alone fed its filament from one spool.',
  })
  fromLayer?: number | null;

  @Field(() => Int, { nullable: true, description: 'The last layer of it; null as fromLayer is.' })
  toLayer?: number | null;
}

@ObjectType({ description: 'Something that was heard of a print.', simpleResolvers: true })
export class PrintSighting {
  @Field(() => DateTimeScalar, { description: 'When it was so.' })
  at!: string;

  @Field(() => SightingKindEnum, { description: 'What was heard.' })
  kind!: string;

  @Field(() => String, { description: 'A sentence for people, in English, with the words of the printer.' })
  text!: string;
}

export const PrintSightingConnection = connectionOf(PrintSighting, 'sightings');

@ObjectType({
  implements: Node,
  description:
    'A print as its printer reported it: evidence, kept for good. It becomes a print job when its spool is known.',
  simpleResolvers: true,
})
export class ObservedPrint {
  @Field(() => ID, { description: 'GUID, made by the gateway.' })
  id!: string;

  @Field(() => Printer, { description: 'The printer that reported it.' })
  printer!: Printer;

  @Field(() => String, { nullable: true, description: 'The machine’s own id of the print; null where it has none.' })
  externalId!: string | null;

  @Field(() => String, { description: 'Name of the print.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'Path of the file on the machine; null where it does not say.' })
  filePath!: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it began; null when its start was not seen.' })
  startedAt!: string | null;

  @Field(() => Boolean, { description: 'Whether startedAt was computed, not seen.' })
  startedAtEstimated!: boolean;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When it ended; null while it runs, or when its end is not known.',
  })
  endedAt!: string | null;

  @Field(() => Boolean, { description: 'Whether endedAt was computed, not seen.' })
  endedAtEstimated!: boolean;

  @Field(() => PrintOutcomeEnum, { description: 'What became of it.' })
  outcome!: PrintOutcome;

  @Field(() => String, {
    nullable: true,
    description: 'Why it failed or was cancelled, in the printer’s words; null where it did not say.',
  })
  reason!: string | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When a person said that it is not to be booked; null: it is.',
  })
  ignoredAt!: string | null;

  @Field(() => DateTimeScalar, { description: 'When the gateway first heard of it.' })
  createdAt!: string;
}

export const ObservedPrintConnection = connectionOf(
  ObservedPrint,
  'observed prints',
  `The number of prints that match the filter, on all pages; counted when selected, up to ${MAX_COUNTED_PRINTS}.`,
);
