// What axe finds in a page, and whether the page is wider than its window.
import { readFileSync } from 'node:fs';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

/** The short one: it is half as long on its way to the page, and is read there in half the time. */
const SOURCE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** On a phone and on a desk, by night and by day: colours do not depend on the width. */
export const LOOKS: { width: number; colorScheme: 'dark' | 'light' }[] = [
  { width: 390, colorScheme: 'dark' },
  { width: 1440, colorScheme: 'light' },
];

/** Nothing else is read of its results, and the stylesheets need not be loaded again. */
const OPTIONS = { resultTypes: ['violations'], preload: false } satisfies axe.RunOptions;

/**
 * Each fault as one line: the look, the rule, and the elements that break it.
 * @param within a selector: of other parts of the page nothing is told
 */
export async function faultsOf(page: Page, looks = LOOKS, within = ':root'): Promise<string[]> {
  const all: string[] = [];
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE);
  for (const { width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: 900 });
    // A colour that is on its way to another has a contrast of its own.
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
      // A plot that comes is 600 pixels wide until it is measured.
      for (let frame = 0; frame < 100 && isWider(); frame += 1) await new Promise(requestAnimationFrame);
      return isWider();
    });
    if (isTooWide) faults.push('the page is wider than its window');
    all.push(...faults.map((fault) => `${width}, ${colorScheme}: ${fault}`));
  }
  return all;
}
