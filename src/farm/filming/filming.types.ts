// The filming of jobs as the graph shows it.
import { Field, Float, ID, ObjectType } from 'type-graphql';
import { enumOf } from '../graph/enums';
import { DateTimeScalar } from '../graph/scalars';

export const MAX_FILM_GAPS = 100;

const FilmingGapReasonEnum = enumOf('FilmingGapReason', 'Why there is a gap in what a camera recorded.', {
  NOT_RECORDING: 'The camera was heard of, and did not record.',
  OFFLINE: 'It said that it was offline, no longer ago than its expectedIntervalSec.',
  SILENT: 'It was not heard of for longer than its expectedIntervalSec, or not at all.',
  LOG_DELETED: 'The log of that time was deleted by STATUS_RETENTION_DAYS before the print was over for a day.',
});
export type FilmingGapReason = keyof typeof FilmingGapReasonEnum;

@ObjectType({
  description: 'A time in which a camera did not record the print, by its own word.',
  simpleResolvers: true,
})
export class FilmingGap {
  @Field(() => DateTimeScalar, { description: 'Begin of the gap.' })
  from!: string;

  @Field(() => DateTimeScalar, { description: 'End of the gap, exclusive.' })
  to!: string;

  @Field(() => FilmingGapReasonEnum, { description: 'Why.' })
  reason!: FilmingGapReason;
}

@ObjectType({
  description: 'How much of a print a camera recorded, by its own word: it may say so with a broken card.',
  simpleResolvers: true,
})
export class JobFilming {
  @Field(() => ID, { description: 'The identifier of the camera.' })
  cameraId!: string;

  @Field(() => DateTimeScalar, { description: 'From when on, in the print, the camera watched the printer.' })
  from!: string;

  @Field(() => DateTimeScalar, { description: 'Up to when, in the print, the camera watched the printer.' })
  to!: string;

  @Field(() => Float, {
    description: 'The seconds in which it did: less than `to` - `from` when it watched another printer in between.',
  })
  windowSec!: number;

  @Field(() => Float, { description: 'The seconds of them in which it recorded.' })
  recordedSec!: number;

  @Field(() => Float, { description: 'recordedSec of windowSec, 0 to 1; 0 for an empty window.' })
  share!: number;

  @Field(() => Float, {
    nullable: true,
    description:
      'The longest time between two neighbours of: the begin, the records, the end. So uncertain is the edge of a gap. null ' +
      'without a record.',
  })
  resolutionSec!: number | null;

  @Field(() => [FilmingGap], {
    description: `Oldest first; neighbours with one reason are one. At most ${MAX_FILM_GAPS}, the longest.`,
  })
  gaps!: FilmingGap[];

  @Field(() => Float, { description: 'The seconds of the gaps that are not in `gaps`.' })
  otherGapsSec!: number;

  @Field(() => Boolean, {
    description:
      'False while the job prints, and for a day after its end, since records may come late. Within an hour it is then fixed, ' +
      'and stays when the log is deleted.',
  })
  final!: boolean;
}

@ObjectType({ description: 'That a camera watched a printer, from one time to another.', simpleResolvers: true })
export class CameraWatch {
  @Field(() => DateTimeScalar, {
    description: 'When it was set to watch the printer; of its first one, when it was registered.',
  })
  from!: string;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it no longer did; null: it does now.' })
  to!: string | null;

  /** Null when the printer was removed. */
  printerId!: string | null;
}
