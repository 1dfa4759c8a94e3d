// Stores the API key or token of this browser, for the tab only or for the computer.

const STORAGE_KEY = 'print-farm-key';

let key = readStoredKey();

/** The headers of every request. The key is not sent in `Authorization`, because a proxy may use this header for Basic credentials. */
export const headers = (): Record<string, string> => (key === null ? {} : { 'x-api-key': key });
export const hasKey = (): boolean => key !== null;

/** Uses a key from now on without storing it. */
export function setKey(entered: string): void {
  key = entered;
}

/** A browser without storage throws at every access. The key is then lost when the page is reloaded. */
function readStoredKey(): string | null {
  try {
    return sessionStorage.getItem(STORAGE_KEY) ?? localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

export function storeKey(isRemembered: boolean): void {
  const entered = key;
  forgetKey();
  key = entered;
  try {
    if (key !== null) (isRemembered ? localStorage : sessionStorage).setItem(STORAGE_KEY, key);
  } catch {
    // A browser without storage, as in readStoredKey().
  }
}

export function forgetKey(): void {
  key = null;
  try {
    for (const storage of [sessionStorage, localStorage]) storage.removeItem(STORAGE_KEY);
  } catch {
    // A browser without storage, as in readStoredKey().
  }
}

/** All tabs share a remembered key: signing out in one tab signs out in all tabs. */
window.addEventListener('storage', (event) => {
  if (event.key === STORAGE_KEY) location.reload();
});
