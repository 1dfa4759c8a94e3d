// Declares the GraphQL types of the health of a camera: its liveness, its log in steps, and its availability.
import { Field, Float, Int, ObjectType } from 'type-graphql';
import { Costs } from '../graph/costs';
import { defineEnum } from '../graph/enums';
import { DateTimeScalar } from '../graph/scalars';

export const MAX_GAPS = 100;

export const CameraLivenessEnum = defineEnum(
  'CameraLiveness',
  'The state of a camera now, by its newest record that is not in the future and the age of that record. While all of its ' +
    'records are in the future, the greatest of them counts.',
  {
    LIVE: 'This record reports online and is not older than expectedIntervalSec.',
    SILENT: 'This record reports online, but is older than expectedIntervalSec: the camera should have reported again.',
    OFFLINE: 'This record reports offline.',
    NEVER_SEEN: 'There is no record yet.',
  },
);
export type CameraLiveness = keyof typeof CameraLivenessEnum;

@ObjectType({ description: 'The records of one step of a camera’s log.', simpleResolvers: true })
export class CameraSample {
  @Field(() => DateTimeScalar, { description: 'Start of the step.' })
  from!: string;

  @Field(() => Int, { description: 'The number of records in the step, 1 or more.' })
  records!: number;

  @Field(() => Float, {
    nullable: true,
    description:
      'Battery level in percent, from the last record of the step (of records with the same time, the one with the greatest id); null if not reported.',
  })
  batteryPct!: number | null;

  @Field(() => Float, {
    nullable: true,
    description: 'The lowest battery level of the step, in percent; null if no record reports one.',
  })
  batteryPctMin!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Remaining recording time in seconds, from the last record of the step; null if not reported.',
  })
  videoRemainingSec!: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Recording state, from the last record of the step; null if not reported.',
  })
  recordingState!: string | null;

  @Field(() => Boolean, { description: 'Whether the last record of the step reports online.' })
  online!: boolean;
}

@ObjectType({ description: 'A time for which no valid record reports the camera as online.', simpleResolvers: true })
export class CameraGap {
  @Field(() => DateTimeScalar, { description: 'Start of the gap.' })
  from!: string;

  @Field(() => DateTimeScalar, { description: 'End of the gap.' })
  to!: string;
}

@ObjectType({
  description:
    'For how much of a time range the camera reported that it was online. The time before its registration and the future do not count.',
  simpleResolvers: true,
})
export class CameraAvailability {
  @Field(() => Float, {
    nullable: true,
    description:
      'The share of the time for which a valid record reports online, 0 to 1; null if no time of the range counts.',
  })
  fraction!: number | null;

  @Costs({ size: MAX_GAPS })
  @Field(() => [CameraGap], {
    description:
      'The times without a valid online record. A record is valid for the expectedIntervalSec that the camera has now, or until the next record, ' +
      'whichever is earlier; the last record before the range may be valid into the range. The longest gaps come first, of gaps with the same ' +
      `length the earlier one; at most ${MAX_GAPS}.`,
  })
  gaps!: CameraGap[];
}
