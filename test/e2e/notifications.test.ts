// Notifications of gateways in separate processes: one is killed while it sends, another continues, and what their logs contain.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateSigningSecret, sendWebhook } from '../../src/notifications/webhook';
import { createTimeoutSignal } from '../../src/values/timers';
import { createNetwork, Reach } from '../../src/wire/networks';
import { startChild } from '../support/child-process';
import { freshDatabase, onServer } from '../support/databases';
import { findCodeBlocks, readPage } from '../support/docs';
import { freePort } from '../support/free-port';
import { closeServers } from '../support/hostile-machine';
import { type ListeningGateway, listenInProcess } from '../support/listening-gateway';
import { answerWith, startReceiver } from '../support/notification-receivers';
import { addTarget, readTarget, storeDelivery } from '../support/notification-targets';
import { ask } from '../support/requests';
import { type RunningGateway, runGateway } from '../support/running-gateway';
import { temporaryFolder } from '../support/temporary-folder';
import { until } from '../support/waiting';

const LOOPBACK = createNetwork({ allowed: [], gatewayPort: null });
const SECRET_PATH = 'path-that-is-a-credential';

test('of two gateways one sends; if it is killed during a delivery the other sends it again, and no log has a URL or an answer', async () => {
  const fresh = await freshDatabase('server');
  const env = { DATABASE_URL: fresh.url, DEVICE_KEY: '0123456789abcdef'.repeat(4), LOG_LEVEL: 'trace' };
  const hook = await startReceiver();
  const running: RunningGateway[] = [];
  let quiet: ListeningGateway | undefined;
  const startGateway = async () => {
    const gateway = await runGateway(env);
    running.push(gateway);
    return gateway;
  };
  const through = (gateway: { url: string }) => ({
    graphql: async (query: string, variables: unknown) => {
      const { body, status } = await ask(gateway, '/graphql', { query, variables });
      return { status, data: body.data, errors: body.errors ?? [] } as never;
    },
    sql: (text: string) => onServer(fresh.url, text),
  });
  try {
    const first = await startGateway();
    const { target } = await addTarget(through(first), { url: `${hook.url}/${SECRET_PATH}` });
    const holder = async () =>
      (await onServer(fresh.url, `select holder from leases where name = 'notifications'`))[0]?.['holder'];
    await until('the first gateway holds the lease', holder);
    const second = await startGateway();
    hook.answer = () => {};
    const delivery = await storeDelivery(through(first), target.id, 'one');
    await until(
      'the first gateway sends',
      () => hook.received,
      ({ length }) => length === 1,
    );
    await first.stop('SIGKILL');
    hook.answer = answerWith(500);
    // Its lease expires 30 s later; the test moves it by that time.
    await onServer(fresh.url, 'update leases set until = now()');
    await until(
      'the second gateway sends the same',
      () => hook.received,
      ({ length }) => length >= 2,
    );
    expect(hook.received.map(({ headers, body }) => [headers['webhook-id'], body])).toEqual(
      Array(hook.received.length).fill([delivery, hook.received[0]?.body]),
    );
    const retrying = async () => readTarget(through(second), target.id);
    expect(await until('the failure is noted', retrying, ({ state }) => state === 'RETRYING')).toBeTruthy();
    hook.answer = answerWith(204);
    await onServer(fresh.url, 'update notification_deliveries set next_attempt_at = now()');
    await until('it is delivered', retrying, ({ state, waiting }) => state === 'OK' && waiting === 0);
    const lines = [
      'notifications_total{kind="WEBHOOK",outcome="delivered"} 1',
      'notifications_total{kind="WEBHOOK",outcome="failed"} ',
      'notification_targets{kind="WEBHOOK",state="OK"} 1',
      'notification_oldest_waiting_seconds 0',
    ];
    await until(
      'the metrics count it',
      async () => (await fetch(`${second.url}/metrics`)).text(),
      (text) => lines.every((line) => text.includes(line)),
    );
    quiet = await listenInProcess({ ...env, LOG_LEVEL: 'silent', NOTIFY: 'false' });
    expect(await second.stop()).toBe(0);
    await storeDelivery(through(quiet), target.id, 'two');
    expect(await onServer(fresh.url, `select holder from leases where name = 'notifications'`)).toEqual([
      { holder: null },
    ]);
    for (const { output } of running) {
      expect(output).not.toContain(SECRET_PATH);
      expect(output).not.toContain('words of the receiver');
    }
  } finally {
    for (const gateway of running) await gateway.stop('SIGKILL');
    await quiet?.stop();
    await closeServers();
    await fresh.drop();
  }
});

test('the receiver of the page checks the signature', async () => {
  const [code] = findCodeBlocks(readPage('docs/guides/receive-webhooks.md')).filter(
    ({ language }) => language === 'js',
  );
  const file = join(temporaryFolder('receiver'), 'receiver.mjs');
  writeFileSync(file, String(code?.text));
  const [port, secret] = [await freePort(), generateSigningSecret()];
  const child = startChild(file, [], { PORT: String(port), SECRET: secret });
  try {
    const sendMessage = (own: string) =>
      sendWebhook(
        {
          id: 'msg-1',
          event: 'PRINT_ENDED',
          at: '2026-11-26T12:00:00.000Z',
          severity: null,
          data: {},
          url: null,
          title: 'Print ended',
          text: 'Größe: 1 m',
        },
        {
          id: 't',
          kind: 'WEBHOOK',
          url: `http://127.0.0.1:${port}/`,
          username: null,
          certificateFingerprint: null,
          secret: own,
          formerSecret: null,
        },
        new Reach(LOOPBACK, LOOPBACK, []),
        createTimeoutSignal(60_000),
      );
    await until(
      'the receiver listens',
      () => sendMessage(secret),
      ({ httpStatus }) => httpStatus === 204,
    );
    await child.waitForOutput('msg-1 Größe: 1 m');
    expect((await sendMessage(generateSigningSecret())).httpStatus).toBe(401);
  } finally {
    child.kill('SIGKILL');
    await child.ended;
  }
});
