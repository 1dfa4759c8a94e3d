// Live changes in a real browser: the dashboard without polling, and subscriptions in the playground.
import type { Browser, Page } from 'playwright-core';
import { ChangePrintJobStatusDocument } from '../../src/generated/operations';
import { operationIsRead, putForward, startBrowser, visit } from '../support/browser';
import { freshDatabase } from '../support/databases';
import { exampleOf } from '../support/docs';
import { freePort } from '../support/free-port';
import { startProxy } from '../support/proxy';
import { type RunningGateway, runGateway } from '../support/running-gateway';
import { makeShownFarm } from '../support/shown-farm';
import { until } from '../support/waiting';

let browser: Browser;
/** Each test makes cameras and jobs of its own. */
let gateway: RunningGateway;
let farm: Awaited<ReturnType<typeof makeShownFarm>>;

beforeAll(async () => {
  [browser, gateway] = await Promise.all([startBrowser(), runGateway()]);
  farm = await makeShownFarm(gateway.url);
});

afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

test('a lost gateway is shown, and so is a change without an answer; what was missed appears when it is back', async () => {
  const database = await freshDatabase('server');
  const environment = { DATABASE_URL: database.url, PORT: String(await freePort()) };
  let restarted = await runGateway(environment);
  try {
    const { client, makeJob, makeCamera } = await makeShownFarm(restarted.url);
    const id = await makeJob('Hook');
    const { page, step } = await visit(browser, restarted.url);
    const jobs = await visit(browser, `${restarted.url}/jobs`);
    const row = jobs.page.locator(`[data-key="${id}"]`);
    const told = row.getByRole('alert').getByText('The gateway does not answer');
    const connected = (one: Page) => one.getByRole('banner').getByText('Live').waitFor();
    await step('the stream is connected', () => connected(page));
    await makeCamera('one', { online: true, batteryPct: 83 });
    await step('the new camera', () => page.locator('[data-key="one"]').getByText('83 %').waitFor());
    await jobs.step('the job', async () => {
      await connected(jobs.page);
      await row.getByText('Queued', { exact: true }).waitFor();
    });
    await restarted.stop();
    await step('the lost connection', () => page.getByRole('banner').getByText('Reconnecting …').waitFor());
    await jobs.step('a change of status that gets no answer', async () => {
      await row.getByRole('button', { name: 'Start Hook' }).click();
      await told.waitFor();
    });
    restarted = await runGateway(environment);
    await makeCamera('two', { online: true, batteryPct: 17 });
    await step('the connection is back', () => connected(page));
    await step('the camera that was missed', () => page.locator('[data-key="two"]').getByText('17 %').waitFor());
    await jobs.step('the gateway is back', async () => {
      await connected(jobs.page);
      await told.waitFor({ state: 'detached' });
      await row.getByText('Queued', { exact: true }).waitFor();
    });
    await jobs.step('the answer is lost', async () => {
      await jobs.page.route('**/graphql', (route) =>
        route.request().postData()?.includes('ChangeJobStatus') ? route.abort() : route.continue(),
      );
      await row.getByRole('button', { name: 'Start Hook' }).click();
      await told.waitFor();
    });
    await jobs.step('the change arrives', async () => {
      await client.request(ChangePrintJobStatusDocument, { id, status: 'PRINTING' });
      await row.getByText('Printing', { exact: true }).waitFor();
      await told.waitFor({ state: 'detached' });
    });
  } finally {
    await restarted.stop();
    await database.drop();
  }
});

test('eight tabs of a browser load, only those that are shown hold the streams of changes and states, and all may be shown', async () => {
  const context = await browser.newContext();
  try {
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
    await farm.makeCamera('one', { online: true, batteryPct: 83 });
    const [first, last] = [tabs[0], tabs[7]] as [Page, Page];
    await last.locator('[data-key="one"]').getByText('83 %').waitFor();
    expect(await first.locator('[data-key="one"]').count()).toBe(0);
    await show(last, false);
    await show(first, true);
    await first.locator('[data-key="one"]').getByText('83 %').waitFor();
    await farm.makeCamera('two', { online: true, batteryPct: 17 });
    await first.locator('[data-key="two"]').getByText('17 %').waitFor();
    await until(async () => (await subscriptions()) === '2');
    // As windows beside each other: more streams than a browser opens connections to a host over HTTP/1.1.
    for (const tab of tabs) await show(tab, true);
    await until(async () => (await subscriptions()) === '16');
    await farm.makeCamera('three', { online: true, batteryPct: 19 });
    for (const tab of tabs) await tab.locator('[data-key="three"]').getByText('19 %').waitFor();
    await first.goto(`${gateway.url}/jobs`);
    await first.getByText('No jobs yet.').waitFor();
  } finally {
    await context.close();
  }
});

test('a page whose stream falls silent does not say that it is live', async () => {
  const { page, step } = await visit(browser, gateway.url, { hasOwnClock: true });
  await step('the stream', () => page.getByRole('banner').getByText('Live').waitFor());
  process.kill(gateway.pid, 'SIGSTOP');
  try {
    await step('the silence', () => putForward(page, 5000, page.getByRole('banner').getByText('Reconnecting …')));
  } finally {
    process.kill(gateway.pid, 'SIGCONT');
  }
});

test('where a proxy leads no WebSockets, an event stream brings the changes', async () => {
  const proxy = await startProxy(gateway.url, { leadsSockets: false });
  try {
    const { page, step } = await visit(browser, proxy.url);
    await step('the stream', () => page.getByRole('banner').getByText('Live').waitFor());
    await farm.makeCamera('proxied', { online: true, batteryPct: 83 });
    await step('the change', () => page.locator('[data-key="proxied"]').getByText('83 %').waitFor());
    await page.close();
  } finally {
    proxy.stop();
  }
});

test('a tab that was hidden shows the new statuses of its jobs, and keeps its place', async () => {
  const page = await browser.newPage();
  try {
    const { client, makeJob } = farm;
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
      await farm.makeCamera(`camera-${n}`);
      await result
        .getByText('CameraChanged')
        .first()
        .waitFor({ timeout: 2000 })
        .catch(() => {});
    }
  });
  expect(outside).toEqual([]);
});

test('the EventSource of docs/live.md tells a change, and does not ask again after a refusal', async () => {
  const { page, step, problems } = await visit(browser, gateway.url);
  const example = exampleOf('EventSource, in browsers', gateway.url);
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  await page.evaluate(example);
  await step('a change', () =>
    // The stream may not have begun yet, so changes are made until one is told.
    until(async () => {
      await farm.makeCamera(`camera-${Math.random()}`.slice(0, 20));
      await page.waitForTimeout(200);
      return said.some((text) => text.includes('CameraChanged'));
    }),
  );
  expect(problems).toEqual([]);
  await step('the refusal', () =>
    page.evaluate(`{ ${example.replace('changes {', 'nothing {')}
      new Promise((resolve) => {
        const look = setInterval(() => {
          if (source.readyState === EventSource.CLOSED) resolve(clearInterval(look));
        }, 20);
      }) }`),
  );
});
