// The pages in a browser that translates them: translators put each text into an element of their own.
import type { Browser, Page } from 'playwright-core';
import {
  CancelPrintJobDocument,
  ChangePrintJobStatusDocument,
  MaterialsDocument,
  PrintersDocument,
  RecordCameraStatusesDocument,
  SpoolsDocument,
  UpdateCameraDocument,
  UpdateMaterialDocument,
  UpdatePrinterDocument,
  UpdateSpoolDocument,
} from '../../src/generated/operations';
import { RemoveCameraDocument } from '../../src/generated/web-operations';
import { startBrowser, visit } from '../support/browser';
import { type RunningGateway, runGateway } from '../support/running-gateway';
import { makeShownFarm } from '../support/shown-farm';
import { until } from '../support/waiting';

let browser: Browser;
/** A test that changes the farm stops it at its end, and the next one has another. */
let gateway: RunningGateway | undefined;
let url: string;
let farm: Awaited<ReturnType<typeof makeShownFarm>>;
let jobs: string[];
let printerId: string;

beforeAll(async () => {
  browser = await startBrowser();
});
beforeEach(async () => {
  if (gateway !== undefined) return;
  gateway = await runGateway();
  ({ url } = gateway);
  farm = await makeShownFarm(url);
  jobs = [await farm.makeJob('Hook'), await farm.makeJob('Clip'), await farm.makeJob('')];
  await farm.client.request(ChangePrintJobStatusDocument, { id: `${jobs[0]}`, status: 'PRINTING' });
  printerId = `${(await farm.client.request(PrintersDocument)).printers.nodes[0]?.id}`;
  await farm.makeCamera('cam', {
    online: true,
    batteryPct: 15,
    recordingState: 'recording',
    resolution: '4K',
    fps: 30,
  });
  await farm.makeCamera('silent');
});
afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

const ADDRESSES = () => [
  '/',
  '/jobs',
  '/jobs?status=FAILED',
  `/jobs/${jobs[0]}`,
  `/jobs/${jobs[0]}/edit`,
  '/jobs/new',
  '/jobs/00000000-0000-0000-0000-000000000000',
  '/camera/?id=cam',
  '/camera/?id=silent',
  '/camera/?id=none',
  '/filament',
  '/filament/usage',
  '/filament/materials',
  '/filament/printers',
  `/printers/${printerId}`,
  '/printers/00000000-0000-0000-0000-000000000000',
  '/prints/00000000-0000-0000-0000-000000000000',
  '/start',
  '/filament/nothing',
];

/** The buttons that open something on these pages: over the page, and in it. */
const OPENS_OVER = /^(Edit|Add|Menu|Complete|Connect)\b/;
const OPENS_IN = /^(Show|Filters)/;

/**
 * The texts that React takes in or out by themselves: it knows such a node, and fails at the next change when a translator has
 * moved it. A text that is all that its element has is written into the element instead.
 */
const textsByThemselves = (page: Page) =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    let elements = 0;
    const isOfReact = (node: Node) => Object.keys(node).some((name) => name.startsWith('__reactFiber'));
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node.parentElement !== null && isOfReact(node.parentElement)) elements += 1;
      if (isOfReact(node)) found.push(`${node.nodeValue} in ${node.parentElement?.outerHTML.slice(0, 160)}`);
    }
    return { found, seesReact: elements > 0 };
  });

test('every text of every page is alone in its element', async () => {
  const { page, step } = await visit(browser, url);
  const found: string[] = [];
  const look = async (where: string) => {
    const texts = await textsByThemselves(page);
    expect([where, texts.seesReact]).toEqual([where, true]);
    for (const text of texts.found) if (!found.some((one) => one.endsWith(text))) found.push(`${where}: ${text}`);
  };
  for (const address of ADDRESSES()) {
    await step(address, async () => {
      await page.goto(url + address);
      await page.locator('h1').first().waitFor();
      await page.waitForLoadState('networkidle').catch(() => {});
      await look(address);
      const covered = page.locator('[data-base-ui-inert]');
      for (const name of [OPENS_OVER, OPENS_IN]) {
        for (const button of await page.getByRole('button', { name }).all()) {
          if (!(await button.isVisible())) continue;
          const text = await button.textContent();
          await button.click();
          if (name === OPENS_OVER) await covered.first().waitFor({ state: 'attached' });
          await look(`${address} after ${text}`);
          await until(async () => {
            await page.keyboard.press('Escape');
            return (await covered.count()) === 0;
          });
        }
      }
    });
  }
  expect(found).toEqual([]);
}, 180_000);

/** Puts each text into a `<font>`, those that come later too. @param isCopied the text itself goes, as some translators do it */
function translate(isCopied: boolean): void {
  const wrap = (node: Node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      const parent = node.parentElement;
      if (parent === null || /^(FONT|SCRIPT|STYLE|NOSCRIPT|TEXTAREA)$/.test(parent.tagName)) return;
      const font = document.createElement('font');
      parent.replaceChild(font, node);
      if (isCopied) font.textContent = node.nodeValue;
      else font.append(node);
    } else for (const child of [...node.childNodes]) wrap(child);
  };
  wrap(document.body);
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) if (node.isConnected) wrap(node);
  }).observe(document.body, { childList: true, subtree: true });
}

test.each([
  ['moves the texts', false],
  ['writes its own', true],
])(
  'each kind of change arrives on a page whose translator %s',
  async (_, isCopied) => {
    const { client } = farm;
    const [hook = '', clip = '', unnamed = ''] = jobs;
    const shown: [address: string, afterwards: string][] = [
      ['/', '77 %'],
      ['/jobs', 'Bay 9'],
      [`/jobs/${hook}`, 'Completed'],
      [`/jobs/${clip}`, 'Cancelled'],
      [`/jobs/${hook}/edit`, 'Save'],
      ['/camera/?id=cam', '77 %'],
      ['/camera/?id=silent', 'There is no camera with this id.'],
      ['/filament', 'PETG-9'],
      ['/filament/usage', 'Their cost'],
      ['/filament/materials', 'PETG two'],
      ['/filament/printers', 'Bay 9'],
      [`/printers/${printerId}`, 'Bay 9'],
      ['/start', 'Done'],
    ];
    const visits = [];
    for (const [address, afterwards] of shown) {
      const one = await visit(browser, url + address);
      await one.step(address, () => one.page.getByRole('banner').getByText('Live').waitFor());
      await one.page.locator('h1').first().waitFor();
      visits.push({ ...one, address, afterwards });
    }
    for (const { page } of visits) {
      await page.waitForLoadState('networkidle').catch(() => {});
      await page.evaluate(translate, isCopied);
    }
    const [printer, spool, material] = [
      (await client.request(PrintersDocument)).printers.nodes[0],
      (await client.request(SpoolsDocument)).spools.nodes[0],
      (await client.request(MaterialsDocument)).materials[0],
    ].map((one) => ({ id: `${one?.id}` })) as [{ id: string }, { id: string }, { id: string }];
    const status = { cameraId: 'cam', online: true, batteryPct: 77, recordingState: null, resolution: null };
    await client.request(RecordCameraStatusesDocument, { input: [status] });
    await client.request(UpdateCameraDocument, { id: 'cam', input: { friendlyName: 'Door' } });
    await client.request(RemoveCameraDocument, { id: 'silent' });
    await client.request(ChangePrintJobStatusDocument, { id: unnamed, status: 'PRINTING' });
    await client.request(ChangePrintJobStatusDocument, { id: hook, status: 'COMPLETED' });
    await client.request(CancelPrintJobDocument, { id: clip });
    await client.request(UpdatePrinterDocument, { ...printer, input: { name: 'Bay 9' } });
    await client.request(UpdateSpoolDocument, { ...spool, input: { spoolSerial: 'PETG-9', weightTotalGrams: '2' } });
    await client.request(UpdateMaterialDocument, { ...material, input: { name: 'PETG two' } });
    for (const { page, step, address, afterwards } of visits)
      await step(`${address} shows ${afterwards}`, () => page.getByText(afterwards).first().waitFor());
    await gateway?.stop();
    gateway = undefined;
    for (const { page, step, address, problems } of visits) {
      await step(`${address} tells the loss`, () => page.getByText('Reconnecting …').waitFor());
      expect([address, await page.getByText('The page cannot be shown').count()]).toEqual([address, 0]);
      expect([address, problems.filter((text) => /removeChild|insertBefore|not a child/.test(text))]).toEqual([
        address,
        [],
      ]);
      await page.close();
    }
  },
  180_000,
);
