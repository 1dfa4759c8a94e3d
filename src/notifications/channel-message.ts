// Holds what is sent to a channel: one message, and the channel with its decrypted secrets.
import type { AlertSeverity } from '../farm/alerts/alert.types';
import type { NotificationEvent, NotificationKind } from './target.types';

/** The id is the id of the delivery. It is the same at each attempt, so that receivers recognise a repetition. */
export interface NotificationMessage {
  id: string;
  event: NotificationEvent | 'TEST';
  at: string;
  severity: AlertSeverity | null;
  title: string;
  text: string;
  /** The members of `data` in the body of a webhook, without text and url. */
  data: object;
  /** The page of the dashboard about the event; `null` if PUBLIC_URL is not set. */
  url: string | null;
}

export interface ReadableTarget {
  id: string;
  kind: NotificationKind;
  url: string;
  username: string | null;
  secret: string | null;
  /** The replaced secret of a webhook, as long as it still signs beside the current secret. */
  formerSecret: string | null;
  certificateFingerprint: string | null;
}
