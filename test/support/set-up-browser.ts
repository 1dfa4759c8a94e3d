// Before the tests of pages: one Chromium for all of their files, and the template of their databases.
import { chromium } from 'playwright-core';
import { provideTemplates } from './global-setup';
import { pathOf } from './programs';

/** A page of a test lives too short to gain from code that is optimized, which takes a sixth of its CPU time. */
const NOT_OPTIMIZED = '--js-flags=--no-maglev,--no-opt,--max-lazy';

declare global {
  var testBrowser: Awaited<ReturnType<typeof chromium.launchServer>> | undefined;
}

export default async function setUp(): Promise<void> {
  await provideTemplates(['server']);
  const executablePath = pathOf('chromium');
  // Without it the tests are skipped.
  if (executablePath === undefined) return;
  try {
    globalThis.testBrowser = await chromium.launchServer({ executablePath, args: [NOT_OPTIMIZED] });
    process.env['TEST_BROWSER_URL'] = globalThis.testBrowser.wsEndpoint();
  } catch (error) {
    // The tests of other projects are made all the same, and the tear-down too.
    console.error(error);
  }
}
