// A browser and a gateway that the tests of a file share.
import type { Browser, Page } from 'playwright-core';
import { connectBrowser, type Look, type Visit, visit } from './browser';
import { freshDatabase, onServer } from './databases';
import { freePort } from './free-port';
import { type ListeningGateway, listenHere } from './listening-gateway';
import { makeShownFarm } from './shown-farm';

export interface Dashboard {
  readonly browser: Browser;
  readonly gateway: ListeningGateway;
  /** What the gateway was started with. */
  readonly settings: Record<string, string>;
  /** Writes what no client may, such as the past. */
  sql(text: string): ReturnType<typeof onServer>;
  visit(path: string, look?: Look): Promise<Visit>;
  /** A printer and a spool of its own, of which other tests know nothing. */
  makeFarm(name: string): ReturnType<typeof makeShownFarm>;
}

/** @param key the API key of the one who makes farms */
export function shareDashboard(environment: Record<string, string> = {}, key?: string): Dashboard {
  let browser: Browser;
  let gateway: ListeningGateway;
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let settings: Record<string, string>;
  beforeAll(async () => {
    database = await freshDatabase('server');
    // Its own port: a test may stop the gateway and start it there again.
    const PORT = String(await freePort());
    settings = { DATABASE_URL: database.url, DEVICE_KEY: 'd1'.repeat(32), PORT, ...environment };
    [browser, gateway] = await Promise.all([connectBrowser(), listenHere(settings)]);
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

/** A part of a page, by its heading. */
export const part = (page: Page, name: string) => page.getByRole('region', { name });

/** Whether changes arrive, in the header. */
export const says = (page: Page, connection: 'Live' | 'Reconnecting …') =>
  page.getByRole('banner').getByText(connection);

/**
 * Opens another page as a link of the dashboard does, in a third of the CPU time of a load. The page before is there until the
 * new one is drawn: what is waited for next must not be on both.
 */
export const goTo = (page: Page, path: string) =>
  page.evaluate((path) => {
    history.pushState(null, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);

/** Opens one of the pages by its link in the header. */
export const follow = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
