// The form for a key or token, shown when the gateway needs one, and the storage of the key in the browser.
import { GatewayRequestError } from '../client/client.js';
import { byId } from './elements.js';

const NAME = 'print-farm-key';

export interface SignIn {
  /** The headers of every request. */
  headers(): Record<string, string>;
  /** Called when the farm was read. */
  accepted(): void;
  /** Shows the form and returns true when the error means that credentials are missing or wrong. */
  refused(error: unknown): boolean;
}

/** @param ask reads the farm again with the entered key */
export function createSignIn(ask: () => void): SignIn {
  const form = byId<HTMLFormElement>('sign-in');
  const input = byId<HTMLInputElement>('sign-in-key');
  const remember = byId<HTMLInputElement>('sign-in-remember');
  const problem = byId('sign-in-problem');
  const signOut = byId<HTMLButtonElement>('sign-out');
  const farm = byId('farm');
  let key = kept();

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    tell('');
    key = input.value.trim();
    // A header cannot carry other characters.
    if (/^[!-~]+$/.test(key)) return ask();
    key = null;
    showForm('This is no API key or token: those are letters, digits and signs without spaces.');
  });

  signOut.addEventListener('click', () => {
    keep(null);
    // The reload removes all data of the farm from the page and from the memory of its scripts.
    location.reload();
  });

  // All tabs share a remembered key, so signing out in one tab signs out in all.
  window.addEventListener('storage', (event) => {
    if (event.key === NAME) location.reload();
  });

  function showForm(message: string): void {
    const opening = form.hidden;
    form.hidden = false;
    farm.hidden = true;
    signOut.hidden = true;
    byId('refreshed').textContent = 'Not signed in';
    if (message !== '') tell(message);
    // The user may be typing: only a newly shown form or a message takes the focus.
    if (!opening && message === '') return;
    input.focus();
    input.select();
  }

  /** For a key that the gateway accepts, with any rights. */
  function hideForm(): void {
    signOut.hidden = key === null;
    if (form.hidden) return;
    form.hidden = true;
    keep(key, remember.checked);
    form.reset();
    tell('');
    byId('done').textContent = 'Signed in.';
    // The focus does not go to the button that signs out, because Enter may be pressed twice.
    byId('title').focus();
  }

  function tell(message: string): void {
    problem.textContent = message;
    problem.hidden = message === '';
    input.ariaInvalid = message === '' ? null : 'true';
  }

  return {
    headers: (): Record<string, string> => (key === null ? {} : { authorization: `Bearer ${key}` }),
    accepted() {
      hideForm();
      farm.hidden = false;
    },
    refused(error) {
      if (!(error instanceof GatewayRequestError)) return false;
      const unknown = error.status === 401 || error.codes.includes('UNAUTHENTICATED');
      if (unknown) {
        const message =
          key === null ? '' : 'The gateway does not accept this key. It may be mistyped, expired or withdrawn.';
        key = null;
        keep(null);
        showForm(message);
      } else if (error.codes.includes('FORBIDDEN')) {
        hideForm();
      }
      return unknown;
    },
  };
}

/** A browser without storage throws at every access; a key then lasts until the reload. */
function kept(): string | null {
  try {
    return sessionStorage.getItem(NAME) ?? localStorage.getItem(NAME);
  } catch {
    return null;
  }
}

function keep(key: string | null, long = false): void {
  try {
    for (const storage of [sessionStorage, localStorage]) storage.removeItem(NAME);
    if (key !== null) (long ? localStorage : sessionStorage).setItem(NAME, key);
  } catch {
    // Without storage, as in kept().
  }
}
