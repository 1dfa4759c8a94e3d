// Light or dark: as the system says, unless the user has chosen one.
import { makeVar } from '@apollo/client';
import { APPEARANCE_NAME, type Appearance, keptAppearance } from './kept-appearance';

export const appearance = makeVar<Appearance>(keptAppearance());

export function applyAppearance(): void {
  document.documentElement.dataset['appearance'] = appearance();
}

export function chooseAppearance(next: Appearance): void {
  appearance(next);
  applyAppearance();
  try {
    localStorage.setItem(APPEARANCE_NAME, next);
  } catch {
    // A browser without storage forgets the choice at the reload.
  }
}
