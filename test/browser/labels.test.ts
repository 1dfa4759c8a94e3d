// Tests labels in a real browser: codes that are photographed and read, printed pages, and where a code leads on a phone.
import type { Page } from 'playwright-core';
import { CreateFilamentDocument, CreateSpoolDocument, MaterialsDocument } from '../../src/generated/operations';
import { findFaults } from '../support/accessibility';
import { choose } from '../support/browser';
import { heading, navigateTo, shareDashboard } from '../support/dashboard';
import { readCode } from '../support/qr-code';
import { until } from '../support/waiting';

const dashboard = shareDashboard();
/** The numbers of three spools, of which the second is long, and of a filament. */
const numbers: number[] = [];
let spoolIds: string[];
let filament: number;

beforeAll(async () => {
  const { client } = await dashboard.makeFarm('one');
  const materialId = (await client.request(MaterialsDocument)).materials[0]?.id as string;
  const input = { name: `Galaxy ${'x'.repeat(90)}`, vendor: 'Prusament', materialId, colorHex: '#2A2D43' };
  const made = await client.request(CreateFilamentDocument, {
    input: { ...input, filamentDiameterMm: '1.75', weightTotalGrams: '1000', tareGrams: '200' },
  });
  filament = made.createFilament.number;
  const makeSpool = (spoolSerial: string) =>
    client.request(CreateSpoolDocument, {
      input: { spoolSerial, filamentId: made.createFilament.id, place: `Shelf ${'y'.repeat(60)}` },
    });
  const first = await makeSpool('L-1');
  await dashboard.sql(`select setval('stock_numbers', 123455)`);
  const spools = [first, await makeSpool(`L-${'z'.repeat(80)}`), await makeSpool('L-3')];
  numbers.push(...spools.map(({ createSpool }) => createSpool.number));
  spoolIds = spools.map(({ createSpool }) => createSpool.id);
});

/** Each paper with its labels on a page, its page in mm, and a label in mm. */
const PAPERS: [paper: string, perPage: number, page: [number, number], label: [number, number]][] = [
  ['a4-24', 24, [210, 297], [70, 37]],
  ['a4-65', 65, [210, 297], [38.1, 21.2]],
  ['letter-30', 30, [215.9, 279.4], [66.7, 25.4]],
  ['62x29', 1, [62, 29], [62, 29]],
  ['50x30', 1, [50, 30], [50, 30]],
  ['40x30', 1, [40, 30], [40, 30]],
];
const PX_OF_MM = 96 / 25.4;
const POINTS_OF_MM = 72 / 25.4;

const findLabels = (page: Page) => page.locator('[data-label]');

/** The widths and heights of the pages of a PDF, in mm. */
function readPageSizes(pdf: Buffer): [number, number][] {
  const text = pdf.toString('latin1');
  const boxes = [...text.matchAll(/\/Type\s*\/Page\b[^s][\s\S]*?\/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]/g)];
  return boxes.map(([, width, height]) => [Number(width) / POINTS_OF_MM, Number(height) / POINTS_OF_MM]);
}

test('on each paper the codes can be read, texts fit, and there are no more pages than needed', async () => {
  // At the resolution of a phone camera.
  const shown = await dashboard.browser.newPage({
    viewport: { width: 1100, height: 900 },
    deviceScaleFactor: 3,
    colorScheme: 'dark',
    locale: 'en-US',
  });
  const wanted = [numbers[1], numbers[0], filament];
  await shown.goto(`${dashboard.gateway.url}/labels`);
  for (const [paper, perPage, page, label] of PAPERS) {
    const skip = Math.max(0, perPage - 2);
    await shown.emulateMedia({ media: 'screen', colorScheme: 'dark' });
    await navigateTo(
      shown,
      `/labels?spools=${numbers[1]},${spoolIds[0]}&filaments=${filament}&sheet=${paper}&skip=${skip}`,
    );
    await until(
      `the labels are those of ${paper}`,
      async () => (await findLabels(shown).count()) === 3 && (await findLabels(shown).first().boundingBox())?.width,
      (width) => Math.abs(Number(width) - label[0] * PX_OF_MM) < 0.5,
    );
    for (const media of ['screen', 'print'] as const) {
      await shown.emulateMedia({ media, colorScheme: 'dark' });
      for (const [at, number] of wanted.entries()) {
        const one = findLabels(shown).nth(at);
        // One of a paper on the screen, and in print the one with the longest texts.
        if (at === (media === 'screen' ? 2 : 0))
          expect(await readCode(shown, await one.screenshot())).toBe(`${dashboard.gateway.url}/n/${number}`);
        const box = await one.boundingBox();
        expect([box?.width, box?.height]).toEqual(label.map((mm) => expect.closeTo(mm * PX_OF_MM, 0)));
      }
      const sizes = await shown
        .locator('[data-label] svg')
        .evaluateAll((codes) =>
          codes.map((code) => [code.getBoundingClientRect().width, code.getAttribute('viewBox')].join()),
        );
      expect(new Set(sizes).size).toBe(1);
      // The names and serials are long, but each label shows the whole colour.
      const colours = await shown.locator('[data-label] p span:last-child').evaluateAll((all) =>
        all.flatMap((colour) => {
          const [box, lines] = [colour, colour.closest('p')?.parentElement].map((one) => one?.getBoundingClientRect());
          const fits = box && lines && box.bottom <= lines.bottom + 1 && box.right <= lines.right + 1;
          return colour.textContent?.startsWith(', #') ? [[colour.textContent, fits]] : [];
        }),
      );
      expect([paper, media, colours]).toEqual([paper, media, wanted.map(() => [', #2A2D43', true])]);
      const texts = await shown.locator('[data-label] p').evaluateAll((all) =>
        all.map((text) => ({
          text: `${text.textContent}`,
          size: Number.parseFloat(getComputedStyle(text).fontSize),
          isCut: text.scrollWidth > text.clientWidth || text.scrollHeight > text.clientHeight + 1,
          color: getComputedStyle(text).color,
        })),
      );
      const [heads, others] = [
        texts.filter(({ text }) => /^#\d+$/.test(text)),
        texts.filter(({ text }) => !/^#\d+$/.test(text)),
      ];
      expect(heads.map(({ text, isCut }) => [text, isCut])).toEqual(wanted.map((number) => [`#${number}`, false]));
      expect(Math.min(...heads.map(({ size }) => size))).toBeGreaterThan(Math.max(...others.map(({ size }) => size)));
      expect(new Set(texts.map(({ color }) => color))).toEqual(new Set(['rgb(0, 0, 0)']));
    }
    const printed = readPageSizes(await shown.pdf({ preferCSSPageSize: true }));
    expect([paper, printed]).toEqual([
      paper,
      Array(Math.ceil((perPage === 1 ? 3 : skip + 3) / perPage)).fill(page.map((mm) => expect.closeTo(mm, 0))),
    ]);
  }
  await shown.close();
});

test('labels are chosen on the page, missing ones are named, and a warning says which codes no phone can open', async () => {
  const { page, step, problems } = await dashboard.visit(
    `/labels?spools=${numbers[0]},99,none&filaments=98&sheet=toString`,
  );
  await step('missing objects', async () => {
    await page
      .getByText(
        'Unknown paper “toString”: choose one from the list. Spool 99 was not found. Spool none was not found. Product 98 was not found.',
      )
      .waitFor();
    await page.getByText(/Phones cannot open .*, the address in these codes. Set PUBLIC_URL/).waitFor();
  });
  await step('one is removed, and others are added', async () => {
    await page.getByRole('button', { name: 'Remove 99' }).click();
    await page.getByRole('button', { name: 'Remove none' }).click();
    await page.getByRole('button', { name: 'Remove 98' }).click();
    const field = page.getByRole('combobox', { name: 'Add a spool' });
    await field.fill('L-3');
    await page.getByRole('option', { name: 'L-3 (Material one)' }).click();
    await page.getByRole('button', { name: `Remove #${numbers[2]} L-3` }).waitFor();
    expect(await field.inputValue()).toBe('');
  });
  await step('another paper, and positions that are already used', async () => {
    await page.getByLabel('Paper').selectOption({ label: 'A4, 65 labels of 38.1 × 21.2 mm' });
    await page.getByLabel('Skip labels').fill('64');
    await page.locator('[data-page="2"] [data-label]').waitFor();
    expect(await findLabels(page).count()).toBe(2);
    await page.waitForURL(({ search }) => search.includes('sheet=a4-65') && search.includes('skip=64'));
    await page.getByLabel('Skip labels').fill('65');
    await page.locator('[data-page="2"]').waitFor({ state: 'detached' });
    expect(await findLabels(page).count()).toBe(2);
  });
  expect(problems).toEqual([]);
});

test('a spool, a product and the selected rows of the list lead to their labels', async () => {
  const { page, step, problems } = await dashboard.visit(`/spools/${spoolIds[0]}`);
  const numbersShown = async () =>
    findLabels(page).evaluateAll((labels) => labels.map((label) => Number(label.getAttribute('data-label'))));
  await step('a spool, and its filament', async () => {
    await page.getByRole('link', { name: 'Print label', exact: true }).click();
    await findLabels(page).first().waitFor();
    expect(await numbersShown()).toEqual([numbers[0]]);
    await page.goBack();
    await page
      .locator('dl')
      .getByRole('link', { name: /Galaxy/ })
      .click();
    await page.getByRole('table', { name: 'Spools' }).getByRole('link', { name: 'L-1' }).waitFor();
    await page.getByRole('link', { name: 'Print label', exact: true }).click();
    await findLabels(page).first().waitFor();
    expect(await numbersShown()).toEqual([filament]);
  });
  await step('the list', async () => {
    await navigateTo(page, '/spools');
    for (const serial of ['L-3', 'L-1']) await page.getByLabel(`Select ${serial}`, { exact: true }).check();
    await page.getByText('2 spools selected').waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'Print labels', exact: true }).click();
    await findLabels(page).nth(1).waitFor();
    expect(await numbersShown()).toEqual([numbers[0], numbers[2]]);
  });
  expect(problems).toEqual([]);
});

test('a number leads to its object, and a message says when nothing has it', async () => {
  const { page, step, problems } = await dashboard.visit('/jobs');
  await heading(page, 'Jobs').waitFor();
  await step('a spool, in place of the number', async () => {
    await navigateTo(page, `/n/${numbers[0]}`);
    await heading(page, 'L-1').waitFor();
    await page.waitForURL(`${dashboard.gateway.url}/spools/${spoolIds[0]}`);
    await page.goBack();
    await heading(page, 'Jobs').waitFor();
  });
  const field = page.getByRole('combobox', { name: 'Search printers, jobs, spools, products and cameras' });
  await step('a scanner that types the code into the search, without a pause before Enter', async () => {
    await page.keyboard.press('Control+k');
    await field.fill(`httpÖ--10.0.0.1Ö4000-n-${numbers[0]}`);
    await field.press('Enter');
    await page.waitForURL(`${dashboard.gateway.url}/spools/${spoolIds[0]}`);
    await heading(page, 'L-1').waitFor();
  });
  await step('a label of Spoolman in the search, and in the list of spools', async () => {
    await page.keyboard.press('Control+k');
    await field.fill(`WEB+SPOOLMAN:S-${numbers[2]}`);
    await field.press('Enter');
    await page.waitForURL(`${dashboard.gateway.url}/spools/${spoolIds[2]}`);
    await heading(page, 'L-3').waitFor();
    await navigateTo(page, '/spools');
    await page
      .getByLabel('Search by number, serial, product, place or tag')
      .fill(`http://pi:7912/spool/show/${numbers[2]}`);
    await page.getByRole('link', { name: 'L-1', exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'L-3', exact: true }).waitFor();
  });
  await step('a filament', async () => {
    await navigateTo(page, `/n/${filament}`);
    await heading(page, `Galaxy ${'x'.repeat(90)}`).waitFor();
  });
  for (const none of ['99', '4294967296', 'twelve'])
    await step(none, async () => {
      await navigateTo(page, `/n/${none}`);
      await heading(page, `#${none}`).waitFor();
      await page.getByText('No spool or product has this number.').waitFor();
    });
  expect(problems).toEqual([]);
});

test('on a phone Load, Weigh and Empty are on the first screen: one tap opens, the next does it', async () => {
  const { page, step, problems } = await dashboard.visit(`/n/${numbers[2]}`, { width: 390 });
  await page.setViewportSize({ width: 390, height: 844 });
  await heading(page, 'L-3').waitFor();
  const dialog = page.getByRole('dialog');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  for (const name of ['Load spool', 'Weigh spool', 'Mark as empty']) {
    const box = await button(name).boundingBox();
    expect([name, box]).toEqual([name, expect.anything()]);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(844);
  }
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  await step('loaded', async () => {
    await button('Load spool').click();
    await choose(page, 'Printer', 'Printer one');
    await dialog.getByRole('button', { name: 'Load spool', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  });
  await step('weighed', async () => {
    await button('Weigh spool').click();
    await dialog.getByLabel('Weight on the scale in grams').fill('712');
    await dialog.getByRole('button', { name: 'Save weight' }).click();
    await page.getByText('512.00 g of 1,000.00 g remaining').waitFor();
  });
  await step('emptied', async () => {
    await button('Mark as empty').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Mark as empty' }).click();
    await page.getByText('0.00 g of 1,000.00 g remaining', { exact: true }).waitFor();
    await button('Mark as empty').waitFor({ state: 'detached' });
  });
  expect(problems).toEqual([]);
});
