// Light or dark: as the system says, unless the user has chosen one.
import { makeVar } from '@apollo/client';

const NAME = 'print-farm-appearance';
export const APPEARANCES = { system: 'As the system', light: 'Light', dark: 'Dark' };
export type Appearance = keyof typeof APPEARANCES;

export const appearance = makeVar<Appearance>(kept());

function kept(): Appearance {
  try {
    const text = localStorage.getItem(NAME);
    return text !== null && text in APPEARANCES ? (text as Appearance) : 'system';
  } catch {
    return 'system';
  }
}

export function applyAppearance(): void {
  document.documentElement.dataset['appearance'] = appearance();
}

export function chooseAppearance(next: Appearance): void {
  appearance(next);
  applyAppearance();
  try {
    localStorage.setItem(NAME, next);
  } catch {
    // A browser without storage forgets the choice at the reload.
  }
}
