// A printer and a camera are connected by the form, in a real browser: a gateway that listens, and machines that speak as
// Moonraker and as a GoPro do.
import type { Browser, Page } from 'playwright-core';
import { createClient } from '../../src/client/client';
import { startFake } from '../../src/devices/fakes';
import { PrintJobsDocument, RegisterCameraDocument } from '../../src/generated/operations';
import { startBrowser, visit } from '../support/browser';
import { type RunningGateway, runGateway } from '../support/running-gateway';
import { makeShownFarm } from '../support/shown-farm';

let browser: Browser;
let gateway: RunningGateway;
let fake: Awaited<ReturnType<typeof startFake>>;

beforeAll(async () => {
  browser = await startBrowser();
  fake = await startFake('MOONRAKER', { secret: 'right-key' });
  gateway = await runGateway({ DEVICE_KEY: 'd1'.repeat(32) });
});

afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
  await fake?.close();
});

const part = (page: Page, name: string) => page.getByRole('region', { name });

test('a printer is added, tested and connected; its print waits for a spool, gets it, and is a job', async () => {
  const { client } = await makeShownFarm(gateway.url);
  const { page, step, problems } = await visit(browser, gateway.url);
  const toFarm = () => page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Farm' }).click();
  const printers = page.getByRole('table', { name: 'Printers' });
  const dialog = page.getByRole('dialog');
  await step('the form', async () => {
    await printers.getByRole('link', { name: 'Bay 1' }).click();
    await page.getByRole('button', { name: 'Connect the printer' }).click();
    await dialog.getByLabel('Address').fill(`127.0.0.1:${fake.port}`);
  });
  await step('an address that is none', async () => {
    await dialog.getByLabel('Address').fill('http://');
    await dialog.getByRole('button', { name: 'Test' }).click();
    await dialog.getByRole('alert').getByText('Address must be HOST').waitFor();
    await dialog.getByLabel('Address').fill(`127.0.0.1:${fake.port}`);
  });
  await step('a wrong key', async () => {
    await dialog.getByLabel('API key').fill('wrong-key');
    await dialog.getByRole('button', { name: 'Test' }).click();
    await dialog.getByRole('alert').getByText('The credentials were refused by Moonraker: give the API key').waitFor();
  });
  await step('the right key', async () => {
    await dialog.getByLabel('API key').fill('right-key');
    await dialog.getByRole('alert').waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Test' }).click();
    await dialog.getByRole('status').getByText('It is idle now.').waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
  });
  await step('connected', async () => {
    await part(page, 'Device').getByText('Connected').waitFor({ timeout: 30_000 });
    await part(page, 'Device').getByText('Stored').waitFor();
    await part(page, 'Now').getByText('Idle').waitFor();
    expect(await page.content()).not.toContain('right-key');
  });
  await step('it prints without a spool', async () => {
    await toFarm();
    fake.print.begin('hook.gcode');
    fake.print.advance(150);
    await printers.getByText('Printing').waitFor({ timeout: 30_000 });
    await printers.getByText('25 %').waitFor({ timeout: 30_000 });
    await part(page, 'What waits')
      .getByRole('button', { name: /^Choose the spool of hook/ })
      .click();
  });
  await step('its spool', async () => {
    await page.getByRole('combobox', { name: 'Spool' }).fill('PETG-1');
    await page.getByRole('option', { name: 'PETG-1 (PETG)' }).click();
    await page.getByRole('button', { name: 'Assign' }).click();
    await printers.getByText('PETG-1 (PETG)').waitFor();
    await part(page, 'What waits').waitFor({ state: 'detached' });
  });
  await step('its end', async () => {
    fake.print.complete();
    await printers.getByText('Finished').waitFor({ timeout: 30_000 });
    await printers.getByRole('link', { name: 'Bay 1' }).click();
    await part(page, 'Slots').getByRole('link', { name: 'PETG-1' }).waitFor();
    await part(page, 'Prints').getByText('Completed').waitFor();
    await part(page, 'Prints').getByText('measured by the printer').waitFor();
    await part(page, 'Prints').getByRole('row').nth(1).getByRole('link').last().click();
    await page.getByRole('link', { name: 'See the print' }).click();
    await page.getByRole('list', { name: 'What was heard, oldest first' }).getByText('Ended').waitFor();
  });
  const { printJobs } = await client.request(PrintJobsDocument);
  expect(printJobs.nodes).toEqual([expect.objectContaining({ status: 'COMPLETED', gramsDerived: '3.02' })]);
  expect(problems).toEqual([]);
});

test('a camera is connected by the same form, and its page shows what it tells', async () => {
  const camera = await startFake('OPEN_GOPRO');
  try {
    await createClient({ url: `${gateway.url}/graphql` }).request(RegisterCameraDocument, {
      input: { id: 'gopro', friendlyName: 'Over the plate' },
    });
    const { page, step, problems } = await visit(browser, `${gateway.url}/camera/gopro`);
    const dialog = page.getByRole('dialog');
    await step('the form', async () => {
      await part(page, 'Device').getByText('The gateway does not listen to this camera yet.').waitFor();
      await page.getByRole('button', { name: 'Connect the camera' }).click();
      await dialog.getByLabel('Address').fill(`127.0.0.1:${camera.port}`);
      await dialog.getByRole('button', { name: 'Test' }).click();
      await dialog.getByRole('status').getByText('HERO12 Black').waitFor();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
    });
    await step('connected, with its first record', async () => {
      await part(page, 'Device').getByText('Connected').waitFor({ timeout: 30_000 });
      await page.getByRole('main').getByText('1080 at 30 fps').waitFor({ timeout: 30_000 });
      await page.getByRole('main').getByText('Live', { exact: true }).waitFor();
    });
    await step('removed', async () => {
      await part(page, 'Device').getByRole('button', { name: 'Edit the device' }).click();
      await page.getByRole('button', { name: 'Remove' }).click();
      await page.getByText('The gateway no longer listens to this camera. Its records stay.').waitFor();
      await page.getByRole('button', { name: 'Remove the device' }).click();
      await part(page, 'Device').getByText('The gateway does not listen to this camera yet.').waitFor();
    });
    expect(problems).toEqual([]);
  } finally {
    await camera.close();
  }
});

test('a device is disabled, enabled and removed', async () => {
  const { page, step, problems } = await visit(browser, gateway.url);
  const device = part(page, 'Device');
  await step('disabled', async () => {
    await page.getByRole('table', { name: 'Printers' }).getByRole('link', { name: 'Bay 1' }).click();
    await device.getByRole('button', { name: 'Disable' }).click();
    await device.getByText('Disabled').waitFor();
  });
  await step('enabled', async () => {
    await device.getByRole('button', { name: 'Enable' }).click();
    await device.getByText('Connected').waitFor({ timeout: 30_000 });
  });
  await step('a new address', async () => {
    await device.getByRole('button', { name: 'Edit the device' }).click();
    await page.getByRole('dialog').getByText('To test it, enter the API key again.').waitFor();
    await page.getByLabel('Address').fill(`localhost:${fake.port}`);
    await page.getByLabel('API key').fill('right-key');
    await page.getByRole('button', { name: 'Save' }).click();
    await device.getByText(`localhost:${fake.port}`).waitFor();
    await device.getByText('Stored').waitFor();
  });
  await step('removed', async () => {
    await device.getByRole('button', { name: 'Edit the device' }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove the device' }).click();
    await device.getByText('The gateway does not listen to this printer yet.').waitFor();
    await part(page, 'Now').getByText('Connect the printer to see what it does.').waitFor();
  });
  expect(problems).toEqual([]);
});
