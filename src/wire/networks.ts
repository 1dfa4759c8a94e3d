// Decides which networks the gateway may connect to, and resolves names to addresses.
import { promises as dns, type LookupAddress } from 'node:dns';
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/** The rules for outgoing connections. They apply to the address of the socket, and not only to the text that a user typed. */
export interface Network {
  permits(ip: string, port: number): boolean;
  /** Returns all addresses of a name, permitted or not. */
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
/** No setting allows these: link-local, unspecified, multicast and broadcast addresses, and the addresses at which clouds serve credentials of the host. */
const NEVER = [
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  'fe80::/10',
  'ff00::/8',
  '100.100.100.200/32',
  'fd00:ec2::/32',
  'fd20:ce::/32',
];

/**
 * @param allowed networks as CIDR, in addition to the private networks
 * @param gatewayPort the port of this gateway, which is no device; `null` if the process has no port
 */
export function createNetwork(
  { allowed, gatewayPort }: { allowed: readonly string[]; gatewayPort: number | null },
  resolve = (host: string) => dns.lookup(host, { all: true }),
): Network {
  const permitted = toBlockList([...PRIVATE, ...allowed]);
  const never = toBlockList(NEVER);
  return {
    resolve,
    permits: (ip, port) =>
      isInList(permitted, ip) && !isInList(never, ip) && !(port === gatewayPort && isLocalAddress(ip)),
  };
}

/** Whether a host is an IP address that the gateway may not connect to. A name is checked when the gateway connects. */
export const isForbidden = (host: string, port: number, network: Network): boolean =>
  isIP(host) !== 0 && !network.permits(host, port);

/** Reads a network as CIDR, or a single address; undefined if the text is neither. */
export function parseNetwork(text: string): { address: string; bits: number } | undefined {
  const [, address = '', digits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const maxBits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] as number;
  const bits = Number(digits ?? maxBits);
  return bits >= 0 && bits <= maxBits ? { address, bits } : undefined;
}

function toBlockList(networks: readonly string[]): BlockList {
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
const isInList = (list: BlockList, ip: string) => isIP(ip) !== 0 && list.check(ip, familyOf(ip));

const PRIVATE_LIST = toBlockList(PRIVATE);

/** Whether an IP address is in a private network. */
export const isPrivateAddress = (ip: string): boolean => isInList(PRIVATE_LIST, ip.replace(/%.*$/, ''));

function isLocalAddress(ip: string): boolean {
  const localAddresses = toBlockList(['127.0.0.0/8', '::1/128']);
  for (const { address } of Object.values(networkInterfaces()).flatMap((found) => found ?? [])) {
    if (isIP(address) !== 0) localAddresses.addAddress(address, familyOf(address));
  }
  return isInList(localAddresses, ip);
}

/** Decides where receivers of notifications may be: in the networks of devices, and anywhere for the hosts in NOTIFY_HOSTS. */
export class Reach {
  /**
   * @param privateNetwork permits the networks of devices
   * @param openNetwork permits all networks, except the addresses that are never allowed
   * @param hosts in lower case, such as `ntfy.sh`, or `*.example.org` for all hosts below it
   */
  constructor(
    private readonly privateNetwork: Network,
    private readonly openNetwork: Network,
    private readonly hosts: readonly string[],
  ) {}

  networkOf(host: string): Network {
    const name = host.toLowerCase().replace(/\.$/, '');
    const isNamed = this.hosts.some((pattern) =>
      pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) : name === pattern,
    );
    return isNamed ? this.openNetwork : this.privateNetwork;
  }
}
