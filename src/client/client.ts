// The gateway's typed client for browsers and Node: sends a generated document, returns its data, throws its errors.
import {
  LatestChangeCursorDocument,
  type LatestChangeCursorQuery,
  type TypedDocument,
} from '../generated/operations.js';
import { answersOf, type StreamPart } from './event-stream.js';
import { answerIn, brokenOff, dataIn, failureOf, GatewayRequestError } from './request-error.js';
import { type RequestHeaders, type WatchOptions, watch } from './watch.js';

export { type GatewayErrorEntry, type GatewayIssue, GatewayRequestError } from './request-error.js';
export type { WatchOptions, WatchState } from './watch.js';

export interface ClientOptions {
  /** The gateway's GraphQL endpoint, such as `/graphql` in a browser or `http://127.0.0.1:4000/graphql`. */
  url: string;
  /**
   * Sent with every request. A function is called each time, for tokens that expire. Its error, or its silence of 30
   * seconds, ends a subscription: before the first connection at once, later the fifth in a row.
   */
  headers?: RequestHeaders | (() => RequestHeaders | Promise<RequestHeaders>);
  /** Used instead of the global fetch. */
  fetch?: typeof fetch;
  /** Opens the stream of a subscription in another way than as an event stream; null: an event stream after all. */
  openStream?: (asked: StreamRequest, signal: AbortSignal) => Promise<AsyncIterator<StreamPart<unknown>> | null>;
}

export interface StreamRequest {
  headers: RequestHeaders;
  query: string;
  variables: Record<string, unknown>;
}

export interface RequestOptions {
  signal?: AbortSignal;
}

/** Variables are optional when none of them is required. */
type Rest<Variables> =
  Record<string, never> extends Variables
    ? [variables?: Variables, options?: RequestOptions]
    : [variables: Variables, options?: RequestOptions];

export interface Client {
  request<Result, Variables>(document: TypedDocument<Result, Variables>, ...rest: Rest<Variables>): Promise<Result>;
  /**
   * Watches a subscription until the loop is left. After a lost connection it goes on behind the last change, so each
   * change comes once. The document selects `cursor`, and has the variable `after`.
   */
  subscribe<Result extends Record<string, { cursor: string }>, Variables extends { after?: string | null }>(
    document: TypedDocument<Result, Variables>,
    variables?: Variables,
    options?: WatchOptions,
  ): AsyncGenerator<Result, void, undefined>;
  /** Watches the states of printers. After a lost connection the newest state of each comes again. */
  subscribe<Result extends { printerStateChanged: unknown }, Variables>(
    document: TypedDocument<Result, Variables>,
    variables?: Variables,
    options?: WatchOptions,
  ): AsyncGenerator<Result, void, undefined>;
}

export function createClient(options: ClientOptions): Client {
  // Browsers refuse a fetch that is called as a method of `options`.
  const send = options.fetch ?? fetch;

  const ownHeaders = async () => (typeof options.headers === 'function' ? options.headers() : (options.headers ?? {}));

  const ask = async (
    accept: string,
    own: RequestHeaders,
    document: TypedDocument<unknown, never>,
    variables: unknown,
    signal?: AbortSignal,
  ): Promise<Response> => {
    const headers = { accept, ...own, 'content-type': 'application/json' };
    const body = JSON.stringify({ query: document.loc.source.body, variables });
    return send(options.url, { method: 'POST', headers, body, signal: signal ?? null }).catch((cause: unknown) => {
      if (signal?.aborted) throw cause;
      // Throws where no request can have this URL or these headers.
      if (options.fetch === undefined) void new Request(options.url, { headers });
      throw new GatewayRequestError(`no answer from ${options.url}`, { status: 0, cause });
    });
  };

  return {
    async request<Result, Variables>(
      document: TypedDocument<Result, Variables>,
      ...[variables, { signal } = {}]: Rest<Variables>
    ): Promise<Result> {
      return dataOf<Result>(await ask(JSON_TYPES, await ownHeaders(), document, variables, signal), signal);
    },

    subscribe<Result, Variables extends { after?: string | null }>(
      document: TypedDocument<Result, Variables>,
      variables?: Variables,
      watchOptions: WatchOptions = {},
    ) {
      const open = async (own: RequestHeaders, after: string | undefined, signal: AbortSignal) => {
        const from = after === undefined ? {} : { after };
        const asked = { headers: own, query: document.loc.source.body, variables: { ...variables, ...from } };
        const opened = await options.openStream?.(asked, signal);
        if (opened) return opened;
        const response = await ask('text/event-stream', own, document, asked.variables, signal);
        if (response.headers.get('content-type')?.startsWith('text/event-stream')) return answersOf(response);
        // A refusal is JSON.
        await dataOf(response, signal);
        throw new GatewayRequestError('the answer is no event stream', { status: response.status });
      };
      const latest = async (own: RequestHeaders, signal: AbortSignal) => {
        const response = await ask(JSON_TYPES, own, LatestChangeCursorDocument, {}, signal);
        return (await dataOf<LatestChangeCursorQuery>(response, signal)).latestChangeCursor;
      };
      // The states of printers have no cursors.
      const hasCursors = /\$after\b/.test(document.loc.source.body);
      const requests = { headers: ownHeaders, open, latest: hasCursors ? latest : null };
      return watch<Result & object>(requests, variables?.after, watchOptions);
    },
  };
}

const JSON_TYPES = 'application/graphql-response+json, application/json;q=0.9';

async function dataOf<Result>(response: Response, signal?: AbortSignal): Promise<Result> {
  const { status } = response;
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const answer = await read<Result>(response, signal);
  if (!response.ok) throw failureOf(answer, { status, requestId });
  return dataIn(answer, { status, requestId });
}

async function read<Result>(response: Response, signal?: AbortSignal) {
  const text = await response.text().catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    return brokenOff(response.status, cause);
  });
  return answerIn<Result>(text);
}
