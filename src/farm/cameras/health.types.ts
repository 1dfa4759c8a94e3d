// The health of a camera as the graph shows it: its liveness, its log in steps, and its availability.
import { Field, Float, Int, ObjectType } from 'type-graphql';
import { Costs } from '../graph/costs';
import { enumOf } from '../graph/enums';
import { DateTimeScalar } from '../graph/scalars';
import { MAX_GAPS } from './health.limits';

export const CameraLivenessEnum = enumOf(
  'CameraLiveness',
  'The state of a camera now, by its newest record that is not in the future and the age of that record. While all of its ' +
    'records are in the future, the greatest of them counts.',
  {
    LIVE: 'This record reports online and is not older than expectedIntervalSec.',
    SILENT: 'This record reports online and is older than expectedIntervalSec: the camera should have reported again.',
    OFFLINE: 'This record reports offline.',
    NEVER_SEEN: 'There is no record yet.',
  },
);
export type CameraLiveness = keyof typeof CameraLivenessEnum;

@ObjectType({ description: 'The records of one step of a camera’s log.', simpleResolvers: true })
export class CameraSample {
  @Field(() => DateTimeScalar, { description: 'Begin of the step.' })
  from!: string;

  @Field(() => Int, { description: 'The number of records in the step, 1 or more.' })
  records!: number;

  @Field(() => Float, {
    nullable: true,
    description:
      'Battery level in percent, of the last record of the step (at the same time, the greater id); null when it has none.',
  })
  batteryPct!: number | null;

  @Field(() => Float, {
    nullable: true,
    description: 'The least battery level of the step, in percent; null when no record has one.',
  })
  batteryPctMin!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Remaining recording time in seconds, of the last record of the step; null when it has none.',
  })
  videoRemainingSec!: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Recording state, of the last record of the step; null when it has none.',
  })
  recordingState!: string | null;

  @Field(() => Boolean, { description: 'Whether the camera was online, in the last record of the step.' })
  online!: boolean;
}

@ObjectType({ description: 'A time for which no record says that the camera was online.', simpleResolvers: true })
export class CameraGap {
  @Field(() => DateTimeScalar, { description: 'Begin of the gap.' })
  from!: string;

  @Field(() => DateTimeScalar, { description: 'End of the gap.' })
  to!: string;
}

@ObjectType({
  description:
    'How much of a time range the camera was heard of and online. The time before its registration and the time to ' +
    'come do not count.',
  simpleResolvers: true,
})
export class CameraAvailability {
  @Field(() => Float, {
    nullable: true,
    description: 'The part for which a record says online, 0 to 1; null when no time of the range counts.',
  })
  fraction!: number | null;

  @Costs({ size: MAX_GAPS })
  @Field(() => [CameraGap], {
    description:
      'A record that says online holds for the expectedIntervalSec that the camera has now, or until the next record if ' +
      'that comes earlier. The last record before the range may hold into it. All other time is in gaps: the longest ' +
      `first, at the same length the earlier first, at most ${MAX_GAPS}.`,
  })
  gaps!: CameraGap[];
}
