// The body of a notification, as webhooks and brokers get it.
import type { NotificationMessage } from './sender';

/** So that the body stays below 20 kB with the names of everything in it. */
const MAX_TEXT = 2000;

const TYPES: Partial<Record<NotificationMessage['event'], string>> = { OMITTED: 'notifications.omitted', TEST: 'test' };

/** PRINT_ENDED is `print.ended`. */
export const typeOf = (event: NotificationMessage['event']) => TYPES[event] ?? event.toLowerCase().replace('_', '.');

/** The same at each try. @param id for receivers that have no header with it */
export const bodyOf = ({ event, at, text, data, url }: NotificationMessage, id?: string) =>
  JSON.stringify({
    id,
    type: typeOf(event),
    timestamp: at,
    data: { ...data, text: text.slice(0, MAX_TEXT).toWellFormed(), url },
  });
