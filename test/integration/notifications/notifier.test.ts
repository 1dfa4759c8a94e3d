// Tests the notifier with real receivers and a real database: order, attempts, times, states, leases and dropped deliveries.
import { Webhook } from 'standardwebhooks';
import type { Database } from '../../../src/database/database';
import { DeliveryStore } from '../../../src/notifications/deliveries/delivery.store';
import type { Notifier } from '../../../src/notifications/deliveries/notifier';
import { NotifierStore } from '../../../src/notifications/deliveries/notifier.store';
import { TargetStore } from '../../../src/notifications/target.store';
import { generateSigningSecret } from '../../../src/notifications/webhook';
import { describeOnDatabases } from '../../support/databases';
import { provideDatabase } from '../../support/gateway';
import { closeServers } from '../../support/hostile-machine';
import { answerWith, type Receiver, startReceiver } from '../../support/notification-receivers';
import { storeDelivery } from '../../support/notification-targets';
import { createNotifier, createSender, makeTarget } from '../../support/notifiers';
import { until } from '../../support/waiting';

// Leases and retries follow the clock of the database.
describeOnDatabases('the notifier', (kind) => {
  const opened = provideDatabase(kind);
  let database: Database;
  let hook: Receiver;
  let notifier: Notifier;
  const open: Notifier[] = [];
  const startNotifier = (parts?: Parameters<typeof createNotifier>[1]) => {
    const one = createNotifier(database, parts);
    open.push(one);
    return one;
  };
  beforeAll(async () => {
    database = opened();
  });
  beforeEach(async () => {
    hook = await startReceiver();
    notifier = startNotifier();
  });
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
    await closeServers();
    await database.prisma.notification.deleteMany();
    await database.prisma.notificationTarget.deleteMany();
    await database.prisma.lease.deleteMany();
  });

  const sql = (text: string) => database.prisma.$executeRawUnsafe(text);
  const stepUntilDone = async (one = notifier) => {
    await one.step();
    await one.waitForDeliveries();
  };
  const happens = (targetId: string, text?: string) =>
    storeDelivery({ sql: async (statement) => [await sql(statement)] }, targetId, text);
  const readTexts = (one = hook) => one.received.map(({ body }) => JSON.parse(body).data.text);
  const ids = (one = hook) => one.received.map(({ headers }) => headers['webhook-id']);
  const readStoredTarget = (id: string) => database.prisma.notificationTarget.findUniqueOrThrow({ where: { id } });
  const readDelivery = (id: string) => database.prisma.notificationDelivery.findUniqueOrThrow({ where: { id } });
  const dueNow = () =>
    sql('update notification_deliveries set next_attempt_at = now() where next_attempt_at is not null');
  /** Moves all times that much into the past. */
  const pass = (time: string) =>
    sql(`update notification_deliveries set waiting_since = waiting_since - interval '${time}',
      last_attempt_at = last_attempt_at - interval '${time}', next_attempt_at = next_attempt_at - interval '${time}'`);

  test('sends what waits when the states for brokers fail, and logs the failure', async () => {
    const reported: string[] = [];
    const one = startNotifier({
      brokers: { step: () => Promise.reject(new Error('no states')), stop: async () => undefined },
      logFailure: (error) => void reported.push((error as Error).message),
    });
    const target = await makeTarget(database, hook.url);
    await happens(target.id, 'told');
    await stepUntilDone(one);
    expect([readTexts(), reported]).toEqual([['told'], ['no states']]);
  });

  test('checks the alerts of a farm without targets while an alert is silenced, so that the silence ends', async () => {
    const leases: string[] = [];
    const alerts = {
      async report({ number }: { number: string }) {
        leases.push(number);
        return 0;
      },
    };
    const one = startNotifier({ reporters: { prints: { report: async () => 0 }, alerts } });
    await one.step();
    expect(leases).toEqual([]);
    await sql(`insert into alert_silences (kind, object_id, severity) values ('CAMERA_LOST', 'unknown', 'CRITICAL')`);
    one.wake();
    await one.step();
    expect(leases).toHaveLength(1);
    await sql('delete from alert_silences');
  });

  test('what waits for a broker is sent in its order as soon as the broker is back', async () => {
    const reported: string[] = [];
    const send = async (_id: string, { body }: { body: string }) => void reported.push(JSON.parse(body).data.text);
    const one = startNotifier({ sender: createSender({ send }) });
    const { id } = await makeTarget(database, 'mqtt://127.0.0.1', { kind: 'MQTT', secret: null });
    const brokers = new TargetStore(database);
    await brokers.updateConnectionState(id, 'NOT_REACHABLE');
    expect(await readStoredTarget(id)).toMatchObject({ state: 'RETRYING', fault: 'NOT_REACHABLE' });
    for (const text of ['one', 'two', 'three']) await happens(id, text);
    // Parked, the last one first.
    await sql(`update notification_deliveries set attempts = 5,
      next_attempt_at = now() + (100 - notification_id % 100) * interval '1 minute'`);
    await stepUntilDone(one);
    expect(reported).toEqual([]);
    await brokers.updateConnectionState(id, null);
    expect(await readStoredTarget(id)).toMatchObject({ state: 'RETRYING' });
    await stepUntilDone(one);
    expect(reported).toEqual(['one', 'two', 'three']);
    expect(await readStoredTarget(id)).toMatchObject({ state: 'OK', fault: null });
  });

  test('sends to each target in order, and no target waits for another', async () => {
    const other = await startReceiver();
    const [slow, quick] = [await makeTarget(database, hook.url), await makeTarget(database, other.url)];
    const answers: (() => void)[] = [];
    hook.answer = (answer) => void answers.push(() => answerWith(200)(answer));
    const first = await happens(slow.id, 'one');
    await happens(slow.id, 'two');
    for (const text of ['a', 'b', 'c']) await happens(quick.id, text);
    await notifier.step();
    await until(
      'the quick receiver has everything',
      () => other.received,
      ({ length }) => length === 3,
    );
    await until(
      'the slow receiver has the first',
      () => answers,
      ({ length }) => length === 1,
    );
    // One request is under way, and no second one starts.
    await notifier.step();
    expect([readTexts(), readTexts(other)]).toEqual([['one'], ['a', 'b', 'c']]);
    answers[0]?.();
    await until(
      'the slow receiver has the second',
      () => answers,
      ({ length }) => length === 2,
    );
    answers[1]?.();
    await notifier.waitForDeliveries();
    expect([readTexts(), ids()[0]]).toEqual([['one', 'two'], first]);
    expect(
      new Webhook(slow.secret).verify(hook.received[0]?.body as string, hook.received[0]?.headers as never),
    ).toMatchObject({
      data: { print: { name: 'cube' }, text: 'one', url: null },
    });
    expect(await readDelivery(first)).toMatchObject({
      state: 'DELIVERED',
      attempts: 1,
      httpStatus: 200,
      nextAttemptAt: null,
      fault: null,
    });
    expect(notifier.figures().deliveries).toEqual([{ kind: 'WEBHOOK', outcome: 'delivered', count: 5 }]);
  });

  test('tries again after 5 s, 30 s, 2 and 5 minutes while later deliveries wait; then parks the delivery and continues', async () => {
    const { id } = await makeTarget(database, hook.url);
    const first = await happens(id, 'one');
    const second = await happens(id, 'two');
    hook.answer = answerWith(500);
    for (const [attempts, seconds] of [
      [1, 5],
      [2, 30],
      [3, 120],
      [4, 300],
    ] as const) {
      await stepUntilDone();
      const { lastAttemptAt, nextAttemptAt, ...row } = await readDelivery(first);
      expect(row).toMatchObject({ state: 'WAITING', attempts, httpStatus: 500, fault: 'REFUSED' });
      expect(Number(nextAttemptAt) - Number(lastAttemptAt)).toBe(seconds * 1000);
      // However slow this machine is, the attempt is not due yet.
      await sql(
        `update notification_deliveries set next_attempt_at = now() + interval '290 seconds' where id = '${first}'`,
      );
      await stepUntilDone();
      expect(hook.received).toHaveLength(attempts);
      await sql(`update notification_deliveries set next_attempt_at = now() where id = '${first}'`);
    }
    expect(await readStoredTarget(id)).toMatchObject({ state: 'RETRYING', fault: 'REFUSED' });
    hook.answer = (answer, { headers }) => answerWith(headers['webhook-id'] === first ? 500 : 200)(answer);
    await stepUntilDone();
    const parked = await readDelivery(first);
    const minutes = (Number(parked.nextAttemptAt) - Number(parked.lastAttemptAt)) / 60_000;
    expect([parked.attempts, minutes >= 24 && minutes <= 36]).toEqual([5, true]);
    expect((await readDelivery(second)).state).toBe('DELIVERED');
    expect(await readStoredTarget(id)).toMatchObject({ state: 'OK', fault: null });
    hook.answer = answerWith(200);
    await dueNow();
    await stepUntilDone();
    expect(await readDelivery(first)).toMatchObject({ state: 'DELIVERED', attempts: 6 });
    expect(ids()).toEqual([first, first, first, first, first, second, first]);
    expect(new Set(hook.received.filter((_, at) => ids()[at] === first).map(({ body }) => body)).size).toBe(1);
  });

  test('a target that accepted nothing for 72 hours has failed; its next delivery makes it OK, and reports how many were dropped', async () => {
    const { id } = await makeTarget(database, hook.url);
    const lost = [await happens(id, 'one'), await happens(id, 'two')];
    hook.answer = answerWith(500);
    await stepUntilDone();
    await pass('73 hours');
    const next = startNotifier();
    await notifier.close();
    await stepUntilDone(next);
    expect(await readStoredTarget(id)).toMatchObject({ state: 'FAILED', enabled: true });
    for (const one of lost)
      expect(await readDelivery(one)).toMatchObject({ state: 'GIVEN_UP', fault: 'LEFT_OUT', nextAttemptAt: null });
    expect(hook.received).toHaveLength(1);
    await happens(id, 'three');
    await stepUntilDone(next);
    expect(await readStoredTarget(id)).toMatchObject({ state: 'FAILED', fault: 'REFUSED' });
    hook.answer = answerWith(200);
    await dueNow();
    await stepUntilDone(next);
    expect(await readStoredTarget(id)).toMatchObject({ state: 'OK', fault: null });
    await stepUntilDone(next);
    await stepUntilDone(next);
    const [omitted, ...none] = hook.received.slice(3).map(({ body }) => JSON.parse(body));
    expect([omitted, none]).toEqual([
      {
        type: 'notifications.omitted',
        timestamp: expect.any(String),
        data: {
          count: 2,
          text: '2 notifications could not be delivered within 72 hours and were given up. To get one, open this channel under Notifications and send it again.',
          url: null,
        },
      },
      [],
    ]);
  });

  test('deliveries that became too old while no gateway ran are dropped, and one message reports it', async () => {
    const { id } = await makeTarget(database, hook.url);
    for (const text of ['one', 'two', 'three']) await happens(id, text);
    await pass('73 hours');
    await happens(id, 'now');
    await stepUntilDone();
    await stepUntilDone();
    expect(readTexts()).toEqual([
      'now',
      '3 notifications could not be delivered within 72 hours and were given up. To get one, open this channel under Notifications and send it again.',
    ]);
    expect(await readStoredTarget(id)).toMatchObject({ state: 'OK' });
    expect(notifier.figures().deliveries).toContainEqual({ kind: 'WEBHOOK', outcome: 'given_up', count: 3 });
  });

  test('a receiver that answers that it is gone for good disables its target', async () => {
    const { id } = await makeTarget(database, hook.url);
    const [first, second] = [await happens(id), await happens(id)];
    hook.answer = answerWith(410);
    await stepUntilDone();
    await stepUntilDone();
    expect(hook.received).toHaveLength(1);
    expect(await readStoredTarget(id)).toMatchObject({ enabled: false, state: 'DISABLED', fault: 'GONE' });
    expect(await readDelivery(first)).toMatchObject({ state: 'GIVEN_UP', httpStatus: 410, fault: 'GONE' });
    expect(await readDelivery(second)).toMatchObject({ state: 'GIVEN_UP', attempts: 0, fault: 'GONE' });
  });

  test.each([429, 503])('a receiver that asks for a pause with %i gets nothing until then', async (status) => {
    const { id } = await makeTarget(database, hook.url);
    const [first, second] = [await happens(id), await happens(id)];
    hook.answer = answerWith(status, { 'retry-after': '600' });
    await stepUntilDone();
    const { silentUntil } = await readStoredTarget(id);
    const { lastAttemptAt } = await readDelivery(first);
    expect(Number(silentUntil) - Number(lastAttemptAt)).toBe(600_000);
    await dueNow();
    await stepUntilDone();
    expect(hook.received).toHaveLength(1);
    // The attempt really happens then, whatever the wait after a first attempt is.
    const shown = async (delivery: string) => (await new DeliveryStore(database).byId(id, delivery))?.nextAttemptAt;
    expect([await shown(first), await shown(second)]).toEqual(Array(2).fill(silentUntil?.toISOString()));
    await sql('update notification_targets set silent_until = now()');
    hook.answer = answerWith(204);
    await stepUntilDone();
    expect(ids()).toEqual([first, first, second]);
    expect(await readStoredTarget(id)).toMatchObject({ state: 'OK', silentUntil: null });
  });

  test('the previous secret signs beside the new one until its time has passed', async () => {
    const former = generateSigningSecret();
    const { id, secret, sealed } = await makeTarget(database, hook.url);
    const keep = (until: string) =>
      sql(`update notification_targets set former_secret = '${sealed(former)}', former_secret_until = ${until}`);
    const taken = () => {
      const { body, headers } = hook.received.at(-1) as Receiver['received'][0];
      return [secret, former].map((one) => {
        try {
          return new Webhook(one).verify(body, headers as never) !== undefined;
        } catch {
          return false;
        }
      });
    };
    await keep(`now() + interval '1 hour'`);
    await happens(id);
    await stepUntilDone();
    expect(taken()).toEqual([true, true]);
    await keep('now()');
    await happens(id);
    await stepUntilDone();
    expect(taken()).toEqual([true, false]);
  });

  test('an unreadable secret is reported, and nothing is sent', async () => {
    const { id } = await makeTarget(database, hook.url);
    await sql(`update notification_targets set url = url || '/elsewhere'`);
    await happens(id);
    await stepUntilDone();
    expect([hook.received, (await readStoredTarget(id)).fault]).toEqual([[], 'SECRET_NOT_READABLE']);
  });

  test('a stored time from a clock that was ahead delays nothing', async () => {
    const { id } = await makeTarget(database, hook.url);
    await happens(id);
    await sql(`update notification_deliveries set next_attempt_at = '2099-01-01', attempts = 7`);
    await sql(`update notification_targets set silent_until = '2099-01-01'`);
    await stepUntilDone();
    expect(hook.received).toHaveLength(1);
  });

  test.each([
    ['50 minutes', 1],
    ['12 hours', 1],
    ['50 minutes', 0],
    ['12 hours', 6],
  ])('a clock that was %s ahead, and is corrected after %i tries, delays nothing', async (ahead, attempts) => {
    const { id } = await makeTarget(database, hook.url);
    const [first, second] = [await happens(id, 'one'), await happens(id, 'two')];
    await sql(`update notification_deliveries set attempts = ${attempts}, next_attempt_at = now() + interval '${ahead} 5 seconds',
      last_attempt_at = ${attempts === 0 ? 'null' : `now() + interval '${ahead}'`} where id = '${first}'`);
    if (attempts === 1)
      await sql(`update notification_targets set silent_until = now() + interval '${ahead} 5 seconds'`);
    const { nextAttemptAt = null } = (await new DeliveryStore(database).byId(id, first)) ?? {};
    expect(Date.parse(nextAttemptAt as string)).toBeLessThan(Date.now() + 60_000);
    await stepUntilDone();
    expect(ids().toSorted()).toEqual([first, second].toSorted());
  });

  test('an event that cannot be reported is logged and counted, and does not delay what waits', async () => {
    const reported: unknown[] = [];
    const one = startNotifier({
      reporters: {
        prints: { report: async () => 0 },
        alerts: { report: () => Promise.reject(new Error('no alerts')) },
      },
      logReportFailure: (part, error) => void reported.push(part, (error as Error).message),
    });
    const target = await makeTarget(database, hook.url);
    await happens(target.id, 'told');
    await stepUntilDone(one);
    expect([readTexts(), reported, one.figures().failures]).toEqual([
      ['told'],
      ['alerts', 'no alerts'],
      { prints: 0, alerts: 1 },
    ]);
  });

  test('one of two processes sends; the other continues when it ends, or 30 s after it was killed', async () => {
    const { id } = await makeTarget(database, hook.url);
    const other = startNotifier();
    await happens(id, 'one');
    await Promise.all([stepUntilDone(), stepUntilDone(other)]);
    expect(readTexts()).toEqual(['one']);
    const [holder, waiting] = notifier.figures().deliveries.length > 0 ? [notifier, other] : [other, notifier];
    await holder.close();
    await happens(id, 'two');
    waiting.wake();
    await stepUntilDone(waiting);
    expect(readTexts()).toEqual(['one', 'two']);
    const third = startNotifier();
    await happens(id, 'three');
    await stepUntilDone(third);
    expect(readTexts()).toEqual(['one', 'two']);
    await sql('update leases set until = now()');
    third.wake();
    await stepUntilDone(third);
    expect(readTexts()).toEqual(['one', 'two', 'three']);
  });

  test('a delivery that is under way when the process ends is sent again by the next one, with the same id and body', async () => {
    const { id } = await makeTarget(database, hook.url);
    const delivery = await happens(id);
    hook.answer = () => {};
    await notifier.step();
    await until(
      'the receiver has it',
      () => hook.received,
      ({ length }) => length === 1,
    );
    await notifier.close();
    expect(await readDelivery(delivery)).toMatchObject({ state: 'WAITING', attempts: 0 });
    hook.answer = answerWith(204);
    await stepUntilDone(startNotifier());
    expect(ids()).toEqual([delivery, delivery]);
    expect(hook.received[1]?.body).toBe(hook.received[0]?.body);
    expect(await readDelivery(delivery)).toMatchObject({ state: 'DELIVERED', attempts: 1 });
  });

  test('a farm without targets is checked at long intervals, and when a target is added', async () => {
    const store = new NotifierStore(database);
    const [hold, due] = [jest.spyOn(store, 'takeLease'), jest.spyOn(store, 'listDue')];
    const idle = startNotifier({ store });
    for (let second = 0; second < 10; second += 1) await stepUntilDone(idle);
    expect([hold.mock.calls.length, due.mock.calls.length]).toEqual([1, 0]);
    const { id } = await makeTarget(database, hook.url);
    await happens(id);
    idle.wake();
    await stepUntilDone(idle);
    expect(hook.received).toHaveLength(1);
  });

  test('deliveries older than 30 days are deleted, unless they wait', async () => {
    const { id } = await makeTarget(database, hook.url);
    // Deliveries, what waits, and what is young.
    await happens(id);
    const [waits, young] = [await happens(id), await happens(id)];
    await sql(`update notifications set at = at - interval '31 days' where id in (
      select notification_id from notification_deliveries where id <> '${young}')`);
    await sql(`update notification_deliveries set state = 'DELIVERED' where id <> '${waits}'`);
    await new DeliveryStore(database).forgetOld();
    const left = await database.prisma.notificationDelivery.findMany({ orderBy: { notificationId: 'asc' } });
    expect(left.map((one) => one.id)).toEqual([waits, young]);
  });
});
