// Tests the pages of products in a real browser: what is bought, its stock, its spools, and the form of a spool of a product.
import { buffer } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { CreatePrintJobDocument, FilamentsDocument, SpoolsDocument } from '../../src/generated/operations';
import { findFaults } from '../support/accessibility';
import { choose } from '../support/browser';
import { connectionLabel, heading, navigateTo, openPage, section, shareDashboard } from '../support/dashboard';

const dashboard = shareDashboard();
let farm: Awaited<ReturnType<typeof dashboard.makeFarm>>;

beforeAll(async () => {
  farm = await dashboard.makeFarm('one');
});

const findRow = (page: Page, table: string, text: string) =>
  page.getByRole('table', { name: table }).locator('[data-index]').filter({ hasText: text });

const filamentNamed = async (name: string) =>
  (await farm.client.request(FilamentsDocument)).filaments.nodes.find((one) => one.name === name);
const spoolNamed = async (serial: string) =>
  (await farm.client.request(SpoolsDocument)).spools.nodes.find(({ spoolSerial }) => spoolSerial === serial);

test('a product is added, found by its number, has spools that take its values, and is corrected with them', async () => {
  const { page, step, problems } = await dashboard.visit('/filaments');
  const dialog = page.getByRole('dialog');
  const facts = page.locator('dl');
  const submit = (action: string) => dialog.getByRole('button', { name: action, exact: true }).click();
  await connectionLabel(page, 'Live').waitFor();
  await step('what is missing is told at once', async () => {
    await page.getByRole('button', { name: 'Add a product' }).click();
    await submit('Add product');
    await dialog.getByLabel('Material', { exact: true }).selectOption('New material …');
    await dialog.locator('datalist option[value="PETG"]').waitFor({ state: 'attached' });
    await dialog.getByLabel('Material name').fill('material ONE');
    await submit('Add product');
    await dialog.getByText('Material one exists already. Choose it in the field Material.').waitFor();
    for (const label of ['Name', 'Density in g/cm³'])
      await dialog.getByLabel(label, { exact: true }).and(page.locator('[aria-invalid=true]')).waitFor();
  });
  await step('added', async () => {
    await dialog.getByLabel('Name', { exact: true }).fill('Galaxy Black');
    await dialog.getByLabel('Material name').fill('PETG');
    await dialog.getByText('Leave empty for the usual 1.27.').waitFor();
    await dialog.getByLabel('Empty spool in grams').fill('200');
    await dialog.getByLabel('Price').fill('24,90');
    await dialog.getByLabel('Colour (optional)', { exact: true }).fill('#2a2d43');
    await dialog.getByLabel('Vendor').fill('Prusament');
    await dialog.getByLabel('Article number').fill('PRM-PLA-GBL');
    await dialog.getByLabel('Minimum stock in grams').fill('1500');
    await submit('Add product');
    await dialog.waitFor({ state: 'detached' });
  });
  const filament = await filamentNamed('Galaxy Black');
  await step('the list says that it is low, and a scanned label finds it', async () => {
    await findRow(page, 'Products', 'Galaxy Black').getByText('Low').waitFor();
    const search = page.getByLabel('Search by number, name or vendor');
    await search.fill(`#${filament?.number}0`);
    await page.getByText('match these filters.').waitFor();
    await search.fill(`https://farm.example/n/${filament?.number}`);
    await findRow(page, 'Products', 'Galaxy Black').waitFor();
    await page.getByLabel('Stock').selectOption('Low');
    await page.waitForURL(({ search }) => search.includes('stock=low'));
    await findRow(page, 'Products', 'Galaxy Black').getByText(`#${filament?.number}`, { exact: true }).waitFor();
  });
  await step('its page, and two spools of it', async () => {
    await page.getByRole('link', { name: 'Galaxy Black' }).click();
    await heading(page, 'Galaxy Black').waitFor();
    await facts.getByText('PRM-PLA-GBL').waitFor();
    await section(page, 'Spools').getByText('Spools of this product appear here.').waitFor();
    await page.getByRole('button', { name: 'Add spools' }).click();
    await dialog.getByLabel('Serial', { exact: true }).fill('GB-1');
    await dialog.getByLabel('Quantity').fill('2');
    expect(await dialog.getByLabel('Colour (optional)', { exact: true }).inputValue()).toBe('#2A2D43');
    // What is left out comes from the product.
    await dialog.getByLabel('Net weight in grams').fill('');
    await dialog.getByLabel('Stored at').fill('Dry box 2');
    await dialog.getByLabel('Remaining in grams').fill('400');
    await submit('Add 2 spools');
    await dialog.waitFor({ state: 'detached' });
    await findRow(page, 'Spools', 'GB-2').getByText('400 g of 1,000 g').waitFor();
    await facts.getByText('800.00 g').first().waitFor();
  });
  expect(await spoolNamed('GB-1')).toMatchObject({ weightTotalGrams: '1000', purchasePrice: '24.90' });
  await step('corrected with its spools', async () => {
    await page.getByRole('button', { name: 'Edit product' }).click();
    await dialog.getByLabel('Vendor (optional)', { exact: true }).fill('Prusa');
    await dialog.getByLabel(/^Also update its active spools/).check();
    await submit('Save changes');
    await dialog.waitFor({ state: 'detached' });
    await findRow(page, 'Spools', 'GB-1').getByText('Prusa', { exact: true }).waitFor();
  });
  await step('it has spools, so it is archived', async () => {
    await page.getByRole('button', { name: 'Edit product' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove product' }).click();
    await dialog.getByRole('alert').getByText('rchive it').waitFor();
    await dialog.getByRole('button', { name: 'Archive' }).click();
    await page.getByRole('main').getByText('Archived', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Add spools' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Edit product' }).click();
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('button', { name: 'Add spools' }).waitFor();
  });
  await step('the alert leads to it', async () => {
    await openPage(page, 'Farm');
    await page.getByRole('button', { name: 'Show alert' }).click();
    await page.getByRole('link', { name: 'View product' }).click();
    await heading(page, 'Galaxy Black').waitFor();
  });
  await step('what must be bought, for the minimum and for a job that needs more than is left', async () => {
    await openPage(page, 'Farm');
    await page.getByRole('link', { name: 'Shopping list (1)' }).click();
    await heading(page, 'Shopping list').waitFor();
    const spool = (await spoolNamed('GB-1')) as { id: string };
    const input = {
      printerId: farm.printerId,
      spoolId: spool.id,
      printName: 'Large',
      mmExtruded: '470000',
      gramsDerived: '1400.5',
      dataSource: 'MANUAL' as const,
    };
    await farm.client.request(CreatePrintJobDocument, { input });
    const row = page
      .getByRole('table', { name: 'Products to buy' })
      .getByRole('row')
      .filter({ hasText: 'Galaxy Black' });
    await row.filter({ hasText: /PRM-PLA-GBL3of 1,000 g2,100.50 g800.00 g1,400.50 g1,500.00 g24.90?74.7/ }).waitFor();
    expect(await findFaults(page)).toEqual([]);
    const downloaded = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    expect(`${await buffer(await (await downloaded).createReadStream())}`).toContain(
      ',-600.5,1400.5,1500,2100.5,3,24.90,74.70\r\n',
    );
    // As on a page without HTTPS.
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await page.getByRole('button', { name: 'Copy as text' }).click();
    await page.getByText('Shopping list copied.').waitFor();
  });
  expect(problems).toEqual([]);
});

test('the form of a spool starts with its product, and the lists show number, place and product', async () => {
  const { page, step, problems } = await dashboard.visit('/spools');
  const dialog = page.getByRole('dialog');
  const question = page.getByRole('alertdialog');
  const { number } = (await filamentNamed('Galaxy Black')) as { number: number };
  await step('a filament fills in the rest', async () => {
    await page.getByRole('button', { name: 'Add a spool' }).click();
    await dialog.getByLabel('Price').fill('22.50');
    await choose(page, 'Product', `Prusa Galaxy Black (#${number})`, 'galaxy');
    expect(await dialog.getByLabel('Material', { exact: true }).locator('option:checked').textContent()).toBe('PETG');
    expect(await dialog.getByLabel('Vendor').inputValue()).toBe('Prusa');
    await dialog.getByText('Leave empty to use that of the product.').waitFor();
    expect(await dialog.getByLabel('Price').inputValue()).toBe('22.50');
    await dialog.getByLabel('Serial', { exact: true }).fill('GB-3');
    await dialog.getByLabel('Remaining in grams').fill('5125');
    await dialog.getByRole('button', { name: 'Add spool', exact: true }).click();
    await question.getByText('That is more than a full spool (1,000 g). Save 5,125 g anyway?').waitFor();
    await question.getByRole('button', { name: 'Correct the weight' }).click();
    await dialog.getByLabel('Remaining in grams').fill('512.5');
    await dialog.getByRole('button', { name: 'Add spool', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  });
  const { id, number: own } = (await spoolNamed('GB-3')) as { id: string; number: number };
  await step('the places of the farm are offered', async () => {
    await page.getByRole('button', { name: 'Edit GB-3' }).click();
    const place = dialog.getByLabel('Stored at');
    await dialog.locator('datalist option[value="Dry box 2"]').waitFor({ state: 'attached' });
    await place.fill('Shelf 9');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
  });
  await step('the list, searched by number, place and filament', async () => {
    for (const search of [`#${own}`, 'shelf 9', 'galaxy']) {
      await page.getByLabel('Search by number, serial, product, place or tag').fill(search);
      await findRow(page, 'Spools', 'GB-3').getByText(`#${own}`, { exact: true }).waitFor();
      await findRow(page, 'Spools', 'Spool one').waitFor({ state: 'detached' });
    }
    await findRow(page, 'Spools', 'GB-3').getByText('Shelf 9').waitFor();
    await findRow(page, 'Spools', 'GB-3').getByRole('link', { name: 'Prusa Galaxy Black' }).waitFor();
  });
  await step('its page leads to the filament', async () => {
    await navigateTo(page, `/spools/${id}`);
    await page.locator('dl').getByText('Shelf 9').waitFor();
    await page.locator('dl').getByRole('link', { name: 'Prusa Galaxy Black' }).click();
    await findRow(page, 'Spools', 'GB-3').waitFor();
  });
  expect(problems).toEqual([]);
});
