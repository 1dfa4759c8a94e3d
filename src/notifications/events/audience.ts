// Decides which targets get a notification.
import type { AlertSeverity } from '../../farm/alerts/alert.types';
import type { NotificationEvent } from '../target.types';
import type { PrintEvent, PrintOrJob } from './print-events';

/** A target that is enabled. */
export interface Audience {
  id: string;
  events: readonly NotificationEvent[];
  minimumSeverity: AlertSeverity;
  /** `null` for all printers. */
  printerIds: readonly string[] | null;
  /** The target gets the events of notes with greater ids: those that were written after it was enabled. */
  eventsAfter: number;
}

/** A target with the event PRINT_WAITS gets these alerts only after a silence, because the event has already reported the same. */
const WAITING_KINDS = ['PRINT_WAITS', 'PRINT_UNRESOLVED'];

/** While the alert of a waiting print is silenced, no target gets PRINT_WAITS. */
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

/** An alert without a printer goes to all targets, whatever printers they have chosen. */
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
        // The alert reports that this target cannot be reached, so only other targets get it.
        !(alert.about === 'notificationTarget' && alert.id === one.id) &&
        (alert.printerId === null || concerns(one, alert.printerId)),
    )
    .map(({ id }) => id);
}

/** @param raised the ids of the targets that got ALERT_RAISED */
export const chooseClearedTargets = (targets: readonly Audience[], raised: readonly string[]): string[] =>
  targets.filter((one) => one.events.includes('ALERT_CLEARED') && raised.includes(one.id)).map(({ id }) => id);

const concerns = ({ printerIds }: Audience, printerId: string) => printerIds?.includes(printerId) ?? true;
