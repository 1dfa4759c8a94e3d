// Changes of the farm as the graph shows them, and the rows that they are made from.
import { type ClassType, Field, ID, InterfaceType, ObjectType } from 'type-graphql';
import type { FeedEvent } from '../../sharing/feed';
import { CameraStatus } from '../cameras/camera.types';
import { enumOf } from '../graph/enums';
import { connectionOf } from '../graph/relay-connection';
import { DateTimeScalar } from '../graph/scalars';

export const ChangeTypeEnum = enumOf('ChangeType', 'The kinds of objects that change.', {
  CAMERA: 'A camera was created, changed or removed, or an older record of its log was changed or removed.',
  CAMERA_STATUS: 'A status record was added.',
  PRINT_JOB: 'A print job.',
  OBSERVED_PRINT: 'A print that a machine reported. How far it is, is no change.',
  PRINTER: 'A printer.',
  SPOOL: 'A spool.',
  FILAMENT: 'A filament.',
  MATERIAL: 'A material.',
  DEVICE: 'A device, or the state of its connection.',
});
export type ChangeType = keyof typeof ChangeTypeEnum;

const ChangeKindEnum = enumOf('ChangeKind', 'How an object changed.', {
  CREATED: 'It is new.',
  UPDATED: 'Members of it have other values.',
  DELETED: 'It is gone.',
});
type ChangeKind = keyof typeof ChangeKindEnum;

/** Members of a job that filters look at, as they were after the change; of a deleted job, as they were last. */
export interface ChangedJob {
  fromStatus: string | null;
  toStatus: string | null;
  printerId: string;
  spoolId: string;
  dataSource: string;
  createdAt: string;
  printName: string;
  /** The spools of its parts beside its own spool. */
  partSpoolIds: readonly string[];
}

/** A committed change. */
export interface ChangeRow extends FeedEvent {
  at: string;
  type: ChangeType;
  kind: ChangeKind;
  /** The id of the object. */
  entity: string;
  /** The new record of a CAMERA_STATUS. */
  status: CameraStatus | null;
  /** Only of a PRINT_JOB. */
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

@InterfaceType({ description: 'A committed change, of the gateway or of another program that writes the tables.' })
export abstract class Change {
  @Field({
    description:
      'The position of the change in the feed, for `after`. Each change has its own. It is the same at every gateway of the ' +
      'database, after a restart and after a restore. Clients must not interpret it.',
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

/** The type of the changes of one kind of object. */
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

export const ChangeConnection = connectionOf(Change, 'changes');
