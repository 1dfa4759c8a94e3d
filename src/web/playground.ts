// Starts GraphiQL in the playground page, with the examples as its first tabs.
import { examples } from './playground-examples.js';

/** What the prebuilt bundles leave in the global scope. */
interface Bundles {
  React: { createElement(type: unknown, props: unknown, ...children: unknown[]): unknown };
  ReactDOM: { createRoot(element: Element): { render(node: unknown): void } };
  GraphiQL: { createFetcher(options: { url: string }): unknown; Logo: unknown };
}

const { React, ReactDOM, GraphiQL } = window as unknown as Bundles;

ReactDOM.createRoot(document.getElementById('playground') as HTMLElement).render(
  React.createElement(
    GraphiQL,
    {
      fetcher: GraphiQL.createFetcher({ url: window.location.pathname }),
      defaultTabs: examples,
      defaultEditorToolsVisibility: 'variables',
    },
    React.createElement(GraphiQL.Logo, null, 'Print Farm Gateway'),
  ),
);
