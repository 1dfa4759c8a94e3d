// Alerts as the graph shows them.
import { Field, Int, ObjectType } from 'type-graphql';
import { enumOf } from '../graph/enums';
import { DateTimeScalar } from '../graph/scalars';
import { MAX_NEW_PRINTS } from '../prints/device-prints.store';
import {
  BATTERY_FALL_PCT,
  BATTERY_LINE_MIN,
  BATTERY_RECORDS,
  EARLY_MIN,
  EARLY_SHARE,
  EMPTY_BATTERY_PCT,
  EMPTY_STORAGE_SEC,
  FAILED_AFTER_HOURS,
  FILM_DAYS,
  FILM_RECORDS,
  LOW_BATTERY_PCT,
  LOW_STORAGE_SEC,
  STUCK_DAYS,
  UNKNOWN_DAYS,
} from './alert.limits';

export const AlertSeverityEnum = enumOf('AlertSeverity', 'How urgent an alert is.', {
  CRITICAL:
    'Records are being lost now, or will be within minutes: CAMERA_LOST, PRINTER_LOST, PRINTS_LEFT_OUT, BATTERY_LOW at ' +
    `${EMPTY_BATTERY_PCT} percent or less, STORAGE_LOW at ${EMPTY_STORAGE_SEC} seconds or less, STOCK_LOW without a free gram.`,
  WARNING: 'A print or a recording will fail, or a record stays incomplete, if the condition stays: all others.',
});
export type AlertSeverity = keyof typeof AlertSeverityEnum;

export const AlertKindEnum = enumOf('AlertKind', 'Conditions of the farm that need attention.', {
  CAMERA_LOST:
    'A camera is OFFLINE or SILENT. `since` is the time of the first record that says offline behind the last one that does not (as far as ' +
    `${FILM_DAYS} days back), for SILENT that of its latest record plus expectedIntervalSec.`,
  BATTERY_LOW: `The battery is at or below ${LOW_BATTERY_PCT} percent in the latest record of a camera that is LIVE. \`since\` is the time of that record.`,
  STORAGE_LOW: `Less than ${LOW_STORAGE_SEC} seconds of video are left in the latest record of a camera that is LIVE and does not record in a loop (mode looping). \`since\` is the time of that record.`,
  SPOOL_SHORT:
    'remainingGrams less plannedGrams is below 0 on a spool that a queued or printing job uses. `since` is ' +
    'the createdAt of the newest of these jobs.',
  STOCK_LOW:
    'A filament is low (stock.isLow). `since` is the newest change of its jobs, adjustments and spools, or of itself.',
  JOB_STUCK: `A job is PRINTING for more than ${STUCK_DAYS} days without an update. \`since\` is its updatedAt plus ${STUCK_DAYS} days.`,
  PRINT_WAITS:
    'Observed prints of a printer wait for their spools (waitsFor SPOOL): assignSpoolsToPrints says them. One alert a printer, from the ' +
    'first print that waits until none is left. `since` is the createdAt of the oldest that still waits.',
  PRINT_UNRESOLVED:
    'What became of an observed print is not known (waitsFor OUTCOME): resolvePrint says it. `since` is when the print was ' +
    'last heard of.',
  DEVICE_REFUSED:
    'A machine does not let the gateway in: its credentials, its certificate or its kind are wrong. `since` is when it ' +
    'first refused.',
  PRINTER_LOST:
    'A printer is not heard of for longer than its kind allows while an observed print is RUNNING. `since` is when it was last ' +
    'heard of.',
  PRINTS_LEFT_OUT:
    `A machine reports what is not recorded. TOO_MUCH_DATA: more than ${MAX_NEW_PRINTS} new prints in an hour, of which no further one is ` +
    'recorded until the hour is over. PROTOCOL_ERROR: something that could not be written three times, and was put aside. `since` is ' +
    'when it began.',
  FILAMENT_UNKNOWN:
    `The jobs of observed prints that ended on a printer in the last ${UNKNOWN_DAYS} days have 0 grams of a slot, because nothing is known of ` +
    'their filament, and nobody has changed these jobs since. One alert a printer. `since` is the end of the oldest of these prints.',
  NOT_FILMED:
    'A camera with recordsPrints is online and does not record, and has not recorded in the job that its printer prints for a minute. ' +
    `What it recorded more than ${FILM_DAYS} days ago, or before its newest records of ${FILM_RECORDS} of all such cameras, does not ` +
    'count. `since` is the startedAt of the job.',
  FILM_STOPPED:
    'A camera with recordsPrints is online, has recorded in the job that its printer prints, and does not for longer than its ' +
    'expectedIntervalSec. `since` is the end of what it recorded.',
  FILM_ENDS_EARLY:
    'A camera with recordsPrints records, and its videoRemainingSec (not in the modes timelapse and looping) or its battery ends before the job that its ' +
    `printer prints: by more than ${EARLY_SHARE * 100} percent of what remains of it, and at least ${EARLY_MIN} minutes. The battery ends ` +
    `by a line through what it recorded in the last ${BATTERY_LINE_MIN} minutes: at least ${BATTERY_RECORDS} records, at least ` +
    `${BATTERY_FALL_PCT} percent fallen, none rising. The print ends by the remainingSec of its printer, else by the seconds of its plan. ` +
    '`since` is the time of the record that shows it.',
  NOTIFICATION_FAILS:
    `Nothing was delivered to a notification target for ${FAILED_AFTER_HOURS} hours while something waited. It is sent to all targets but itself. \`since\` is ` +
    'when the target was given up.',
});
export type AlertKind = keyof typeof AlertKindEnum;

/** The kinds of objects that alerts are about. */
export type AlertObject = 'camera' | 'printJob' | 'spool' | 'filament' | 'printer' | 'print' | 'notificationTarget';

@ObjectType({ description: 'An alert that a person or a program has put aside.', simpleResolvers: true })
export class AlertSilence {
  @Field(() => String, {
    nullable: true,
    description: 'Who silenced it: the name in the credentials; null where no credentials are needed.',
  })
  by!: string | null;

  @Field(() => DateTimeScalar, { description: 'When that was.' })
  at!: string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When it ends; null: when the alert has been gone for a minute.',
  })
  until!: string | null;
}

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

  @Field(() => Int, {
    nullable: true,
    description:
      'Of PRINT_WAITS and FILAMENT_UNKNOWN, how many prints of the printer it is about; null of other kinds.',
  })
  prints!: number | null;

  @Field(() => AlertSilence, { nullable: true, description: 'Who has put it aside, and until when; null: nobody.' })
  silence!: AlertSilence | null;

  /** The kind and the id of the object. */
  about!: AlertObject;

  id!: string;
  /** The newest of `prints`. */
  printId!: string | null;
}
