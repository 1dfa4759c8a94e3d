// The API key or token of this browser, and where it is kept: for the tab, or for the computer.

const NAME = 'print-farm-key';

let key = kept();

/** The headers of every request. `Authorization` is for the proxy: its Basic credentials stay in it. */
export const headers = (): Record<string, string> => (key === null ? {} : { 'x-api-key': key });
export const hasKey = (): boolean => key !== null;

/** Uses a key from now on, without keeping it yet. */
export function tryKey(entered: string): void {
  key = entered;
}

/** A browser without storage throws at every access; a key then lasts until the reload. */
function kept(): string | null {
  try {
    return sessionStorage.getItem(NAME) ?? localStorage.getItem(NAME);
  } catch {
    return null;
  }
}

export function keepKey(onComputer: boolean): void {
  const entered = key;
  forgetKey();
  key = entered;
  try {
    if (key !== null) (onComputer ? localStorage : sessionStorage).setItem(NAME, key);
  } catch {
    // A browser without storage, as in kept().
  }
}

export function forgetKey(): void {
  key = null;
  try {
    for (const storage of [sessionStorage, localStorage]) storage.removeItem(NAME);
  } catch {
    // A browser without storage, as in kept().
  }
}

/** All tabs share a remembered key, so signing out in one tab signs out in all. */
window.addEventListener('storage', (event) => {
  if (event.key === NAME) location.reload();
});
