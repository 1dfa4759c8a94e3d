// Where a device may be: how an address is typed, and which networks may be dialled.
import { promises as dns, type LookupAddress } from 'node:dns';
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { BadInput } from '../errors';
import type { AddressForm } from '../kinds';
import { copiedText, MAX_KEY_LENGTH } from '../values/text';

const SCHEMES = {
  http: { port: 80, secure: false },
  ws: { port: 80, secure: false },
  https: { port: 443, secure: true },
  wss: { port: 443, secure: true },
  mqtts: { port: 8883, secure: true },
} satisfies Record<AddressForm['schemes'][number], { port: number; secure: boolean }>;

/** How an address is read. */
const TEXT = copiedText(MAX_KEY_LENGTH);

/** Where to dial. An IPv6 address is without brackets. */
export interface Endpoint {
  secure: boolean;
  host: string;
  port: number;
}

/** The rules for what may be dialled. They hold for the address of the socket, not only for the text that was typed. */
export interface Network {
  permits(ip: string, port: number): boolean;
  /** All addresses of a name, permitted or not. */
  resolve(host: string): Promise<LookupAddress[]>;
}

const PRIVATE = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '::1/128',
  'fc00::/7',
];
/** No setting allows these: link-local, unspecified, multicast and broadcast, and where clouds serve credentials of the host. */
const NEVER = [
  ...['0.0.0.0/8', '169.254.0.0/16', '224.0.0.0/4', '240.0.0.0/4', '::/128', 'fe80::/10', 'ff00::/8'],
  ...['100.100.100.200/32', 'fd00:ec2::/32', 'fd20:ce::/32'],
];

/** @param allowed networks as CIDR beside the private ones @param ownPort of this gateway, which is no device; null: it has none */
export function networkOf(
  { allowed, ownPort }: { allowed: readonly string[]; ownPort: number | null },
  resolve = (host: string) => dns.lookup(host, { all: true }),
): Network {
  const permitted = listOf([...PRIVATE, ...allowed]);
  const never = listOf(NEVER);
  return {
    resolve,
    permits: (ip, port) => has(permitted, ip) && !has(never, ip) && !(port === ownPort && isOwn(ip)),
  };
}

/** A network as CIDR, or one address; undefined where it is neither. */
export function parseNetwork(text: string): { address: string; bits: number } | undefined {
  const [, address = '', digits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] as number;
  const bits = Number(digits ?? most);
  return bits >= 0 && bits <= most ? { address, bits } : undefined;
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of networks) {
    const network = parseNetwork(text);
    if (network === undefined) throw new Error(`${text} is not a network`);
    list.addSubnet(network.address, network.bits, familyOf(network.address));
  }
  return list;
}

const familyOf = (ip: string) => (isIP(ip) === 6 ? 'ipv6' : 'ipv4');

/** An IPv4 address in IPv6 (::ffff:10.0.0.1) is in the network of the IPv4 address. */
const has = (list: BlockList, ip: string) => isIP(ip) !== 0 && list.check(ip, familyOf(ip));

function isOwn(ip: string): boolean {
  const own = listOf(['127.0.0.0/8', '::1/128']);
  for (const { address } of Object.values(networkInterfaces()).flatMap((found) => found ?? [])) {
    if (isIP(address) !== 0) own.addAddress(address, familyOf(address));
  }
  return has(own, ip);
}

export interface Address extends Endpoint {
  /** As a person typed it, without white space around it. */
  text: string;
}

/** Reads what people type: a host, host:port or URL. A URL without a port has the port of its scheme, as in a browser. */
export function parseAddress(value: unknown, form: AddressForm, network: Network, member = 'address'): Address {
  const text = TEXT(value, member);
  // The messages leave out the value, which may hold a password.
  const refuse = (message: string): never => {
    throw new BadInput(message, member);
  };
  if (text === '') refuse('must not be empty');
  const url = form.schemes.join(', ');
  const [, name, rest] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/i.exec(text) as unknown as [string, string?, string?];
  const scheme = name === undefined ? undefined : form.schemes.find((one) => one === name.toLowerCase());
  if (name !== undefined && scheme === undefined) refuse(`must be a host or a URL of ${url}`);
  if (rest?.includes('@')) refuse('must not hold a user or password: username and secret are for them');
  const [, head = '', path] = /^([^/?#]*)\/?(.*)$/.exec(rest ?? '') ?? [];
  const [, written = '', digits] = /^(\[[^\]]*\]|[^:[\]]*)(?::(\d{1,5}))?$/.exec(head) ?? [];
  const port = Number(digits ?? (scheme === undefined ? form.port : SCHEMES[scheme].port));
  // A host with a space or an escape is a typing error, which URL would mend.
  const parsed = /^[^\s%\\]+$/.test(written) && URL.canParse(`http://${written}`) ? new URL(`http://${written}`) : null;
  if (parsed === null || port < 1 || port > 65_535) {
    return refuse(
      `must be HOST, HOST:PORT or a URL of ${url}, such as 192.168.1.20, printer.local:${form.port} or [fd00::20]`,
    );
  }
  // What people copy from the browser is a page of the machine.
  if (path !== '') refuse(`must have no path and no query: give ${scheme === undefined ? '' : `${scheme}://`}${head}`);
  // URL also writes 0x7f.1 and 2130706433 as 127.0.0.1.
  const host = parsed.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !network.permits(host, port)) {
    refuse(
      'must be in a private network (10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10, 127.0.0.0/8, fc00::/7) or in DEVICE_NETWORKS, and not this gateway itself',
    );
  }
  return { text, secure: SCHEMES[scheme ?? form.schemes[0]].secure, host, port };
}
