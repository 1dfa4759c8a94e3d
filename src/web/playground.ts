// Starts GraphiQL in the playground page, with the examples as its first tabs.
import { examples } from './playground-examples.js';

/** The global variables of the prebuilt bundles. */
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
