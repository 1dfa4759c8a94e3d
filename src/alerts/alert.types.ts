// Alerts as the graph shows them.
import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { DateTimeScalar } from '../graph/scalars';
import { LOW_BATTERY_PCT, LOW_STORAGE_SEC, STUCK_DAYS } from './alert.limits';

const AlertSeverityEnum = { CRITICAL: 'CRITICAL', WARNING: 'WARNING' } as const;
type AlertSeverity = keyof typeof AlertSeverityEnum;

/** The kinds of alerts with their severities. */
export const SEVERITY_OF = {
  CAMERA_LOST: 'CRITICAL',
  BATTERY_LOW: 'WARNING',
  STORAGE_LOW: 'WARNING',
  SPOOL_SHORT: 'WARNING',
  JOB_STUCK: 'WARNING',
} as const satisfies Record<string, AlertSeverity>;
export type AlertKind = keyof typeof SEVERITY_OF;

const AlertKindEnum = Object.fromEntries(Object.keys(SEVERITY_OF).map((kind) => [kind, kind])) as {
  [Kind in AlertKind]: Kind;
};

registerEnumType(AlertSeverityEnum, {
  name: 'AlertSeverity',
  description: 'How urgent an alert is.',
  valuesConfig: {
    CRITICAL: { description: 'Records are being lost now: CAMERA_LOST.' },
    WARNING: { description: 'A print or a recording will fail if the condition stays: all other kinds.' },
  },
});

registerEnumType(AlertKindEnum, {
  name: 'AlertKind',
  description: 'Conditions of the farm that need attention.',
  valuesConfig: {
    CAMERA_LOST: {
      description:
        'A camera is OFFLINE or SILENT. `since` is the time of its latest record, for SILENT plus expectedIntervalSec.',
    },
    BATTERY_LOW: {
      description: `The battery is at or below ${LOW_BATTERY_PCT} percent in the latest record of a camera that is LIVE. \`since\` is the time of that record.`,
    },
    STORAGE_LOW: {
      description: `Less than ${LOW_STORAGE_SEC} seconds of video are left in the latest record of a camera that is LIVE. \`since\` is the time of that record.`,
    },
    SPOOL_SHORT: {
      description:
        'remainingGrams less plannedGrams is below 0 on a spool that a queued or printing job uses. `since` is ' +
        'the createdAt of the newest of these jobs.',
    },
    JOB_STUCK: {
      description: `A job is PRINTING for more than ${STUCK_DAYS} days without an update. \`since\` is its updatedAt plus ${STUCK_DAYS} days.`,
    },
  },
});

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
