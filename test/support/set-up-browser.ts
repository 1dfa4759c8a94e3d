// Starts one Chromium for all files of page tests, and creates the template of their databases.
import { chromium } from 'playwright-core';
import { provideTemplates } from './global-setup';
import { pathOf } from './programs';

/** A page of a test lives too short to gain from optimized code, and optimizing takes a sixth of its CPU time. */
const NOT_OPTIMIZED = '--js-flags=--no-maglev,--no-opt,--max-lazy';

declare global {
  var testBrowser: Awaited<ReturnType<typeof chromium.launchServer>> | undefined;
}

export default async function setUp(): Promise<void> {
  await provideTemplates(['server']);
  const executablePath = pathOf('chromium');
  // Without Chromium the tests are skipped.
  if (executablePath === undefined) return;
  try {
    globalThis.testBrowser = await chromium.launchServer({ executablePath, args: [NOT_OPTIMIZED] });
    process.env['TEST_BROWSER_URL'] = globalThis.testBrowser.wsEndpoint();
  } catch (error) {
    // The tests of other projects still run, and so does the tear-down.
    console.error(error);
  }
}
