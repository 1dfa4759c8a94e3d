// Tests the import page in a real browser: a list as a file and as a text, what each row does, and what is written.
import { SpoolsDocument } from '../../src/generated/operations';
import { openPage, section, shareDashboard } from '../support/dashboard';

const dashboard = shareDashboard();
let farm: Awaited<ReturnType<typeof dashboard.makeFarm>>;
beforeAll(async () => {
  farm = await dashboard.makeFarm('one');
});

const HEAD = 'spoolSerial;material;filamentDiameterMm;weightTotalGrams;place;purchasePrice\r\n';

test('a list is imported: refused, corrected, imported, and imported again without changes', async () => {
  const { page, step } = await dashboard.visit('/spools');
  const rows = page.getByRole('table', { name: 'Rows of the file' });
  const findRow = (text: string) => rows.getByRole('row').filter({ hasText: text });
  const choose = (text: string) =>
    page
      .getByLabel('A CSV file')
      .setInputFiles({ name: 'spools.csv', mimeType: 'text/csv', buffer: Buffer.from(`\ufeff${HEAD}${text}`) });
  const serials = async () =>
    (await farm.client.request(SpoolsDocument)).spools.nodes.map(({ spoolSerial }) => spoolSerial);
  await step('the list of the page that leads there', async () => {
    await openPage(page, 'Products');
    await page.getByRole('link', { name: 'Import' }).click();
    await page.getByLabel('Import').waitFor();
    expect(await page.getByLabel('Import').inputValue()).toBe('FILAMENTS');
    await openPage(page, 'Spools');
  });
  await step('a file with a row that is refused', async () => {
    await page.getByRole('link', { name: 'Import' }).click();
    await page.waitForURL(/\/import$/);
    await choose('New 1;Material one;1,75;1000;Box;19,99\r\nNew 2;Wood;1,75;1000;;1.000,50');
    await findRow('New 1').getByText('New', { exact: true }).waitFor();
    await findRow('New 2').getByText('purchasePrice "1.000,50" has a thousands separator: write 1000,50').waitFor();
    await section(page, 'Preview').getByText('1 refused: correct them before you import').waitFor();
    expect(await page.getByRole('button', { name: /^Import \d/ }).count()).toBe(0);
  });
  await step('the corrected one', async () => {
    await choose('New 1;Material one;1,75;1000;Box;19,99\r\nNew 2;Material one;1,75;1000;;');
    await page.getByRole('button', { name: 'Import 2 new, 0 changed' }).waitFor();
    expect(await serials()).toEqual(['Spool one']);
    await page.getByRole('button', { name: 'Import 2 new, 0 changed' }).click();
    await section(page, 'Imported').getByText('all rows are imported').waitFor();
    expect(await serials()).toEqual(['New 1', 'New 2', 'Spool one']);
  });
  await step('a weight above a full spool is asked about once, before the import', async () => {
    await page.getByLabel('Or paste it').fill('spoolSerial,weighedGrams\nNew 1,10500\nNew 2,900');
    await page.getByRole('button', { name: 'Preview' }).click();
    await findRow('New 1').getByText('Check: weighedGrams 10500 is more than a full spool (1000 g)').waitFor();
    expect(await findRow('New 2').getByText('Check:').count()).toBe(0);
    await page.getByRole('button', { name: 'Import 0 new, 2 changed' }).click();
    const question = page.getByRole('alertdialog', { name: 'More than a full spool' });
    await question.getByText('1 row has a weight above a full spool').waitFor();
    await question.getByRole('button', { name: 'Correct the file' }).click();
    await page.getByRole('button', { name: 'Import 0 new, 2 changed' }).click();
    await question.getByRole('button', { name: 'Import anyway' }).click();
    await section(page, 'Imported').getByText('all rows are imported').waitFor();
  });
  await step('a text, with one row that changes', async () => {
    await page
      .getByLabel('Or paste it')
      .fill(`${HEAD}New 1;Material one;1,75;1000;Shelf;19,99\nNew 2;Material one;1,75;1000;;`);
    await page.getByRole('button', { name: 'Preview' }).click();
    await findRow('New 1').getByText('place').waitFor();
    expect(await findRow('New 1').textContent()).toMatch(/Box → Shelf/);
    expect(await findRow('New 2').count()).toBe(0);
    await page.getByLabel('Show unchanged rows (1)').check();
    await findRow('New 2').getByText('Unchanged').waitFor();
  });
  await step('an outdated preview', async () => {
    await dashboard.sql(`update spools set place = 'Floor' where spool_serial = 'New 1'`);
    await page.getByRole('button', { name: 'Import 0 new, 1 changed' }).click();
    await page.getByText('The file or the stock changed since the preview').waitFor();
    await page.getByRole('button', { name: 'Preview' }).click();
    await findRow('New 1').getByText('Floor').waitFor();
    await page.getByRole('button', { name: 'Import 0 new, 1 changed' }).click();
    await section(page, 'Imported').waitFor();
    await page.getByRole('link', { name: 'Open spools' }).click();
    await page.getByRole('table', { name: 'Spools' }).getByText('New 1').waitFor();
  });
});

test('an unreadable file shows why, and unknown columns and missing materials have a button', async () => {
  const { page, step } = await dashboard.visit('/import');
  const choose = (text: string, encoding: 'utf8' | 'latin1' = 'utf8') =>
    page
      .getByLabel('A CSV file')
      .setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(text, encoding) });
  await step('another encoding', async () => {
    await choose('name\nGrün\n', 'latin1');
    await page
      .getByText(
        'Could not read list.csv, because its encoding is not UTF-8. In the spreadsheet, save it as "CSV UTF-8".',
      )
      .waitFor();
  });
  await step('an unknown column', async () => {
    await choose('spoolSerial,material,filamentDiameterMm,weightTotalGrams,weight,id\nx,PCTG,1.75,1000,1,2\n');
    await page.getByText('weight is an unknown column; id is an unknown column').waitFor();
    await page.getByRole('button', { name: 'Ignore these 2 columns' }).click();
    await page.getByRole('table', { name: 'Rows of the file' }).getByText('"PCTG" is unknown').waitFor();
  });
  await step('a missing material', async () => {
    await page.getByRole('button', { name: 'Add 1 missing material' }).click();
    await page.getByText('New material, with the usual density: PCTG (1.23 g/cm³).').waitFor();
    await page.getByRole('button', { name: 'Import 1 new, 0 changed' }).click();
    await section(page, 'Imported').waitFor();
  });
  await step('products', async () => {
    await choose('name,vendor,material,filamentDiameterMm,weightTotalGrams\nPLA Black,Maker,Material one,1.75,1000\n');
    await page.getByRole('button', { name: 'Import 1 new, 0 changed' }).click();
    await page.getByRole('link', { name: 'Open products' }).click();
    await page.getByRole('table', { name: 'Products' }).getByText('PLA Black').waitFor();
    await openPage(page, 'Spools');
  });
});
