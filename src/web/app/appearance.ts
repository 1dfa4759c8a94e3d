// Applies the light or dark appearance: the one that the user chose, or that of the system.
import { makeVar } from '@apollo/client';
import { APPEARANCE_STORAGE_KEY, type Appearance, readAppearance } from './kept-appearance';

export const appearance = makeVar<Appearance>(readAppearance());

export function applyAppearance(): void {
  document.documentElement.dataset['appearance'] = appearance();
}

export function chooseAppearance(next: Appearance): void {
  appearance(next);
  applyAppearance();
  try {
    localStorage.setItem(APPEARANCE_STORAGE_KEY, next);
  } catch {
    // Without storage the browser forgets the choice when the page is reloaded.
  }
}
