// Live changes in a real browser: the dashboard without polling, and subscriptions in the playground.
import type { Browser, Page } from 'playwright-core';
import { ChangePrintJobStatusDocument } from '../../src/generated/operations';
import { operationIsRead, startBrowser, visit } from '../support/browser';
import { exampleOf } from '../support/docs';
import { freePort } from '../support/free-port';
import { startProxy } from '../support/proxy';
import { runGateway } from '../support/running-gateway';
import { makeShownFarm } from '../support/shown-farm';
import { temporaryFolder } from '../support/temporary-folder';
import { until } from '../support/waiting';

let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});

afterAll(() => browser?.close());

test('a change appears by itself; a lost gateway is shown, and what was missed appears when it is back', async () => {
  const environment = { DATABASE_URL: `file:${temporaryFolder('data')}`, PORT: String(await freePort()) };
  let gateway = await runGateway(environment);
  try {
    const { makeCamera } = await makeShownFarm(gateway.url);
    const { page, step } = await visit(browser, gateway.url);
    await step('the stream is connected', () => page.getByRole('banner').getByText('Live').waitFor());
    await makeCamera('one', { online: true, batteryPct: 83 });
    await step('the new camera', () => page.locator('[data-key="one"]').getByText('83 %').waitFor());
    await gateway.stop();
    await step('the lost connection', () => page.getByRole('banner').getByText('Reconnecting …').waitFor());
    gateway = await runGateway(environment);
    await makeCamera('two', { online: true, batteryPct: 17 });
    await step('the connection is back', () => page.getByRole('banner').getByText('Live').waitFor());
    await step('the camera that was missed', () => page.locator('[data-key="two"]').getByText('17 %').waitFor());
  } finally {
    await gateway.stop();
  }
});

test('a change of status that got no answer says so until the page knows the status', async () => {
  const environment = { DATABASE_URL: `file:${temporaryFolder('data')}`, PORT: String(await freePort()) };
  let gateway = await runGateway(environment);
  try {
    const { client, makeJob } = await makeShownFarm(gateway.url);
    const id = await makeJob('Hook');
    const { page, step } = await visit(browser, `${gateway.url}/jobs`);
    const row = page.locator(`[data-key="${id}"]`);
    const told = row.getByRole('alert').getByText('The gateway does not answer');
    const connected = () => page.getByRole('banner').getByText('Live').waitFor();
    await step('the gateway is stopped', async () => {
      await connected();
      await row.getByText('Queued', { exact: true }).waitFor();
      await gateway.stop();
      await row.getByRole('button', { name: 'Start Hook' }).click();
      await told.waitFor();
    });
    gateway = await runGateway(environment);
    await step('the gateway is back', async () => {
      await connected();
      await told.waitFor({ state: 'detached' });
      await row.getByText('Queued', { exact: true }).waitFor();
    });
    await step('the answer is lost', async () => {
      await page.route('**/graphql', (route) =>
        route.request().postData()?.includes('ChangeJobStatus') ? route.abort() : route.continue(),
      );
      await row.getByRole('button', { name: 'Start Hook' }).click();
      await told.waitFor();
    });
    await step('the change arrives', async () => {
      await client.request(ChangePrintJobStatusDocument, { id, status: 'PRINTING' });
      await row.getByText('Printing', { exact: true }).waitFor();
      await told.waitFor({ state: 'detached' });
    });
  } finally {
    await gateway.stop();
  }
});

test('eight tabs of a browser load, and only the one that is shown holds the streams of changes and states', async () => {
  const gateway = await runGateway();
  const context = await browser.newContext();
  try {
    const { makeCamera } = await makeShownFarm(gateway.url);
    const tabs: Page[] = [];
    for (let n = 0; n < 8; n += 1) {
      const tab = await context.newPage();
      await tab.addInitScript(hideable);
      await Promise.all(tabs.map((other) => show(other, false)));
      await tab.goto(gateway.url);
      await tab.getByRole('banner').getByText('Live').waitFor();
      tabs.push(tab);
    }
    const subscriptions = async () => {
      const text = await (await fetch(`${gateway.url}/metrics`)).text();
      return /^graphql_subscriptions (\d+)$/m.exec(text)?.[1];
    };
    await until(async () => (await subscriptions()) === '2');
    await makeCamera('one', { online: true, batteryPct: 83 });
    const [first, last] = [tabs[0], tabs[7]] as [Page, Page];
    await last.locator('[data-key="one"]').getByText('83 %').waitFor();
    expect(await first.locator('[data-key="one"]').count()).toBe(0);
    await show(last, false);
    await show(first, true);
    await first.locator('[data-key="one"]').getByText('83 %').waitFor();
    await makeCamera('two', { online: true, batteryPct: 17 });
    await first.locator('[data-key="two"]').getByText('17 %').waitFor();
    await until(async () => (await subscriptions()) === '2');
  } finally {
    await context.close();
    await gateway.stop();
  }
});

test('any number of windows that are all shown follow the farm', async () => {
  const gateway = await runGateway();
  const context = await browser.newContext();
  try {
    const { makeCamera } = await makeShownFarm(gateway.url);
    const windows: Page[] = [];
    for (let n = 0; n < 14; n += 1) {
      const one = await context.newPage();
      await one.goto(gateway.url);
      await one.getByRole('banner').getByText('Live').waitFor();
      windows.push(one);
    }
    await makeCamera('one', { online: true, batteryPct: 83 });
    for (const one of windows) await one.locator('[data-key="one"]').getByText('83 %').waitFor();
    await windows[0]?.goto(`${gateway.url}/jobs`);
    await windows[0]?.getByText('No jobs yet.').waitFor();
  } finally {
    await context.close();
    await gateway.stop();
  }
});

test('a page whose stream falls silent does not say that it is live', async () => {
  const gateway = await runGateway();
  try {
    const { page, step } = await visit(browser, gateway.url);
    await step('the stream', () => page.getByRole('banner').getByText('Live').waitFor());
    process.kill(gateway.pid, 'SIGSTOP');
    await step('the silence', () => page.getByRole('banner').getByText('Reconnecting …').waitFor({ timeout: 60_000 }));
  } finally {
    process.kill(gateway.pid, 'SIGCONT');
    await gateway.stop();
  }
});

test('where a proxy leads no WebSockets, an event stream brings the changes', async () => {
  const gateway = await runGateway();
  const proxy = await startProxy(gateway.url, { leadsSockets: false });
  try {
    const { makeCamera } = await makeShownFarm(gateway.url);
    const { page, step } = await visit(browser, proxy.url);
    await step('the stream', () => page.getByRole('banner').getByText('Live').waitFor());
    await makeCamera('one', { online: true, batteryPct: 83 });
    await step('the change', () => page.locator('[data-key="one"]').getByText('83 %').waitFor());
    await page.close();
  } finally {
    proxy.stop();
    await gateway.stop();
  }
});

test('a tab that was hidden shows the new statuses of its jobs, and keeps its place', async () => {
  const gateway = await runGateway();
  const page = await browser.newPage();
  try {
    const { client, makeJob } = await makeShownFarm(gateway.url);
    const [deep, left] = [await makeJob('Deep'), await makeJob('Left')];
    for (let n = 1; n <= 60; n += 1) await makeJob(`Bolt ${n}`);
    await page.addInitScript(hideable);
    const row = (id: string) => page.locator(`[data-key="${id}"]`);
    const openAtEnd = async (path: string) => {
      await page.goto(gateway.url + path);
      await page.getByRole('banner').getByText('Live').waitFor();
      await page.getByRole('table').waitFor();
      await until(async () => {
        await page.keyboard.press('End');
        return (await row(deep).count()) === 1;
      });
    };
    await openAtEnd('/jobs?status=QUEUED');
    await show(page, false);
    await client.request(ChangePrintJobStatusDocument, { id: left, status: 'PRINTING' });
    await show(page, true);
    await row(left).waitFor({ state: 'detached' });
    await row(deep).waitFor();
    await openAtEnd('/jobs');
    await show(page, false);
    await client.request(ChangePrintJobStatusDocument, { id: deep, status: 'PRINTING' });
    await client.request(ChangePrintJobStatusDocument, { id: deep, status: 'COMPLETED' });
    await show(page, true);
    await row(deep).getByText('Completed', { exact: true }).waitFor();
  } finally {
    await page.close();
    await gateway.stop();
  }
});

/** Playwright shows all tabs at once. */
const hideable = () => {
  Object.defineProperty(document, 'hidden', { get: () => document.documentElement.hasAttribute('data-hidden') });
};

const show = (tab: Page, isShown: boolean) =>
  tab.evaluate((shown) => {
    document.documentElement.toggleAttribute('data-hidden', !shown);
    document.dispatchEvent(new Event('visibilitychange'));
  }, isShown);

test('the playground runs a subscription', async () => {
  const gateway = await runGateway();
  try {
    const { makeCamera } = await makeShownFarm(gateway.url);
    const { page, step, outside } = await visit(browser, `${gateway.url}/graphql`);
    await step('the example', async () => {
      await page.getByRole('tab', { name: 'Changes', exact: true }).first().click();
      await operationIsRead(page, 'Changes');
      await page.getByRole('button', { name: /execute query/i }).click();
    });
    const result = page.locator('.result-window .CodeMirror-code');
    await step('a change', async () => {
      // The stream may not have begun yet, so changes are made until one is shown.
      for (let n = 0; !(await result.textContent())?.includes('CameraChanged'); n += 1) {
        await makeCamera(`camera-${n}`);
        await result
          .getByText('CameraChanged')
          .first()
          .waitFor({ timeout: 2000 })
          .catch(() => {});
      }
    });
    expect(outside).toEqual([]);
  } finally {
    await gateway.stop();
  }
});

test('the EventSource of docs/live.md does not ask again after a refusal', async () => {
  const gateway = await runGateway();
  try {
    const { page, step } = await visit(browser, gateway.url);
    const refused = exampleOf('EventSource, in browsers', gateway.url).replace('changes {', 'nothing {');
    await step('the refusal', () =>
      page.evaluate(`${refused}
        new Promise((resolve) => {
          const look = setInterval(() => {
            if (source.readyState === EventSource.CLOSED) resolve(clearInterval(look));
          }, 20);
        })`),
    );
  } finally {
    await gateway.stop();
  }
});

test('the EventSource of docs/live.md tells a change', async () => {
  const gateway = await runGateway();
  try {
    const { makeCamera } = await makeShownFarm(gateway.url);
    const { page, step, problems } = await visit(browser, gateway.url);
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    await page.evaluate(exampleOf('EventSource, in browsers', gateway.url));
    await step('a change', () =>
      // The stream may not have begun yet, so changes are made until one is told.
      until(async () => {
        await makeCamera(`camera-${Math.random()}`.slice(0, 20));
        await page.waitForTimeout(200);
        return said.some((text) => text.includes('CameraChanged'));
      }),
    );
    expect(problems).toEqual([]);
  } finally {
    await gateway.stop();
  }
});
