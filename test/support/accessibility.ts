// Checks a page with axe in several sizes and colour schemes, and reports a page that is wider than its window.
import { readFileSync } from 'node:fs';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

/** The minified build: it reaches the page in half the time, and the page reads it in half the time. */
const SOURCE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** A phone and a desktop window, in light and dark: colours do not depend on the width. */
export const LOOKS: { width: number; colorScheme: 'dark' | 'light' }[] = [
  { width: 390, colorScheme: 'dark' },
  { width: 1440, colorScheme: 'light' },
];

/** Nothing else of the results is read, and the stylesheets need not be loaded again. */
const OPTIONS = { resultTypes: ['violations'], preload: false } satisfies axe.RunOptions;

/**
 * Each fault as one line: the look, the rule, and the elements that break it.
 * @param within a selector: faults outside of it are not reported
 */
export async function findFaults(page: Page, looks = LOOKS, within = ':root'): Promise<string[]> {
  const all: string[] = [];
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE);
  for (const { width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: 900 });
    // A colour during a transition has another contrast.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const faults = await page.evaluate(
      async ([within, options]) => {
        await new Promise(requestAnimationFrame);
        const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(within, options);
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
      },
      [within, OPTIONS] as const,
    );
    const isTooWide = await page.evaluate(async () => {
      const isWider = () => document.documentElement.scrollWidth > window.innerWidth;
      // A plot is 600 pixels wide until it has been measured.
      for (let frame = 0; frame < 100 && isWider(); frame += 1) await new Promise(requestAnimationFrame);
      return isWider();
    });
    if (isTooWide) faults.push('the page is wider than its window');
    all.push(...faults.map((fault) => `${width}, ${colorScheme}: ${fault}`));
  }
  return all;
}
