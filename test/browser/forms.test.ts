// Tests every form with choices and decimals in a real browser: typing over a value, wrong input, and its messages.
import type { Locator, Page } from 'playwright-core';
import { PrintJobsDocument, RegisterCameraDocument, SpoolsDocument } from '../../src/generated/operations';
import { LOOKS } from '../support/accessibility';
import { choose } from '../support/browser';
import { heading, section, shareDashboard } from '../support/dashboard';
import { makePrint } from '../support/prints';
import { is, until } from '../support/waiting';

const dashboard = shareDashboard({ COLLECT: 'false' });
let farm: Awaited<ReturnType<typeof dashboard.makeFarm>>;

beforeAll(async () => {
  farm = await dashboard.makeFarm('one');
  await dashboard.makeFarm('two');
  await farm.client.request(RegisterCameraDocument, {
    input: { id: 'front', friendlyName: 'Front', printerId: farm.printerId },
  });
});

/** The text that the user has selected in a field. */
const marked = (field: Locator) =>
  field.evaluate((input: HTMLInputElement) => input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0));

/** How many requests of a page would have written something. */
function countWrites(page: Page): () => number {
  let writes = 0;
  page.on('request', (request) => {
    if (/"mutation|mutation /.test(request.postData() ?? '') || request.headers()['idempotency-key']) writes += 1;
  });
  return () => writes;
}

const readJob = async (name: string) =>
  (await farm.client.request(PrintJobsDocument)).printJobs.nodes.find(({ printName }) => printName === name);

/** The forms with a choice out of many: where they are, how they open, and the button that sends them. */
const FORMS: Record<string, { path: () => Promise<string>; open?: string; label: string; action: string }> = {
  'a job': { path: async () => `/jobs/${(await readJob('Cube'))?.id}/edit`, label: 'Spool', action: 'Save changes' },
  'a job that is divided': {
    path: async () => `/jobs/${(await readJob('Cube'))?.id}/divide`,
    label: 'Spool of part 1',
    action: 'Save split',
  },
  'a print that waits': {
    path: async () => '/',
    open: 'Choose the spool of Clip',
    label: 'Spool',
    action: 'Book print',
  },
  'a slot': {
    path: async () => `/printers/${farm.printerId}`,
    open: 'Load spool into Extruder',
    label: 'Spool for Extruder',
    action: 'Load spool',
  },
  'a camera': {
    path: async () => '/camera/front',
    open: 'Edit camera',
    label: 'Printer (optional)',
    action: 'Save changes',
  },
  'a notification target': {
    path: async () => '/notifications',
    open: 'Add a channel',
    label: 'Printers (optional)',
    action: 'Add channel',
  },
};

beforeAll(async () => {
  await farm.makeJob('Cube');
  const filament = [{ slot: 'tool:0', mm: '1000', grams: null, basis: 'MEASURED' }];
  await makePrint(dashboard, farm.printerId, { name: 'Clip', filament });
});

test.each(Object.entries(FORMS))(
  'a text that matches no choice is reported at its field and never sent: %s',
  async (_, form) => {
    const { page, step, problems } = await dashboard.visit(await form.path());
    const writes = countWrites(page);
    const field = page.getByRole('combobox', { name: form.label, exact: true });
    await step('open', async () => {
      if (form.open !== undefined) await page.getByRole('button', { name: form.open, exact: true }).first().click();
      await field.waitFor();
    });
    await step('with Enter, while its list is open', async () => {
      await field.focus();
      await page.keyboard.type('no such thing');
      expect(await field.inputValue()).toBe('no such thing');
      await page.getByText('No matches.').waitFor();
      await page.keyboard.press('Enter');
      await page.getByText('No matches.').waitFor({ state: 'detached' });
    });
    await step('with Tab and the button', async () => {
      await page.keyboard.press('Tab');
      await page.getByRole('button', { name: form.action, exact: true }).click();
      await field.and(page.locator('[aria-invalid=true]')).waitFor();
      expect(await field.inputValue()).toBe('no such thing');
      await page.getByText('No match. Choose one from the list.').waitFor();
    });
    expect(writes()).toBe(0);
    expect(problems).toEqual([]);
  },
);

test('an existing choice is selected on focus, and typed over by keyboard and by mouse', async () => {
  const id = (await readJob('Cube'))?.id;
  const { page, step, problems } = await dashboard.visit(`/jobs/${id}/edit`);
  const writes = countWrites(page);
  const spool = page.getByRole('combobox', { name: 'Spool', exact: true });
  const one = 'Spool one (Material one)';
  const two = 'Spool two (Material two)';
  await until('the spool is shown', () => spool.inputValue(), is(one));
  await step('with the keyboard', async () => {
    await page.getByRole('combobox', { name: 'Printer', exact: true }).focus();
    // The two buttons of a choice are not reached with the Tab key.
    for (let stops = 0; stops < 3 && !(await spool.evaluate((input) => input === document.activeElement)); stops += 1)
      await page.keyboard.press('Tab');
    expect(await marked(spool)).toBe(one);
    await page.keyboard.type('Spool two');
    expect(await spool.inputValue()).toBe('Spool two');
    await page.getByRole('option', { name: two }).waitFor();
    await page.keyboard.press('Enter');
    await until('it is chosen', () => spool.inputValue(), is(two));
    expect(await marked(spool)).toBe(two);
    expect(writes()).toBe(0);
  });
  await step('with the mouse', async () => {
    await page.getByLabel('Notes').click();
    await spool.click();
    expect(await marked(spool)).toBe(two);
    await page.keyboard.type('spool one (material one)');
    await page.keyboard.press('Tab');
  });
  await step('its name in full is a choice, and is saved', async () => {
    await page.getByRole('button', { name: 'Save changes' }).click();
    await heading(page, 'Cube').waitFor();
    expect((await readJob('Cube'))?.spool?.spoolSerial).toBe('Spool one');
    await page.getByRole('link', { name: 'Edit job' }).click();
    await spool.focus();
    await page.keyboard.type(two);
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.locator('dl').getByRole('link', { name: 'Spool two' }).waitFor();
  });
  expect((await readJob('Cube'))?.spool?.spoolSerial).toBe('Spool two');
  expect(problems).toEqual([]);
});

test('Escape leaves a choice unchanged', async () => {
  const { page, step } = await dashboard.visit('/camera/front');
  const printer = page.getByRole('combobox', { name: 'Printer (optional)', exact: true });
  await page.getByRole('button', { name: 'Edit camera' }).click();
  await until('the printer is shown', () => printer.inputValue(), is('Printer one'));
  await step('after what was typed', async () => {
    await printer.focus();
    await page.keyboard.type('Printer t');
    await page.getByRole('option', { name: 'Printer two' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('option').first().waitFor({ state: 'detached' });
    await until('it is unchanged', () => printer.inputValue(), is('Printer one'));
  });
});

test('Escape and a click beside a dialog ask before they discard what was typed', async () => {
  const { page, step, problems } = await dashboard.visit('/spools');
  const dialog = page.getByRole('dialog');
  const question = page.getByRole('alertdialog');
  const serial = dialog.getByLabel('Serial', { exact: true });
  const open = () => page.getByRole('button', { name: 'Add a spool' }).click();
  await step('nothing was typed', async () => {
    await open();
    await serial.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
  for (const [how, leave] of [
    ['Escape', () => page.keyboard.press('Escape')],
    ['a click', () => page.mouse.click(20, 700)],
  ] as const)
    await step(how, async () => {
      await open();
      await serial.fill('S-typed');
      await leave();
      await question.getByText('You have unsaved changes.').waitFor();
      await page.keyboard.press('Escape');
      await question.waitFor({ state: 'detached' });
      expect(await serial.inputValue()).toBe('S-typed');
      await leave();
      await question.getByRole('button', { name: 'Discard changes' }).click();
      await dialog.waitFor({ state: 'detached' });
    });
  await step('Escape again after the first, before the dialog has the focus', async () => {
    await open();
    await serial.fill('S-typed');
    await serial.evaluate(async (field) => {
      const press = () =>
        field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
      press();
      // The page is drawn again in between, within microtasks.
      await new Promise((resolve) => setTimeout(resolve));
      if (document.querySelector('[role=alertdialog]') === null) throw new Error('Nothing was asked');
      press();
    });
    await question.waitFor({ state: 'detached' });
    expect(await serial.inputValue()).toBe('S-typed');
  });
  await step('its own button does not ask', async () => {
    await serial.fill('S-typed');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
  });
  expect(problems).toEqual([]);
});

test('accepts a comma before one or two digits, and reports all faults of a form together in plain words', async () => {
  const { page, step, problems } = await dashboard.visit('/spools');
  const faults = page.getByRole('dialog').locator('[data-invalid][class*=fault]');
  await step('nothing is filled in', async () => {
    await page.getByRole('button', { name: 'Add a spool' }).click();
    await page.getByLabel('Diameter in mm').fill('1,234.5');
    await page.getByLabel('Net weight in grams').fill('-1');
    await page.getByLabel('Price').fill('20 EUR');
    await page.getByLabel('Colour (optional)', { exact: true }).fill('blue');
    await page.getByRole('button', { name: /^Add ([0-9]+ )?spools?$/ }).click();
    const form = page.getByRole('dialog');
    for (const label of [
      'Serial',
      'Material',
      'Diameter in mm',
      'Net weight in grams',
      'Price (optional)',
      'Colour (optional)',
    ])
      await form.getByLabel(label, { exact: true }).and(page.locator('[aria-invalid=true]')).waitFor();
    expect(await faults.allTextContents()).toEqual([
      'This field is required.',
      'Choose an option.',
      '"1,234.5" has a separator between thousands. Write 1234.5.',
      'Enter 0 or more.',
      '"20 EUR" is not a number. Write 20.00.',
      expect.stringContaining('#1E90FF'),
    ]);
  });
  await step('filled in with a comma', async () => {
    await page.getByLabel('Serial', { exact: true }).fill('S-comma');
    await page.getByRole('dialog').getByLabel('Material').selectOption('Material one');
    await page.getByLabel('Diameter in mm').fill('2,85');
    await page.getByLabel('Net weight in grams').fill('750,5');
    await page.getByLabel('Price').fill('19,90');
    await page.getByLabel('Colour (optional)', { exact: true }).fill('#102030');
    await page.getByRole('button', { name: /^Add ([0-9]+ )?spools?$/ }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
  const { spools } = await farm.client.request(SpoolsDocument);
  expect(spools.nodes.find(({ spoolSerial }) => spoolSerial === 'S-comma')).toMatchObject({
    filamentDiameterMm: '2.85',
    weightTotalGrams: '750.5',
    purchasePrice: '19.90',
  });
  expect(problems).toEqual([]);
});

test('a spool like another starts with its details and the next serial, and its colour can be picked', async () => {
  const { page, step, problems } = await dashboard.visit('/spools');
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Duplicate Spool two' }).click();
  await step('its first values', async () => {
    expect(await dialog.getByLabel('Serial', { exact: true }).inputValue()).toBe('Spool two 2');
    expect(await dialog.getByLabel('Net weight in grams').inputValue()).toBe('1000');
  });
  await step('a colour, and the serials that follow each other', async () => {
    await dialog.getByLabel('Serial', { exact: true }).fill('S-0099');
    await dialog.getByLabel('Pick the colour').fill('#1e90ff');
    expect(await dialog.getByLabel('Colour (optional)', { exact: true }).inputValue()).toBe('#1E90FF');
    await dialog.getByRole('button', { name: /^Add ([0-9]+ )?spools?$/ }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Duplicate S-0099' }).click();
    expect(await dialog.getByLabel('Serial', { exact: true }).inputValue()).toBe('S-0100');
    await dialog.getByRole('button', { name: /^Add ([0-9]+ )?spools?$/ }).click();
    await dialog.waitFor({ state: 'detached' });
  });
  await page.getByTitle('#1E90FF').nth(1).waitFor();
  await step('three more, which leave out the serial that is taken', async () => {
    await page.getByRole('button', { name: 'Duplicate S-0099' }).click();
    const serial = dialog.getByLabel('Serial', { exact: true });
    await until('a serial that is free is offered', () => serial.inputValue(), is('S-0101'));
    await dialog.getByLabel('Serial', { exact: true }).fill('S-0098');
    for (const wrong of ['0', '51', 'some']) {
      await dialog.getByLabel('Quantity').fill(wrong);
      await dialog.getByRole('button', { name: /^Add ([0-9]+ )?spools?$/ }).click();
      await dialog.getByText('Enter a number from 1 to 50.').waitFor();
    }
    await dialog.getByLabel('Quantity').fill('3');
    await dialog.getByText('Up to S-0102').waitFor();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    for (const serial of ['S-0098', 'S-0101', 'S-0102'])
      await page.getByRole('link', { name: serial, exact: true }).waitFor();
  });
  await step('a heading sorts the list, and turns it round', async () => {
    const first = () => page.getByRole('table', { name: 'Spools' }).locator('[data-index="0"] a').textContent();
    const heading = page.getByRole('columnheader', { name: 'Spool' }).getByRole('button');
    await heading.click();
    await until('the first is first', first, is('S-0098'));
    await heading.click();
    await until('the last is first', first, is('Spool two'));
  });
  expect(problems).toEqual([]);
});

test('a spool is added with a new material, and a refusal of the spool does not add the material twice', async () => {
  const { page, step, problems } = await dashboard.visit('/spools');
  const dialog = page.getByRole('dialog');
  const serial = dialog.getByLabel('Serial', { exact: true });
  const add = dialog.getByRole('button', { name: /^Add ([0-9]+ )?spools?$/ });
  await step('nothing is said of the material', async () => {
    await page.getByRole('button', { name: 'Add a spool' }).click();
    await serial.fill('Spool one');
    await dialog.getByLabel('Material', { exact: true }).selectOption('New material …');
    await add.click();
    for (const label of ['Material name', 'Density in g/cm³'])
      await dialog.getByLabel(label).and(page.locator('[aria-invalid=true]')).waitFor();
  });
  await step('a serial that is taken', async () => {
    await dialog.getByLabel('Material name').fill('PETG');
    await dialog.getByText('Leave empty for the usual 1.27.').waitFor();
    await add.click();
    await serial.and(page.locator('[aria-invalid=true]')).waitFor();
    expect(await dialog.getByLabel('Material', { exact: true }).locator('option:checked').textContent()).toBe('PETG');
  });
  await step('another one', async () => {
    await serial.fill('Spool of PETG');
    await add.click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /Spool of PETG #\d+ PETG/ }).waitFor();
  });
  const { spools } = await farm.client.request(SpoolsDocument);
  expect(spools.nodes.find(({ spoolSerial }) => spoolSerial === 'Spool of PETG')?.material).toMatchObject({
    name: 'PETG',
    densityGPerCm3: '1.27',
  });
  expect(problems).toEqual([]);
});

test('a new job reports everything that is missing together', async () => {
  const { page, problems } = await dashboard.visit('/jobs/new');
  await page.getByLabel('Filament length in mm').fill('1,2345');
  await page.getByRole('button', { name: 'Add job' }).click();
  for (const label of ['Print name', 'Printer', 'Spool', 'Filament length in mm (optional)'])
    await page.getByLabel(label, { exact: true }).and(page.locator('input[aria-invalid=true]')).waitFor();
  await page.getByLabel('Print name').and(page.locator(':focus')).waitFor();
  await page.getByLabel('Print name').fill('Ring');
  await choose(page, 'Printer', 'Printer two');
  await choose(page, 'Spool', 'Spool one (Material one)');
  await page.getByLabel('Filament length in mm').fill('1000,5');
  await page.getByRole('button', { name: 'Add job' }).click();
  await heading(page, 'Ring').waitFor();
  await page.locator('dl').getByText('1,000.5').waitFor();
  // The grams of an invalid number are refused while it is typed.
  expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
});

test('the fingerprint of a certificate fits into its dialog', async () => {
  const { page, step } = await dashboard.visit(`/printers/${farm.printerId}`);
  const certificateFingerprint = `${'AB:'.repeat(31)}CD`;
  const found = { __typename: 'DeviceTest', reached: true, fault: 'CERTIFICATE_NOT_TRUSTED', certificateFingerprint };
  const unknown = { name: null, model: null, firmware: null, serial: null, activity: null };
  const testDevice = { ...found, ...unknown, message: 'The certificate is not trusted yet.' };
  await page.route('**/graphql', (route) =>
    /testDevice|TestDevice/.test(route.request().postData() ?? '')
      ? route.fulfill({ json: { data: { testDevice } } })
      : route.continue(),
  );
  await section(page, 'Connection').getByRole('button', { name: 'Connect' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address').fill('192.168.1.50');
  await dialog.getByRole('button', { name: 'Test connection' }).click();
  const trust = dialog.getByRole('button', { name: 'Trust this certificate' });
  await trust.waitFor();
  for (const { width } of LOOKS)
    await step(`${width}`, async () => {
      await page.setViewportSize({ width, height: 900 });
      const box = await dialog.boundingBox();
      const edges = { left: box?.x ?? 0, right: (box?.x ?? 0) + (box?.width ?? 0) };
      expect(edges.left).toBeGreaterThanOrEqual(0);
      expect(edges.right).toBeLessThanOrEqual(width);
      expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
      for (const button of await dialog.getByRole('button').all()) {
        const { x = 0, width: wide = 0 } = (await button.boundingBox()) ?? {};
        expect(x + wide).toBeLessThanOrEqual(edges.right);
      }
    });
});
