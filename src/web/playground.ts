// Starts GraphiQL in the playground page with the examples as its first tabs, and runs subscriptions as event streams.
import type { DocumentNode, ExecutionResult } from 'graphql';
import { readEvents } from '../client/event-stream.js';
import { createElement, createRoot, GraphiQL } from './graphiql.js';
import { examples } from './playground-examples.js';
import { headers as credentials, followAppearance } from './tool-page.js';

interface Asked {
  query: string;
  operationName?: string | null;
}

interface Context {
  headers?: Record<string, string>;
  documentAST?: DocumentNode;
}

const url = window.location.pathname;

function send(asked: Asked, { headers }: Context, accept: string, signal?: AbortSignal): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { ...credentials(), ...headers, accept, 'content-type': 'application/json' },
    body: JSON.stringify(asked),
    ...(signal && { signal }),
  });
}

async function fetchOnce(asked: Asked, context: Context): Promise<ExecutionResult> {
  return (await send(asked, context, 'application/json')).json();
}

function fetcher(asked: Asked, context: Context = {}): AsyncGenerator<ExecutionResult> | Promise<ExecutionResult> {
  const definitions = context.documentAST?.definitions ?? [];
  const operations = definitions.filter((definition) => definition.kind === 'OperationDefinition');
  const chosen = operations.find(({ name }) => name?.value === asked.operationName) ?? operations[0];
  return chosen?.operation === 'subscription' ? streamed(asked, context) : fetchOnce(asked, context);
}

async function* streamed(asked: Asked, context: Context): AsyncGenerator<ExecutionResult> {
  const attempt = new AbortController();
  try {
    const response = await send(asked, context, 'text/event-stream', attempt.signal);
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return yield await response.json();
    for await (const answer of readEvents(response)) if (typeof answer === 'object') yield answer as ExecutionResult;
  } finally {
    attempt.abort();
  }
}

const root = createRoot(document.getElementById('playground') as HTMLElement);
followAppearance((isDark) =>
  root.render(
    createElement(
      GraphiQL,
      {
        fetcher,
        defaultTabs: examples,
        defaultEditorToolsVisibility: 'variables',
        forcedTheme: isDark ? 'dark' : 'light',
      },
      createElement(GraphiQL.Logo, null, 'GraphQL playground'),
    ),
  ),
);
