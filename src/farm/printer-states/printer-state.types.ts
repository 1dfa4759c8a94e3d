// What a printer does now, as the graph shows it, and which printers a subscription watches.
import { ArgsType, Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { enumOf } from '../graph/enums';
import { DateTimeScalar } from '../graph/scalars';
import type { Activity, ProgressBasis } from '../print-rules/print.model';

export const PrinterActivityEnum = enumOf<Activity>('PrinterActivity', 'What a printer does.', {
  UNKNOWN: 'It says something that the gateway does not know.',
  IDLE: 'It waits for a print.',
  PREPARING: 'It heats, levels or slices before a print, or takes a file.',
  PRINTING: 'It prints.',
  PAUSED: 'Its print pauses.',
  FINISHED: 'Its print is over, and may still lie on the plate.',
  ERROR: 'It reports a fault.',
  OFFLINE: 'It is not heard of, or what controls it has no connection to it.',
});

const ProgressBasisEnum = enumOf<ProgressBasis>('ProgressBasis', 'What progress is a share of.', {
  FILAMENT: 'The filament of the print.',
  LAYERS: 'The layers of the print.',
  FILE: 'The bytes of the file.',
  TIME: 'The time of the print, with its preparation. No filament is computed from it.',
});

@ObjectType('PrinterState', {
  description: 'The newest state of the printer. It replaces the one before; none is logged.',
  simpleResolvers: true,
})
export class StateOfPrinter {
  @Field(() => PrinterActivityEnum, { description: 'What it does.' })
  activity!: Activity;

  @Field(() => Float, { nullable: true, description: '0 to 1; null when it is not known.' })
  progress!: number | null;

  @Field(() => ProgressBasisEnum, {
    nullable: true,
    description: 'What progress is a share of; null without progress.',
  })
  progressBasis!: ProgressBasis | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Seconds until the end, as the printer says; null when it does not.',
  })
  remainingSec!: number | null;

  @Field(() => Int, { nullable: true, description: 'The layer that is printed; null when it is not known.' })
  layer!: number | null;

  @Field(() => Int, { nullable: true, description: 'The layers of the print; null when they are not known.' })
  layers!: number | null;

  @Field(() => String, { nullable: true, description: 'Name of the print; null without one.' })
  printName!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The printer’s own words about a fault, at most 200 characters; null without one.',
  })
  message!: string | null;

  @Field(() => DateTimeScalar, { description: 'When the printer was last heard of.' })
  heardAt!: string;

  @Field(() => Boolean, {
    description:
      'True when the printer has not been heard of for longer than its kind allows: all else is what was last known.',
  })
  stale!: boolean;
}

/** The longest list of printers whose states are watched. */
export const MAX_WATCHED = 1000;

@ArgsType()
export class PrinterStatesArguments {
  @Field(() => [ID], {
    nullable: true,
    description: `GUIDs of printers, at most ${MAX_WATCHED}; all printers if left out.`,
  })
  printerIds?: string[] | null;
}
