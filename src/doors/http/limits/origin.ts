// Protects against pages of other origins in a browser: they must not change data, nor reach a gateway on loopback.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BadRequest, Forbidden } from '../../../errors';
import { isLoopback } from '../../../values/loopback';
import { requestAuthority } from '../url';

/** What pages of trusted origins may use. Without a list of request headers, they may send any. */
export const CORS = {
  methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  exposedHeaders: ['x-request-id', 'location', 'www-authenticate', 'retry-after'],
  maxAge: 600,
};

const SAFE = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Bodies are read with any content type, so a form on any page could post here. Browsers send Origin or Sec-Fetch-Site;
 * other clients send neither. On loopback, the Host header must be a loopback name or that of a trusted origin. Any
 * other name was pointed here by its owner (DNS rebinding).
 */
export function originCheck(host: string, trusted: readonly string[]): (request: FastifyRequest) => void {
  const onLoopback = isLoopback(host);
  const names = [host.toLowerCase(), ...trusted.map((origin) => new URL(origin).hostname)];
  const refuseOtherNames = (host: string, place: string) => {
    const name = host.replace(/:\d*$/, '');
    if (onLoopback && name !== '' && !isLoopback(name) && !names.includes(name)) {
      throw new Forbidden(`${name} in the ${place} is not a name of this gateway (CORS_ORIGINS)`);
    }
  };
  return ({ method, headers, raw }) => {
    // The case of a host name has no meaning.
    const host = (headers.host ?? '').toLowerCase();
    // The host of a whole URL stands above the header (RFC 9112, 3.2.2).
    const asked = requestAuthority(raw.url ?? '')?.toLowerCase() ?? host;
    refuseOtherNames(host, 'header Host');
    refuseOtherNames(asked, 'URL of the request');
    // A browser lets a page of any site open a WebSocket.
    if (SAFE.includes(method) && headers.upgrade === undefined) return;
    const { origin } = headers;
    if (origin === undefined) {
      if (String(headers['sec-fetch-site']).toLowerCase() !== 'cross-site') return;
    } else if (trusted.includes(origin) || isOwnOrigin(headers)) return;
    throw new Forbidden(`Pages of ${origin ?? 'another site'} may not change data of this gateway (CORS_ORIGINS)`);
  };
}

/** Whether a page of the gateway itself sends the request. */
export const isOwnOrigin = ({ origin = '', host = '' }: FastifyRequest['headers']): boolean =>
  // The case of a host name has no meaning.
  origin.replace(/^https?:\/\//, '').toLowerCase() === host.toLowerCase();

/** Programs differ in the Host header that they believe. Node joins two with a comma (joinDuplicateHeaders). */
export function refuseOtherThanOneHost({ headers, raw }: FastifyRequest, reply: FastifyReply): void {
  const isMissing = headers.host === undefined && raw.httpVersion === '1.1';
  if (!isMissing && !headers.host?.includes(',')) return;
  reply.header('connection', 'close');
  throw new BadRequest(`The request has ${isMissing ? 'no' : 'more than one'} Host header`);
}

/** The content types that a form sends without asking the gateway first (a preflight). */
const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'];
/** Headers that a page can send to another site only after a preflight. */
const PREFLIGHTED = ['apollo-require-preflight', 'x-apollo-operation-name', 'x-api-key'];

/**
 * Refuses a GET of /graphql that a page of another site could make a browser send without a preflight (CSRF). It passes
 * with a header of the list above, when the browser reports this site or a trusted origin, and when no browser sent it.
 */
export function refuseForgery({ headers }: FastifyRequest, trusted: readonly string[]): void {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== undefined && !FORM_TYPES.includes(type)) return;
  // A browser adds Basic credentials by itself, a Bearer token never.
  if (PREFLIGHTED.some((name) => headers[name]) || /^bearer /i.test(headers.authorization ?? '')) return;
  const { origin, 'sec-fetch-site': site } = headers;
  const isOwn = site === undefined ? origin === undefined : ['same-origin', 'none'].includes(String(site));
  // urql queries by GET, without a header of the list.
  const isTrusted = origin !== undefined && trusted.includes(origin);
  if (type === undefined && (isOwn || isTrusted)) return;
  throw new BadRequest(
    'The request could be forged by another site (CSRF): send the content type application/json, or the header apollo-require-preflight',
  );
}

/** Refuses a POST of /graphql with another content type. A page can send that of JSON only after a preflight. */
export function refuseOtherTypes({ headers }: FastifyRequest): void {
  const { 'content-type': type = '' } = headers;
  if (/^application\/json\s*(;|$)/i.test(type)) return;
  const given = type === '' ? 'has no content type' : `has the content type ${type.slice(0, 100)}`;
  throw Object.assign(new Error(`The request ${given}: send application/json`), { statusCode: 415 });
}
