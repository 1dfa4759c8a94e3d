// Whether the gateway lets this browser in, and which rights the caller has: asked before any page is shown.
import { makeVar } from '@apollo/client';
import { createClient } from '../../client/client';
import { SessionDocument } from '../../generated/web-operations';
import { announce } from '../parts/announcer';
import { gatewayUrl } from '../parts/gateway-url';
import { NO_ANSWER, problemOf } from '../parts/problem';
import { createApollo } from './apollo';
import { socketStreams } from './change-socket';
import { forgetKey, hasKey, headers, keepKey, tryKey } from './kept-key';
import { watchFarm } from './live-cache';
import { loadNewVersion } from './new-version';

export type Session =
  | { state: 'asking' }
  | { state: 'unreachable'; error: unknown }
  /** `isTrying`: an entered key is being checked. */
  | { state: 'signed-out'; message: string; isTrying: boolean }
  /** `isNew`: the caller came by the form, and not with a kept key. */
  | {
      state: 'signed-in';
      mayRead: boolean;
      mayWrite: boolean;
      mayConfigureDevices: boolean;
      currency: string | null;
      hasKey: boolean;
      isNew: boolean;
    };

/** How soon an unreachable gateway is asked again. */
export const AGAIN_MS = 5_000;

export const session = makeVar<Session>({ state: 'asking' });
const url = gatewayUrl('graphql');
export const apollo = createApollo(url, headers, refuse, () => void loadNewVersion());
export const gateway = createClient({ url, headers, openStream: socketStreams(url) });

let watching = new AbortController();
let onComputer = false;

/** Asks the gateway with the key that there is. */
export async function open(): Promise<void> {
  const isNew = session().state === 'signed-out';
  const enter = (
    rights: { mayRead: boolean; mayWrite: boolean; mayConfigureDevices: boolean },
    currency: string | null,
  ) => {
    if (isNew) keepKey(onComputer);
    session({ state: 'signed-in', ...rights, currency, hasKey: hasKey(), isNew });
  };
  try {
    const { viewer, currency, latestChangeCursor } = await gateway.request(SessionDocument);
    const { mayWrite, mayConfigureDevices } = viewer;
    enter({ mayRead: true, mayWrite, mayConfigureDevices }, currency);
    watching = new AbortController();
    void watchFarm({ apollo, gateway, after: latestChangeCursor, signal: watching.signal, refused: refuse });
  } catch (error) {
    const { codes } = problemOf(error);
    if (codes.includes('UNAUTHENTICATED')) refuse();
    else if (codes.includes('FORBIDDEN')) enter({ mayRead: false, mayWrite: true, mayConfigureDevices: false }, null);
    else if (isNew) askForKey(`${NO_ANSWER} Then try again.`);
    else {
      session({ state: 'unreachable', error });
      setTimeout(open, AGAIN_MS);
    }
  }
}

/** @param entered the text of the form's field */
export function signIn(entered: string, remember: boolean): void {
  // A header cannot carry other characters.
  if (!/^[!-~]+$/.test(entered)) {
    askForKey('An API key or token has no spaces or special letters. Copy it again.');
    return;
  }
  tryKey(entered);
  onComputer = remember;
  session({ state: 'signed-out', message: '', isTrying: true });
  void open();
}

/** The reload removes all data of the farm from the page and from the memory of its scripts. */
export function signOut(): void {
  forgetKey();
  location.reload();
}

function refuse(): void {
  const message = hasKey() ? 'Wrong key: it is mistyped, expired or revoked. Copy it again, or ask for a new key.' : '';
  forgetKey();
  askForKey(message);
}

function askForKey(message: string): void {
  const now = session();
  // A second refusal of the same moment must not take the message away.
  if (now.state === 'signed-out' && !now.isTrying && message === '') return;
  watching.abort();
  // It may name an object of the farm.
  announce('');
  session({ state: 'signed-out', message, isTrying: false });
  void apollo.clearStore();
}
