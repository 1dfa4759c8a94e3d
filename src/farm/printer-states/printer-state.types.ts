// Declares the GraphQL types of the newest state of a printer, and the arguments of its subscription.
import { ArgsType, Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { defineEnum } from '../graph/enums';
import { DateTimeScalar } from '../graph/scalars';
import type { Activity, ProgressBasis } from '../print-rules/print.model';

export const PrinterActivityEnum = defineEnum<Activity>('PrinterActivity', 'What a printer is doing.', {
  UNKNOWN: 'The printer reports a state that the gateway does not know.',
  IDLE: 'The printer waits for a print.',
  PREPARING: 'The printer heats, levels or slices before a print, or receives a file.',
  PRINTING: 'The printer is printing.',
  PAUSED: 'The print is paused: by a user, by the printer (for example without filament), or by its file.',
  FINISHED: 'The print is finished, and may still be on the plate.',
  ERROR: 'The printer reports a fault.',
  OFFLINE:
    'The gateway has no contact with the printer, or the software that controls the printer has lost its connection to the printer.',
});

const ProgressBasisEnum = defineEnum<ProgressBasis>('ProgressBasis', 'What the progress is measured by.', {
  FILAMENT: 'The filament of the print.',
  LAYERS: 'The layers of the print.',
  FILE: 'The bytes of the file.',
  TIME: 'The time of the print, with its preparation. No filament use is calculated from it.',
});

@ObjectType('PrinterState', {
  description: 'The newest state of the printer. It replaces the previous state; there is no history of states.',
  simpleResolvers: true,
})
export class StateOfPrinter {
  @Field(() => PrinterActivityEnum, { description: 'What the printer is doing.' })
  activity!: Activity;

  @Field(() => Float, { nullable: true, description: 'The progress of the print, 0 to 1; null if unknown.' })
  progress!: number | null;

  @Field(() => ProgressBasisEnum, {
    nullable: true,
    description: 'What the progress is measured by; null without a progress.',
  })
  progressBasis!: ProgressBasis | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The remaining time of the print in seconds, as the printer reports it; null if not reported.',
  })
  remainingSec!: number | null;

  @Field(() => Int, { nullable: true, description: 'The layer that is being printed; null if unknown.' })
  layer!: number | null;

  @Field(() => Int, { nullable: true, description: 'The number of layers of the print; null if unknown.' })
  layers!: number | null;

  @Field(() => String, { nullable: true, description: 'The name of the print; null without a print.' })
  printName!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The message of the printer about a fault, at most 200 characters; null without a fault.',
  })
  message!: string | null;

  @Field(() => Boolean, {
    description:
      'true if the print is paused and the printer reports that a user paused it. false if the printer paused by itself, or does not ' +
      'report who paused it.',
  })
  isPausedByUser!: boolean;

  @Field(() => DateTimeScalar, {
    description: 'Since when the activity has been the same, by the messages of the printer.',
  })
  activitySince!: string;

  @Field(() => DateTimeScalar, { description: 'The time of the last message of the printer.' })
  heardAt!: string;

  @Field(() => Boolean, {
    description:
      'true if the printer has sent nothing for longer than its kind allows. All other members then have their last known values.',
  })
  stale!: boolean;
}

/** The maximum length of a list of printers to watch. */
export const MAX_WATCHED = 1000;

@ArgsType()
export class PrinterStatesArguments {
  @Field(() => [ID], {
    nullable: true,
    description: `GUIDs of printers, at most ${MAX_WATCHED}; all printers if left out.`,
  })
  printerIds?: string[] | null;
}
