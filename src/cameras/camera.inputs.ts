// What clients send about cameras.
import { Field, Float, ID, InputType, Int } from 'type-graphql';
import { DateTimeScalar } from '../graphql/scalars';
import type { Camera, CameraStatus } from './camera.types';

@InputType({ description: 'Which cameras to keep; members that are left out or null keep all.' })
export class CameraFilter {
  @Field(() => Boolean, {
    nullable: true,
    description: 'Online, or offline, in the latest status. A camera without one matches neither.',
  })
  online?: boolean | null;

  @Field(() => String, {
    nullable: true,
    description: 'This recording state in the latest status, spelled exactly so.',
  })
  recordingState?: string | null;

  @Field(() => Float, { nullable: true, description: 'Battery at or below this percentage in the latest status.' })
  batteryAtMost?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Part of id or friendlyName, in any case; at most 1,000 characters.',
  })
  search?: string | null;
}

@InputType({ description: 'A camera to register.' })
export class RegisterCameraInput implements Partial<Camera> {
  @Field(() => ID, {
    description: 'Identifier of your choice, 1 to 255 characters. CONFLICT when it is registered already.',
  })
  id!: string;

  @Field(() => String, { description: 'Name for people, 1 to 1,000 characters.' })
  friendlyName!: string;

  @Field(() => String, {
    nullable: true,
    description: 'MAC address, at most 255 characters, kept as given. CONFLICT when it is registered already.',
  })
  macAddress?: string | null;
}

@InputType({ description: 'What to change about a camera; members that are left out stay as they are.' })
export class UpdateCameraInput implements Partial<Omit<Camera, 'friendlyName'>> {
  @Field(() => String, { nullable: true, description: 'Name for people, 1 to 1,000 characters; null leaves it.' })
  friendlyName?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'MAC address, at most 255 characters; null removes it. CONFLICT when another camera has it.',
  })
  macAddress?: string | null;
}

@InputType({ description: 'A status record to store.' })
export class CameraStatusInput implements Partial<Omit<CameraStatus, 'recordedAt'>> {
  @Field(() => ID, { description: 'The camera; NOT_FOUND when it is not registered.' })
  cameraId!: string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the state was observed. Left out: now, or the next millisecond that is free for this camera.',
  })
  recordedAt?: string | null;

  @Field(() => Float, { nullable: true, description: 'Battery level in percent, 0 to 100.' })
  batteryPct?: number | null;

  @Field(() => Int, { nullable: true, description: 'Remaining recording time in seconds, 0 or more.' })
  videoRemainingSec?: number | null;

  @Field(() => String, { nullable: true, description: 'What the camera is doing, at most 255 characters.' })
  recordingState?: string | null;

  @Field(() => String, { nullable: true, description: 'Capture mode, at most 255 characters.' })
  mode?: string | null;

  @Field(() => String, { nullable: true, description: 'Video resolution, at most 255 characters.' })
  resolution?: string | null;

  @Field(() => Float, { nullable: true, description: 'Frames per second, 0 or more.' })
  fps?: number | null;

  @Field(() => Boolean, { description: 'Whether the camera is online.' })
  online!: boolean;

  @Field(() => Float, { nullable: true, description: 'Unprocessed battery value, in the camera’s own unit.' })
  rawBatteryPct?: number | null;
}
