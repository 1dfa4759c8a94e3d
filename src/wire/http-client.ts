// Sends HTTP requests to one machine or receiver: one at a time, with limits on time and bytes, and without following redirects.
import type { Socket } from 'node:net';
import { Writable } from 'node:stream';
import pLimit from 'p-limit';
import { Client } from 'undici';
import { createTimeoutSignal, wholeMs } from '../values/timers';
import type { ConnectionLifetime } from './connection-lifetime';
import type { Limits } from './connection-limits';
import type { Dialled } from './dial';
import { Failure, findProxyFault } from './faults';
import { GatheredBytes } from './gathered-bytes';
import type { Endpoint } from './machine-address';
import { parseReceivedJson } from './received-json';

export interface HttpAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The parsed JSON; `null` if the answer has no body, or its status is not 200. */
  body: unknown;
}

export interface HttpRequest {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  /** A value to send as JSON, or the JSON text itself. */
  body?: unknown;
  /** From the request until the end of its answer, if it must be shorter than for other requests. */
  answerMs?: number;
}

export class HttpClient {
  private readonly client: Client;
  private readonly oneAtATime = pLimit(1);
  /** Whether the socket has answered before. If a request fails then, the server may have closed the idle socket, so the request is sent once more. */
  private hasAnswered = false;

  private readonly isSecure: boolean;

  /**
   * @param dial opens a socket, again if the server closed the last socket between two requests
   * @param usesBasicAuth whether the machine itself asks for a password with HTTP Basic
   */
  constructor(
    { secure, host, port }: Endpoint,
    private readonly limits: Limits,
    private readonly lifetime: ConnectionLifetime,
    dial: () => Promise<Dialled>,
    private readonly usesBasicAuth = false,
  ) {
    this.isSecure = secure;
    this.client = new Client(`${secure ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`, {
      maxResponseSize: limits.maxBytes,
      headersTimeout: wholeMs(limits.answerMs),
      bodyTimeout: wholeMs(limits.answerMs),
      connect: (_options, done) => {
        dial().then(
          ({ socket }) => done(null, socket as Socket),
          (error: Error) => done(error, null),
        );
      },
    });
    lifetime.onClose(() => void this.client.destroy());
  }

  /** Returns an answer with any status. Throws if the answer shows another kind of machine, or a proxy whose machine is away. */
  ask(path: string, request: HttpRequest = {}): Promise<HttpAnswer> {
    return this.oneAtATime(() => this.askOnce(path, request));
  }

  private async askOnce(path: string, request: HttpRequest): Promise<HttpAnswer> {
    const wasUsed = this.hasAnswered;
    try {
      const answer = await this.send(path, request);
      this.hasAnswered = true;
      return answer;
    } catch (error) {
      this.hasAnswered = false;
      const isClosed = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(
        String((error as NodeJS.ErrnoException).code),
      );
      if (!(wasUsed && isClosed)) throw error;
      return this.send(path, request);
    }
  }

  /**
   * Asks for the status and the headers only. The body is dropped, and may fail or be cut off.
   * @param success receives the whole body of an answer with 2xx
   */
  async askForHead(path: string, request: HttpRequest, success?: Writable): Promise<Omit<HttpAnswer, 'body'>> {
    let head: Omit<HttpAnswer, 'body'> | undefined;
    let isRead = false;
    try {
      await this.client.stream(this.toRequestOptions(path, request), ({ statusCode: status, headers }) => {
        head = { status, headers };
        isRead = success !== undefined && isSuccess(status);
        return isRead ? (success as Writable) : new Writable({ write: (_part, _encoding, done) => done() });
      });
    } catch (error) {
      if (head === undefined || isRead) throw error;
    }
    return head as Omit<HttpAnswer, 'body'>;
  }

  /**
   * Reads the body of an answer, whatever its type. A longer body than `maxBytes` ends the socket, and throws.
   * @returns the body of an answer with status 200; `null` for any other status
   */
  askForBytes(
    path: string,
    request: HttpRequest,
    maxBytes: number,
  ): Promise<Omit<HttpAnswer, 'body'> & { bytes: Buffer | null }> {
    return this.oneAtATime(async () => {
      const gathered = new GatheredBytes(maxBytes);
      const head = await this.askForHead(path, request, gathered);
      this.lifetime.meter.endMessage();
      return { ...head, bytes: head.status === 200 ? gathered.toBuffer() : null };
    });
  }

  private async send(path: string, request: HttpRequest): Promise<HttpAnswer> {
    const gathered = new GatheredBytes(this.limits.maxBytes);
    let [statusCode, answerHeaders]: [number, HttpAnswer['headers']] = [0, {}];
    await this.client.stream(this.toRequestOptions(path, request), (answer) => {
      [statusCode, answerHeaders] = [answer.statusCode, answer.headers];
      return gathered;
    });
    this.lifetime.meter.endMessage();
    const bytes = gathered.toBuffer();
    const fault = findProxyFault(
      { status: statusCode, headers: answerHeaders, bytes },
      this.isSecure,
      this.usesBasicAuth,
    );
    if (fault !== null) throw new Failure(fault);
    return { status: statusCode, headers: answerHeaders, body: statusCode === 200 ? parseBody(bytes) : null };
  }

  private toRequestOptions(
    path: string,
    { method = 'GET', headers = {}, body, answerMs = this.limits.answerMs }: HttpRequest,
  ) {
    return {
      path,
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
      // The limits of undici apply to each part of an answer, so a server could send one byte a second for ever.
      signal: createTimeoutSignal(answerMs),
    };
  }
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Returns the body of an answer with status 200, and throws the fault of any other status. */
export function requireGranted({ status, body }: HttpAnswer): unknown {
  if (status === 200) return body;
  if (status === 401 || status === 403) throw new Failure('CREDENTIALS_REFUSED');
  throw new Failure(status === 404 || status === 405 ? 'NOT_THIS_KIND' : 'PROTOCOL_ERROR');
}

function parseBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return null;
  // The answer is an HTML page, so this is not the API of a machine.
  if (/^\s*</.test(bytes.toString('latin1', 0, 100))) throw new Failure('NOT_THIS_KIND');
  return parseReceivedJson(bytes);
}
