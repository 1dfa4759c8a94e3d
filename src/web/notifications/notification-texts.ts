// Holds the texts of channels (notification targets, in the schema): their kinds, their events, and the states of their messages.
import type {
  AlertSeverity,
  NotificationDeliveryState,
  NotificationEvent,
  NotificationKind,
  NotificationTargetState,
  TargetRowFragment,
} from '../../generated/web-operations';
import type { Tone } from '../parts/badge';

interface KindTexts {
  name: string;
  url: string;
  /** An example of a URL. */
  placeholder: string;
  /** The name of the secret. */
  secret: string;
  /** The hint while no secret is stored. */
  noSecret: string;
  /** The hint while a secret is stored. A stored secret is never shown. */
  stored: string;
  /** When a user name is needed; `null` if this kind has none. */
  username: string | null;
}

const STORED = 'Stored. If you change the URL or the certificate, enter it again.';

export const TARGET_KINDS: Record<NotificationKind, KindTexts> = {
  WEBHOOK: {
    name: 'Webhook',
    url: 'The webhook URL from Home Assistant, Node-RED, n8n or your own program. The gateway sends a POST request to it.',
    placeholder: 'http://192.168.1.20:8123/api/webhook/print-farm',
    secret: 'Signing secret',
    noSecret: 'Leave empty to generate a secret. It is shown once. A secret of your own starts with whsec_.',
    stored: 'Stored. If you change the URL or the certificate, a new secret is generated and shown once.',
    username: null,
  },
  NTFY: {
    name: 'Phone (ntfy)',
    url: 'The ntfy server and a topic. Choose a topic that nobody can guess: anyone who knows it can read your messages. For ntfy.sh, the setting NOTIFY_HOSTS must contain ntfy.sh.',
    placeholder: 'https://ntfy.sh/print-farm-7c1f9e',
    secret: 'Access token',
    noSecret: 'Only if the topic is protected.',
    stored: STORED,
    username: null,
  },
  MQTT: {
    name: 'MQTT (Home Assistant)',
    url: 'The address of the MQTT broker. Topics start with print-farm, or with the path of the URL.',
    placeholder: 'mqtt://192.168.1.20',
    secret: 'Password',
    noSecret: 'Only if the broker requires one.',
    stored: STORED,
    username: 'Only if the broker requires one. Leave empty to keep a stored name.',
  },
};

/** The events that a user can choose. */
export const EVENT_CHOICES: Record<Exclude<NotificationEvent, 'OMITTED'>, string> = {
  PRINT_BEGAN: 'A print starts',
  PRINT_ENDED: 'A print ends (completed, failed or cancelled)',
  PRINT_WAITS: 'A print needs your input (its spool or its outcome)',
  ALERT_RAISED: 'An alert lasts a minute',
  ALERT_CLEARED: 'An alert clears',
};

/** The names of events in lists. */
export const EVENT_LABELS: Record<NotificationEvent, string> = {
  PRINT_BEGAN: 'Print started',
  PRINT_ENDED: 'Print ended',
  PRINT_WAITS: 'Print needs input',
  ALERT_RAISED: 'Alert',
  ALERT_CLEARED: 'Alert cleared',
  OMITTED: 'Messages skipped',
};

export const SEVERITIES: Record<AlertSeverity, string> = {
  WARNING: 'All alerts',
  CRITICAL: 'Critical only',
};

const STATES: Record<NotificationTargetState, { name: string; tone: Tone }> = {
  OK: { name: 'OK', tone: 'good' },
  RETRYING: { name: 'Retrying', tone: 'warn' },
  FAILED: { name: 'Failed', tone: 'bad' },
  DISABLED: { name: 'Disabled', tone: 'muted' },
};

/** Before the first attempt nobody knows whether messages arrive. An MQTT broker is different: it receives the states of the farm all the time. */
export function describeTargetState({ kind, state, newest }: Pick<TargetRowFragment, 'kind' | 'state' | 'newest'>) {
  const isUntested = state === 'OK' && kind !== 'MQTT' && newest.nodes.every(({ attempts }) => attempts === 0);
  return isUntested ? ({ name: 'No message sent yet', tone: 'muted' } as const) : STATES[state];
}

export const DELIVERY_STATES: Record<NotificationDeliveryState, { name: string; tone: Tone }> = {
  WAITING: { name: 'Waiting', tone: 'info' },
  DELIVERED: { name: 'Delivered', tone: 'good' },
  GIVEN_UP: { name: 'Not delivered', tone: 'bad' },
};

export const targetAddress = (id: string): string => `/notifications/${encodeURIComponent(id)}`;
