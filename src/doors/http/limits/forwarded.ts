// The addresses of clients, as trusted proxies give them.
import { isIPv6 } from 'node:net';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';

/** Some proxies write a port behind each address. A client has another port on every connection. */
export const forgetPorts: onRequestHookHandler = ({ headers }, _reply, done) => {
  const addresses = headers['x-forwarded-for'];
  if (typeof addresses === 'string') headers['x-forwarded-for'] = addresses.split(',').map(withoutPort).join();
  done();
};

/** Each pattern is bound to the begin and the end: in a text of any length it is tried at one place. */
function withoutPort(text: string): string {
  const [, v6, v4] = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text.trim()) ?? [];
  return v6 ?? v4 ?? text;
}

/** The address of a caller that is counted by it; of IPv6 the network of 64 bits, because every customer of a provider has so many. */
export function countedAddressOf(address: string): string {
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

/** Callers with credentials are distinguished by their credentials, all others by their address. */
export const clientOf = ({ caller, ip }: Pick<FastifyRequest, 'caller' | 'ip'>): string =>
  caller.name || countedAddressOf(ip);
