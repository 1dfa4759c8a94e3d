// Decides which channels get a notification.
import type { AlertSeverity } from '../../farm/alerts/alert.types';
import type { NotificationEvent } from '../target.types';
import type { PrintEvent, PrintOrJob } from './print-events';

/** A channel that is enabled. */
export interface Audience {
  id: string;
  events: readonly NotificationEvent[];
  minimumSeverity: AlertSeverity;
  /** `null` for all printers. */
  printerIds: readonly string[] | null;
  /** The channel gets only the events of notes with greater ids, which were written after the channel was enabled. */
  eventsAfter: number;
}

/** A channel with the event PRINT_WAITS gets these alerts only after a silence, because the event has already reported the same. */
const WAITING_KINDS = ['PRINT_WAITS', 'PRINT_UNRESOLVED'];

/** While the alert of a waiting print is silenced, no channel gets PRINT_WAITS. */
export function choosePrintTargets(
  targets: readonly Audience[],
  { event, changeId }: Pick<PrintEvent, 'event' | 'changeId'>,
  { printerId, isSilenced }: Pick<PrintOrJob, 'printerId' | 'isSilenced'>,
): string[] {
  if (event === 'PRINT_WAITS' && isSilenced) return [];
  return targets
    .filter(
      (target) => target.events.includes(event) && target.eventsAfter < changeId && concernsPrinter(target, printerId),
    )
    .map(({ id }) => id);
}

/** An alert without a printer goes to all channels, whatever printers they have chosen. */
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
      (target) =>
        target.events.includes('ALERT_RAISED') &&
        (alert.severity === 'CRITICAL' || target.minimumSeverity === 'WARNING') &&
        !(WAITING_KINDS.includes(alert.kind) && target.events.includes('PRINT_WAITS') && !alert.wasSilenced) &&
        // The alert reports that this channel cannot be reached, so only other channels get it.
        !(alert.about === 'notificationTarget' && alert.id === target.id) &&
        (alert.printerId === null || concernsPrinter(target, alert.printerId)),
    )
    .map(({ id }) => id);
}

/** @param raised the ids of the channels that got ALERT_RAISED */
export const chooseClearedTargets = (targets: readonly Audience[], raised: readonly string[]): string[] =>
  targets.filter((target) => target.events.includes('ALERT_CLEARED') && raised.includes(target.id)).map(({ id }) => id);

const concernsPrinter = ({ printerIds }: Audience, printerId: string) => printerIds?.includes(printerId) ?? true;
