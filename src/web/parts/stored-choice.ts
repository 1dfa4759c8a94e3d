// Stores a user's choice of how a page looks in the browser.
import { useState } from 'react';

/**
 * @param name the key of the choice in the browser's storage
 * @returns the choice, or undefined if the user made none; and a function that stores it
 */
export function useStoredChoice(name: string): [is: boolean | undefined, keep: (choice: boolean) => void] {
  const [is, setChoice] = useState(() => {
    try {
      const text = localStorage.getItem(name);
      return text === null ? undefined : text === 'true';
    } catch {
      return undefined;
    }
  });
  const storeChoice = (next: boolean) => {
    setChoice(next);
    try {
      localStorage.setItem(name, String(next));
    } catch {
      // Without storage the browser forgets the choice when the page is reloaded.
    }
  };
  return [is, storeChoice];
}
