// Starts GraphiQL in the playground page, with the examples as its first tabs. Subscriptions run as event streams.
import { answersOf } from '../client/event-stream.js';
import { examples } from './playground-examples.js';
import { headers as credentials, followAppearance } from './tool-page.js';

/** The global variables of the prebuilt bundles. */
interface Bundles {
  React: { createElement(type: unknown, props: unknown, ...children: unknown[]): unknown };
  ReactDOM: { createRoot(element: Element): { render(node: unknown): void } };
  GraphiQL: { createFetcher(options: { url: string; headers: Record<string, string> }): Fetcher; Logo: unknown };
}

interface Asked {
  query: string;
  operationName?: string | null;
}

interface Context {
  headers?: Record<string, string>;
  documentAST?: { definitions: readonly { operation?: string; name?: { value: string } }[] };
}

type Fetcher = (asked: Asked, context: Context) => unknown;

const { React, ReactDOM, GraphiQL } = window as unknown as Bundles;

const url = window.location.pathname;
const fetchOnce = GraphiQL.createFetcher({ url, headers: credentials() });

const fetcher: Fetcher = (asked, context) => {
  const operations = (context.documentAST?.definitions ?? []).filter(({ operation }) => operation !== undefined);
  const chosen = operations.find(({ name }) => name?.value === asked.operationName) ?? operations[0];
  return chosen?.operation === 'subscription' ? streamed(asked, context) : fetchOnce(asked, context);
};

async function* streamed(asked: Asked, { headers }: Context): AsyncGenerator<unknown> {
  const attempt = new AbortController();
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...credentials(), ...headers, accept: 'text/event-stream', 'content-type': 'application/json' },
      body: JSON.stringify(asked),
      signal: attempt.signal,
    });
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return yield await response.json();
    for await (const answer of answersOf(response)) if (typeof answer === 'object') yield answer;
  } finally {
    attempt.abort();
  }
}

const root = ReactDOM.createRoot(document.getElementById('playground') as HTMLElement);
followAppearance((isDark) =>
  root.render(
    React.createElement(
      GraphiQL,
      {
        fetcher,
        defaultTabs: examples,
        defaultEditorToolsVisibility: 'variables',
        forcedTheme: isDark ? 'dark' : 'light',
      },
      React.createElement(GraphiQL.Logo, null, 'GraphQL playground'),
    ),
  ),
);
