// Light or dark as this browser keeps it, for the pages of tools too.

export const APPEARANCE_NAME = 'print-farm-appearance';
export const APPEARANCES = { system: 'Same as system', light: 'Light', dark: 'Dark' };
export type Appearance = keyof typeof APPEARANCES;

export function keptAppearance(): Appearance {
  try {
    const text = localStorage.getItem(APPEARANCE_NAME);
    return text !== null && text in APPEARANCES ? (text as Appearance) : 'system';
  } catch {
    return 'system';
  }
}
