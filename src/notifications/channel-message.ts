// What a channel sends: one message, to a target with its secrets in clear.
import type { AlertSeverity } from '../farm/alerts/alert.types';
import type { NotificationEvent, NotificationKind } from './target.types';

/** The id is that of the delivery, and the same at each try. */
export interface NotificationMessage {
  id: string;
  event: NotificationEvent | 'TEST';
  at: string;
  severity: AlertSeverity | null;
  title: string;
  text: string;
  /** The members of a webhook's `data`, without text and url. */
  data: object;
  /** The page of the dashboard; null where PUBLIC_URL is not set. */
  url: string | null;
}

export interface ReadableTarget {
  id: string;
  kind: NotificationKind;
  url: string;
  username: string | null;
  secret: string | null;
  /** The secret of a webhook that was replaced, while it still signs too. */
  formerSecret: string | null;
  certificateFingerprint: string | null;
}
