// The faults of targets and deliveries as sentences for people: each says what to do. No byte of a response is in them.
import type { NotificationFault } from './faults';
import { GIVEN_UP_HOURS } from './target.limits';
import type { NotificationKind } from './target.types';

const CREDENTIALS: Record<NotificationKind, string> = {
  WEBHOOK: 'see that it checks with the signing secret of this target, or make a new secret and give it that',
  NTFY: 'give an access token that may write to the topic',
  MQTT: 'give the user name and the password that it knows',
};

const SENTENCES: Record<NotificationFault, (kind: NotificationKind) => string> = {
  NOT_RESOLVED: () => 'The host of the URL has no address: correct the URL, or see that the gateway can look names up.',
  NOT_ALLOWED: () =>
    'The host of the URL is in no private network: name the host in NOTIFY_HOSTS, or its network in DEVICE_NETWORKS, and start the gateway again. The gateway itself and link-local addresses are never allowed.',
  NOT_REACHABLE: () =>
    'Nothing takes connections at the host and port of the URL: correct the URL, and see that the receiver runs.',
  TIMED_OUT: () =>
    'The receiver did not answer in time: see that it runs, and that it answers before it does long work.',
  CLOSED_AT_ONCE: () =>
    'The receiver closed the connection without an answer: correct the URL, which may need https or another port.',
  HTTPS_REQUIRED: () => 'The receiver is reached with TLS only: give a URL with https or mqtts.',
  CERTIFICATE_NOT_TRUSTED: () =>
    'The certificate of the receiver is not trusted: send a test, compare the fingerprint with that of the receiver, and save it here.',
  NOT_THIS_KIND: () => 'Something else than such a receiver answers there: correct the URL.',
  TOO_MUCH_DATA: () =>
    'The receiver sends more than an answer has: see that the URL leads to the receiver, and not to a file.',
  CREDENTIALS_REFUSED: (kind) => `The receiver does not take the message: ${CREDENTIALS[kind]}.`,
  REDIRECTED: () =>
    'The receiver names another address, which the gateway does not follow: give the URL that it leads to.',
  BUSY: () => 'The receiver asks for fewer messages: the gateway waits, and tries again by itself.',
  GONE: () =>
    'The receiver says that it is gone for good, so nothing is told any more: correct the URL, and enable the target again.',
  REFUSED: () => 'The receiver answers with an error: correct the URL, and see what the receiver says in its own log.',
  SECRET_NOT_READABLE: () =>
    'The stored secret cannot be read: give the gateway the key again that it had (DEVICE_KEY, DEVICE_KEY_FILE or the file beside the data), or give a new secret.',
  DISABLED: () => 'The target is disabled, and misses what happens: enable it to be told again.',
  PRINTERS_REMOVED: () =>
    'All printers that were chosen are removed, so nothing is told: choose others, and enable the target again.',
  RESTORED: () =>
    'The database was restored from a backup, and a copy must not tell: enable the target again if this farm is to tell.',
  LEFT_OUT: () =>
    `It could not be told within ${GIVEN_UP_HOURS} hours, and is told no more: send it again if it matters.`,
  LEFT_OUT_TOLD: (kind) => SENTENCES.LEFT_OUT(kind),
};

export const messageOf = (fault: NotificationFault, kind: NotificationKind): string => SENTENCES[fault](kind);
