// Declares the GraphQL types of what cameras recorded of jobs, and of the printers that cameras watched.
import { Field, Float, ID, ObjectType } from 'type-graphql';
import { defineEnum } from '../graph/enums';
import { DateTimeScalar } from '../graph/scalars';

export const MAX_FILM_GAPS = 100;

const FilmingGapReasonEnum = defineEnum('FilmingGapReason', 'Why there is a gap in a recording.', {
  NOT_RECORDING: 'The camera reported that it was online and did not record.',
  OFFLINE: 'The camera reported that it was offline, at most expectedIntervalSec ago.',
  SILENT: 'The camera sent no record for longer than its expectedIntervalSec, or sent none at all.',
  LOG_DELETED: 'The log of this time was deleted (STATUS_RETENTION_DAYS) before the print had been finished for a day.',
});
export type FilmingGapReason = keyof typeof FilmingGapReasonEnum;

@ObjectType({
  description: 'A time in which the camera did not record the print, as far as its records show.',
  simpleResolvers: true,
})
export class FilmingGap {
  @Field(() => DateTimeScalar, { description: 'Start of the gap.' })
  from!: string;

  @Field(() => DateTimeScalar, { description: 'End of the gap, exclusive.' })
  to!: string;

  @Field(() => FilmingGapReasonEnum, { description: 'The reason of the gap.' })
  reason!: FilmingGapReason;
}

@ObjectType({
  description:
    'How much of a print a camera recorded, as the camera reports it. A camera with a broken card may report that it records.',
  simpleResolvers: true,
})
export class JobFilming {
  @Field(() => ID, { description: 'The identifier of the camera.' })
  cameraId!: string;

  @Field(() => DateTimeScalar, { description: 'The first time in the print at which the camera watched the printer.' })
  from!: string;

  @Field(() => DateTimeScalar, { description: 'The last time in the print at which the camera watched the printer.' })
  to!: string;

  @Field(() => Float, {
    description:
      'How long the camera watched the printer, in seconds. Less than `to` - `from` if it watched another printer in between.',
  })
  windowSec!: number;

  @Field(() => Float, { description: 'How long the camera recorded in this time, in seconds.' })
  recordedSec!: number;

  @Field(() => Float, { description: 'recordedSec divided by windowSec, 0 to 1; 0 if windowSec is 0.' })
  share!: number;

  @Field(() => Float, {
    nullable: true,
    description:
      'The longest time, in seconds, without a record: between two records, or between a record and the start or end. The start and end of a ' +
      'gap are uncertain by this time. null without a record.',
  })
  resolutionSec!: number | null;

  @Field(() => [FilmingGap], {
    description: `The gaps, oldest first. Adjacent gaps with the same reason are one gap. If there are more than ${MAX_FILM_GAPS} gaps, only the longest.`,
  })
  gaps!: FilmingGap[];

  @Field(() => Float, { description: 'The total length of the gaps that are not in `gaps`, in seconds.' })
  otherGapsSec!: number;

  @Field(() => Boolean, {
    description:
      'Whether the recording is final. It is not while the job prints and for one day after its end, because records may arrive late. Within ' +
      'another hour it becomes final, and stays even if the log is deleted.',
  })
  final!: boolean;
}

@ObjectType({ description: 'A time in which a camera watched a printer.', simpleResolvers: true })
export class CameraWatch {
  @Field(() => DateTimeScalar, {
    description: 'When the camera was assigned to the printer; for its first printer, when the camera was registered.',
  })
  from!: string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the assignment ended; null if the camera still watches the printer.',
  })
  to!: string | null;

  /** `null` if the printer was removed. */
  printerId!: string | null;
}
