// The playground in a real browser: it renders, runs its examples, and asks nobody but the gateway for anything.
import type { Browser } from 'playwright-core';
import { operationIsRead, startBrowser, type Visit, visit } from '../support/browser';
import { type RunningGateway, runGateway } from '../support/running-gateway';

let gateway: RunningGateway;
let browser: Browser;

beforeAll(async () => {
  [gateway, browser] = await Promise.all([runGateway(), startBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

/** Runs what the editor holds and returns what the result pane shows. */
function run({ page, step }: Visit): Promise<string> {
  return step('run the operation', async () => {
    const answered = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.getByRole('button', { name: /execute query/i }).click();
    await (await answered).finished();
    const result = page.locator('.result-window .CodeMirror-code');
    await result.getByText('"data"').or(result.getByText('"errors"')).first().waitFor();
    return (await result.textContent()) ?? '';
  });
}

test('works, and nothing leaves the gateway', async () => {
  const opened = await visit(browser, `${gateway.url}/graphql`);
  const { page, step, problems, outside } = opened;
  await step('the editor shows the first example', () =>
    page.locator('.graphiql-query-editor .CodeMirror-code').getByText('FarmAtAGlance').first().waitFor(),
  );
  expect(await run(opened)).toContain('"printers"');

  await step('the documentation shows the schema', async () => {
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page
      .getByRole('link', { name: 'Mutation', exact: true })
      .or(page.getByText('Mutation', { exact: true }))
      .first()
      .click();
    await page.getByText('recordCameraStatuses').first().waitFor();
  });
  await step('the settings open', async () => {
    await page.getByRole('button', { name: 'Open settings dialog' }).click();
    await page.getByText('Clear storage').waitFor();
    await page.keyboard.press('Escape');
  });
  expect({ outside, problems }).toEqual({ outside: [], problems: [] });
});

test('the examples of a camera run with their variables', async () => {
  const opened = await visit(browser, `${gateway.url}/graphql`);
  const { page, step } = opened;
  const answers: Record<string, string> = {};
  await step('the schema is read', () => page.waitForLoadState('networkidle'));
  for (const name of ['RegisterCamera', 'RecordStatuses', 'Cameras']) {
    await step(`open the tab ${name}`, async () => {
      await page.getByRole('tab', { name }).click();
      await page.locator('.graphiql-query-editor .CodeMirror-code').getByText(name).first().waitFor();
      await operationIsRead(page, name);
    });
    answers[name] = await run(opened);
  }
  expect(answers).toEqual({
    RegisterCamera: expect.stringContaining('"example-camera"'),
    RecordStatuses: expect.stringContaining('87.5'),
    Cameras: expect.stringContaining('"timelapse"'),
  });
});
