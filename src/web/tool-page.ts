// What the pages of tools share with the dashboard: its appearance, and the key that was entered there.
import { keptAppearance } from './app/kept-appearance.js';

export { headers } from './app/kept-key.js';

const chosen = keptAppearance();
const system = matchMedia('(prefers-color-scheme: dark)');

/** Applies it now, and whenever the system changes it. */
export function followAppearance(apply: (isDark: boolean) => void): void {
  document.documentElement.dataset['appearance'] = chosen;
  const applyChosen = () => apply(chosen === 'system' ? system.matches : chosen === 'dark');
  applyChosen();
  if (chosen === 'system') system.addEventListener('change', applyChosen);
}
