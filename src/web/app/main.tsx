// The dashboard's entry: the client, the routes, and the session before them.
import { ApolloProvider } from '@apollo/client/react';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { ROOT } from '../parts/gateway-url';
import { holdUnsaved } from '../parts/unsaved';
import { applyAppearance } from './appearance';
import { apollo, open } from './caller-session';
import { Layout } from './layout';
import './theme.css';

// Its address is relative to the page, whose own address changes.
for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=icon]')) link.setAttribute('href', link.href);
applyAppearance();
holdUnsaved();
void open();

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    {/* The content security policy of the gateway allows no style elements. */}
    <CSPProvider disableStyleElements>
      <ApolloProvider client={apollo}>
        {/* As transitions, changes of the address lose letters that are typed faster than the page is drawn. */}
        <BrowserRouter basename={ROOT.pathname} useTransitions={false}>
          <Layout />
        </BrowserRouter>
      </ApolloProvider>
    </CSPProvider>
  </StrictMode>,
);
