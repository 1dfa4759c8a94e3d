// How answers are sent, refusals and failures among them: in REST's shape, in the graph's, and on a bare socket.
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { GatewayError, Outage, TooManyRequests } from '../errors';
import { errorBody, restError } from '../rest/errors';
import { camel, type Spelling } from '../rest/shapes';

export const JSON_TYPE = 'application/json';

export function sendJson(reply: FastifyReply, status: number, body: string | Buffer): FastifyReply {
  // A string would be sent with "; charset=utf-8" behind the type that the documents name.
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
  const code = error instanceof GatewayError ? error.code : status >= 500 ? 'INTERNAL_SERVER_ERROR' : 'BAD_REQUEST';
  return sendJson(reply, status, JSON.stringify({ errors: [{ message, extensions: { code } }] }));
}

/** Of what the doors throw, and of what Fastify refuses on its own (its messages are for clients). */
function refusal(error: unknown, request: FastifyRequest, reply: FastifyReply, spell: Spelling) {
  const { statusCode, message } = error as FastifyError;
  const own = error instanceof GatewayError || statusCode === undefined || statusCode >= 500;
  const told = own ? restError(error, spell) : { status: statusCode, message };
  if (told.status >= 500) logFailure(error, request);
  if (told.status === 401) reply.header('www-authenticate', 'Bearer');
  if (error instanceof TooManyRequests) reply.header('retry-after', error.retryAfterSeconds);
  return told;
}

/** An outage is said once, by whoever watches the database, and not by every request that meets it. */
export function logFailure(error: unknown, request: FastifyRequest): void {
  if (!(error instanceof Outage)) request.log.error({ requestId: request.id, err: error }, 'a request failed');
}

const BROKEN: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive'],
};

/** What never became a request: headers too large, a request that is not HTTP, one that took too long. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, message] = BROKEN[error.code ?? ''] ?? ['400 Bad Request', 'The request is not HTTP that can be read'];
  const body = errorBody(message);
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: ${JSON_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
