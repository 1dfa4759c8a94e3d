// Reads the light or dark appearance that this browser has stored. The playground and the REST reference use it too.

export const APPEARANCE_STORAGE_KEY = 'print-farm-appearance';
export const APPEARANCES = { system: 'Same as system', light: 'Light', dark: 'Dark' };
export type Appearance = keyof typeof APPEARANCES;

export function readAppearance(): Appearance {
  try {
    const text = localStorage.getItem(APPEARANCE_STORAGE_KEY);
    return text !== null && text in APPEARANCES ? (text as Appearance) : 'system';
  } catch {
    return 'system';
  }
}
