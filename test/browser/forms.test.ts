// Forms of the dashboard in a real browser: pressed twice, left, cut off, and open in two windows.
import type { Browser, Page } from 'playwright-core';
import {
  ChangePrintJobStatusDocument,
  PrintersDocument,
  PrintJobByIdDocument,
  PrintJobsDocument,
  SpoolsDocument,
  UpdatePrintJobDocument,
  UpdateSpoolDocument,
} from '../../src/generated/operations';
import { startBrowser, visit } from '../support/browser';
import { type RunningGateway, runGateway } from '../support/running-gateway';
import { makeShownFarm } from '../support/shown-farm';
import { until } from '../support/waiting';

let browser: Browser;
let gateway: RunningGateway;
let farm: Awaited<ReturnType<typeof makeShownFarm>>;

beforeAll(async () => {
  [browser, gateway] = await Promise.all([startBrowser(), runGateway()]);
  farm = await makeShownFarm(gateway.url);
});

afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

const dialogOf = (page: Page) => page.getByRole('dialog');
const open = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
/** Each test has names of its own. */
const jobsOf = async (name: string) =>
  (await farm.client.request(PrintJobsDocument)).printJobs.nodes.filter(({ printName }) => printName.includes(name));

/** The form of a new job, filled in. */
async function fillJob(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name of the print').fill(name);
  for (const [label, option] of [
    ['Printer', 'Bay 1'],
    ['Spool', 'PETG-1 (PETG)'],
  ] as const) {
    await page.getByRole('combobox', { name: label }).fill(option);
    await page.getByRole('option', { name: option, exact: true }).click();
  }
  await page.getByLabel('Filament in mm').fill('1000');
  await page.getByRole('list', { name: 'Derivation' }).getByText('3.05 g', { exact: true }).waitFor();
}

/** Holds the answers of an operation back until it is called. */
async function holding(page: Page, operation: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes(operation)) await released;
    await route.continue();
  });
  return release;
}

test('a button that is pressed twice makes one job', async () => {
  const { page, step } = await visit(browser, `${gateway.url}/jobs/new`);
  await step('twice', async () => {
    await fillJob(page, 'Once');
    await page.getByRole('button', { name: 'Create the job' }).dblclick();
    await page.getByRole('heading', { level: 1, name: 'Once' }).waitFor();
  });
  expect(await jobsOf('Once')).toHaveLength(1);
});

test('a form whose answer was lost makes its object once', async () => {
  const { page, step } = await visit(browser, `${gateway.url}/filament/printers`);
  let isLost = false;
  await page.route('**/graphql', async (route) => {
    if (isLost || !route.request().postData()?.includes('CreatePrinter')) return route.continue();
    isLost = true;
    await route.fetch();
    await route.abort('connectionreset');
  });
  await step('the answer is lost', async () => {
    await page.getByRole('button', { name: 'Add a printer' }).click();
    await dialogOf(page).getByLabel('Name').fill('Bay 2');
    await page.keyboard.press('Enter');
    await dialogOf(page).getByText('The gateway does not answer').waitFor();
  });
  await step('again', async () => {
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('The printer is saved.').waitFor();
    await dialogOf(page).waitFor({ state: 'detached' });
  });
  const { printers } = await farm.client.request(PrintersDocument);
  expect(printers.nodes.map(({ name }) => name).sort()).toEqual(['Bay 1', 'Bay 2']);
});

test.each(['a refusal', 'no answer'])('a job is not stored without its cost: %s', async (failure) => {
  const { spools } = await farm.client.request(SpoolsDocument);
  const input = { purchasePrice: '20' };
  await farm.client.request(UpdateSpoolDocument, { id: `${spools.nodes[0]?.id}`, input });
  const id = await farm.makeJob(`Old after ${failure}`);
  const costs = async () => (await jobsOf(`after ${failure}`)).map((job) => `${job.printName} ${job.costPerPrint}`);
  const busy = { errors: [{ message: 'The gateway is busy', extensions: { code: 'UNAVAILABLE' } }] };
  const { page, step } = await visit(browser, `${gateway.url}/jobs/new`);
  const fail = () =>
    page.route('**/graphql', (route) => {
      if (!route.request().postData()?.includes('deriveFilament')) return route.continue();
      return failure === 'a refusal' ? route.fulfill({ status: 503, json: busy }) : route.abort();
    });
  const told = page
    .locator('form')
    .getByRole('alert')
    .getByText(failure === 'a refusal' ? 'is busy' : 'does not answer');
  await step('a new job', async () => {
    await fillJob(page, `New after ${failure}`);
    await fail();
    await page.getByRole('button', { name: 'Create the job' }).click();
    await told.waitFor();
    expect(await costs()).toEqual([`Old after ${failure} 0.4200`]);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Create the job' }).click();
    await page.getByRole('heading', { level: 1, name: `New after ${failure}`, exact: true }).waitFor();
    expect(await costs()).toEqual([`New after ${failure} 0.0610`, `Old after ${failure} 0.4200`]);
  });
  await step('an old job whose cost is taken away', async () => {
    await page.goto(`${gateway.url}/jobs/${id}/edit`);
    await page.getByRole('list', { name: 'Derivation' }).waitFor();
    await page.getByRole('textbox', { name: 'Cost' }).fill('');
    await fail();
    await page.getByRole('button', { name: 'Save' }).click();
    await told.waitFor();
    expect(await costs()).toEqual([`New after ${failure} 0.0610`, `Old after ${failure} 0.4200`]);
  });
});

test('a form whose answer was lost makes its object once, also when its cost cannot be asked for meanwhile', async () => {
  const { page, step } = await visit(browser, `${gateway.url}/jobs/new`);
  const create = page.getByRole('button', { name: 'Create the job' });
  const alert = page.locator('form').getByRole('alert');
  await step('the answer is lost', async () => {
    await fillJob(page, 'Lost');
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('CreateJob')) return route.continue();
      await route.fetch();
      await route.abort('connectionreset');
    });
    await create.click();
    await alert.getByText('The gateway does not answer').waitFor();
  });
  await step('the cost is refused', async () => {
    const json = { errors: [{ message: 'The gateway is busy', extensions: { code: 'UNAVAILABLE' } }] };
    await page.unrouteAll();
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('deriveFilament') ? route.fulfill({ status: 503, json }) : route.continue(),
    );
    await create.click();
    await alert.getByText('The gateway is busy').waitFor();
  });
  await step('again', async () => {
    await page.unrouteAll();
    await create.click();
    await page.getByRole('heading', { level: 1, name: 'Lost' }).waitFor();
  });
  expect(await jobsOf('Lost')).toHaveLength(1);
});

test('a form that is left does nothing more to the page', async () => {
  const { page, step } = await visit(browser, `${gateway.url}/filament`);
  const release = await holding(page, 'CreateJob');
  await step('left while it is saved', async () => {
    await open(page, 'Jobs');
    await page.getByRole('link', { name: 'New job' }).click();
    await fillJob(page, 'Left');
    await page.getByRole('button', { name: 'Create the job' }).click();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
    const answered = page.waitForResponse((response) => `${response.request().postData()}`.includes('CreateJob'));
    release();
    await answered;
    await page.getByRole('table', { name: 'Jobs' }).getByText('Left').waitFor();
  });
  expect(new URL(page.url()).pathname).toBe('/jobs');
});

test('texts that are no numbers leave the form as it is, and are refused at their fields', async () => {
  const { page, step, problems } = await visit(browser, `${gateway.url}/jobs/new`);
  await step('while they are typed', async () => {
    await fillJob(page, 'Odd');
    for (const text of [`0.${'1'.repeat(120)}`, 'NaN', '1e3']) {
      await page.getByLabel('Filament in mm').fill(text);
      await page.getByRole('list', { name: 'Derivation' }).getByText(`${text} mm ×`).waitFor();
    }
    await page.getByLabel('Filament in mm').fill('0,5');
    await page.getByText('They cannot be derived').waitFor();
  });
  await step('a year that is none', async () => {
    await page.getByLabel('Filament in mm').fill('1000');
    await page.getByLabel('Printing began').fill('202666-01-01T00:00');
    await page.getByRole('button', { name: 'Create the job' }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    expect(await page.locator('[aria-invalid=true]').getAttribute('name')).toBe('startedAt');
  });
  expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
});

test('two windows change different members of a job, and both stay', async () => {
  const id = await farm.makeJob('Hook');
  const { page, step } = await visit(browser, `${gateway.url}/jobs/${id}`);
  const change = async (notes: string) => {
    const { printJob } = await farm.client.request(PrintJobByIdDocument, { id });
    const input = {
      printName: 'Hook',
      printerId: `${printJob?.printer?.id}`,
      spoolId: `${printJob?.spool?.id}`,
      notes,
    };
    await farm.client.request(UpdatePrintJobDocument, { id, input });
  };
  await step('a job that was changed since it was read', async () => {
    await page.getByRole('link', { name: 'Edit' }).waitFor();
    await open(page, 'Filament');
    await change('Of another window');
    await page.goBack();
    await page.getByRole('link', { name: 'Edit' }).click();
    await until(async () => (await page.getByLabel('Notes').inputValue()) === 'Of another window');
  });
  await step('a job that is changed meanwhile', async () => {
    await page.getByLabel('Name of the print').fill('Better hook');
    await change('Again');
    await until(async () => (await page.getByLabel('Notes').inputValue()) === 'Again');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Better hook' }).waitFor();
  });
  const { printJob } = await farm.client.request(PrintJobByIdDocument, { id });
  expect(printJob).toMatchObject({ printName: 'Better hook', notes: 'Again' });
});

test('two windows change different members of a spool, and both stay', async () => {
  const { page, step } = await visit(browser, `${gateway.url}/filament`);
  const spool = async () => (await farm.client.request(SpoolsDocument)).spools.nodes[0];
  await step('the dialog', async () => {
    await page.getByRole('button', { name: 'Edit PETG-1' }).click();
    await dialogOf(page).getByLabel('Colour').fill('#1e90ff');
    const id = `${(await spool())?.id}`;
    await farm.client.request(UpdateSpoolDocument, { id, input: { weightTotalGrams: '750' } });
    await page.getByRole('button', { name: 'Save' }).click();
    await dialogOf(page).waitFor({ state: 'detached' });
  });
  expect((await spool())?.weightTotalGrams).toBe('750');
  await page.getByTitle('#1E90FF').waitFor();
});

test('a question about a job that has ended meanwhile does nothing', async () => {
  const id = await farm.makeJob('Hook');
  const { page, step } = await visit(browser, `${gateway.url}/jobs`);
  const row = page.locator(`[data-key="${id}"]`);
  await step('the question', async () => {
    await row.getByRole('button', { name: 'Cancel Hook' }).click();
    await page.getByRole('alertdialog').waitFor();
    for (const status of ['PRINTING', 'COMPLETED'] as const) {
      await farm.client.request(ChangePrintJobStatusDocument, { id, status });
    }
    await row.getByText('Completed', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Cancel the job' }).click();
    await row.getByText('Nothing was done: meanwhile the job is completed.').waitFor();
  });
  expect((await farm.client.request(PrintJobByIdDocument, { id })).printJob?.status).toBe('COMPLETED');
});

test('a question leaves with its page, and an old outcome with its status', async () => {
  const id = await farm.makeJob('Hook');
  const { page, step } = await visit(browser, gateway.url);
  const row = page.locator(`[data-key="${id}"]`);
  await step('the question', async () => {
    await page.getByRole('heading', { level: 1, name: 'Farm' }).waitFor();
    await open(page, 'Jobs');
    await row.getByRole('button', { name: 'Cancel Hook' }).click();
    await page.getByRole('alertdialog').waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Farm' }).waitFor();
    expect(await page.getByRole('alertdialog').count()).toBe(0);
  });
  await step('the outcome', async () => {
    await page.goForward();
    await row.getByRole('button', { name: 'Start Hook' }).click();
    await row.getByText('Now printing.').waitFor();
    await farm.client.request(ChangePrintJobStatusDocument, { id, status: 'FAILED' });
    await row.getByText('Failed', { exact: true }).waitFor();
    expect(await row.getByText('Now printing.').count()).toBe(0);
  });
});
