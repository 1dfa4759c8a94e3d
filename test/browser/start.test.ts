// The start page in a real browser: its commands build the first farm, and each step is marked.
import type { Browser } from 'playwright-core';
import { faultsOf } from '../support/accessibility';
import { LOOKS, startBrowser, visit } from '../support/browser';
import { curl } from '../support/curl';
import { type RunningGateway, runGateway } from '../support/running-gateway';

let browser: Browser;
let gateway: RunningGateway;

beforeAll(async () => {
  [browser, gateway] = await Promise.all([startBrowser(), runGateway()]);
});

afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

test.each(LOOKS)('shows the steps at $width, $colorScheme', async (look) => {
  const { page, step, outside, problems } = await visit(browser, `${gateway.url}/start`, look);
  await step('the example farm', () => page.getByText('npm run seed').waitFor());
  expect(await faultsOf(page)).toEqual([]);
  expect({ outside, problems }).toEqual({ outside: [], problems: [] });
});

test('each command works as it is shown, and its step is marked by itself', async () => {
  const { page, step, problems } = await visit(browser, `${gateway.url}/start`);
  const steps = page.getByRole('main').getByRole('listitem');
  await step('the steps', () => steps.first().waitFor());
  for (let at = 0; at < 5; at += 1) {
    const one = steps.nth(at);
    await step(`step ${at + 1}`, async () => {
      const command = await one.locator('code').textContent();
      const { url, init } = curl(`${command}`);
      expect(await (await fetch(url, init)).json()).toEqual({ data: expect.anything() });
      await one.getByText('Done').waitFor();
    });
  }
  await step('the example farm is not offered any more', () =>
    page.getByText('npm run seed').waitFor({ state: 'detached' }),
  );
  expect(problems).toEqual([]);
});
