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

interface Form {
  ports: Record<string, number>;
  example: string;
  /** The message for a path with white space, escapes, or letters beyond ASCII. */
  odd?: string;
  /** What the path with its query stands for; null where it is not allowed. */
  readPath(path: string, query: string): string | null;
}

const HTTP = { 'http:': 80, 'https:': 443 };
const MAX_PORT = 65_535;
const USUAL_PREFIX = 'print-farm';
const TOPIC = /^\/([-_A-Za-z0-9]{1,64})\/?$/;
/** Levels of an MQTT topic, without wildcards and white space. homeassistant/status is that of Home Assistant itself. */
const PREFIX = /^\/(?!homeassistant\/?$)([^/+#\s%]+(?:\/[^/+#\s%]+)*)\/?$/;

const FORMS: Record<NotificationKind, Form> = {
  WEBHOOK: { ports: HTTP, example: 'https://host/path', readPath: (path, query) => path + query },
  NTFY: {
    ports: HTTP,
    example: 'https://ntfy.sh/my-topic',
    readPath: (path, query) => (query === '' ? (TOPIC.exec(path)?.[1] ?? null) : null),
  },
  MQTT: {
    ports: { 'mqtt:': 1883, 'mqtts:': 8883 },
    example: 'mqtt://host:1883/print-farm',
    odd: 'must have a prefix without spaces, umlauts and %: letters from a to z, digits, - and _ are good in topics, such as mqtt://host:1883/print-farm',
    readPath: (path, query) =>
      query === '' ? (/^\/?$/.test(path) ? USUAL_PREFIX : (PREFIX.exec(path)?.[1] ?? null)) : null,
  },
};

const SECURE = ['https:', 'mqtts:'];
const TEXT = copiedText(MAX_TARGET_URL);

/** The text of a URL without the white space around it, as it is stored. Throws BadInput. */
export function readTargetUrl(kind: NotificationKind, reach: Reach) {
  return (value: unknown, member: string): string => {
    const text = TEXT(value, member);
    const address = parsed(kind, text);
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
export function addressOf(kind: NotificationKind, url: string): TargetAddress {
  const address = parsed(kind, url);
  if (typeof address === 'string') throw new Error('The URL of a target cannot be read');
  return address;
}

/** False where another program wrote a row of no kind, or a URL that is not of its kind. */
export const hasAddress = (kind: string, url: string): boolean =>
  Object.hasOwn(FORMS, kind) && typeof parsed(kind as NotificationKind, url) !== 'string';

/** An address, or what is wrong. */
function parsed(kind: NotificationKind, text: string): TargetAddress | string {
  const { ports, example, readPath, odd } = FORMS[kind];
  const schemes = Object.keys(ports).map((scheme) => `${scheme}//`);
  const wrong = `must be a URL of ${schemes.join(' or ')}, such as ${example}`;
  const [, scheme = '', head = '', rest = ''] = /^([a-z]+:)\/\/([^/?#\\]*)([^#]*)$/i.exec(text) ?? [];
  const port = ports[scheme.toLowerCase()];
  if (port === undefined) return wrong;
  if (head.includes('@')) return 'must not hold a user or password: secret is for them';
  // The parser reads the hosts of http alone: it also writes 0x7f.1 and 2130706433 as 127.0.0.1.
  const url =
    head === '' || /[\s%]/.test(head) || !URL.canParse(`http://${head}${rest}`)
      ? null
      : new URL(`http://${head}${rest}`);
  const digits = /:(\d+)$/.exec(head)?.[1];
  // Programs disagree on whether zeros in front make a number octal.
  if (digits !== undefined && !(/^[1-9]\d{0,4}$/.test(digits) && Number(digits) <= MAX_PORT))
    return `${wrong}, with a port from 1 to ${MAX_PORT} without leading zeros`;
  if (url === null) return wrong;
  const path = readPath(url.pathname, url.search);
  if (path === null) return odd !== undefined && /[\s%]|[^\x20-\x7e]/.test(rest) ? odd : wrong;
  return {
    secure: SECURE.includes(scheme.toLowerCase()),
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(digits ?? port),
    path,
  };
}
