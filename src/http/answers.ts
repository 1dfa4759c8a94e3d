// Sends answers and refusals: in the shape of REST, in the shape of GraphQL, and on a bare socket.
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Duplex, Readable } from 'node:stream';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Away, BadRequest, GatewayError, Outage, TooManyRequests } from '../errors';
import { formatFailure, noteCodes } from '../graphql/errors';
import type { RequestRecord } from '../observability/request-record';
import { type ErrorWords, errorBody, restError } from '../rest/errors';
import { camel } from '../values/spelling';

export const JSON_TYPE = 'application/json';

export function sendJson(reply: FastifyReply, status: number, body: string | Buffer): FastifyReply {
  // Fastify would add "; charset=utf-8" to the content type of a string; the documents have the type without it.
  return reply
    .code(status)
    .header('content-type', JSON_TYPE)
    .send(typeof body === 'string' ? Buffer.from(body) : body);
}

export const CSV_TYPE = 'text/csv; charset=utf-8';

/** A failure behind the first piece breaks the connection off: the client must not take the file for a whole one. */
export function sendCsv(reply: FastifyReply, name: string, pieces: AsyncIterable<string>): FastifyReply {
  return reply
    .header('content-type', CSV_TYPE)
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(reply.request.method === 'HEAD' ? '' : Readable.from(pieces));
}

/** Of /graphql, and of paths that are in no document. */
const OWN_WORDS: ErrorWords = { spell: camel, outageStatus: 503 };

export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  words = OWN_WORDS,
): FastifyReply {
  const { status, message } = refusal(error, request, reply, words);
  return sendJson(reply, status, errorBody(message));
}

/** The same for /graphql, in the shape that GraphQL clients read. */
export function sendGraphError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, message } = refusal(error, request, reply, OWN_WORDS);
  // Fastify's own refusals have no code.
  const isCoded = error instanceof GatewayError || status >= 500;
  const answer = formatFailure(isCoded ? (error as Error) : new BadRequest(message));
  if (request.record) noteCodes(request.record, answer.errors);
  return sendJson(reply, status, JSON.stringify(answer));
}

/** The refusal for an error of the gateway, or for an error of Fastify, whose messages are for clients too. */
function refusal(error: unknown, request: FastifyRequest, reply: FastifyReply, words: ErrorWords) {
  const { statusCode, message } = error as FastifyError;
  const own = error instanceof GatewayError || statusCode === undefined || statusCode >= 500;
  const told = own ? restError(error, words) : { status: statusCode, message };
  if (told.status >= 500) logFailure(error, request);
  if (told.status === 401) reply.header('www-authenticate', 'Bearer');
  if (error instanceof TooManyRequests || error instanceof Away) reply.header('retry-after', error.retryAfterSeconds);
  return told;
}

/** Notes a message of a WebSocket that was refused or failed. Returns the status that a request would have got. */
export function failedMessage(error: unknown, request: FastifyRequest, { id, codes }: RequestRecord): number {
  const { status } = restError(error, OWN_WORDS);
  if (status >= 500) logFailure(error, request, id);
  codes.push(error instanceof GatewayError ? error.code : 'INTERNAL_SERVER_ERROR');
  return status;
}

/** Availability logs an outage once, so the requests that fail with it do not log it. */
export function logFailure(error: unknown, { log, id }: FastifyRequest, requestId = id): void {
  if (!(error instanceof Outage)) log.error({ requestId, err: error }, 'a request failed');
}

const BROKEN: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive'],
};

/** Answers bytes that are no request: headers too large, not HTTP, or too slow to arrive. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET') return void socket.destroy();
  const [status, message] = BROKEN[error.code ?? ''] ?? [BAD_REQUEST, 'The request is not HTTP that can be read'];
  const answer = () => endWith(socket, status, message);
  // The answer to the request before comes first, unless the fault is in the body of that request.
  const last = lastAnswers.get(socket);
  if (last?.req.complete && !last.writableFinished) last.once('close', answer);
  else answer();
}

const BAD_REQUEST = '400 Bad Request';
const lastAnswers = new WeakMap<Socket, ServerResponse>();

/** Answers requests that Node would refuse without a body. */
export function answerRareRequests(server: Server): void {
  server.on('request', ({ socket }, response) => void lastAnswers.set(socket, response));
  server.on('checkExpectation', ({ socket }) =>
    endWith(socket, '417 Expectation Failed', 'The only expectation that is known is 100-continue'),
  );
  server.on('connect', (_request, socket) =>
    endWith(socket, '405 Method Not Allowed', 'CONNECT is not allowed here: this is no proxy'),
  );
}

/** The last answer of a connection. @param headers lines, each with its end */
function endWith(socket: Duplex, status: string, message: string, headers = ''): void {
  // Without a listener, a client that is gone would end the process.
  socket.on('error', () => {});
  if (!socket.writable) return void socket.destroy();
  const body = errorBody(message);
  socket.end(
    `HTTP/1.1 ${status}\r\n${headers}Content-Type: ${JSON_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** Answers a request for a WebSocket that ws cannot accept. */
export function refuseHandshake({ message }: Error, socket: Duplex): void {
  endWith(socket, BAD_REQUEST, `This is no request for a WebSocket: ${message}`, 'Sec-WebSocket-Version: 13\r\n');
}
