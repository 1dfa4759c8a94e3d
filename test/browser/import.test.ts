// The page of the import in a real browser: a list as a file and as a text, what each row does, and what is written.
import { SpoolsDocument } from '../../src/generated/operations';
import { follow, part, shareDashboard } from '../support/dashboard';

const dashboard = shareDashboard();
let farm: Awaited<ReturnType<typeof dashboard.makeFarm>>;
beforeAll(async () => {
  farm = await dashboard.makeFarm('one');
});

const HEAD = 'spoolSerial;material;filamentDiameterMm;weightTotalGrams;place;purchasePrice\r\n';

test('brings a list along: refused, corrected, written, and the same again', async () => {
  const { page, step } = await dashboard.visit('/spools');
  const rows = page.getByRole('table', { name: 'Rows of the file' });
  const rowOf = (text: string) => rows.getByRole('row').filter({ hasText: text });
  const choose = (text: string) =>
    page
      .getByLabel('A CSV file')
      .setInputFiles({ name: 'spools.csv', mimeType: 'text/csv', buffer: Buffer.from(`\ufeff${HEAD}${text}`) });
  const serials = async () =>
    (await farm.client.request(SpoolsDocument)).spools.nodes.map(({ spoolSerial }) => spoolSerial);
  await step('the list of the page that leads there', async () => {
    await follow(page, 'Filaments');
    await page.getByRole('link', { name: 'Import' }).click();
    await page.getByLabel('A list of').waitFor();
    expect(await page.getByLabel('A list of').inputValue()).toBe('FILAMENTS');
    await follow(page, 'Spools');
  });
  await step('a file with a row that cannot be', async () => {
    await page.getByRole('link', { name: 'Import' }).click();
    await page.waitForURL(/\/import$/);
    await choose('New 1;Material one;1,75;1000;Box;19,99\r\nNew 2;Wood;1,75;1000;;1.000,50');
    await rowOf('New 1').getByText('New', { exact: true }).waitFor();
    await rowOf('New 2').getByText('purchasePrice must have no sign between thousands').waitFor();
    await part(page, 'What it does').getByText('1 refused: nothing is written before they are corrected').waitFor();
    expect(await page.getByRole('button', { name: 'Write' }).count()).toBe(0);
  });
  await step('the corrected one', async () => {
    await choose('New 1;Material one;1,75;1000;Box;19,99\r\nNew 2;Material one;1,75;1000;;');
    await page.getByRole('button', { name: 'Write: 2 new, 0 changed' }).waitFor();
    expect(await serials()).toEqual(['Spool one']);
    await page.getByRole('button', { name: 'Write: 2 new, 0 changed' }).click();
    await part(page, 'Written').getByText('all are written').waitFor();
    expect(await serials()).toEqual(['New 1', 'New 2', 'Spool one']);
  });
  await step('a text, with one row that changes', async () => {
    await page
      .getByLabel('Or its text')
      .fill(`${HEAD}New 1;Material one;1,75;1000;Shelf;19,99\nNew 2;Material one;1,75;1000;;`);
    await page.getByRole('button', { name: 'Preview' }).click();
    await rowOf('New 1').getByText('place').waitFor();
    expect(await rowOf('New 1').textContent()).toMatch(/Box → Shelf/);
    expect(await rowOf('New 2').count()).toBe(0);
    await page.getByLabel('Show rows that are the same (1)').check();
    await rowOf('New 2').getByText('The same').waitFor();
  });
  await step('a preview that is true no more', async () => {
    await dashboard.sql(`update spools set place = 'Floor' where spool_serial = 'New 1'`);
    await page.getByRole('button', { name: 'Write: 0 new, 1 changed' }).click();
    await page.getByText('A row would do something else by now').waitFor();
    await page.getByRole('button', { name: 'Preview' }).click();
    await rowOf('New 1').getByText('Floor').waitFor();
    await page.getByRole('button', { name: 'Write: 0 new, 1 changed' }).click();
    await part(page, 'Written').waitFor();
    await page.getByRole('link', { name: 'Open the spools' }).click();
    await page.getByRole('table', { name: 'Spools' }).getByText('New 1').waitFor();
  });
});

test('a file that cannot be read is told, and a list of filaments is known by its head', async () => {
  const { page, step } = await dashboard.visit('/import');
  const choose = (text: string, encoding: 'utf8' | 'latin1' = 'utf8') =>
    page
      .getByLabel('A CSV file')
      .setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(text, encoding) });
  await step('another encoding', async () => {
    await choose('name\nGrün\n', 'latin1');
    await page.getByText('list.csv is not UTF-8: save it as "CSV UTF-8" in the spreadsheet.').waitFor();
  });
  await step('an unknown column', async () => {
    await choose('spoolSerial,weight\nx,1\n');
    await page.getByText('csv has the unknown column weight').waitFor();
  });
  await step('filaments', async () => {
    await choose('name,vendor,material,filamentDiameterMm,weightTotalGrams\nPLA Black,Maker,Material one,1.75,1000\n');
    await page.getByRole('button', { name: 'Write: 1 new, 0 changed' }).click();
    await page.getByRole('link', { name: 'Open the filaments' }).click();
    await page.getByRole('table', { name: 'Filaments' }).getByText('PLA Black').waitFor();
    await follow(page, 'Spools');
  });
});
