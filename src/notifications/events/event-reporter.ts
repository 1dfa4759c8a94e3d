// What happens becomes notifications, each once, with a delivery for each target that gets it.
import type { Queryable } from '../../database/queryable';
import { type Instant, instantNow } from '../../values/instant';
import { AlertReporter, type AlertsOn } from './alert-reporter';
import { MAX_TRANSACTIONS, NotificationStore, type ReporterLease } from './notification.store';
import { reportPrints } from './print-reporter';

interface EventReporterParts {
  database: Queryable;
  /** Over the database, or over a transaction of it. */
  alertsOn: AlertsOn;
  /** Of costs; null for none. */
  currency: string | null;
}

/** Each 15 s: a timer of 15 s may be early. */
const ALERTS_EVERY_MS = 14_500;

/** Of the one process that holds the lease. */
export class EventReporter {
  private readonly store: NotificationStore;
  private readonly alerts: AlertReporter;
  private alertsAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly parts: EventReporterParts) {
    this.store = new NotificationStore(parts.database);
    this.alerts = new AlertReporter(parts.database, parts.alertsOn);
  }

  /** Reports what prints and jobs became since the last time; of very many the first ones. @returns how many notifications it wrote */
  async reportPrints(lease: ReporterLease, now: Instant = instantNow()): Promise<number> {
    const { hasChanges } = await this.store.work();
    let count = 0;
    let isFull = hasChanges;
    for (let left = MAX_TRANSACTIONS; isFull && left > 0; left -= 1) {
      const written = await reportPrints(this.parts, lease, now);
      if (written === null) return count;
      count += written.count;
      isFull = written.isFull;
    }
    return count;
  }

  /** Looks at the alerts when it is time, or goes on with what the last look found. */
  async reportAlerts(lease: ReporterLease, now: Instant = instantNow()): Promise<number> {
    if (performance.now() - this.alertsAt >= ALERTS_EVERY_MS) {
      this.alertsAt = performance.now();
      return this.lookAtAlerts(lease, now);
    }
    return this.alerts.reportMore(lease, now);
  }

  /** @param now as the alerts are judged. @returns how many notifications it wrote */
  async lookAtAlerts(lease: ReporterLease, now: Instant = instantNow()): Promise<number> {
    return this.alerts.look(lease, await this.store.work(), now);
  }
}
