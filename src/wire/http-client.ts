// One HTTP connection to a machine or a receiver: one request at a time, each with a bound of time and of bytes. Redirects are not followed.
import type { Socket } from 'node:net';
import { Writable } from 'node:stream';
import pLimit from 'p-limit';
import { Client } from 'undici';
import { timeoutSignal, wholeMs } from '../values/timers';
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
  /** Parsed JSON; null where there is no body. */
  body: unknown;
}

export interface HttpRequest {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  /** JSON, or its text. */
  body?: unknown;
}

export class HttpClient {
  private readonly client: Client;
  private readonly oneAtATime = pLimit(1);
  /** Whether its socket has answered before: one that was closed meanwhile is opened again. */
  private hasAnswered = false;

  private readonly isSecure: boolean;

  /**
   * @param dial is called again when the server closed the socket between two requests
   * @param usesBasicAuth whether the machine itself wants Basic
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

  /** Any status. A machine of another kind, or one that is away, is a failure. */
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
   * For an answer whose head is all that counts: its body is dropped, and may fail or be cut off.
   * @param success gets the whole body of an answer of 2xx, if it is given
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
    const parsed = () => this.lifetime.meter.runCharged(() => parseBody(bytes));
    return { status: statusCode, headers: answerHeaders, body: statusCode === 200 ? parsed() : null };
  }

  private toRequestOptions(path: string, { method = 'GET', headers = {}, body }: HttpRequest) {
    return {
      path,
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
      // The bounds of undici are for each part of an answer: a server may send a byte a second.
      signal: timeoutSignal(this.limits.answerMs),
    };
  }
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** The body of an answer that was granted. */
export function requireGranted({ status, body }: HttpAnswer): unknown {
  if (status === 200) return body;
  if (status === 401 || status === 403) throw new Failure('CREDENTIALS_REFUSED');
  throw new Failure(status === 404 || status === 405 ? 'NOT_THIS_KIND' : 'PROTOCOL_ERROR');
}

function parseBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return null;
  // A page, not an interface.
  if (/^\s*</.test(bytes.toString('latin1', 0, 100))) throw new Failure('NOT_THIS_KIND');
  return parseReceivedJson(bytes);
}
