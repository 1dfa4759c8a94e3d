// Sends answers and refusals: in the shape of REST, in the shape of GraphQL, and on a bare socket.
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { GatewayError, Outage, TooManyRequests } from '../errors';
import { extensionsOf, UNEXPECTED } from '../graphql/errors';
import { errorBody, restError } from '../rest/errors';
import { camel, type Spelling } from '../values/spelling';

export const JSON_TYPE = 'application/json';

export function sendJson(reply: FastifyReply, status: number, body: string | Buffer): FastifyReply {
  // Fastify would add "; charset=utf-8" to the content type of a string; the documents have the type without it.
  return reply
    .code(status)
    .header('content-type', JSON_TYPE)
    .send(typeof body === 'string' ? Buffer.from(body) : body);
}

export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  spell: Spelling = camel,
): FastifyReply {
  const { status, message } = refusal(error, request, reply, spell);
  return sendJson(reply, status, errorBody(message));
}

/** The same for /graphql, in the shape that GraphQL clients read. */
export function sendGraphError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, message } = refusal(error, request, reply, camel);
  const isFailure = status >= 500;
  const extensions =
    error instanceof GatewayError ? extensionsOf(error) : { code: isFailure ? 'INTERNAL_SERVER_ERROR' : 'BAD_REQUEST' };
  request.record?.codes.push(extensions.code);
  const told = { message: isFailure ? UNEXPECTED : message, extensions };
  return sendJson(reply, status, JSON.stringify({ errors: [told] }));
}

/** The refusal for an error of the gateway, or for an error of Fastify, whose messages are for clients too. */
function refusal(error: unknown, request: FastifyRequest, reply: FastifyReply, spell: Spelling) {
  const { statusCode, message } = error as FastifyError;
  const own = error instanceof GatewayError || statusCode === undefined || statusCode >= 500;
  const told = own ? restError(error, spell) : { status: statusCode, message };
  if (told.status >= 500) logFailure(error, request);
  if (told.status === 401) reply.header('www-authenticate', 'Bearer');
  if (error instanceof TooManyRequests) reply.header('retry-after', error.retryAfterSeconds);
  return told;
}

/** Availability logs an outage once, so the requests that fail with it do not log it. */
export function logFailure(error: unknown, request: FastifyRequest): void {
  if (!(error instanceof Outage)) request.log.error({ requestId: request.id, err: error }, 'a request failed');
}

const BROKEN: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive'],
};

/** Answers bytes that are no request: headers too large, not HTTP, or too slow to arrive. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, message] = BROKEN[error.code ?? ''] ?? ['400 Bad Request', 'The request is not HTTP that can be read'];
  const body = errorBody(message);
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: ${JSON_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
