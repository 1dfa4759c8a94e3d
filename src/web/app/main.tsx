// The entry of the dashboard: starts the session and draws the frame with the client and the router around it.
import { ApolloProvider } from '@apollo/client/react';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { ROOT } from '../parts/gateway-url';
import { guardUnsavedForms } from '../parts/unsaved';
import { applyAppearance } from './appearance';
import { apollo, startSession } from './caller-session';
import { Layout } from './layout';
import { preloadPage } from './routes';
import './theme.css';

// The address of the icon is relative to the page. It is made absolute here, because the address of the page changes.
for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=icon]')) link.setAttribute('href', link.href);
applyAppearance();
guardUnsavedForms();
// The file of the page arrives while the gateway is asked for the caller's rights.
void startSession(preloadPage(`/${location.pathname.slice(ROOT.pathname.length)}`));

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    {/* The content security policy of the gateway allows no style elements. */}
    <CSPProvider disableStyleElements>
      <ApolloProvider client={apollo}>
        {/* With transitions, a filter in the address loses letters that are typed faster than the page is drawn. */}
        <BrowserRouter basename={ROOT.pathname} useTransitions={false}>
          <Layout />
        </BrowserRouter>
      </ApolloProvider>
    </CSPProvider>
  </StrictMode>,
);
