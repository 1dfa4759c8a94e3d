// The texts of notification targets: their kinds, their events, and the states of their deliveries.
import type {
  AlertSeverity,
  NotificationDeliveryState,
  NotificationEvent,
  NotificationKind,
  NotificationTargetState,
  TargetRowFragment,
} from '../../generated/web-operations';
import type { Tone } from '../parts/badge';

interface KindWords {
  name: string;
  url: string;
  /** An example of one. */
  placeholder: string;
  /** The name of its secret. */
  secret: string;
  /** When there is none yet. */
  noSecret: string;
  /** When one is stored, which is never shown. */
  stored: string;
  /** When a user name is needed; null: never. */
  username: string | null;
}

const NEEDS_AGAIN = 'One is stored. Enter it again when you change the URL or the certificate: it is forgotten then.';

export const TARGET_KINDS: Record<NotificationKind, KindWords> = {
  WEBHOOK: {
    name: 'Webhook',
    url: 'Of a program that takes POST: Home Assistant, Node-RED, n8n or your own.',
    placeholder: 'http://192.168.1.20:8123/api/webhook/print-farm',
    secret: 'Signing secret',
    noSecret: 'Empty: the gateway makes one, and shows it once. Your own one begins with whsec_.',
    stored: 'One is stored. With another URL or certificate the gateway makes a new one, and shows it once.',
    username: null,
  },
  NTFY: {
    name: 'ntfy',
    url: 'The server of ntfy and your topic, which nobody should guess: whoever has it can read it. ntfy.sh must be in NOTIFY_HOSTS.',
    placeholder: 'https://ntfy.sh/print-farm-7c1f9e',
    secret: 'Access token',
    noSecret: 'Empty where the topic needs none.',
    stored: NEEDS_AGAIN,
    username: null,
  },
  MQTT: {
    name: 'MQTT (Home Assistant)',
    url: 'The broker. A path is the prefix of the topics, which is print-farm if you give none.',
    placeholder: 'mqtt://192.168.1.20',
    secret: 'Password',
    noSecret: 'Empty where the broker needs none.',
    stored: NEEDS_AGAIN,
    username: 'Empty where the broker needs none. A stored one stays.',
  },
};

/** The events that a person chooses. */
export const EVENT_NAMES: Record<Exclude<NotificationEvent, 'OMITTED'>, string> = {
  PRINT_BEGAN: 'A print begins',
  PRINT_ENDED: 'A print ends: completed, failed or cancelled',
  PRINT_WAITS: 'A print waits for its spool or its outcome',
  ALERT_RAISED: 'An alert has stood for a minute',
  ALERT_CLEARED: 'An alert is over',
};

/** In lists. */
export const HAPPENED: Record<NotificationEvent, string> = {
  PRINT_BEGAN: 'Print began',
  PRINT_ENDED: 'Print ended',
  PRINT_WAITS: 'Print waits',
  ALERT_RAISED: 'Alert',
  ALERT_CLEARED: 'Alert over',
  OMITTED: 'Left out',
};

export const SEVERITIES: Record<AlertSeverity, string> = {
  WARNING: 'All alerts',
  CRITICAL: 'Critical alerts alone',
};

const STATES: Record<NotificationTargetState, { name: string; tone: Tone }> = {
  OK: { name: 'OK', tone: 'good' },
  RETRYING: { name: 'Trying again', tone: 'warn' },
  FAILED: { name: 'Failed', tone: 'bad' },
  DISABLED: { name: 'Disabled', tone: 'muted' },
};

/** Whether messages arrive is known behind the first try. A broker gets the states of the farm all the time. */
export function targetStateOf({ kind, state, newest }: Pick<TargetRowFragment, 'kind' | 'state' | 'newest'>) {
  const isUntried = state === 'OK' && kind !== 'MQTT' && newest.nodes.every(({ attempts }) => attempts === 0);
  return isUntried ? ({ name: 'Not tried yet', tone: 'muted' } as const) : STATES[state];
}

export const DELIVERY_STATES: Record<NotificationDeliveryState, { name: string; tone: Tone }> = {
  WAITING: { name: 'Waits', tone: 'info' },
  DELIVERED: { name: 'Delivered', tone: 'good' },
  GIVEN_UP: { name: 'Given up', tone: 'bad' },
};

export const targetAddress = (id: string): string => `/notifications/${encodeURIComponent(id)}`;
