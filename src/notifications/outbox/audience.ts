// Who is told of a notification.
import type { AlertSeverity } from '../../farm/alerts/alert.types';
import type { NotificationEvent } from '../target.types';

/** A target that is enabled. */
export interface Audience {
  id: string;
  events: readonly NotificationEvent[];
  minimumSeverity: AlertSeverity;
  /** Null where it is told of all printers. */
  printerIds: readonly string[] | null;
  /** It is told of changes of the feed with greater ids. */
  toldFrom: number;
}

/** The alerts that PRINT_WAITS tells at once. */
const OF_WAITING = ['PRINT_WAITS', 'PRINT_UNRESOLVED'];

/** @param changeId in the feed: a target is told of what happens after it was enabled */
export function toldOfPrint(
  targets: readonly Audience[],
  { event, changeId, printerId }: { event: NotificationEvent; changeId: number; printerId: string },
): string[] {
  return targets
    .filter((one) => one.events.includes(event) && one.toldFrom < changeId && concerns(one, printerId))
    .map(({ id }) => id);
}

/** @param printerId that it concerns; null: none, and it is told all the same */
export function toldOfAlert(
  targets: readonly Audience[],
  alert: { kind: string; about: string; id: string; severity: AlertSeverity; printerId: string | null },
): string[] {
  return targets
    .filter(
      (one) =>
        one.events.includes('ALERT_RAISED') &&
        (alert.severity === 'CRITICAL' || one.minimumSeverity === 'WARNING') &&
        !(OF_WAITING.includes(alert.kind) && one.events.includes('PRINT_WAITS')) &&
        // That it cannot be reached is told to the others.
        !(alert.about === 'notificationTarget' && alert.id === one.id) &&
        (alert.printerId === null || concerns(one, alert.printerId)),
    )
    .map(({ id }) => id);
}

/** @param told the targets that were told of its raise */
export const toldOfClearing = (targets: readonly Audience[], told: readonly string[]): string[] =>
  targets.filter((one) => one.events.includes('ALERT_CLEARED') && told.includes(one.id)).map(({ id }) => id);

const concerns = ({ printerIds }: Audience, printerId: string) => printerIds?.includes(printerId) ?? true;
