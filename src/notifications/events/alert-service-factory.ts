// Declares what the reporters need of the alerts: a service over the database, or over the transaction in which they report.
import type { Queryable } from '../../database/queryable';
import type { AlertService } from '../../farm/alerts/alert.service';

/** AlertServices in src/services.ts implements this, because an alert service is built from the services of several folders. */
export interface AlertServiceFactory {
  createOn(database: Queryable): Pick<AlertService, 'listAll' | 'buildMessage'>;
}
