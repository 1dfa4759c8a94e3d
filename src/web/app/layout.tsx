// The frame around every page: the header, announcements, a banner while the connection is lost, and the page or the sign-in form.
import { useReactiveVar } from '@apollo/client/react';
import { Suspense, useEffect } from 'react';
import { useLocation } from 'react-router';
import { Announcer, announce } from '../parts/announcer';
import { Gateway } from '../parts/client-context';
import { ConfirmProvider } from '../parts/confirm';
import { RequestHeaders } from '../parts/csv-links';
import { IsLive } from '../parts/is-live';
import { Loading, ProblemBox, TRYING_AGAIN } from '../parts/loading-states';
import { Viewer } from '../parts/use-viewer';
import { gateway, session } from './caller-session';
import { Header } from './header';
import { headers } from './kept-key';
import styles from './layout.module.css';
import { live } from './live-cache';
import { NeedsYouPoll } from './needs-you-poll';
import { PageErrorBoundary } from './page-error-boundary';
import { Pages } from './routes';
import { SignIn } from './sign-in';

export function Layout() {
  const { state } = useReactiveVar(session);
  return (
    <>
      <a className={styles['skip']} href="#content">
        Skip to content
      </a>
      <Header />
      <Announcer />
      <Content />
      {state === 'checking' && <Loading />}
    </>
  );
}

function Content() {
  const current = useReactiveVar(session);
  const connection = useReactiveVar(live);
  const location = useLocation();
  const hasJustSignedIn = current.state === 'signed-in' && current.isNew;
  useEffect(() => {
    if (!hasJustSignedIn) return;
    announce('Signed in.');
    // The focus must not move to the button that signs out: if Enter is pressed twice, the user would be signed out.
    document.querySelector<HTMLElement>('main h1, main')?.focus();
  }, [hasJustSignedIn]);
  if (current.state === 'signed-out') return <SignIn session={current} />;
  if (current.state === 'unreachable') {
    return (
      <div className={styles['content']}>
        <ProblemBox title="Could not load the farm" error={current.error} nextStep={TRYING_AGAIN} isRetried />
      </div>
    );
  }
  if (current.state !== 'signed-in') return null;
  return (
    <main id="content" className={styles['content']} tabIndex={-1}>
      {connection === 'lost' && current.mayRead && (
        <p className={styles['lost']} role="alert">
          No connection to the gateway. This page may be out of date. Reconnecting …
        </p>
      )}
      {current.mayRead ? (
        <Viewer.Provider value={current}>
          <NeedsYouPoll />
          <RequestHeaders.Provider value={headers}>
            {/* The address of a camera can have its id in the query. The key makes another camera another page. */}
            <PageErrorBoundary
              key={`${location.pathname} ${new URLSearchParams(location.search).get('id')}`}
              isLive={connection === 'live'}
            >
              {/* Inside the keyed boundary, so that an open question closes when the user leaves the page. */}
              <ConfirmProvider>
                <IsLive.Provider value={connection === 'live'}>
                  <Gateway.Provider value={gateway}>
                    <Suspense fallback={<Loading />}>
                      <Pages />
                    </Suspense>
                  </Gateway.Provider>
                </IsLive.Provider>
              </ConfirmProvider>
            </PageErrorBoundary>
          </RequestHeaders.Provider>
        </Viewer.Provider>
      ) : (
        <ProblemBox
          title="Could not load the farm"
          error="Your key does not open these pages: it cannot read, or it is for programs only. Sign out, then sign in with a key that can read."
        />
      )}
    </main>
  );
}
