// Tests every page in a real browser: no faults, the content security policy, translatable texts, and pages of other origins.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import type { Page, Request } from 'playwright-core';
import { createClient } from '../../src/client/client';
import { existingRows, fill } from '../../src/demo/fill';
import {
  AddNotificationTargetDocument,
  ChangePrintJobStatusDocument,
  FilamentsDocument,
  PrintersDocument,
  PrintJobsDocument,
  SpoolsDocument,
} from '../../src/generated/operations';
import { findFaults, LOOKS } from '../support/accessibility';
import { type Visit, visit, waitForOperation } from '../support/browser';
import { curl } from '../support/curl';
import { connectionLabel, heading, navigateTo, openPage, shareDashboard } from '../support/dashboard';
import { readExample } from '../support/docs';
import { type ListeningGateway, listenInProcess } from '../support/listening-gateway';
import { ROOT } from '../support/running-gateway';
import { makeShownFarm } from '../support/shown-farm';
import { is, until } from '../support/waiting';

/** A new farm in the first tests. */
const dashboard = shareDashboard();
/** A gateway with the example farm, which runs only persisted operations. */
let seeded: ListeningGateway;
/** A page of another origin. */
let site: Server;
let foreign: string;

beforeAll(async () => {
  site = createServer((request, response) => {
    // With this policy a browser sends `Origin: null`.
    if (request.url === '/unnamed') response.setHeader('referrer-policy', 'no-referrer');
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Elsewhere</title><body>');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  foreign = `http://localhost:${(site.address() as AddressInfo).port}`;
  seeded = await listenInProcess({ PERSISTED_ONLY: 'true', DEVICE_KEY: 'd1'.repeat(32) });
  const client = createClient({ url: `${seeded.url}/graphql` });
  await fill({ url: seeded.url, key: null, client, say: () => {} }, await existingRows(client));
});

afterAll(async () => {
  site?.close();
  await seeded?.stop();
});

/** Leaves a mark if it runs. */
const SCRIPT = 'window.ran = true';
const MARKUP = `<img src=x onerror="${SCRIPT}"><script>${SCRIPT}</script>`;
const hasRun = (page: Page) => page.evaluate(() => 'ran' in window);
const FILES = {
  dashboard: join('dist', 'dashboard', 'index.html'),
  playground: join('src', 'web', 'playground.html'),
  rest: join('src', 'web', 'rest.html'),
};

/** After the page was used: nothing of it broke its policy, and no injected script runs. */
async function expectPolicy({ page, step, problems, outside }: Visit, file: string): Promise<void> {
  expect({ outside, problems }).toEqual({ outside: [], problems: [] });
  await step('an injected script does not run', async () => {
    const answer = await fetch(page.url(), { headers: { accept: 'text/html' } });
    expect(await answer.text()).toBe(readFileSync(join(ROOT, file), 'utf8'));
    expect(answer.headers.get('content-security-policy')).toContain('-src ');
    await page.evaluate(
      ([script, markup]) => {
        const directives: string[] = [];
        Object.assign(window, { directives });
        document.addEventListener('securitypolicyviolation', (event) => directives.push(event.effectiveDirective));
        document.body.append(Object.assign(document.createElement('script'), { text: script }));
        document.body.append(Object.assign(document.createElement('script'), { src: 'http://localhost:9/run.js' }));
        document.body.append(Object.assign(document.createElement('div'), { innerHTML: markup }));
      },
      [SCRIPT, MARKUP] as const,
    );
    const violated = await until(
      'the policy has refused three scripts',
      () => page.evaluate(() => (window as unknown as { directives: string[] }).directives.sort()),
      (directives) => directives.length >= 3 && directives,
    );
    expect(violated).toEqual(['script-src-attr', 'script-src-elem', 'script-src-elem']);
    expect(await hasRun(page)).toBe(false);
  });
}

test('the list of pages is complete', () => {
  const files = readdirSync(join(ROOT, 'src', 'web')).filter((name) => name.endsWith('.html'));
  expect(Object.values(FILES).map((file) => basename(file))).toEqual(files);
});

test('a new farm shows what to do first, in less than 320 kB', async () => {
  const page = await dashboard.browser.newPage();
  const sizes: Promise<number>[] = [];
  const weigh = (request: Request) => {
    sizes.push(request.sizes().then((size) => size.responseBodySize + size.responseHeadersSize));
  };
  page.on('requestfinished', weigh);
  await page.goto(dashboard.gateway.url);
  for (const text of ['Your printers appear here', 'No active alerts.']) await page.getByText(text).waitFor();
  // A request that ends while the page closes has no size.
  page.off('requestfinished', weigh);
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  await page.close();
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(320_000);
});

test('a page that was open during an upgrade reloads, once for each version', async () => {
  const { page } = await dashboard.visit('/');
  await page.getByText('Your printers appear here').waitFor();
  // The files of a page that was not opened yet are gone, and the gateway's own page names others.
  let isGone = true;
  let answered = 0;
  const newer = (await (await fetch(dashboard.gateway.url)).text()).replace('assets/index-', 'assets/newer-');
  await page.route('**/assets/jobs-page*.js', (route) =>
    isGone ? route.fulfill({ status: 404, json: { error: 'This file does not exist' } }) : route.continue(),
  );
  await page.route(`${dashboard.gateway.url}/`, async (route) => {
    if (route.request().resourceType() !== 'fetch') return route.continue();
    await route.fulfill({ contentType: 'text/html', body: newer });
    answered += 1;
  });
  await page.route('**/assets/newer-*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
  // The reloaded page is the new version.
  await page.route('**/jobs', (route) => {
    isGone = false;
    return route.continue();
  });
  const loaded = page.waitForEvent('load');
  await openPage(page, 'Jobs');
  await loaded;
  await heading(page, 'Jobs').waitFor();
  await until('the page has asked once for the version', () => answered, is(1));
  // Files that are missing within one version are a fault, and not an upgrade.
  await openPage(page, 'Farm');
  await page.reload();
  await page.getByText('Your printers appear here').waitFor();
  isGone = true;
  await openPage(page, 'Jobs');
  await page.getByText('Could not show this page').waitFor();
  await until('the page has asked a second time for the version', () => answered, is(2));
  await page.getByText('Could not show this page').waitFor();
});

test('each command of the start page works as it is shown, and its step is marked automatically', async () => {
  const { page, step, problems } = await dashboard.visit('/start');
  const steps = page.getByRole('main').getByRole('listitem');
  await step('the example farm is offered', () => page.getByText('npm run seed').waitFor());
  for (let at = 0; at < 6; at += 1) {
    const one = steps.nth(at);
    await step(`step ${at + 1}`, async () => {
      const command = await one.locator('code').filter({ hasText: 'curl' }).textContent();
      const { url, init } = curl(`${command}`);
      expect(await (await fetch(url, init)).json()).toEqual({ data: expect.anything() });
      await one.getByText('Done').waitFor();
    });
  }
  await step('no longer shown', () => page.getByText('npm run seed').waitFor({ state: 'detached' }));
  await step('the steps are done, and the settings lead to them no more', async () => {
    await page.getByText('All steps are done.').waitFor();
    await openPage(page, 'Settings');
    await page.getByRole('main').getByRole('link', { name: 'Materials' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'First steps' }).waitFor({ state: 'detached' });
  });
  expect(problems).toEqual([]);
});

test('a mistyped address gets a page that says so, with the navigation; a program gets JSON', async () => {
  const { page, step, problems } = await dashboard.visit('/');
  for (const path of ['/spools/of/nobody', '/jbos']) {
    await step(path, async () => {
      const answer = await page.goto(dashboard.gateway.url + path);
      expect([answer?.status(), await answer?.headerValue('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      await heading(page, 'Page not found').waitFor();
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Jobs' }).waitFor();
    });
    for (const accept of [undefined, '*/*', 'application/json']) {
      const answer = await fetch(dashboard.gateway.url + path, accept ? { headers: { accept } } : {});
      expect([answer.status, await answer.json()]).toEqual([404, { error: `There is nothing at ${path}` }]);
    }
    const posted = await fetch(dashboard.gateway.url + path, { method: 'POST', headers: { accept: 'text/html' } });
    expect([posted.status, await posted.json()]).toEqual([404, { error: `There is nothing at ${path}` }]);
  }
  // Chromium itself reports the status.
  expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
});

test('the addresses of earlier versions lead to the current pages', async () => {
  const { page, step } = await dashboard.visit('/filament');
  await step('/filament', () => page.waitForURL(`${dashboard.gateway.url}/spools`));
  for (const [old, now] of [
    ['/filament/usage?by=SPOOL', '/reports?by=SPOOL'],
    ['/filament/materials', '/materials'],
    ['/filament/printers', '/printers'],
    ['/filament/spools/4', '/spools/4'],
  ] as const) {
    await step(old, async () => {
      await navigateTo(page, old);
      await page.waitForURL(dashboard.gateway.url + now);
    });
  }
});

test('the playground runs its examples, also a subscription, and sends requests to no other server', async () => {
  const opened = await dashboard.visit('/graphql');
  const { page, step } = opened;
  const result = page.locator('.result-window .CodeMirror-code');
  const execute = async (name: string) => {
    await waitForOperation(page, name);
    await page.getByRole('button', { name: /execute query/i }).click();
  };
  await step('the first example', async () => {
    await execute('FarmAtAGlance');
    await result.getByText('"printers"').first().waitFor();
  });
  for (const [name, shows] of [
    ['RegisterCamera', '"example-camera"'],
    ['RecordStatuses', '87.5'],
    ['Cameras', '"timelapse"'],
  ] as const) {
    await step(name, async () => {
      await page.getByRole('tab', { name }).click();
      await execute(name);
      await result.getByText(shows).first().waitFor();
    });
  }
  await step('a change', async () => {
    await page.getByRole('tab', { name: 'Changes', exact: true }).first().click();
    await execute('Changes');
    await changesUntilShown(async () => `${await result.textContent()}`);
  });
  await expectPolicy(opened, FILES.playground);
});

/** A stream may not have begun yet, so changes are made until one is shown. */
async function changesUntilShown(shown: () => Promise<string>): Promise<void> {
  let n = 0;
  const changed = async () => {
    n += 1;
    const body = JSON.stringify({ camera_id: `changed ${n} ${Date.now()}`, friendly_name: 'Changed' });
    await fetch(`${dashboard.gateway.url}/cameras`, { method: 'POST', body });
    await new Promise((resolve) => setTimeout(resolve, 200));
    return shown();
  };
  await until('the change of a camera is shown', changed, (text) => text.includes('CameraChanged'));
}

test('the dashboard leads to the description of REST, which shows every operation with its members', async () => {
  const opened = await dashboard.visit('/');
  const { page, step } = opened;
  await step('the link', async () => {
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('menuitem', { name: 'REST API reference' }).click();
  });
  await step('all operations', async () => {
    const answer = await fetch(`${dashboard.gateway.url}/openapi.json`);
    const { paths } = (await answer.json()) as { paths: Record<string, object> };
    const described = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const operation = page.locator('.opblock-summary');
    await operation.nth(described.length - 1).waitFor();
    const shown = (await operation.allInnerTexts()).map((text) => text.replace(/\u200b/g, '').split(/\s+/));
    expect(shown.map(([method, path]) => `${method} ${path}`)).toEqual(described);
  });
  await step('the members of POST /api/printjobs', async () => {
    const button = page.getByRole('button', { name: /^POST \/api\/printjobs\b/i });
    await button.first().click();
    const operation = page.locator('#operations-Print_jobs-createPrintJob');
    for (const member of ['PrinterId', 'DataSource', 'MmExtruded', 'AutoDeriveGrams']) {
      await operation.getByText(member, { exact: true }).first().waitFor();
    }
    await operation.getByText('PrinterApi').first().waitFor();
  });
  await expectPolicy(opened, FILES.rest);
});

test('the EventSource of docs/guides/follow-changes.md receives a change, and does not ask again after a refusal', async () => {
  const { page, step, problems } = await dashboard.visit('/');
  const example = readExample('EventSource, in browsers', dashboard.gateway.url);
  const pageErrors: string[] = [];
  page.on('console', (message) => pageErrors.push(message.text()));
  await page.evaluate(example);
  await step('a change', () => changesUntilShown(async () => pageErrors.join('\n')));
  expect(problems).toEqual([]);
  await step('the refusal', async () => {
    await page.evaluate(`{ ${example.replace('changes {', 'nothing {')}
      window.refused = source; }`);
    const isClosed = () =>
      page.evaluate(() => (window as unknown as { refused: EventSource }).refused.readyState === EventSource.CLOSED);
    await until('the EventSource that was refused is closed', isClosed);
  });
});

const camera = (id: string) => JSON.stringify({ camera_id: id, friendly_name: id });
const JSON_TYPE = { 'content-type': 'application/json' };
const MUTATION = JSON.stringify({
  query: 'mutation { registerCamera(input: { id: "graph", friendlyName: "g" }) { id } }',
});

async function cameras(): Promise<string[]> {
  const list = (await (await fetch(`${dashboard.gateway.url}/cameras`)).json()) as { camera_id: string }[];
  return list.map(({ camera_id }) => camera_id);
}

interface Sent {
  method?: string;
  mode?: 'no-cors';
  headers?: Record<string, string>;
  body?: string;
}

/** What a script of the page learns about an answer. */
function fetchFrom(page: Page, url: string, init: Sent = {}) {
  return page.evaluate(
    ([target, options]) =>
      fetch(target, options).then(
        async (answer) => ({ type: answer.type, status: answer.status, text: await answer.text() }),
        (error) => String(error),
      ),
    [url, init] as const,
  );
}

test('pages of other origins change nothing and read nothing, though a program may send the same request', async () => {
  const { page, step } = await visit(dashboard.browser, foreign);
  const before = await cameras();
  // For a browser all ports of a host are one site, and another name of the host is another site.
  for (const [path, host] of [
    ['/', 'localhost'],
    ['/', '127.0.0.1'],
    ['/unnamed', '127.0.0.1'],
  ] as const) {
    const url = dashboard.gateway.url.replace('127.0.0.1', host);
    await step(`${foreign + path} asks ${url}`, async () => {
      await page.goto(foreign + path);
      for (const [target, body] of [
        ['/cameras', camera('fetch')],
        ['/graphql', MUTATION],
      ] as const) {
        const answer = await fetchFrom(page, url + target, { method: 'POST', mode: 'no-cors', body });
        expect(answer).toEqual({ type: 'opaque', status: 0, text: '' });
      }
      for (const [target, init] of [
        ['/cameras', {}],
        ['/cameras', { method: 'POST', body: camera('fetch') }],
        ['/cameras', { method: 'POST', headers: JSON_TYPE, body: camera('fetch') }],
        ['/graphql', { method: 'POST', headers: JSON_TYPE, body: MUTATION }],
        ['/graphql?query={cameras{totalCount}}', {}],
      ] as const) {
        expect(await fetchFrom(page, url + target, init)).toBe('TypeError: Failed to fetch');
      }
    });
  }
  expect(await cameras()).toEqual(before);
  const { url } = dashboard.gateway;
  await fetch(`${url}/cameras`, { method: 'POST', body: camera('fetch') });
  await fetch(`${url}/graphql`, { method: 'POST', headers: JSON_TYPE, body: MUTATION });
  expect(await cameras()).toEqual(expect.arrayContaining(['fetch', 'graph']));
});

test('markup in any text of the farm is shown as that text', async () => {
  const names = { material: MARKUP, spool: MARKUP, printer: MARKUP };
  const { client, makeJob, makeCamera } = await makeShownFarm(seeded.url, {}, names);
  await client.request(ChangePrintJobStatusDocument, { id: await makeJob(MARKUP), status: 'PRINTING' });
  await makeCamera('one', { online: true, batteryPct: 50, recordingState: MARKUP, mode: MARKUP, resolution: MARKUP });
  await makeCamera(MARKUP);
  const opened = await visit(dashboard.browser, seeded.url);
  const { page, step } = opened;
  await step('the farm', async () => {
    // A printer, what it prints and its spool; the name of a camera.
    await page.getByText(MARKUP).nth(3).waitFor();
    expect(await page.getByText(MARKUP).count()).toBe(4);
    expect(await page.locator('main img, main script').count()).toBe(0);
    await navigateTo(page, '/camera/');
    await heading(page, 'Cameras').waitFor();
    // The name and id of a camera; the recording of another.
    await page.getByText(MARKUP).nth(2).waitFor();
    expect(await page.getByText(MARKUP).count()).toBe(3);
    expect(await page.locator('main img, main script').count()).toBe(0);
    await navigateTo(page, '/');
    await heading(page, 'Farm').waitFor();
    await page.getByText(MARKUP).nth(3).waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await hasRun(page)).toBe(false);
  });
  await expectPolicy(opened, FILES.dashboard);
});

/**
 * The texts that React takes in or out by themselves: it knows such a node, and fails at the next change when a translator has
 * moved it. A text that is all that its element has is written into the element instead.
 */
const textsByThemselves = (page: Page) =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    let seesReact = false;
    const isOfReact = (node: Node) => Object.keys(node).some((name) => name.startsWith('__reactFiber'));
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      seesReact ||= node.parentElement !== null && isOfReact(node.parentElement);
      if (isOfReact(node)) found.push(`${node.nodeValue} in ${node.parentElement?.outerHTML.slice(0, 160)}`);
    }
    return { found, seesReact };
  });

/** The buttons that open something on these pages: a form or a question over the page. */
const OPENS_OVER = [/^Add\b(?! a part| job)/, /^Edit\b/, /^Connect\b/, /^Complete\b/, /^Load\b/, /^Change spool\b/];
/** And more in it. */
const UNFOLDS = [/^Show/, /^Filters/, /^History/];

test('every page works with persisted operations alone, its texts can be translated, and axe finds no fault', async () => {
  const names = { material: 'PETG-X', spool: 'PETG-X1', printer: 'Bay X' };
  const { client, printerId, makeJob, makeCamera } = await makeShownFarm(seeded.url, {}, names);
  const name = `Hook ${'x'.repeat(120)}`;
  const job = await makeJob(name);
  await makeCamera('x'.repeat(100));
  const bay4 = (await client.request(PrintersDocument)).printers.nodes.find(({ name }) => name.startsWith('Bay 4'))?.id;
  const filter = { printerId: `${bay4}`, search: 'Planter', status: ['COMPLETED' as const] };
  const divided = (await client.request(PrintJobsDocument, { filter })).printJobs.nodes[0]?.id;
  const { printJobs } = await client.request(PrintJobsDocument, { filter: { search: 'First layer test' } });
  const { spools } = await client.request(SpoolsDocument);
  const spool = spools.nodes.find(({ spoolSerial }) => spoolSerial === 'PLA-WHITE-0413')?.id;
  const { filaments } = await client.request(FilamentsDocument);
  const filament = filaments.nodes.find(({ name }) => name === 'PLA Galaxy Black')?.id;
  const input = { name: 'Attic', kind: 'WEBHOOK' as const, url: `http://10.0.0.9/${'x'.repeat(1900)}` };
  const { target } = (await client.request(AddNotificationTargetDocument, { input })).addNotificationTarget;
  const none = '00000000-0000-0000-0000-000000000000';
  const { page, step, outside, problems } = await visit(dashboard.browser, `${seeded.url}/start`);
  const PHONE = LOOKS.slice(0, 1);
  const covered = page.locator('[data-base-ui-inert]');
  const forms = new Set<string>();
  const look = async (where: string, looks = LOOKS, within?: string) => {
    expect([where, await textsByThemselves(page)]).toEqual([where, { found: [], seesReact: true }]);
    expect([where, await findFaults(page, looks, within)]).toEqual([where, []]);
  };
  const close = () =>
    until('opened parts are closed', async () => {
      await page.keyboard.press('Escape');
      return (await covered.count()) === 0;
    });
  await step('the menu, which is the same on each page', async () => {
    await page.getByRole('button', { name: 'Menu' }).click();
    await covered.first().waitFor({ state: 'attached' });
    // A menu is in none of the landmarks that axe wants around texts.
    await look('the menu', []);
    await close();
  });
  await step('the search, which is the same on each page', async () => {
    const field = page.getByRole('combobox', { name: /^Search/ });
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('option', { name: 'Reports' }).waitFor();
    await field.fill('no such thing');
    await page.getByText('No printer, job, spool, product or camera matches “no such thing”.').waitFor();
    await look('a search without a match', LOOKS, '[role=dialog]');
    await field.fill('petg-x');
    await page.getByRole('option', { name: 'PETG-X1' }).waitFor();
    await look('a search with results', LOOKS, '[role=dialog]');
    await field.fill('bay x');
    await page.getByText('1 result', { exact: true }).waitFor();
    await field.press('Enter');
    await heading(page, 'Bay X').waitFor();
    // In a field the key types a character. On the page it opens the search.
    await page.keyboard.press('/');
    await field.waitFor();
    await page.keyboard.type('/hook');
    await page.getByRole('option', { name: 'Reports' }).waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe('/hook');
    await field.fill('bay');
    await page.getByRole('option', { name: 'Bay 4' }).first().waitFor();
    await field.press('ArrowDown');
    const chosen = page.getByRole('option').nth(1);
    expect(await field.getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'));
    await field.press('Escape');
    await field.waitFor({ state: 'detached' });
  });
  // No dialog shows the text of the one behind it.
  for (const [path, shows] of Object.entries({
    '/': 'Bay X',
    '/camera/bay-3-nozzle': 'of the time live',
    '/camera/?id=none': 'This camera was removed, or the link is wrong.',
    '/camera/?id=bay-2-front': 'First layer test',
    '/jobs': name,
    '/jobs?search=nothing': 'No jobs match these filters.',
    [`/jobs/${job}`]: '2.40528188 mm²',
    [`/jobs/${job}/edit`]: 'Edit Hook',
    [`/jobs/${job}/divide`]: 'the last part takes the rest',
    [`/jobs/${divided}`]: 'from 4 spools',
    [`/jobs/${divided}/divide`]: 'Part 4',
    [`/jobs/${printJobs.nodes[0]?.id}`]: 'of the print recorded',
    [`/spools/${spool}`]: 'Still loaded',
    [`/spools/${none}`]: 'This spool was removed, or the link is wrong.',
    [`/jobs/${none}`]: 'This job was removed, or the link is wrong.',
    '/jobs/new': 'The calculation appears here once you choose a spool.',
    '/spools': 'PETG-X1',
    '/filaments': 'Add a product',
    '/filaments/shopping': 'PRM-PLA-GBL-1000',
    [`/filaments/${filament}`]: 'PLA-GALAXY-0412',
    [`/filaments/${none}`]: 'This product was removed, or the link is wrong.',
    '/labels?spools=4,5&filaments=1&sheet=a4-65': '#5',
    '/n/99999': 'No spool or product has this number.',
    '/reports': 'Over time',
    '/materials': 'PETG-X',
    '/printers': 'Add a printer',
    '/filament/nothing': 'Nothing is at this address.',
    [`/printers/${printerId}`]: 'Empty',
    [`/printers/${bay4}`]: 'AMS 1, slot 4',
    [`/prints/${none}`]: 'This print was removed, or the link is wrong.',
    '/notifications': 'Attic',
    [`/notifications/${target.id}`]: 'Messages to this channel appear here.',
    [`/notifications/${none}`]: 'This channel was removed, or the link is wrong.',
    '/camera/': 'Overview, north',
    '/settings': 'Notifications',
    '/start': 'Done',
    '/import': 'Or paste it',
  })) {
    await step(path, async () => {
      await navigateTo(page, path);
      await page.getByRole('main').getByText(shows).first().waitFor();
      await connectionLabel(page, 'Live').waitFor();
      await look(path);
      for (const name of OPENS_OVER) {
        // The list of a choice has a button with the name of its field.
        const button = page.getByRole('button', { name }).and(page.locator(':not([aria-haspopup=listbox])')).first();
        if (!(await button.isVisible())) continue;
        await button.click();
        await covered.first().waitFor({ state: 'attached' });
        // A form is the same on each page that opens it.
        const form = [name, ...(await page.locator('[role=dialog] label').allTextContents())].join();
        if (!forms.has(form)) await look(`${path} after ${name}`, LOOKS, '[role=dialog], [role=alertdialog]');
        forms.add(form);
        await close();
      }
      // Only a phone folds the filters.
      await page.setViewportSize({ width: 390, height: 900 });
      const folded = page.locator('main details:not([open]) > summary');
      while ((await folded.count()) > 0) {
        await folded.first().click();
        if ((await folded.count()) === 0) await look(`${path} unfolded`, PHONE);
      }
      for (const name of UNFOLDS) {
        const button = page.getByRole('button', { name }).first();
        if (!(await button.isVisible())) continue;
        await button.click();
        await look(`${path} after ${name}`, PHONE);
      }
      expect((await page.getByRole('alert').allTextContents()).join('')).toBe('');
    });
  }
  expect({ outside, problems }).toEqual({ outside: [], problems: [] });
}, 600_000);
