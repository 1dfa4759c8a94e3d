// What needs attention, as the graph shows it.
import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { DateTimeScalar } from '../graph/scalars';
import { LOW_BATTERY_PCT, LOW_STORAGE_SEC, STUCK_DAYS } from './alert.limits';

export const AlertSeverityEnum = { CRITICAL: 'CRITICAL', WARNING: 'WARNING' } as const;
export type AlertSeverity = keyof typeof AlertSeverityEnum;

/** The kinds of alerts with their severities. */
export const SEVERITY_OF = {
  CAMERA_LOST: 'CRITICAL',
  BATTERY_LOW: 'WARNING',
  STORAGE_LOW: 'WARNING',
  SPOOL_SHORT: 'WARNING',
  JOB_STUCK: 'WARNING',
} as const satisfies Record<string, AlertSeverity>;
export type AlertKind = keyof typeof SEVERITY_OF;

export const AlertKindEnum = Object.fromEntries(Object.keys(SEVERITY_OF).map((kind) => [kind, kind])) as {
  [Kind in AlertKind]: Kind;
};

registerEnumType(AlertSeverityEnum, {
  name: 'AlertSeverity',
  description: 'How urgent an alert is.',
  valuesConfig: {
    CRITICAL: { description: 'Something is lost while it is not cared for: CAMERA_LOST.' },
    WARNING: { description: 'Something will go wrong unless it is cared for: all other kinds.' },
  },
});

registerEnumType(AlertKindEnum, {
  name: 'AlertKind',
  description: 'What needs attention.',
  valuesConfig: {
    CAMERA_LOST: {
      description:
        'A camera is OFFLINE, since its latest record, or SILENT, since expectedIntervalSec after that record.',
    },
    BATTERY_LOW: {
      description: `The battery is at or below ${LOW_BATTERY_PCT} percent in the latest record of a camera that is LIVE, since that record.`,
    },
    STORAGE_LOW: {
      description: `Less than ${LOW_STORAGE_SEC} seconds of video are left in the latest record of a camera that is LIVE, since that record.`,
    },
    SPOOL_SHORT: {
      description:
        'remainingGrams less plannedGrams is below 0 on a spool that a queued or printing job uses, since the newest of ' +
        'these jobs was created.',
    },
    JOB_STUCK: {
      description: `A job is PRINTING for more than ${STUCK_DAYS} days without an update, since ${STUCK_DAYS} days after its updatedAt.`,
    },
  },
});

@ObjectType({ description: 'Something that needs attention.', simpleResolvers: true })
export class Alert {
  @Field(() => AlertKindEnum, { description: 'What it is.' })
  kind!: AlertKind;

  @Field(() => AlertSeverityEnum, { description: 'How urgent it is.' })
  severity!: AlertSeverity;

  @Field(() => String, { description: 'A sentence for people, in English, with names and figures.' })
  message!: string;

  @Field(() => DateTimeScalar, { description: 'When it began; see the kinds.' })
  since!: string;

  /** Of the camera, job or spool. */
  id!: string;
}
