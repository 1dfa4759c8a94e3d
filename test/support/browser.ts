// Opens a page in a real browser, and records its requests, their answers and its errors.
import { setTimeout } from 'node:timers/promises';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { is, until } from './waiting';

export interface Visit {
  page: Page;
  /** Requests that would leave the gateway. */
  outside: string[];
  /** Errors of scripts, of the console and of the content security policy. */
  problems: string[];
  /** Runs a step of a test. If the step fails, the error lists the requests and their answers. */
  step<Result>(what: string, act: () => Promise<Result>): Promise<Result>;
}

/** Connects to the browser of the run, which test/support/set-up-browser.ts has started. Each file has its own contexts in it. */
export function connectToBrowser(): Promise<Browser> {
  const url = process.env['TEST_BROWSER_URL'];
  if (!url) throw new Error('No Chromium: test/support/set-up-browser.ts has not run, or says why before the tests.');
  return chromium.connect(url);
}

/** A new page takes 2.3 s of CPU time until it shows the farm, another address in the same page 1.1 s, so most visits share one page. */
const pages = new Map<Browser, Page>();

/** The pages of a test are reset or closed after it. Otherwise they would keep sending requests to its gateway. */
const visited = new Set<Page>();
globalThis.afterEach?.(async () => {
  const shared = new Set(pages.values());
  const left = [...visited].map((page) =>
    shared.has(page) ? resetPage(page).catch(() => page.close()) : page.close(),
  );
  visited.clear();
  await Promise.all(left);
});

async function resetPage(page: Page): Promise<void> {
  for (const event of ['request', 'requestfailed', 'response', 'pageerror', 'console']) page.removeAllListeners(event);
  await page.unrouteAll();
  await page.evaluate(() => {
    for (const storage of [sessionStorage, localStorage]) storage.clear();
    // What a page stores for its reload must not reach another test.
    Storage.prototype.setItem = () => {};
  });
  await page.goto('about:blank');
}

export interface Look {
  width?: number;
  colorScheme?: 'light' | 'dark';
  locale?: string;
  /** The clock of the page runs normally, and can be put forward. */
  hasOwnClock?: boolean;
  /** The clock of the page stands still at this time until the test sets it. */
  time?: string;
  httpCredentials?: { username: string; password: string };
}

/** An animation is drawn sixty times a second, and a moving button is not clicked. Without animations a visit takes a sixth less CPU time. */
const reducedMotion = 'reduce';

async function providePage(browser: Browser, look: Look) {
  const { width = 1400, colorScheme = 'light', locale, hasOwnClock, time, httpCredentials } = look;
  const viewport = { width, height: 900 };
  const known = pages.get(browser)?.isClosed() ? undefined : pages.get(browser);
  if (locale || hasOwnClock || time || httpCredentials || (known && visited.has(known))) {
    const options = { viewport, colorScheme, reducedMotion, locale: locale ?? 'en-US', httpCredentials } as const;
    const page = await newPage(browser, options);
    if (hasOwnClock) await page.clock.install();
    if (time) await page.clock.setFixedTime(time);
    return page;
  }
  const page = known ?? (await newPage(browser, { locale: 'en-US' }));
  pages.set(browser, page);
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme, reducedMotion });
  return page;
}

/**
 * While data arrive, elements below them move. A button that moves between press and release is not clicked, so buttons take no
 * clicks until then. A handler of Playwright that waits for it would take 4 ms of CPU time before each action.
 */
const NOT_WHILE_LOADING = 'body:has([role=status][aria-label=Loading]) { pointer-events: none }';

async function newPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const page = await browser.newPage(options);
  await page.addInitScript((rule) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rule);
    document.adoptedStyleSheets.push(sheet);
  }, NOT_WHILE_LOADING);
  return page;
}

export async function visit(browser: Browser, url: string, look: Look = {}): Promise<Visit> {
  const page = await providePage(browser, look);
  visited.add(page);
  const outside: string[] = [];
  const problems: string[] = [];
  /** Each line with its body. The body is read only when it is printed; that of a page that was left is lost. */
  const wire: [line: string, body?: () => Promise<string>][] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(new URL('/', url).href) && !/^(data|blob):/.test(request.url())) {
      outside.push(request.url());
    }
  });
  page.on('requestfailed', (request) =>
    wire.push([`${request.method()} ${request.url()} ${request.failure()?.errorText}`]),
  );
  page.on('response', (response) => {
    const request = response.request();
    const line = `${request.method()} ${request.url()} ${request.postData() ?? ''}\n  → ${response.status()}`;
    wire.push(request.method() === 'POST' ? [line, () => response.text()] : [line]);
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.setDefaultTimeout(45_000);
  await page.goto(url);
  return {
    page,
    outside,
    problems,
    async step(what, act) {
      try {
        return await act();
      } catch (error) {
        const { message } = error as Error;
        const shown = wire.map(async ([line, body]) => {
          const late = setTimeout(1000, '(no body yet)', { ref: false });
          return body ? `${line} ${await Promise.race([body(), late]).catch(() => '(no body)')}`.slice(0, 4000) : line;
        });
        const requests = (await Promise.all(shown)).join('\n');
        throw new Error(`${what}: ${message}\n\nProblems:\n${problems.join('\n')}\n\nRequests:\n${requests}`);
      }
    },
  };
}

/** Waits for something that a page does after a time: puts the clock of the page forward until it has happened. */
export async function fastForwardUntil(
  page: Page,
  ms: number,
  wanted: Locator,
  state: 'visible' | 'detached' = 'visible',
): Promise<void> {
  await until(`${wanted} is ${state}`, async () => {
    await page.clock.fastForward(ms);
    return isReachedSoon(wanted, state);
  });
}

/** Scrolls to the end of a long list, which reads its next rows whenever its end is in view. */
export async function scrollToEnd(page: Page, last: Locator): Promise<void> {
  await until('the last row is in the page', async () => {
    await page.keyboard.press('End');
    return isReachedSoon(last);
  });
}

/** Waits for half a second: polling more often costs the page more than waiting does. */
const isReachedSoon = (wanted: Locator, state: 'visible' | 'detached' = 'visible') =>
  wanted.waitFor({ state, timeout: 500 }).then(
    () => true,
    () => false,
  );

/**
 * Chooses a value in a searchable field. Its list may move under the click, because it grows as data arrive; such a click is lost.
 * @param part the typed text; it must not be the whole name, which the field shows once it is chosen
 */
export async function choose(page: Page, label: string, name: string, part = name.slice(0, -1)): Promise<void> {
  const field = page.getByRole('combobox', { name: label });
  const option = page.getByRole('option', { name, exact: true });
  const chosen = async () => {
    const value = await field.inputValue();
    if (value === name) return value;
    if (!(await option.isVisible())) {
      await field.fill('');
      await field.fill(part);
    }
    await option.click({ timeout: 3000 }).catch(() => {});
    return value;
  };
  await until(`${name} is chosen in ${label}`, chosen, is(name));
}

/**
 * Waits until GraphiQL has parsed the operation that its editor shows. It does so 100 ms after a tab is opened, and sends the
 * name of the previous operation until then.
 */
export async function waitForOperation(page: Page, name: string): Promise<void> {
  const operationName = () =>
    page.evaluate(() => {
      const editor = document.querySelector('.graphiql-query-editor .CodeMirror') as unknown as {
        CodeMirror?: { operationName?: string };
      } | null;
      return editor?.CodeMirror?.operationName;
    });
  await until(`GraphiQL has loaded the operation ${name}`, operationName, is(name));
}
