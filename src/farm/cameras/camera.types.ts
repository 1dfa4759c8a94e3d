// Declares the GraphQL types of cameras and their status records.
import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { Node } from '../graph/node';
import { defineConnection } from '../graph/relay-connection';
import { DateTimeScalar } from '../graph/scalars';
import { DEFAULT_INTERVAL_SEC } from './camera.limits';

@ObjectType({ implements: Node, description: 'One record of a camera’s status log.', simpleResolvers: true })
export class CameraStatus {
  @Field(() => ID, { description: 'Identifier of the record. Records that are stored later have greater identifiers.' })
  id!: string;

  @Field(() => ID, { description: 'The identifier of the camera.' })
  cameraId!: string;

  @Field(() => DateTimeScalar, {
    description: 'When the state was observed. The record with the greatest recordedAt is the latest.',
  })
  recordedAt!: string;

  @Field(() => Float, { nullable: true, description: 'Battery level in percent, 0 to 100; null if not reported.' })
  batteryPct!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Remaining recording time in seconds, 0 or more; null if not reported.',
  })
  videoRemainingSec!: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Recording state as the camera reports it; null if not reported.',
  })
  recordingState!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Capture mode as the camera reports it; null if not reported.',
  })
  mode!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Video resolution as the camera reports it; null if not reported.',
  })
  resolution!: string | null;

  @Field(() => Float, { nullable: true, description: 'Frames per second, 0 or more; null if not reported.' })
  fps!: number | null;

  @Field(() => Boolean, { description: 'Whether the camera was online.' })
  online!: boolean;

  @Field(() => Float, {
    nullable: true,
    description: 'Unprocessed battery value, in the unit of the camera; null if not reported.',
  })
  rawBatteryPct!: number | null;
}

@ObjectType({ implements: Node, description: 'A registered camera.', simpleResolvers: true })
export class Camera {
  @Field(() => ID, { description: 'The identifier that the client chose; `camera_id` on REST.' })
  id!: string;

  @Field(() => String, { description: 'Display name, never empty.' })
  friendlyName!: string;

  @Field(() => String, {
    nullable: true,
    description: 'MAC address as it was entered, unique among all cameras; null if unknown.',
  })
  macAddress!: string | null;

  @Field(() => DateTimeScalar, { description: 'When the camera was registered.' })
  createdAt!: string;

  @Field(() => DateTimeScalar, {
    description: 'When the camera was last changed. Status records do not count as changes.',
  })
  updatedAt!: string;

  @Field(() => Int, {
    nullable: true,
    description:
      'The longest time in seconds between two status records of a camera that works. After it, the camera counts as SILENT. null means the default of ' +
      `${DEFAULT_INTERVAL_SEC}.`,
  })
  expectedIntervalSec!: number | null;

  @Field(() => CameraStatus, {
    nullable: true,
    description:
      'The record with the greatest recordedAt, of any age (at the same time, the greatest id); null before the first record.',
  })
  lastStatus!: CameraStatus | null;

  @Field(() => Boolean, {
    description:
      'Whether the camera should record each print of its printer. If false, there are no alerts about its recordings.',
  })
  recordsPrints!: boolean;

  /** The id of the printer that the camera watches. */
  printerId!: string | null;
}

export const CameraConnection = defineConnection(
  Camera,
  'cameras',
  'The exact number of cameras that match the filter, on all pages; counted only when selected.',
);
