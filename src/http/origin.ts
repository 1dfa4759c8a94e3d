// Browsers: pages of other origins must not change anything, nor reach a gateway at localhost under a name of theirs.
import type { FastifyRequest } from 'fastify';
import { Forbidden } from '../errors';

const SAFE = ['GET', 'HEAD', 'OPTIONS'];
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i;

export const isLoopback = (host: string) => LOOPBACK.test(host) || host === '::1';

/**
 * Bodies are read whatever their type, so a form on any page could post here. Browsers say where a request comes from,
 * in Origin or Sec-Fetch-Site; clients that are no browsers send neither. And who listens on loopback is addressed by a
 * name of loopback, or of a trusted origin where a proxy stands before it: any other has been pointed here by its owner
 * (DNS rebinding).
 */
export function originCheck(host: string, trusted: readonly string[]): (request: FastifyRequest) => void {
  const onLoopback = isLoopback(host);
  const names = [host, ...trusted.map((origin) => new URL(origin).hostname)];
  return ({ method, headers }) => {
    const asked = headers.host ?? '';
    const name = asked.replace(/:\d*$/, '');
    if (onLoopback && name !== '' && !LOOPBACK.test(name) && !names.includes(name)) {
      throw new Forbidden(`This gateway is not called ${name} (CORS_ORIGINS)`);
    }
    if (SAFE.includes(method)) return;
    const { origin } = headers;
    if (origin === undefined) {
      if (String(headers['sec-fetch-site']).toLowerCase() !== 'cross-site') return;
    } else if (trusted.includes(origin) || origin.replace(/^https?:\/\//, '') === asked) return;
    throw new Forbidden(`Pages of ${origin ?? 'another site'} may not change anything here (CORS_ORIGINS)`);
  };
}
