// The addresses of targets: how a URL is read, by kind.
import { BadInput } from '../errors';
import { copiedText } from '../values/copied-texts';
import type { Endpoint } from '../wire/machine-address';
import { isForbidden, type Reach } from '../wire/networks';
import { MAX_TARGET_URL } from './target.limits';
import type { NotificationKind } from './target.types';

export interface TargetAddress extends Endpoint {
  /** WEBHOOK: path and query. NTFY: the topic. MQTT: the prefix of topics. */
  path: string;
}

interface UrlForm {
  ports: Record<string, number>;
  example: string;
  /** The message for a path with white space, escapes, or letters beyond ASCII. */
  encodingMessage?: string;
  /** What the path with its query stands for; null where it is not allowed. */
  readPath(path: string, query: string): string | null;
}

const HTTP = { 'http:': 80, 'https:': 443 };
const MAX_PORT = 65_535;
const USUAL_PREFIX = 'print-farm';
const TOPIC = /^\/([-_A-Za-z0-9]{1,64})\/?$/;
/** Levels of an MQTT topic, without wildcards and white space. homeassistant/status is that of Home Assistant itself. */
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
      'must have a prefix without spaces, umlauts and %: letters from a to z, digits, - and _ are good in topics, such as mqtt://host:1883/print-farm',
    readPath: (path, query) =>
      query === '' ? (/^\/?$/.test(path) ? USUAL_PREFIX : (PREFIX.exec(path)?.[1] ?? null)) : null,
  },
};

const SECURE = ['https:', 'mqtts:'];
const readText = copiedText(MAX_TARGET_URL);

/** The text of a URL without the white space around it, as it is stored. Throws BadInput. */
export function readTargetUrl(kind: NotificationKind, reach: Reach) {
  return (value: unknown, member: string): string => {
    const text = readText(value, member);
    const address = parseAddress(kind, text);
    // The messages leave out the value, which may hold a password or be one.
    if (typeof address === 'string') throw new BadInput(address, member);
    const { host, port } = address;
    if (isForbidden(host, port, reach.networkOf(host))) {
      throw new BadInput(
        'must have a host in a private network, in DEVICE_NETWORKS or in NOTIFY_HOSTS, and not this gateway itself or a link-local address',
        member,
      );
    }
    return text;
  };
}

/** The address of a URL that was read before. */
export function parseTargetUrl(kind: NotificationKind, url: string): TargetAddress {
  const address = parseAddress(kind, url);
  if (typeof address === 'string') throw new Error('The URL of a target cannot be read');
  return address;
}

/** False where another program wrote a row of no kind, or a URL that is not of its kind. */
export const hasAddress = (kind: string, url: string): boolean =>
  Object.hasOwn(URL_FORMS, kind) && typeof parseAddress(kind as NotificationKind, url) !== 'string';

/** An address, or what is wrong. */
function parseAddress(kind: NotificationKind, text: string): TargetAddress | string {
  const { ports, example, readPath, encodingMessage: odd } = URL_FORMS[kind];
  const schemes = Object.keys(ports).map((scheme) => `${scheme}//`);
  const mismatch = `must be a URL of ${schemes.join(' or ')}, such as ${example}`;
  const [, scheme = '', authority = '', pathAndQuery = ''] = /^([a-z]+:)\/\/([^/?#\\]*)([^#]*)$/i.exec(text) ?? [];
  const port = ports[scheme.toLowerCase()];
  if (port === undefined) return mismatch;
  if (authority.includes('@')) return 'must not hold a user or password: secret is for them';
  // The parser reads the hosts of http alone: it also writes 0x7f.1 and 2130706433 as 127.0.0.1.
  const url =
    authority === '' || /[\s%]/.test(authority) || !URL.canParse(`http://${authority}${pathAndQuery}`)
      ? null
      : new URL(`http://${authority}${pathAndQuery}`);
  const digits = /:(\d+)$/.exec(authority)?.[1];
  // Programs disagree on whether zeros in front make a number octal.
  if (digits !== undefined && !(/^[1-9]\d{0,4}$/.test(digits) && Number(digits) <= MAX_PORT))
    return `${mismatch}, with a port from 1 to ${MAX_PORT} without leading zeros`;
  if (url === null) return mismatch;
  const path = readPath(url.pathname, url.search);
  if (path === null) return odd !== undefined && /[\s%]|[^\x20-\x7e]/.test(pathAndQuery) ? odd : mismatch;
  return {
    secure: SECURE.includes(scheme.toLowerCase()),
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(digits ?? port),
    path,
  };
}
