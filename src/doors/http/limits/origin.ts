// Decides which web pages may use the gateway: pages of other origins must not change data, nor reach a gateway on loopback.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BadRequest, Forbidden } from '../../../errors';
import { isLoopback } from '../../../values/loopback';
import { readAuthority } from '../url';

/** The CORS rules for pages of trusted origins. There is no list of request headers, so these pages may send any header. */
export const CORS = {
  methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  exposedHeaders: ['x-request-id', 'location', 'www-authenticate', 'retry-after', 'x-total-count'],
  maxAge: 600,
};

const SAFE = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Refuses changes by pages of other origins. REST reads bodies with any content type, so a form on any page could post here.
 * Browsers send Origin or Sec-Fetch-Site; other clients send neither. On loopback, the Host header must be a loopback name or the
 * name of a trusted origin. Any other name was pointed at loopback by its owner (DNS rebinding).
 */
export function createOriginCheck(host: string, trusted: readonly string[]): (request: FastifyRequest) => void {
  const onLoopback = isLoopback(host);
  const names = [host.toLowerCase(), ...trusted.map((origin) => new URL(origin).hostname)];
  const refuseOtherNames = (host: string, place: string) => {
    const name = host.replace(/:\d*$/, '');
    if (onLoopback && name !== '' && !isLoopback(name) && !names.includes(name)) {
      throw new Forbidden(
        `${name} in the ${place} is not a name of this gateway. Use localhost, or add the origin to CORS_ORIGINS.`,
      );
    }
  };
  return ({ method, headers, raw }) => {
    // Host names may be in upper or lower case.
    const host = (headers.host ?? '').toLowerCase();
    // If the request has a whole URL, its host replaces the Host header (RFC 9112, 3.2.2).
    const requestedHost = readAuthority(raw.url ?? '')?.toLowerCase() ?? host;
    refuseOtherNames(host, 'header Host');
    refuseOtherNames(requestedHost, 'URL of the request');
    // A WebSocket is checked like a change, because browsers let a page of any site open one.
    if (SAFE.includes(method) && headers.upgrade === undefined) return;
    const { origin } = headers;
    if (origin === undefined) {
      if (String(headers['sec-fetch-site']).toLowerCase() !== 'cross-site') return;
    } else if (trusted.includes(origin) || isSameOrigin(headers)) return;
    throw new Forbidden(
      `Pages of ${origin ?? 'another site'} may not change data of this gateway. To allow them, add the origin to CORS_ORIGINS.`,
    );
  };
}

/** Whether a page of the gateway itself sends the request. */
export const isSameOrigin = ({ origin = '', host = '' }: FastifyRequest['headers']): boolean =>
  // Host names may be in upper or lower case.
  origin.replace(/^https?:\/\//, '').toLowerCase() === host.toLowerCase();

/**
 * Refuses a request without exactly one Host header, because programs differ in which of several they use. Node joins several with
 * a comma (joinDuplicateHeaders).
 */
export function refuseOtherThanOneHost({ headers, raw }: FastifyRequest, reply: FastifyReply): void {
  const isMissing = headers.host === undefined && raw.httpVersion === '1.1';
  if (!isMissing && !headers.host?.includes(',')) return;
  reply.header('connection', 'close');
  throw new BadRequest(`The request has ${isMissing ? 'no' : 'more than one'} Host header. Send exactly one.`);
}

/** The content types that a form of any site can send without a preflight, in which the browser asks the gateway first. */
const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'];
/** Headers that a page can send to another site only after a preflight. */
const PREFLIGHTED = ['apollo-require-preflight', 'x-apollo-operation-name', 'x-api-key'];

/**
 * Refuses a GET of /graphql that a page of another site could make a browser send without a preflight (CSRF). The request passes
 * if it has a header of PREFLIGHTED, if the browser reports this site or a trusted origin, or if no browser sent it.
 */
export function refuseForgery({ headers }: FastifyRequest, trusted: readonly string[]): void {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== undefined && !FORM_TYPES.includes(type)) return;
  // A Bearer token proves that a page may send it: browsers add only Basic credentials on their own.
  if (PREFLIGHTED.some((name) => headers[name]) || /^bearer /i.test(headers.authorization ?? '')) return;
  const { origin, 'sec-fetch-site': site } = headers;
  const isOwn = site === undefined ? origin === undefined : ['same-origin', 'none'].includes(String(site));
  // The client urql sends queries by GET without a header of PREFLIGHTED.
  const isTrusted = origin !== undefined && trusted.includes(origin);
  if (type === undefined && (isOwn || isTrusted)) return;
  throw new BadRequest(
    'Another site could have forged this request (CSRF). Send the content type application/json, or the header apollo-require-preflight.',
  );
}

/** Refuses a POST of /graphql that is not application/json. Pages of other sites can send that type only after a preflight. */
export function refuseOtherTypes({ headers }: FastifyRequest): void {
  const { 'content-type': type = '' } = headers;
  if (/^application\/json\s*(;|$)/i.test(type)) return;
  const given = type === '' ? 'has no content type' : `has the content type ${type.slice(0, 100)}`;
  throw Object.assign(new Error(`The request ${given}. Send application/json.`), { statusCode: 415 });
}
