// Adds targets, and runs the process that reports to them step by step, with its own lease.
import { randomUUID } from 'node:crypto';
import type { Queryable } from '../../src/database/queryable';
import { AlertReporter } from '../../src/notifications/events/alert-reporter';
import type { AlertServiceFactory } from '../../src/notifications/events/alert-service-factory';
import { PrintReporter } from '../../src/notifications/events/print-reporter';
import type { ReporterLease } from '../../src/notifications/events/reporter.store';
import { AlertServices } from '../../src/services';
import type { Gateway, Parsed } from './gateway';

export const ALL_EVENTS = ['PRINT_BEGAN', 'PRINT_ENDED', 'PRINT_WAITS', 'ALERT_RAISED', 'ALERT_CLEARED'];

interface Target {
  events?: readonly string[];
  minimumSeverity?: string;
  printerIds?: readonly string[];
  enabled?: boolean;
}

/** @returns the id */
export async function addTarget(gateway: Gateway, target: Target = {}): Promise<string> {
  const { events = ALL_EVENTS, minimumSeverity = 'WARNING', printerIds = [], enabled = true } = target;
  const id = randomUUID();
  await gateway.sql(`insert into notification_targets (id, kind, name, url, events, minimum_severity, some_printers, enabled, state)
    values ('${id}', 'WEBHOOK', 'Home', 'http://127.0.0.1:9/${id}', '{${events.join()}}', '${minimumSeverity}',
      ${printerIds.length > 0}, ${enabled}, '${enabled ? 'OK' : 'DISABLED'}')`);
  for (const printerId of printerIds)
    await gateway.sql(`insert into notification_target_printers values ('${id}', '${printerId}')`);
  return id;
}

export const setEnabled = (gateway: Gateway, id: string, enabled: boolean) =>
  gateway.sql(
    `update notification_targets set enabled = ${enabled}, state = '${enabled ? 'OK' : 'DISABLED'}' where id = '${id}'`,
  );

/** Takes the lease as another process. */
export async function takeLease(
  gateway: Gateway,
  holder: string = randomUUID(),
): Promise<{ holder: string; number: string }> {
  const [row] = await gateway.sql(`insert into leases as l (name, holder, number, until)
    values ('notifications', '${holder}', 1, '2099-01-01')
    on conflict (name) do update set holder = excluded.holder, number = l.number + 1, until = excluded.until
    returning number::text`);
  return { holder, number: row.number };
}

/** @param database the database of the gateway, or a wrapper around it */
export function createReporter(
  gateway: Gateway,
  database: Queryable = gateway.database(),
  alertServices: AlertServiceFactory = new AlertServices(['recording']),
) {
  const prints = new PrintReporter({ database, alertServices, currency: 'EUR' });
  const alerts = new AlertReporter(database, alertServices);
  return {
    reportPrints: (lease: ReporterLease) => prints.report(lease),
    reportAlerts: (lease: ReporterLease, now?: string) => alerts.report(lease, now),
    lookAtAlerts: (lease: ReporterLease, now: string) => alerts.check(lease, now),
  };
}

/** Takes the lease, and creates a reporter of prints and jobs. */
export async function startReporter(gateway: Gateway) {
  const [reporter, lease] = [createReporter(gateway), await takeLease(gateway)];
  return { reporter, lease, read: () => reporter.reportPrints(lease) };
}

/** The notifications for a target, in order. */
export const readDeliveries = (gateway: Gateway, targetId: string): Promise<Parsed[]> =>
  gateway.sql(`select n.event, n.severity, n.title, n.text, n.data, d.state from notification_deliveries d
    join notifications n on n.id = d.notification_id where d.target_id = '${targetId}' order by n.id`);

/** The notifications as short texts: `PRINT_ENDED Benchy COMPLETED`, `ALERT_RAISED CAMERA_LOST`. */
export async function summarizeDeliveries(gateway: Gateway, targetId: string): Promise<string[]> {
  return (await readDeliveries(gateway, targetId)).map(({ event, data: { print, job, alert } }) => {
    if (alert) return `${event} ${alert.kind}`;
    if (!print && !job) return event;
    const end = job && ['COMPLETED', 'CANCELLED', 'FAILED'].includes(job.status) ? job.status : print?.outcome;
    const more = { PRINT_ENDED: end, PRINT_WAITS: print?.waitsFor }[event as string];
    return [event, (print ?? job).name, ...(more ? [more] : [])].join(' ');
  });
}
