// A choice of how a page looks, which stays in the browser.
import { useState } from 'react';

/** @param name of the choice in the storage of the browser. Undefined: none was made */
export function useKeptChoice(name: string): [is: boolean | undefined, keep: (is: boolean) => void] {
  const [is, set] = useState(() => {
    try {
      const text = localStorage.getItem(name);
      return text === null ? undefined : text === 'true';
    } catch {
      return undefined;
    }
  });
  const keep = (next: boolean) => {
    set(next);
    try {
      localStorage.setItem(name, String(next));
    } catch {
      // A browser without storage forgets the choice at the reload.
    }
  };
  return [is, keep];
}
