// Declares the GraphQL inputs of cameras and status records.
import { Field, Float, ID, InputType, Int } from 'type-graphql';
import { DateTimeScalar } from '../graph/scalars';
import {
  DEFAULT_INTERVAL_SEC,
  MAX_FRIENDLY_NAME_LENGTH,
  MAX_HOURS_AHEAD,
  MAX_INTERVAL_SEC,
  MAX_TEXT_LENGTH,
} from './camera.limits';
import type { Camera, CameraStatus } from './camera.types';

@InputType({
  description: 'Selects the cameras that match every member. A member that is left out or null matches all cameras.',
})
export class CameraFilter {
  @Field(() => Boolean, {
    nullable: true,
    description:
      'Cameras that are online (true) or offline (false) by their latest status. A camera without a status matches neither.',
  })
  online?: boolean | null;

  @Field(() => String, {
    nullable: true,
    description: 'Cameras whose latest status has this recording state, with the same spelling.',
  })
  recordingState?: string | null;

  @Field(() => Float, {
    nullable: true,
    description: 'Cameras whose battery is at or below this percentage by their latest status.',
  })
  batteryAtMost?: number | null;

  @Field(() => String, {
    nullable: true,
    description: `A part of id or friendlyName, in upper or lower case; at most ${MAX_FRIENDLY_NAME_LENGTH} characters.`,
  })
  search?: string | null;
}

@InputType({ description: 'A camera to register.' })
export class RegisterCameraInput implements Partial<Omit<Camera, 'recordsPrints'>> {
  @Field(() => ID, {
    description: `Identifier of your choice, 1 to ${MAX_TEXT_LENGTH} characters. CONFLICT if it is already registered.`,
  })
  id!: string;

  @Field(() => String, { description: `Display name, 1 to ${MAX_FRIENDLY_NAME_LENGTH} characters.` })
  friendlyName!: string;

  @Field(() => String, {
    nullable: true,
    description: `MAC address, at most ${MAX_TEXT_LENGTH} characters, stored as given. An empty text means no address. CONFLICT if it is already registered.`,
  })
  macAddress?: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'GUID of the printer that the camera watches. BAD_USER_INPUT if there is no such printer.',
  })
  printerId?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the camera should record each print of its printer; false if left out.',
  })
  recordsPrints?: boolean | null;
}

@InputType({ description: 'Changes to a camera. Members that are left out stay as they are.' })
export class UpdateCameraInput implements Partial<Omit<Camera, 'friendlyName' | 'recordsPrints'>> {
  @Field(() => String, {
    nullable: true,
    description: `Display name, 1 to ${MAX_FRIENDLY_NAME_LENGTH} characters; null leaves it unchanged.`,
  })
  friendlyName?: string | null;

  @Field(() => String, {
    nullable: true,
    description: `MAC address, at most ${MAX_TEXT_LENGTH} characters; null or an empty text removes it. CONFLICT if another camera has it.`,
  })
  macAddress?: string | null;

  @Field(() => Int, {
    nullable: true,
    description:
      `The longest time in seconds between two status records of a camera that works, 1 to ${MAX_INTERVAL_SEC}. After it, the camera counts as ` +
      `SILENT. null sets the default of ${DEFAULT_INTERVAL_SEC}.`,
  })
  expectedIntervalSec?: number | null;

  @Field(() => ID, {
    nullable: true,
    description:
      'GUID of the printer that the camera watches; null for none. BAD_USER_INPUT if there is no such printer.',
  })
  printerId?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the camera should record each print of its printer; null leaves it unchanged.',
  })
  recordsPrints?: boolean | null;
}

@InputType({ description: 'A status record to store.' })
export class CameraStatusInput implements Partial<Omit<CameraStatus, 'recordedAt'>> {
  @Field(() => ID, { description: 'The id of the camera; NOT_FOUND if the camera is not registered.' })
  cameraId!: string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      `When the state was observed; at most ${MAX_HOURS_AHEAD} hours ahead of the gateway’s clock, else BAD_USER_INPUT. ` +
      'If left out: now, or the next free millisecond of this camera.',
  })
  recordedAt?: string | null;

  @Field(() => Float, { nullable: true, description: 'Battery level in percent, 0 to 100.' })
  batteryPct?: number | null;

  @Field(() => Int, { nullable: true, description: 'Remaining recording time in seconds, 0 or more.' })
  videoRemainingSec?: number | null;

  @Field(() => String, {
    nullable: true,
    description: `Recording state as the camera reports it, at most ${MAX_TEXT_LENGTH} characters.`,
  })
  recordingState?: string | null;

  @Field(() => String, { nullable: true, description: `Capture mode, at most ${MAX_TEXT_LENGTH} characters.` })
  mode?: string | null;

  @Field(() => String, { nullable: true, description: `Video resolution, at most ${MAX_TEXT_LENGTH} characters.` })
  resolution?: string | null;

  @Field(() => Float, { nullable: true, description: 'Frames per second, 0 or more.' })
  fps?: number | null;

  @Field(() => Boolean, { description: 'Whether the camera is online.' })
  online!: boolean;

  @Field(() => Float, { nullable: true, description: 'Unprocessed battery value, in the unit of the camera.' })
  rawBatteryPct?: number | null;
}
