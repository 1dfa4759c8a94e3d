// Decides which address a client has, and by which name the limits distinguish clients.
import { isIPv6 } from 'node:net';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';

/** Removes the ports that some proxies append to addresses, because a client has a different port on every connection. */
export const forgetPorts: onRequestHookHandler = ({ headers }, _reply, done) => {
  const addresses = headers['x-forwarded-for'];
  if (typeof addresses === 'string') headers['x-forwarded-for'] = addresses.split(',').map(withoutPort).join();
  done();
};

/** The patterns are anchored at both ends, so that a long text costs no repeated matching. */
function withoutPort(text: string): string {
  const [, v6, v4] = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text.trim()) ?? [];
  return v6 ?? v4 ?? text;
}

/**
 * The address by which a client without credentials is counted. For IPv6 this is the network of 64 bits, because a provider gives
 * every customer a whole network of addresses.
 */
export function toCountedAddress(address: string): string {
  if (!isIPv6(address)) return address;
  const v4 = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (v4 !== undefined) return v4;
  const groups = (text = '') => text.split(':').filter((group) => group !== '');
  const [left, right] = address
    .replace(/%.*/, '')
    .replace(/[\d.]+\.\d+$/, '0:0')
    .split('::')
    .map(groups);
  const missing = Array(8 - (left?.length ?? 0) - (right?.length ?? 0)).fill('0');
  const network = [...(left ?? []), ...missing, ...(right ?? [])].slice(0, 4);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

/** Distinguishes clients: those with credentials by their caller, all others by their address. */
export const nameClient = ({ caller, ip }: Pick<FastifyRequest, 'caller' | 'ip'>): string =>
  caller.name || toCountedAddress(ip);
