// Stores a user's choice of how a page looks in the browser.
import { useState } from 'react';

/**
 * @param name the key of the choice in the browser's storage
 * @returns the choice, or undefined if the user made none; and a function that stores it
 */
export function useStoredChoice(name: string): [is: boolean | undefined, keep: (choice: boolean) => void] {
  const [text, keep] = useStoredText(name);
  return [text === null ? undefined : text === 'true', (choice) => keep(String(choice))];
}

/** Like useStoredChoice, for one of several options. Any other text in the storage counts as no choice. */
export function useStoredOption<Option extends string>(
  name: string,
  options: Readonly<Record<Option, unknown>>,
): [option: Option | undefined, keep: (option: Option) => void] {
  const [text, keep] = useStoredText(name);
  return [text !== null && Object.hasOwn(options, text) ? (text as Option) : undefined, keep];
}

function useStoredText(name: string): [text: string | null, keep: (text: string) => void] {
  const [text, setText] = useState(() => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  });
  const storeText = (next: string) => {
    setText(next);
    try {
      localStorage.setItem(name, next);
    } catch {
      // Without storage the browser forgets the choice when the page is reloaded.
    }
  };
  return [text, storeText];
}
