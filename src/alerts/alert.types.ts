// Alerts as the graph shows them.
import { Field, ObjectType } from 'type-graphql';
import { enumOf } from '../graph/enums';
import { DateTimeScalar } from '../graph/scalars';
import { LOW_BATTERY_PCT, LOW_STORAGE_SEC, STUCK_DAYS } from './alert.limits';

const AlertSeverityEnum = enumOf('AlertSeverity', 'How urgent an alert is.', {
  CRITICAL: 'Records are being lost now: CAMERA_LOST.',
  WARNING: 'A print or a recording will fail if the condition stays: all other kinds.',
});
type AlertSeverity = keyof typeof AlertSeverityEnum;

const AlertKindEnum = enumOf('AlertKind', 'Conditions of the farm that need attention.', {
  CAMERA_LOST:
    'A camera is OFFLINE or SILENT. `since` is the time of its latest record, for SILENT plus expectedIntervalSec.',
  BATTERY_LOW: `The battery is at or below ${LOW_BATTERY_PCT} percent in the latest record of a camera that is LIVE. \`since\` is the time of that record.`,
  STORAGE_LOW: `Less than ${LOW_STORAGE_SEC} seconds of video are left in the latest record of a camera that is LIVE. \`since\` is the time of that record.`,
  SPOOL_SHORT:
    'remainingGrams less plannedGrams is below 0 on a spool that a queued or printing job uses. `since` is ' +
    'the createdAt of the newest of these jobs.',
  JOB_STUCK: `A job is PRINTING for more than ${STUCK_DAYS} days without an update. \`since\` is its updatedAt plus ${STUCK_DAYS} days.`,
});
export type AlertKind = keyof typeof AlertKindEnum;

export const SEVERITY_OF: Record<AlertKind, AlertSeverity> = {
  CAMERA_LOST: 'CRITICAL',
  BATTERY_LOW: 'WARNING',
  STORAGE_LOW: 'WARNING',
  SPOOL_SHORT: 'WARNING',
  JOB_STUCK: 'WARNING',
};

@ObjectType({ description: 'Something that needs attention.', simpleResolvers: true })
export class Alert {
  @Field(() => AlertKindEnum, { description: 'The condition that needs attention.' })
  kind!: AlertKind;

  @Field(() => AlertSeverityEnum, { description: 'How urgent it is.' })
  severity!: AlertSeverity;

  @Field(() => String, { description: 'A sentence for people, in English, with names and figures.' })
  message!: string;

  @Field(() => DateTimeScalar, { description: 'When it began; see the kinds.' })
  since!: string;

  /** The id of the camera, job or spool. */
  id!: string;
}
