// What axe finds in a page, and whether the page is wider than its window.
import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Each fault as one line: the rule, and the elements that break it. */
export async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const faults = await page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
  const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  return isTooWide ? [...faults, 'the page is wider than its window'] : faults;
}
