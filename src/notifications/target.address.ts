// Decides which URLs a channel of each kind may have, and reads their host, port and path.
import { BadInput } from '../errors';
import { copiedText } from '../values/copied-texts';
import type { Endpoint } from '../wire/machine-address';
import { isForbidden, type Reach } from '../wire/networks';

import type { NotificationKind } from './target.types';

export const MAX_TARGET_URL = 2000;

export interface TargetAddress extends Endpoint {
  /** The path with its query for WEBHOOK, the topic for NTFY, the prefix of all topics for MQTT. */
  path: string;
}

interface UrlForm {
  ports: Record<string, number>;
  example: string;
  /** The message for a path with white space, percent escapes or letters beyond ASCII. */
  encodingMessage?: string;
  /** Returns `null` for a path or query that the kind does not allow. */
  readPath(path: string, query: string): string | null;
}

const HTTP = { 'http:': 80, 'https:': 443 };
const MAX_PORT = 65_535;
const USUAL_PREFIX = 'print-farm';
const TOPIC = /^\/([-_A-Za-z0-9]{1,64})\/?$/;
/**
 * The levels of an MQTT topic, without wildcards and white space. The prefix "homeassistant" is excluded, because Home Assistant uses the
 * topic homeassistant/status itself.
 */
const PREFIX = /^\/(?!homeassistant\/?$)([^/+#\s%]+(?:\/[^/+#\s%]+)*)\/?$/;

const URL_FORMS: Record<NotificationKind, UrlForm> = {
  WEBHOOK: { ports: HTTP, example: 'https://host/path', readPath: (path, query) => path + query },
  NTFY: {
    ports: HTTP,
    example: 'https://ntfy.sh/my-topic',
    readPath: (path, query) => (query === '' ? (TOPIC.exec(path)?.[1] ?? null) : null),
  },
  MQTT: {
    ports: { 'mqtt:': 1883, 'mqtts:': 8883 },
    example: 'mqtt://host:1883/print-farm',
    encodingMessage:
      'must have a prefix without spaces, umlauts and %. Use letters from a to z, digits, - and _, such as mqtt://host:1883/print-farm',
    readPath: (path, query) =>
      query === '' ? (/^\/?$/.test(path) ? USUAL_PREFIX : (PREFIX.exec(path)?.[1] ?? null)) : null,
  },
};

const SECURE = ['https:', 'mqtts:'];
const readText = copiedText(MAX_TARGET_URL);

/** Returns a reader that trims the URL and checks its form and host. The reader throws BadInput. */
export function readTargetUrl(kind: NotificationKind, reach: Reach) {
  return (value: unknown, member: string): string => {
    const text = readText(value, member);
    const address = parseAddress(kind, text);
    // No message repeats the value: a user may have pasted a password.
    if (typeof address === 'string') throw new BadInput(address, member);
    const { host, port } = address;
    if (isForbidden(host, port, reach.networkOf(host))) {
      throw new BadInput(
        'must have a host in a private network, in DEVICE_NETWORKS or in NOTIFY_HOSTS. This gateway itself and link-local addresses are never allowed',
        member,
      );
    }
    return text;
  };
}

/** Reads a stored URL, which was checked when it was saved. */
export function parseTargetUrl(kind: NotificationKind, url: string): TargetAddress {
  const address = parseAddress(kind, url);
  if (typeof address === 'string') throw new Error('The stored URL of a channel cannot be read');
  return address;
}

/** Whether the URL fits the kind. Another program may have written an unknown kind or another URL. */
export const hasAddress = (kind: string, url: string): boolean =>
  Object.hasOwn(URL_FORMS, kind) && typeof parseAddress(kind as NotificationKind, url) !== 'string';

/** Returns the address, or a message that says why the URL is wrong. */
function parseAddress(kind: NotificationKind, text: string): TargetAddress | string {
  const { ports, example, readPath, encodingMessage } = URL_FORMS[kind];
  const schemes = Object.keys(ports).map((scheme) => `${scheme}//`);
  const mismatch = `must be a URL of ${schemes.join(' or ')}, such as ${example}`;
  const [, scheme = '', authority = '', pathAndQuery = ''] = /^([a-z]+:)\/\/([^/?#\\]*)([^#]*)$/i.exec(text) ?? [];
  const port = ports[scheme.toLowerCase()];
  if (port === undefined) return mismatch;
  if (authority.includes('@')) return 'must not contain a user name or password. Enter them as username and secret';
  // The URL parser normalises hosts only for http: there it also turns 0x7f.1 and 2130706433 into 127.0.0.1.
  const url =
    authority === '' || /[\s%]/.test(authority) || !URL.canParse(`http://${authority}${pathAndQuery}`)
      ? null
      : new URL(`http://${authority}${pathAndQuery}`);
  const digits = /:(\d+)$/.exec(authority)?.[1];
  // Programs disagree on whether leading zeros make a number octal.
  if (digits !== undefined && !(/^[1-9]\d{0,4}$/.test(digits) && Number(digits) <= MAX_PORT))
    return `${mismatch}, with a port from 1 to ${MAX_PORT} without leading zeros`;
  if (url === null) return mismatch;
  const path = readPath(url.pathname, url.search);
  if (path === null)
    return encodingMessage !== undefined && /[\s%]|[^\x20-\x7e]/.test(pathAndQuery) ? encodingMessage : mismatch;
  return {
    secure: SECURE.includes(scheme.toLowerCase()),
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(digits ?? port),
    path,
  };
}
