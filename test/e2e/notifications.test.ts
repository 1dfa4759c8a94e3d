// Notifications of gateways as processes: one that is killed while it tells, another that goes on, and what their logs hold.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateSigningSecret, sendWebhook } from '../../src/notifications/webhook';
import { timeoutSignal } from '../../src/values/timers';
import { createNetwork, Reach } from '../../src/wire/networks';
import { ask } from '../support/asking';
import { startChild } from '../support/child-process';
import { freshDatabase, onServer } from '../support/databases';
import { blocks, page } from '../support/docs';
import { freePort } from '../support/free-port';
import { closeServers } from '../support/hostile-machine';
import { type ListeningGateway, listenHere } from '../support/listening-gateway';
import { addTarget, happened, targetIn } from '../support/notifying';
import { answering, receiver } from '../support/receiving';
import { type RunningGateway, runGateway } from '../support/running-gateway';
import { temporaryFolder } from '../support/temporary-folder';
import { until } from '../support/waiting';

const LOOPBACK = createNetwork({ allowed: [], gatewayPort: null });
const SECRET_PATH = 'path-that-is-a-credential';

test('of two gateways one tells; when it is killed in mid-delivery the other tells the same again, and no log holds a URL or an answer', async () => {
  const fresh = await freshDatabase('server');
  const env = { DATABASE_URL: fresh.url, DEVICE_KEY: '0123456789abcdef'.repeat(4), LOG_LEVEL: 'trace' };
  const hook = await receiver();
  const running: RunningGateway[] = [];
  let quiet: ListeningGateway | undefined;
  const begin = async () => {
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
    const first = await begin();
    const { target } = await addTarget(through(first), { url: `${hook.url}/${SECRET_PATH}` });
    const holder = async () =>
      (await onServer(fresh.url, `select holder from leases where name = 'notifications'`))[0]?.['holder'];
    await until('the first gateway holds the lease', holder);
    const second = await begin();
    hook.answer = () => {};
    const delivery = await happened(through(first), target.id, 'one');
    await until(
      'the first gateway tells',
      () => hook.heard,
      ({ length }) => length === 1,
    );
    await first.stop('SIGKILL');
    hook.answer = answering(500);
    // Its lease is over 30 s later: as if they were.
    await onServer(fresh.url, 'update leases set until = now()');
    await until(
      'the second gateway tells the same',
      () => hook.heard,
      ({ length }) => length >= 2,
    );
    expect(hook.heard.map(({ headers, body }) => [headers['webhook-id'], body])).toEqual(
      Array(hook.heard.length).fill([delivery, hook.heard[0]?.body]),
    );
    const retrying = async () => targetIn(through(second), target.id);
    expect(await until('the failure is noted', retrying, ({ state }) => state === 'RETRYING')).toBeTruthy();
    hook.answer = answering(204);
    await onServer(fresh.url, 'update notification_deliveries set next_attempt_at = now()');
    await until('it is delivered', retrying, ({ state, waiting }) => state === 'OK' && waiting === 0);
    const lines = [
      'notifications_total{kind="WEBHOOK",outcome="delivered"} 1',
      'notifications_total{kind="WEBHOOK",outcome="failed"} ',
      'notification_targets{kind="WEBHOOK",state="OK"} 1',
      'notification_oldest_waiting_seconds 0',
    ];
    await until(
      'the metrics tell of it',
      async () => (await fetch(`${second.url}/metrics`)).text(),
      (text) => lines.every((line) => text.includes(line)),
    );
    quiet = await listenHere({ ...env, LOG_LEVEL: 'silent', NOTIFY: 'false' });
    expect(await second.stop()).toBe(0);
    await happened(through(quiet), target.id, 'two');
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
  const [code] = blocks(page('docs/guides/receive-webhooks.md')).filter(({ language }) => language === 'js');
  const file = join(temporaryFolder('receiver'), 'receiver.mjs');
  writeFileSync(file, String(code?.text));
  const [port, secret] = [await freePort(), generateSigningSecret()];
  const child = startChild(file, [], { PORT: String(port), SECRET: secret });
  try {
    const tell = (own: string) =>
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
        timeoutSignal(60_000),
      );
    await until(
      'the receiver listens',
      () => tell(secret),
      ({ httpStatus }) => httpStatus === 204,
    );
    await child.says('msg-1 Größe: 1 m');
    expect((await tell(generateSigningSecret())).httpStatus).toBe(401);
  } finally {
    child.kill('SIGKILL');
    await child.ended;
  }
});
