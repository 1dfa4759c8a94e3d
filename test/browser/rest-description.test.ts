// The page of the REST description in a real browser: it shows every operation with its members, without internet.
import type { Browser } from 'playwright-core';
import { startBrowser, visit } from '../support/browser';
import { type RunningGateway, runGateway } from '../support/running-gateway';

let gateway: RunningGateway;
let browser: Browser;

beforeAll(async () => {
  [gateway, browser] = await Promise.all([runGateway(), startBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

test('the dashboard leads to it, and it shows how to create a print job', async () => {
  const { page, step, problems, outside } = await visit(browser, gateway.url);
  await step('the link', async () => {
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('menuitem', { name: 'REST description' }).click();
  });
  await step('all operations', async () => {
    const { paths } = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as { paths: Record<string, object> };
    const operations = page.locator('.opblock-summary');
    await operations.first().waitFor();
    const shown = (await operations.allInnerTexts()).map((text) =>
      text
        .replace(/\u200b/g, '')
        .split(/\s+/)
        .slice(0, 2),
    );
    const described = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => [method.toUpperCase(), path]),
    );
    expect(shown).toEqual(described);
  });
  await step('the members of POST /api/printjobs', async () => {
    await page
      .getByRole('button', { name: /^POST \/api\/printjobs\b/i })
      .first()
      .click();
    const operation = page.locator('#operations-Print_jobs-createPrintJob');
    for (const member of ['PrinterId', 'DataSource', 'MmExtruded', 'AutoDeriveGrams']) {
      await operation.getByText(member, { exact: true }).first().waitFor();
    }
    await operation.getByText('PrinterApi').first().waitFor();
  });
  expect({ problems, outside }).toEqual({ problems: [], outside: [] });
});
