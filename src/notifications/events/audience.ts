// Which targets get a notification.
import type { AlertSeverity } from '../../farm/alerts/alert.types';
import type { NotificationEvent } from '../target.types';
import type { PrintEvent, PrintOrJob } from './print-events';

/** A target that is enabled. */
export interface Audience {
  id: string;
  events: readonly NotificationEvent[];
  minimumSeverity: AlertSeverity;
  /** Null for all printers. */
  printerIds: readonly string[] | null;
  /** The target gets the events of notes with greater ids than this. */
  eventsAfter: number;
}

/** The alerts of what PRINT_WAITS has said already, unless they were silenced. */
const WAITING_KINDS = ['PRINT_WAITS', 'PRINT_UNRESOLVED'];

/** While the alert of a waiting print is put aside, no target gets PRINT_WAITS. A target gets the events after it was enabled. */
export function choosePrintTargets(
  targets: readonly Audience[],
  { event, changeId }: Pick<PrintEvent, 'event' | 'changeId'>,
  { printerId, isSilenced }: Pick<PrintOrJob, 'printerId' | 'isSilenced'>,
): string[] {
  if (event === 'PRINT_WAITS' && isSilenced) return [];
  return targets
    .filter((one) => one.events.includes(event) && one.eventsAfter < changeId && concerns(one, printerId))
    .map(({ id }) => id);
}

/** @param printerId that it concerns; null for none: then it is for all */
export function chooseAlertTargets(
  targets: readonly Audience[],
  alert: {
    kind: string;
    about: string;
    id: string;
    severity: AlertSeverity;
    printerId: string | null;
    wasSilenced: boolean;
  },
): string[] {
  return targets
    .filter(
      (one) =>
        one.events.includes('ALERT_RAISED') &&
        (alert.severity === 'CRITICAL' || one.minimumSeverity === 'WARNING') &&
        !(WAITING_KINDS.includes(alert.kind) && one.events.includes('PRINT_WAITS') && !alert.wasSilenced) &&
        // Only the others can be reached.
        !(alert.about === 'notificationTarget' && alert.id === one.id) &&
        (alert.printerId === null || concerns(one, alert.printerId)),
    )
    .map(({ id }) => id);
}

/** @param raised the targets that got its raise */
export const chooseClearedTargets = (targets: readonly Audience[], raised: readonly string[]): string[] =>
  targets.filter((one) => one.events.includes('ALERT_CLEARED') && raised.includes(one.id)).map(({ id }) => id);

const concerns = ({ printerIds }: Audience, printerId: string) => printerIds?.includes(printerId) ?? true;
