// Shares one browser and one gateway among the tests of a file.
import type { Browser, Page } from 'playwright-core';
import { connectToBrowser, type Look, type Visit, visit } from './browser';
import { freshDatabase, onServer } from './databases';
import { freePort } from './free-port';
import { type ListeningGateway, listenInProcess } from './listening-gateway';
import { makeShownFarm } from './shown-farm';

export interface Dashboard {
  readonly browser: Browser;
  readonly gateway: ListeningGateway;
  /** The environment with which the gateway was started. */
  readonly settings: Record<string, string>;
  /** Writes rows that no client may write, such as rows in the past. */
  sql(text: string): ReturnType<typeof onServer>;
  visit(path: string, look?: Look): Promise<Visit>;
  /** Makes a printer and a spool for one test, which other tests do not use. */
  makeFarm(name: string): ReturnType<typeof makeShownFarm>;
}

/** @param key the API key with which farms are made */
export function shareDashboard(environment: Record<string, string> = {}, key?: string): Dashboard {
  let browser: Browser;
  let gateway: ListeningGateway;
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let settings: Record<string, string>;
  beforeAll(async () => {
    database = await freshDatabase('server');
    // The port is fixed, because a test may stop the gateway and start it again at the same address.
    const PORT = String(await freePort());
    settings = { DATABASE_URL: database.url, DEVICE_KEY: 'd1'.repeat(32), PORT, ...environment };
    [browser, gateway] = await Promise.all([connectToBrowser(), listenInProcess(settings)]);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
    await database?.drop();
  });
  return {
    get browser() {
      return browser;
    },
    get gateway() {
      return gateway;
    },
    get settings() {
      return settings;
    },
    sql: (text) => onServer(database.url, text),
    visit: (path, look) => visit(browser, gateway.url + path, look),
    makeFarm: (name) =>
      makeShownFarm(gateway.url, key === undefined ? {} : { 'x-api-key': key }, {
        material: `Material ${name}`,
        spool: `Spool ${name}`,
        printer: `Printer ${name}`,
      }),
  };
}

export const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

/** A section of a page, found by its heading. */
export const section = (page: Page, name: string) => page.getByRole('region', { name });

/** The text in the header that says whether changes arrive. */
export const connectionLabel = (page: Page, connection: 'Live' | 'Reconnecting …') =>
  page.getByRole('banner').getByText(connection);

/**
 * Opens another page as a link of the dashboard does, in a third of the CPU time of a load. The previous page stays until the
 * new one is drawn, so the next thing that a test waits for must not be on both pages.
 */
export const navigateTo = (page: Page, path: string) =>
  page.evaluate((path) => {
    history.pushState(null, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);

/** Opens one of the main pages by its link in the header. */
export const openPage = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
