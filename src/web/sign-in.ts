// Signing in: the form that asks for a key or token where the gateway wants one, and where the browser keeps it.
import { GatewayRequestError } from './client.js';
import { byId } from './elements.js';

const NAME = 'print-farm-key';

export interface SignIn {
  /** What to send with every request. */
  headers(): Record<string, string>;
  /** The farm has been read. */
  accepted(): void;
  /** Whether the error says that nobody is known behind the request; then the form is shown. */
  refused(error: unknown): boolean;
}

/** `ask` asks for the farm again, with the key that has been entered. */
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
    // Anything else cannot be sent in a header.
    if (/^[!-~]+$/.test(key)) return ask();
    key = null;
    showForm('This is no API key or token: those are letters, digits and signs without spaces.');
  });

  signOut.addEventListener('click', () => {
    keep(null);
    // Nothing of the farm stays behind, neither in the page nor in the memory of its scripts.
    location.reload();
  });

  // A remembered key is that of every tab: who signs out in one of them means all.
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
    // Somebody may be typing: only what is new takes the focus.
    if (!opening && message === '') return;
    input.focus();
    input.select();
  }

  /** The key is known to the gateway, whatever it may do. */
  function hideForm(): void {
    signOut.hidden = key === null;
    if (form.hidden) return;
    form.hidden = true;
    keep(key, remember.checked);
    form.reset();
    tell('');
    byId('done').textContent = 'Signed in.';
    // Not the button that would undo it: Enter may be pressed twice.
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

/** A browser that is told to keep nothing throws at the mere name of a storage; a key then lasts until the reload. */
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
    // See above.
  }
}
