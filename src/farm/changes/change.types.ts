// Declares the GraphQL types of changes, and the rows from which they are built.
import { type ClassType, Field, ID, InterfaceType, ObjectType } from 'type-graphql';
import type { FeedEvent } from '../../sharing/feed';
import { CameraStatus } from '../cameras/camera.types';
import { defineEnum } from '../graph/enums';
import { defineConnection } from '../graph/relay-connection';
import { DateTimeScalar } from '../graph/scalars';

export const ChangeTypeEnum = defineEnum('ChangeType', 'The types of objects that change.', {
  CAMERA: 'A camera was created, changed or removed, or an older record of its log was changed or removed.',
  CAMERA_STATUS: 'A status record was added.',
  PRINT_JOB: 'A print job changed.',
  OBSERVED_PRINT: 'A print that a machine reported changed. Its progress alone is not a change.',
  PRINTER: 'A printer changed.',
  SPOOL: 'A spool changed.',
  FILAMENT: 'A filament changed.',
  MATERIAL: 'A material changed.',
  DEVICE: 'A device or the state of its connection changed.',
});
export type ChangeType = keyof typeof ChangeTypeEnum;

const ChangeKindEnum = defineEnum('ChangeKind', 'How an object changed.', {
  CREATED: 'The object was created.',
  UPDATED: 'Members of the object have new values.',
  DELETED: 'The object was removed.',
});
type ChangeKind = keyof typeof ChangeKindEnum;

/** The members of a job that filters compare, with their values after the change. For a deleted job: its last values. */
export interface ChangedJob {
  fromStatus: string | null;
  toStatus: string | null;
  printerId: string;
  spoolId: string;
  dataSource: string;
  createdAt: string;
  printName: string;
  /** The spools of the further parts of the job. `spoolId` is the spool of its first part. */
  partSpoolIds: readonly string[];
}

/** A committed change. */
export interface ChangeRow extends FeedEvent {
  at: string;
  type: ChangeType;
  kind: ChangeKind;
  /** The id of the object. */
  entity: string;
  /** The new status record; only for CAMERA_STATUS. */
  status: CameraStatus | null;
  /** Only for PRINT_JOB. */
  job: ChangedJob | null;
}

export const TYPE_NAMES: Record<ChangeType, string> = {
  CAMERA: 'CameraChanged',
  CAMERA_STATUS: 'CameraStatusRecorded',
  PRINT_JOB: 'PrintJobChanged',
  OBSERVED_PRINT: 'ObservedPrintChanged',
  PRINTER: 'PrinterChanged',
  SPOOL: 'SpoolChanged',
  FILAMENT: 'FilamentChanged',
  MATERIAL: 'MaterialChanged',
  DEVICE: 'DeviceChanged',
};

@InterfaceType({ description: 'A committed change, made by the gateway or by another program that writes the tables.' })
export abstract class Change {
  @Field({
    description:
      'The position of the change in the feed, for `after`. It is unique, and the same at every gateway of the database, after a restart and ' +
      'after a restore. Clients must not interpret it.',
  })
  cursor!: string;

  @Field(() => DateTimeScalar, { description: 'When the change was written, by the clock of the database.' })
  at!: string;
}

@ObjectType({ implements: Change, description: 'A status record was added to the log of a camera.' })
export class CameraStatusRecorded extends Change {
  @Field(() => CameraStatus, { description: 'The record.' })
  status!: CameraStatus;
}

/** Defines the GraphQL type for the changes of one type of object. */
function defineChangeType(name: string, object: string, id: string): ClassType<ChangeRow> {
  @ObjectType(name, {
    implements: Change,
    description: `${object[0] === 'o' ? 'An' : 'A'} ${object} was created, changed or removed.`,
  })
  class Changed extends Change {
    @Field(() => ChangeKindEnum, { description: `How the ${object} changed.` })
    kind!: ChangeKind;

    @Field(() => ID, { name: id, description: `The id of the ${object}.` })
    entity!: string;
  }
  return Changed as unknown as ClassType<ChangeRow>;
}

export const CameraChanged = defineChangeType(TYPE_NAMES.CAMERA, 'camera', 'cameraId');
export const PrintJobChanged = defineChangeType(TYPE_NAMES.PRINT_JOB, 'print job', 'jobId');
export const ObservedPrintChanged = defineChangeType(TYPE_NAMES.OBSERVED_PRINT, 'observed print', 'printId');
export const PrinterChanged = defineChangeType(TYPE_NAMES.PRINTER, 'printer', 'printerId');
export const SpoolChanged = defineChangeType(TYPE_NAMES.SPOOL, 'spool', 'spoolId');
export const FilamentChanged = defineChangeType(TYPE_NAMES.FILAMENT, 'filament', 'filamentId');
export const MaterialChanged = defineChangeType(TYPE_NAMES.MATERIAL, 'material', 'materialId');
export const DeviceChanged = defineChangeType(TYPE_NAMES.DEVICE, 'device', 'deviceId');

export const ChangeConnection = defineConnection(Change, 'changes');
