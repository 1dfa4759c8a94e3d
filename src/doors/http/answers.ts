// Sends answers and refusals: in the shape of REST, and in the shape of GraphQL.
import { Readable } from 'node:stream';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { BadRequest, DatabaseUnavailable, GatewayError, TooManyRequests, Unavailable } from '../../errors';
import type { Observation } from '../../observability/observation';
import { formatFailure, noteCodes } from '../graphql/graphql-errors';
import { type ErrorFormat, errorBody, OWN_ERRORS, restError } from '../rest/rest-errors';

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
    .send(Readable.from(reply.request.method === 'HEAD' ? [] : pieces));
}

export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  format = OWN_ERRORS,
): FastifyReply {
  const { status, message } = refusal(error, request, reply, format);
  return sendJson(reply, status, errorBody(message));
}

/** Sends an error of /graphql, in the shape that GraphQL clients read. */
export function sendGraphError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, message } = refusal(error, request, reply, OWN_ERRORS);
  // Fastify's own refusals have no code.
  const isCoded = error instanceof GatewayError || status >= 500;
  const answer = formatFailure(isCoded ? (error as Error) : new BadRequest(message));
  noteCodes(request.observation, answer.errors);
  return sendJson(reply, status, JSON.stringify(answer));
}

/** The refusal for an error of the gateway, or for an error of Fastify, whose messages are for clients too. */
function refusal(error: unknown, request: FastifyRequest, reply: FastifyReply, format: ErrorFormat) {
  const { statusCode, message } = error as FastifyError;
  const own = error instanceof GatewayError || statusCode === undefined || statusCode >= 500;
  const refused = own ? restError(error, format) : { status: statusCode, message };
  if (refused.status >= 500) logFailure(error, request);
  if (refused.status === 401) reply.header('www-authenticate', 'Bearer');
  if (error instanceof TooManyRequests || error instanceof Unavailable)
    reply.header('retry-after', error.retryAfterSeconds);
  return refused;
}

/** Notes a message of a WebSocket that was refused or failed. Returns the status that a request would have got. */
export function failedMessage(error: unknown, request: FastifyRequest, { id, codes }: Observation): number {
  const { status } = restError(error, OWN_ERRORS);
  if (status >= 500) logFailure(error, request, id);
  codes.push(error instanceof GatewayError ? error.code : 'INTERNAL_SERVER_ERROR');
  return status;
}

/** Availability logs an outage once, so the requests that fail with it do not log it. */
export function logFailure(error: unknown, { log, id }: FastifyRequest, requestId = id): void {
  if (!(error instanceof DatabaseUnavailable)) log.error({ requestId, err: error }, 'a request failed');
}
