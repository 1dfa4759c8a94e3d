// Tests the import page in a real browser: a list as a file and as a text, what each row does, and what is written.
import { SpoolsDocument } from '../../src/generated/operations';
import { findFaults } from '../support/accessibility';
import { connectionLabel, heading, openPage, section, shareDashboard } from '../support/dashboard';
import { FakeSpoolman, fakeFilament, fakeSpool, fakeVendor } from '../support/fake-spoolman';

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

test('a Spoolman behind a login is read, shown, imported without a refused row, and read again from its files', async () => {
  const fake = await FakeSpoolman.start();
  fake.login = { name: 'x-api-key', value: 'Secret-1' };
  const vendor = fakeVendor(7, { name: 'Prusament' });
  const galaxy = fakeFilament(3, { vendor, name: 'Galaxy', settings_extruder_temp: 215 });
  const rainbow = fakeFilament(4, {
    vendor,
    name: 'Rainbow',
    color_hex: undefined,
    multi_color_hexes: 'FF0000,0000FF',
    multi_color_direction: 'coaxial',
  });
  fake.vendors = [vendor];
  fake.filaments = [galaxy, rainbow];
  fake.spools = [
    fakeSpool(71, galaxy, { lot_nr: 'L-9', comment: 'From the fair', location: 'Shelf 2' }),
    fakeSpool(72, rainbow, { used_weight: 250 }),
    fakeSpool(73, galaxy, { used_weight: -1 }),
  ];
  const { page, step, problems } = await dashboard.visit('/import');
  const rows = page.getByRole('table', { name: 'Objects of Spoolman' });
  const findRow = (text: string) => rows.getByRole('row').filter({ hasText: text });
  const preview = section(page, 'Preview');
  await step('the page beside the import of a list, and a login that the Spoolman refuses', async () => {
    await connectionLabel(page, 'Live').waitFor();
    await page.getByRole('link', { name: 'Import from Spoolman' }).click();
    await heading(page, 'Import from Spoolman').waitFor();
    await page.getByRole('button', { name: 'Read Spoolman' }).click();
    await page.getByText('This field is required.').waitFor();
    await page.getByLabel('Address of Spoolman').fill(fake.url);
    await page.getByLabel('Login').selectOption('API key');
    await page.getByLabel('API key').fill('Secret-2');
    expect(await findFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Read Spoolman' }).click();
    await page.waitForURL(/\/import\/spoolman\/[-0-9a-f]+$/);
    await page.getByRole('alert').getByText(/login/).waitFor();
  });
  await step('read again: the address is still there, the key is not', async () => {
    await page.getByRole('link', { name: 'Read again' }).click();
    expect(await page.getByLabel('Address of Spoolman').inputValue()).toBe(fake.url);
    await page.getByLabel('Login').selectOption('API key');
    expect(await page.getByLabel('API key').inputValue()).toBe('');
    await page.getByLabel('API key').fill('Secret-1');
    await page.getByRole('button', { name: 'Read Spoolman' }).click();
    await findRow('Galaxy').first().waitFor();
  });
  await step('the preview: counts, a refused row with its reason, and spools without a tare', async () => {
    await preview.getByText('2 spools in use have no empty spool weight (tare)').waitFor();
    await preview.getByText('1 row is refused').waitFor();
    await findRow('Refused').getByText('used_weight').waitFor();
    await findRow('#71').getByText('L-9').waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.getByLabel('Type').selectOption('Vendors');
    await findRow('#71').waitFor({ state: 'detached' });
    await rows.getByText('Vendor', { exact: true }).waitFor();
    await page.getByLabel('Type').selectOption('All');
    await page.getByLabel('Show').selectOption('Refused');
    await rows.getByText('Vendor', { exact: true }).waitFor({ state: 'detached' });
    expect(await rows.locator('[data-index]').count()).toBe(1);
    const stored = await page.evaluate(() =>
      JSON.stringify([history.state, { ...localStorage }, { ...sessionStorage }]),
    );
    expect(`${page.url()} ${stored}`).not.toContain('Secret');
  });
  await step('opened again by its address, and imported without the refused row', async () => {
    await page.reload();
    const write = page.getByRole('button', { name: 'Import 5 objects' });
    await write.waitFor();
    expect(await write.getAttribute('aria-disabled')).toBe('true');
    await page.getByLabel('Import without the refused row').check();
    await write.click();
    await page.getByText('Imported: 5 new and 0 changed.').waitFor();
    await page.getByRole('link', { name: 'Open products' }).click();
    await page.getByRole('table', { name: 'Products' }).getByText('Rainbow').waitFor();
    await page.getByRole('link', { name: 'Rainbow' }).click();
    await page.locator('dl').getByText('#FF0000, #0000FF (side by side)').waitFor();
  });
  await step('its export files change nothing', async () => {
    await openPage(page, 'Spools');
    await page.getByRole('link', { name: 'Import spools' }).click();
    await page.getByRole('link', { name: 'Import from Spoolman' }).click();
    await page.getByLabel('Read from').selectOption('Export files');
    const exported = { filaments: fake.filaments, spools: fake.spools.slice(0, 2) };
    await page.getByLabel('Export files').setInputFiles(
      Object.entries(exported).map(([name, objects]) => ({
        name: `${name}.json`,
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify(objects)),
      })),
    );
    await page.getByRole('button', { name: 'Read files' }).click();
    await preview.getByText('Everything is imported already.').waitFor();
    await page.getByLabel('Show').selectOption('Unchanged');
    await findRow('#72').getByText('Unchanged').waitFor();
  });
  expect(problems).toEqual([]);
  await fake.close();
});
