// Defines the typed client for browsers and Node: it sends a generated document and returns the data, or throws the errors.
import {
  LatestChangeCursorDocument,
  type LatestChangeCursorQuery,
  type TypedDocument,
} from '../generated/operations.js';
import { readEvents, type StreamPart } from './event-stream.js';
import { dataOrThrow, GatewayRequestError, makeRequestError, parseAnswer, throwIncomplete } from './request-error.js';
import { type RequestHeaders, type WatchOptions, watch } from './watch.js';

export { type GatewayErrorEntry, type GatewayIssue, GatewayRequestError } from './request-error.js';
export type { WatchOptions, WatchState } from './watch.js';

export interface ClientOptions {
  /** The gateway's GraphQL endpoint, such as `/graphql` in a browser or `http://127.0.0.1:4000/graphql`. */
  url: string;
  /**
   * Headers for every request. Use a function for tokens that expire: it is called for each request. If it throws, or does not
   * answer within 30 seconds, a subscription ends: immediately before the first connection, otherwise after five such failures
   * in a row.
   */
  headers?: RequestHeaders | (() => RequestHeaders | Promise<RequestHeaders>);
  /** Used instead of the global fetch. */
  fetch?: typeof fetch;
  /** Opens the stream of a subscription in another way, such as a WebSocket. If it returns null, an event stream is used. */
  openStream?: (request: StreamRequest, signal: AbortSignal) => Promise<AsyncIterator<StreamPart<unknown>> | null>;
}

export interface StreamRequest {
  headers: RequestHeaders;
  query: string;
  variables: Record<string, unknown>;
}

export interface RequestOptions {
  signal?: AbortSignal;
}

/** The arguments after the document. The variables are optional if none of them is required. */
type RequestArguments<Variables> =
  Record<string, never> extends Variables
    ? [variables?: Variables, options?: RequestOptions]
    : [variables: Variables, options?: RequestOptions];

export interface Client {
  request<Result, Variables>(
    document: TypedDocument<Result, Variables>,
    ...rest: RequestArguments<Variables>
  ): Promise<Result>;
  /**
   * Watches a subscription until the loop ends. If the connection is lost, the client connects again and continues after the last
   * change, so that each change arrives once. The document must select `cursor` and have the variable `after`.
   */
  subscribe<Result extends Record<string, { cursor: string }>, Variables extends { after?: string | null }>(
    document: TypedDocument<Result, Variables>,
    variables?: Variables,
    options?: WatchOptions,
  ): AsyncGenerator<Result, void, undefined>;
  /** Watches the states of printers. When the client connects again after a lost connection, the newest state of each printer arrives again. */
  subscribe<Result extends { printerStateChanged: unknown }, Variables>(
    document: TypedDocument<Result, Variables>,
    variables?: Variables,
    options?: WatchOptions,
  ): AsyncGenerator<Result, void, undefined>;
}

export function createClient(options: ClientOptions): Client {
  // Browsers refuse to run fetch as a method of `options`.
  const send = options.fetch ?? fetch;

  const readCallerHeaders = async () =>
    typeof options.headers === 'function' ? options.headers() : (options.headers ?? {});

  const post = async (
    accept: string,
    callerHeaders: RequestHeaders,
    document: TypedDocument<unknown, never>,
    variables: unknown,
    signal?: AbortSignal,
  ): Promise<Response> => {
    const headers = { accept, ...callerHeaders, 'content-type': 'application/json' };
    const body = JSON.stringify({ query: document.loc.source.body, variables });
    return send(options.url, { method: 'POST', headers, body, signal: signal ?? null }).catch((cause: unknown) => {
      if (signal?.aborted) throw cause;
      // Throws if no request can have this URL or these headers.
      if (options.fetch === undefined) void new Request(options.url, { headers });
      throw new GatewayRequestError(`no answer from ${options.url}`, { status: 0, cause });
    });
  };

  return {
    async request<Result, Variables>(
      document: TypedDocument<Result, Variables>,
      ...[variables, { signal } = {}]: RequestArguments<Variables>
    ): Promise<Result> {
      return readData<Result>(await post(JSON_TYPES, await readCallerHeaders(), document, variables, signal), signal);
    },

    subscribe<Result, Variables extends { after?: string | null }>(
      document: TypedDocument<Result, Variables>,
      variables?: Variables,
      watchOptions: WatchOptions = {},
    ) {
      const open = async (headers: RequestHeaders, after: string | undefined, signal: AbortSignal) => {
        const start = after === undefined ? {} : { after };
        const request = { headers, query: document.loc.source.body, variables: { ...variables, ...start } };
        const opened = await options.openStream?.(request, signal);
        if (opened) return opened;
        const response = await post('text/event-stream', headers, document, request.variables, signal);
        if (response.headers.get('content-type')?.startsWith('text/event-stream')) return readEvents(response);
        // If the gateway refuses the subscription, its answer is JSON, and readData throws its error.
        await readData(response, signal);
        throw new GatewayRequestError('the answer is not an event stream', { status: response.status });
      };
      const latest = async (headers: RequestHeaders, signal: AbortSignal) => {
        const response = await post(JSON_TYPES, headers, LatestChangeCursorDocument, {}, signal);
        return (await readData<LatestChangeCursorQuery>(response, signal)).latestChangeCursor;
      };
      // A subscription to the states of printers has no cursors.
      const hasCursors = /\$after\b/.test(document.loc.source.body);
      const requests = { headers: readCallerHeaders, open, latest: hasCursors ? latest : null };
      return watch<Result & object>(requests, variables?.after, watchOptions);
    },
  };
}

const JSON_TYPES = 'application/graphql-response+json, application/json;q=0.9';

async function readData<Result>(response: Response, signal?: AbortSignal): Promise<Result> {
  const { status } = response;
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const answer = await readAnswer<Result>(response, signal);
  if (!response.ok) throw makeRequestError(answer, { status, requestId });
  return dataOrThrow(answer, { status, requestId });
}

async function readAnswer<Result>(response: Response, signal?: AbortSignal) {
  const text = await response.text().catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    return throwIncomplete(response.status, cause);
  });
  return parseAnswer<Result>(text);
}
