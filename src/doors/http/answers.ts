// Sends responses and errors in the format of REST or of GraphQL.
import { Readable } from 'node:stream';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { BadRequest, DatabaseUnavailable, GatewayError, TooManyRequests, Unavailable } from '../../errors';
import type { Observation } from '../../observability/observation';
import { formatFailure, noteCodes } from '../graphql/graphql-errors';
import { type ErrorFormat, errorBody, toRestError, USUAL_ERRORS } from '../rest/rest-errors';

export const JSON_TYPE = 'application/json';

export function sendJson(reply: FastifyReply, status: number, body: string | Buffer): FastifyReply {
  // Sent as bytes: Fastify would add "; charset=utf-8" to the content type of a string, and the documents have no charset.
  return reply
    .code(status)
    .header('content-type', JSON_TYPE)
    .send(typeof body === 'string' ? Buffer.from(body) : body);
}

export const CSV_TYPE = 'text/csv; charset=utf-8';

/** Sends a file while it is being made. A later failure breaks the connection, so the client sees that the file is incomplete. */
export function sendCsv(reply: FastifyReply, name: string, chunks: AsyncIterable<string>): FastifyReply {
  return reply
    .header('content-type', CSV_TYPE)
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(Readable.from(reply.request.method === 'HEAD' ? [] : chunks));
}

export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  format = USUAL_ERRORS,
): FastifyReply {
  const { status, message } = chooseRefusal(error, request, reply, format);
  return sendJson(reply, status, errorBody(message));
}

/** Sends an error of /graphql in the format that GraphQL clients read. */
export function sendGraphError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, message } = chooseRefusal(error, request, reply, USUAL_ERRORS);
  // Errors of Fastify itself have no error code, so they get BAD_REQUEST.
  const isCoded = error instanceof GatewayError || status >= 500;
  const answer = formatFailure(isCoded ? (error as Error) : new BadRequest(message));
  noteCodes(request.observation, answer.errors);
  return sendJson(reply, status, JSON.stringify(answer));
}

/** The status and the message for an error of the gateway or of Fastify, whose messages are meant for clients too. */
function chooseRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply, format: ErrorFormat) {
  const { statusCode, message } = error as FastifyError;
  const own = error instanceof GatewayError || statusCode === undefined || statusCode >= 500;
  const refused = own ? toRestError(error, format) : { status: statusCode, message };
  if (refused.status >= 500) logFailure(error, request);
  if (refused.status === 401) reply.header('www-authenticate', 'Bearer');
  if (error instanceof TooManyRequests || error instanceof Unavailable)
    reply.header('retry-after', error.retryAfterSeconds);
  return refused;
}

/** Records the failure of a message of a WebSocket. Returns the status that the same request by HTTP would have. */
export function failedMessage(error: unknown, request: FastifyRequest, { id, codes }: Observation): number {
  const { status } = toRestError(error, USUAL_ERRORS);
  if (status >= 500) logFailure(error, request, id);
  codes.push(error instanceof GatewayError ? error.code : 'INTERNAL_SERVER_ERROR');
  return status;
}

/** Logs the failure of a request, except an outage of the database, which Availability logs once for all requests. */
export function logFailure(error: unknown, { log, id }: FastifyRequest, requestId = id): void {
  if (!(error instanceof DatabaseUnavailable)) log.error({ requestId, err: error }, 'a request failed');
}
