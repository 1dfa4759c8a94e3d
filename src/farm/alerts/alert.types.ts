// Declares the GraphQL types of alerts, and describes the condition of each kind of alert.
import { Field, Int, ObjectType } from 'type-graphql';
import { defineEnum } from '../graph/enums';
import { DateTimeScalar } from '../graph/scalars';
import { MAX_NEW_PRINTS } from '../prints/device-history.store';
import {
  EMPTY_BATTERY_PCT,
  EMPTY_STORAGE_SEC,
  FILM_DAYS,
  FILM_RECORDS,
  LOW_BATTERY_PCT,
  LOW_STORAGE_SEC,
  STUCK_DAYS,
  UNKNOWN_DAYS,
} from './alert.limits';
import { BATTERY_FALL_PCT, BATTERY_LINE_MIN, BATTERY_RECORDS, EARLY_MIN, EARLY_SHARE } from './recording-alerts.rows';

export const AlertSeverityEnum = defineEnum('AlertSeverity', 'How urgent an alert is.', {
  CRITICAL:
    'A print has stopped, or records are being lost now or will be within minutes: CAMERA_LOST, PRINTER_LOST, PRINTER_FAULT, ' +
    'PRINTS_LEFT_OUT, BATTERY_LOW at ' +
    `${EMPTY_BATTERY_PCT} percent or less, STORAGE_LOW at ${EMPTY_STORAGE_SEC} seconds or less, STOCK_LOW without a free gram.`,
  WARNING: 'A print or a recording will fail, or a record will stay incomplete, if nobody acts: all other kinds.',
});
export type AlertSeverity = keyof typeof AlertSeverityEnum;

export const AlertKindEnum = defineEnum('AlertKind', 'Conditions of the farm that need attention.', {
  CAMERA_LOST:
    'A camera is OFFLINE or SILENT. For OFFLINE, `since` is the time of the first record that reports offline after the last one that reports ' +
    `online (looked for in the last ${FILM_DAYS} days); for SILENT it is the time of the newest record plus expectedIntervalSec.`,
  BATTERY_LOW:
    `The battery of a camera that is LIVE is at or below ${LOW_BATTERY_PCT} percent, by the record that decides its liveness. CRITICAL at ` +
    `${EMPTY_BATTERY_PCT} percent or less. \`since\` is the time of that record.`,
  STORAGE_LOW:
    `A camera that is LIVE and does not record in a loop (mode looping) has room for less than ${LOW_STORAGE_SEC} seconds of video, by the ` +
    `record that decides its liveness. CRITICAL at ${EMPTY_STORAGE_SEC} seconds or less. \`since\` is the time of that record.`,
  SPOOL_SHORT:
    'A spool that a queued or printing job uses has less remainingGrams than plannedGrams. `since` is the createdAt of the newest of ' +
    'these jobs.',
  STOCK_LOW:
    'A filament is low (stock.isLow). CRITICAL when stock.freeGrams is 0 or less. `since` is the newest change of its jobs, adjustments ' +
    'and spools, or of the filament itself.',
  JOB_STUCK: `A job has been PRINTING for more than ${STUCK_DAYS} days without an update. \`since\` is its updatedAt plus ${STUCK_DAYS} days.`,
  PRINT_WAITS:
    'Observed prints of a printer wait for their spools (waitsFor SPOOL): choose them with assignSpoolsToPrints. One alert for each ' +
    'printer, from the first print that waits until none is left. `since` is the createdAt of the oldest print that still waits.',
  PRINT_UNRESOLVED:
    'The ends of observed prints of a printer are unknown (waitsFor OUTCOME): enter them with resolvePrints. One alert for each printer, from ' +
    'the first such print until none is left. `since` is the earliest of the times at which these prints were last reported.',
  DEVICE_REFUSED:
    'The gateway cannot connect to a machine until a user corrects its credentials, its certificate or its kind. `since` is the ' +
    'time of the first refusal.',
  PRINTER_LOST:
    'A printer has sent nothing for longer than its kind allows while an observed print is RUNNING. `since` is the time of its last ' +
    'message.',
  PRINTER_FAULT:
    'A printer reports a fault (activity ERROR). `message` has the text of the printer, if it reports one. The alert clears when the ' +
    'printer no longer reports the fault, or can no longer be reached. `since` is the time at which the fault was first reported.',
  PRINTER_PAUSED:
    'A printer has paused its print, for example because it ran out of filament. `message` has the text of the printer, if it reports one. ' +
    'No alert if the printer reports that a user paused the print (isPausedByUser). `since` is the time at which the pause was first reported.',
  PRINTS_LEFT_OUT:
    `A machine reports prints that are not recorded. TOO_MUCH_DATA: it reported more than ${MAX_NEW_PRINTS} new prints in an hour, and ` +
    'further prints are not recorded until the hour is over. PROTOCOL_ERROR: the gateway failed to write a change three times and skipped it. ' +
    '`since` is the time at which the first print or change was not recorded.',
  FILAMENT_UNKNOWN:
    `The jobs of observed prints that ended on a printer in the last ${UNKNOWN_DAYS} days have 0 grams for a slot, because the filament ` +
    'use of the slot is unknown, and nobody has changed these jobs since. One alert for each printer. `since` is the end of the oldest ' +
    'of these prints.',
  NOT_FILMED:
    'A camera with recordsPrints is online, does not record, and has recorded nothing of the job that its printer has been printing for ' +
    `a minute. Records older than ${FILM_DAYS} days do not count, and neither do records before the newest ${FILM_RECORDS} of all such cameras. ` +
    '`since` is the startedAt of the job.',
  FILM_STOPPED:
    'A camera with recordsPrints is online, has recorded a part of the job that its printer prints, and has not recorded for longer than ' +
    'its expectedIntervalSec. `since` is the end of what it recorded.',
  FILM_ENDS_EARLY:
    'A camera with recordsPrints records, but its videoRemainingSec (not in the modes timelapse and looping) or its battery ends before ' +
    `the job that its printer prints: by more than ${EARLY_SHARE * 100} percent of the remaining time, and at least ${EARLY_MIN} minutes. ` +
    `The end of the battery is predicted by a line through its records of the last ${BATTERY_LINE_MIN} minutes: at least ` +
    `${BATTERY_RECORDS} records, of which none rises, and a fall of at least ${BATTERY_FALL_PCT} percent. The end of the print is predicted by the ` +
    'remainingSec of its printer, else by the seconds of its plan. `since` is the time of the record from which this follows.',
  NOTIFICATION_FAILS:
    'A notification target is FAILED. The alert is sent to all other targets. `since` is the time at which the target became FAILED.',
});
export type AlertKind = keyof typeof AlertKindEnum;

/** The kinds of objects that alerts are about. */
export type AlertObject = 'camera' | 'printJob' | 'spool' | 'filament' | 'printer' | 'notificationTarget';

@ObjectType({
  description: 'The silence of an alert: until it ends, the alert is not sent and not counted.',
  simpleResolvers: true,
})
export class AlertSilence {
  @Field(() => String, {
    nullable: true,
    description: 'Who silenced the alert: the name in the credentials; null if the gateway requires no credentials.',
  })
  by!: string | null;

  @Field(() => DateTimeScalar, { description: 'When the alert was silenced.' })
  at!: string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the silence ends; null: when the alert has been resolved for a minute.',
  })
  until!: string | null;
}

@ObjectType({ description: 'An active alert: a condition of the farm that needs attention.', simpleResolvers: true })
export class Alert {
  @Field(() => AlertKindEnum, { description: 'The condition that needs attention.' })
  kind!: AlertKind;

  @Field(() => AlertSeverityEnum, { description: 'How urgent it is.' })
  severity!: AlertSeverity;

  @Field(() => String, { description: 'What happened and what to do, in English, with names and figures.' })
  message!: string;

  @Field(() => DateTimeScalar, {
    description: 'Since when the alert has been active. AlertKind describes this time for each kind.',
  })
  since!: string;

  @Field(() => Int, {
    nullable: true,
    description:
      'For PRINT_WAITS, PRINT_UNRESOLVED and FILAMENT_UNKNOWN: the number of prints of the printer that the alert is about. null for other kinds.',
  })
  prints!: number | null;

  @Field(() => AlertSilence, {
    nullable: true,
    description: 'Who silenced the alert, and until when; null if the alert is not silenced.',
  })
  silence!: AlertSilence | null;

  /** The kind and the id of the object that the alert is about. */
  about!: AlertObject;

  id!: string;
  /** The id of the newest of `prints`. */
  printId!: string | null;
}
