// Signs the browser in: asks the gateway which rights the caller has before any page is shown, and checks an entered key.
import { makeVar } from '@apollo/client';
import { createClient } from '../../client/client';
import { SessionDocument } from '../../generated/web-operations';
import { announce } from '../parts/announcer';
import { gatewayUrl } from '../parts/gateway-url';
import { NO_ANSWER, toProblem } from '../parts/problem';
import { createApollo } from './apollo';
import { createSocketOpener } from './change-socket';
import { forgetKey, hasKey, headers, setKey, storeKey } from './kept-key';
import { watchFarm } from './live-cache';
import { loadNewVersion, loadNewVersionUnlessInUse } from './new-version';

export type Session =
  | { state: 'checking' }
  | { state: 'unreachable'; error: unknown }
  /** `isTrying` is true while an entered key is being checked. */
  | { state: 'signed-out'; message: string; isTrying: boolean }
  /** `isNew` is true if the caller used the sign-in form, and false if a stored key was used. */
  | {
      state: 'signed-in';
      mayRead: boolean;
      mayWrite: boolean;
      mayConfigureDevices: boolean;
      currency: string | null;
      hasKey: boolean;
      isNew: boolean;
    };

/** The pause before an unreachable gateway is asked again. It doubles after each failure. */
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

export const session = makeVar<Session>({ state: 'checking' });
const url = gatewayUrl('graphql');
export const apollo = createApollo(url, headers, rejectKey, () => void loadNewVersion());
export const gateway = createClient({ url, headers, openStream: createSocketOpener(url) });

let watchController = new AbortController();
let isRemembered = false;
let retryMs = FIRST_RETRY_MS;

/**
 * Asks the gateway for the caller's rights with the current key, or without a key, and starts to watch the farm.
 * @param firstPage resolves when the file of the page is loaded; until then nothing is drawn
 */
export async function startSession(firstPage?: Promise<void>): Promise<void> {
  const isNew = session().state === 'signed-out';
  const signInWith = (
    rights: { mayRead: boolean; mayWrite: boolean; mayConfigureDevices: boolean },
    currency: string | null,
  ) => {
    if (isNew) storeKey(isRemembered);
    session({ state: 'signed-in', ...rights, currency, hasKey: hasKey(), isNew });
  };
  try {
    const request = gateway.request(SessionDocument);
    const [{ viewer, currency, latestChangeCursor }] = await Promise.all([request, firstPage]);
    const { mayWrite, mayConfigureDevices } = viewer;
    signInWith({ mayRead: true, mayWrite, mayConfigureDevices }, currency);
    watchController = new AbortController();
    void watchFarm({
      apollo,
      gateway,
      startCursor: latestChangeCursor,
      signal: watchController.signal,
      onUnauthenticated: rejectKey,
      onReconnected: loadNewVersionUnlessInUse,
    });
    retryMs = FIRST_RETRY_MS;
  } catch (error) {
    const { codes } = toProblem(error);
    if (codes.includes('UNAUTHENTICATED')) rejectKey();
    else if (codes.includes('FORBIDDEN'))
      signInWith({ mayRead: false, mayWrite: true, mayConfigureDevices: false }, null);
    else if (isNew) askForKey(`${NO_ANSWER} Then try again.`);
    else {
      session({ state: 'unreachable', error });
      // A new version of the gateway may not know the first operation of this page.
      void loadNewVersion();
      setTimeout(() => void startSession(), retryMs);
      retryMs = Math.min(2 * retryMs, MAX_RETRY_MS);
    }
  }
}

/** @param entered the text of the key field in the sign-in form */
export function signIn(entered: string, remember: boolean): void {
  // An HTTP header can carry only these characters.
  if (!/^[!-~]+$/.test(entered)) {
    askForKey('An API key or token has no spaces or special letters. Copy it again.');
    return;
  }
  setKey(entered);
  isRemembered = remember;
  session({ state: 'signed-out', message: '', isTrying: true });
  void startSession();
}

/** The reload removes all data of the farm from the page and from memory. */
export function signOut(): void {
  forgetKey();
  location.reload();
}

function rejectKey(): void {
  const message = hasKey() ? 'Wrong key: it is mistyped, expired or revoked. Copy it again, or ask for a new key.' : '';
  forgetKey();
  askForKey(message);
}

function askForKey(message: string): void {
  const current = session();
  // Several requests can be rejected at the same time. A later rejection must not remove the message of the first.
  if (current.state === 'signed-out' && !current.isTrying && message === '') return;
  watchController.abort();
  // The last announcement may name an object of the farm.
  announce('');
  session({ state: 'signed-out', message, isTrying: false });
  void apollo.clearStore();
}
