// Tests notification channels in a real browser against a real receiver: adding, testing, sending, sending again, changing, removing.
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { findFaults } from '../support/accessibility';
import { heading, navigateTo, openPage, section, shareDashboard } from '../support/dashboard';
import { closeServers } from '../support/hostile-machine';
import { answerAsNtfy, answerWith, type Receiver, startReceiver } from '../support/notification-receivers';
import { addTarget, storeDelivery } from '../support/notification-targets';
import { ask } from '../support/requests';
import { until } from '../support/waiting';

const file = (name: string) => readFileSync(join(__dirname, '..', 'support', 'certificates', name));
const CERTIFICATE = { key: file('server.key'), cert: file('server.crt') };
const FINGERPRINT = new X509Certificate(CERTIFICATE.cert).fingerprint256.replaceAll(':', '').toLowerCase();

/** With the request time limit that users have. */
const dashboard = shareDashboard({ REQUEST_TIMEOUT_MS: '4500' });
const through = {
  graphql: async (query: string, variables: unknown) => {
    const { body, status } = await ask(dashboard.gateway, '/graphql', { query, variables });
    return { status, data: body.data, errors: body.errors ?? [] } as never;
  },
  sql: (text: string) => dashboard.sql(text),
};
afterEach(async () => {
  await dashboard.sql('delete from notifications; delete from notification_targets');
  await closeServers();
});

const targets = (page: Page) => page.getByRole('table', { name: 'Channels' });
const findMessages = (page: Page) => page.getByRole('table', { name: 'Messages' });
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
const verified = (hook: Receiver, secret: string, at: number) => {
  const receivedMessage = hook.received[at];
  return new Webhook(secret).verify(receivedMessage?.body as string, receivedMessage?.headers as never) as {
    type: string;
  };
};

test('a webhook is added, its secret is shown once, it is tested, gets a message and is removed', async () => {
  const hook = await startReceiver();
  const { page, step, problems } = await dashboard.visit('/');
  const secretShown = async () => `${await section(page, 'Signing secret').locator('code').textContent()}`;
  await step('there is no channel yet', async () => {
    await openPage(page, 'Settings');
    await page.getByRole('link', { name: 'Notifications' }).click();
    await page.getByText('Your channels appear here').waitFor();
  });
  await step('the faults of the form are at their fields', async () => {
    await press(page, 'Add a channel');
    await page.getByLabel('URL').fill('http://me:secret@127.0.0.1/');
    await page.getByLabel('A print ends').uncheck();
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    await page.getByText('Must not be empty.').waitFor();
    await page.getByText('must not contain a user name or password').waitFor();
  });
  const secret = await step('it is added', async () => {
    await page.getByLabel('Name').fill('Attic');
    await page.getByLabel('URL').fill(`${hook.url}/hook`);
    await page.getByLabel('A print starts').check();
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    await targets(page).getByText('Attic').waitFor();
    return secretShown();
  });
  await step('the secret is not lost by mistake, and is gone once it is copied', async () => {
    await targets(page).getByRole('link', { name: 'Attic' }).click();
    await page.getByText('The signing secret is not shown again.').waitFor();
    await press(page, 'Stay on page');
    await press(page, 'Done, I saved it');
    expect(await page.content()).not.toContain(secret);
    await targets(page).getByRole('link', { name: 'Attic' }).click();
    await heading(page, 'Attic').waitFor();
    await page.getByText('Print started, Print needs input, Alert, Alert cleared').waitFor();
  });
  await step('a test', async () => {
    await press(page, 'Send test message');
    await page.getByText('The test message was delivered.').waitFor();
    expect(verified(hook, secret, 0).type).toBe('test');
    hook.answer = () => {};
    await press(page, 'Send test message');
    await page.getByText('Waiting for an answer').waitFor();
    await page.getByText('The receiver did not answer in time').waitFor();
    hook.answer = answerWith(500);
    await press(page, 'Send test message');
    await page.getByText('The receiver answers with an error').waitFor();
  });
  await step('a new secret', async () => {
    await press(page, 'Create new secret');
    await press(page, 'Create secret');
    await section(page, 'Signing secret').waitFor();
    hook.answer = answerWith(204);
    const next = await secretShown();
    await press(page, 'Done, I saved it');
    await press(page, 'Send test message');
    await page.getByText('The test message was delivered.').waitFor();
    for (const one of [secret, next]) expect(verified(hook, one, 3).type).toBe('test');
  });
  const [{ id }] = (await dashboard.sql('select id from notification_targets')) as [{ id: string }];
  await step('what is delivered, and sent again', async () => {
    await storeDelivery(through, id, 'The vase is done');
    await findMessages(page).getByText('The vase is done').waitFor();
    await findMessages(page).getByText('Delivered').waitFor();
    expect(await findFaults(page)).toEqual([]);
    await press(page, 'Send again: The vase is done');
    const ids = () => hook.received.slice(4).map(({ headers }) => headers['webhook-id']);
    await until('it is sent again', ids, ({ length }) => length === 2);
    expect(ids()[1]).toBe(ids()[0]);
  });
  await step('disabled, new messages are given up and cannot be sent again', async () => {
    await press(page, 'Disable channel');
    await page.getByText('The channel is disabled and gets no notifications.').first().waitFor();
    await page.getByRole('button', { name: 'Send again' }).waitFor({ state: 'detached' });
    await press(page, 'Enable channel');
    await page.getByRole('button', { name: 'Disable channel' }).waitFor();
  });
  await step('it is removed', async () => {
    await press(page, 'Edit channel');
    await press(page, 'Remove');
    await press(page, 'Remove channel');
    await page.getByText('Your channels appear here').waitFor();
  });
  expect(problems).toEqual([]);
});

test('an untrusted certificate is shown to compare, and saved by one click', async () => {
  const hook = await startReceiver(CERTIFICATE);
  const { target } = await addTarget(through, { url: hook.url });
  const ntfy = await addTarget(through, { kind: 'NTFY', url: `${hook.url}/topic`, secret: 'tk_1' });
  const { page, step, problems } = await dashboard.visit(`/notifications/${target.id}`);
  await step('of a webhook, which gets a new secret', async () => {
    await press(page, 'Send test message');
    await page.getByText('The certificate of the receiver is not trusted').waitFor();
    await page.getByText(FINGERPRINT).waitFor();
    await press(page, 'Trust this certificate');
    const secret = await section(page, 'Signing secret').locator('code').textContent();
    await press(page, 'Done, I saved it');
    await press(page, 'Send test message');
    await page.getByText('The test message was delivered.').waitFor();
    expect(verified(hook, `${secret}`, 0).type).toBe('test');
  });
  await step('of ntfy, whose token is asked for again', async () => {
    hook.answer = answerAsNtfy;
    await page.goto(`${dashboard.gateway.url}/notifications/${ntfy.target.id}`);
    await press(page, 'Send test message');
    const token = page.getByLabel('Access token, again');
    await token.press('Enter');
    await token.fill('tk_2');
    await press(page, 'Trust this certificate');
    await page.getByText('Certificate trusted. Send a test message.').waitFor();
    await press(page, 'Send test message');
    await page.getByText('The test message was delivered.').waitFor();
    expect(hook.received[1]?.headers.authorization).toBe('Bearer tk_2');
  });
  await step('a secret whose answer was lost is not shown', async () => {
    await navigateTo(page, '/notifications');
    await press(page, 'Add a channel');
    await page.getByLabel('Name').fill('Lost');
    await page.getByLabel('URL').fill(hook.url);
    const add = () => page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    const cutOff = async (route: Route) => {
      await route.fetch();
      await route.abort();
    };
    await page.route('**/graphql', (route) =>
      `${route.request().postData()}`.includes('AddTarget') ? cutOff(route) : route.continue(),
    );
    await add();
    await page.getByText('The gateway does not answer').waitFor();
    await page.unrouteAll();
    await add();
    await page.getByText('The connection broke off before the secret arrived').waitFor();
    await press(page, 'OK');
    problems.splice(0);
  });
  expect(problems).toEqual([]);
});

test('a failing channel is an alert that leads to what waits and why; only chosen printers are reported', async () => {
  const { printerId } = await dashboard.makeFarm('told');
  const { target } = await addTarget(through, { name: 'Attic', url: 'http://127.0.0.1:9/' });
  await storeDelivery(through, target.id, 'The vase is done');
  const { page, step, problems } = await dashboard.visit(`/notifications/${target.id}`);
  await step('what waits', async () => {
    await findMessages(page).getByText('Waiting', { exact: true }).waitFor();
    await findMessages(page).getByText('nothing is listening at the host and port').waitFor();
    await page.getByText('Retrying').waitFor();
  });
  await step('the alert', async () => {
    // Another channel, because an attempt of the first one may be under way, and its failure could be written after this.
    const { target: failed } = await addTarget(through, { name: 'Shed', url: 'http://127.0.0.1:9/' });
    await dashboard.sql(`with t as (
        update notification_targets set state = 'FAILED', fault = 'NOT_REACHABLE' where id = '${failed.id}' returning id
      ), n as (insert into notifications (event, title, text, data) values ('PRINT_ENDED', 'Print ended', 'The vase is done', '{"print": {"name": "vase"}}') returning id)
      insert into notification_deliveries (id, target_id, notification_id, attempts, last_attempt_at, next_attempt_at, fault)
      select gen_random_uuid(), t.id, n.id, 10, now(), now() + interval '20 hours 20 minutes', 'NOT_REACHABLE' from t, n`);
    await openPage(page, 'Farm');
    const unfold = page.getByRole('button', { name: /^Show /, expanded: false });
    const link = page.getByRole('list', { name: 'Active alerts' }).getByRole('link', { name: 'View channel' });
    await unfold.or(link).first().waitFor();
    if (await unfold.isVisible()) await unfold.click();
    await link.click();
    await page.getByText('Nothing was delivered for 72 hours.').waitFor();
    await findMessages(page).getByText('in 20 hours').waitFor();
  });
  await step('a printer is chosen', async () => {
    await press(page, 'Edit channel');
    await page.getByRole('combobox', { name: 'Printers' }).fill('told');
    await page.getByRole('option', { name: 'Printer told' }).click();
    await page.getByRole('button', { name: 'Remove Printer told' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.locator('dd').getByText('Printer told').waitFor();
    const rows = await dashboard.sql('select printer_id from notification_target_printers');
    expect(rows).toEqual([{ printer_id: printerId }]);
  });
  await step('another tab removes it', async () => {
    await dashboard.sql('delete from notification_targets');
    await press(page, 'Send test message');
    await page.getByText('There is no notification channel').or(page.getByText('Channel not found')).first().waitFor();
    await heading(page, 'Channel not found').waitFor();
  });
  expect(problems).toEqual([]);
});
