// The frame around every page: the header, the state of the connection, and the page or the form for a key.
import { useReactiveVar } from '@apollo/client/react';
import { Suspense, useEffect } from 'react';
import { useLocation } from 'react-router';
import { Announcer, announce } from '../parts/announcer';
import { Gateway } from '../parts/client-context';
import { ConfirmProvider } from '../parts/confirm';
import { RequestHeaders } from '../parts/csv-links';
import { IsLive } from '../parts/is-live';
import { Loading, ProblemBox } from '../parts/loading-states';
import { Viewer } from '../parts/use-viewer';
import { AGAIN_MS, gateway, session } from './caller-session';
import { Header } from './header';
import { headers } from './kept-key';
import styles from './layout.module.css';
import { live } from './live-cache';
import { PageFault } from './page-fault';
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
      {state === 'asking' && <Loading />}
    </>
  );
}

function Content() {
  const now = useReactiveVar(session);
  const connection = useReactiveVar(live);
  const location = useLocation();
  const isNew = now.state === 'signed-in' && now.isNew;
  useEffect(() => {
    if (!isNew) return;
    announce('Signed in.');
    // The focus does not go to the button that signs out, because Enter may be pressed twice.
    document.querySelector<HTMLElement>('main h1, main')?.focus();
  }, [isNew]);
  if (now.state === 'signed-out') return <SignIn session={now} />;
  if (now.state === 'unreachable') {
    return (
      <div className={styles['content']}>
        <ProblemBox
          title="Could not load the farm"
          error={now.error}
          then={`Trying again every ${AGAIN_MS / 1000} seconds.`}
        />
      </div>
    );
  }
  if (now.state !== 'signed-in') return null;
  return (
    <main id="content" className={styles['content']} tabIndex={-1}>
      {connection === 'lost' && now.mayRead && (
        <p className={styles['lost']} role="alert">
          No connection to the gateway. This page may be out of date. Reconnecting …
        </p>
      )}
      {now.mayRead ? (
        <Viewer.Provider value={now}>
          <RequestHeaders.Provider value={headers}>
            {/* Another camera is another page. */}
            <PageFault
              key={`${location.pathname} ${new URLSearchParams(location.search).get('id')}`}
              isLive={connection === 'live'}
            >
              {/* A question leaves with its page. */}
              <ConfirmProvider>
                <IsLive.Provider value={connection === 'live'}>
                  <Gateway.Provider value={gateway}>
                    <Suspense fallback={<Loading />}>
                      <Pages />
                    </Suspense>
                  </Gateway.Provider>
                </IsLive.Provider>
              </ConfirmProvider>
            </PageFault>
          </RequestHeaders.Provider>
        </Viewer.Provider>
      ) : (
        <ProblemBox
          title="Could not load the farm"
          error="Your key can write, but not read. Sign out, then sign in with a key that can read."
        />
      )}
    </main>
  );
}
