// What the playground and the REST reference share with the dashboard: its appearance, and the key that the user entered there.
import { readAppearance } from './app/kept-appearance.js';

export { headers } from './app/kept-key.js';

const chosen = readAppearance();
const system = matchMedia('(prefers-color-scheme: dark)');

/** Calls `apply` now and whenever the appearance of the system changes. */
export function followAppearance(apply: (isDark: boolean) => void): void {
  document.documentElement.dataset['appearance'] = chosen;
  const applyChosen = () => apply(chosen === 'system' ? system.matches : chosen === 'dark');
  applyChosen();
  if (chosen === 'system') system.addEventListener('change', applyChosen);
}
