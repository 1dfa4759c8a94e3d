// The notifier with real receivers and a real database: order, tries, times, states, leases and what is left out.
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
import { happened } from '../../support/notifying';
import { answering, type Receiver, receiver } from '../../support/receiving';
import { makeTarget, notifierOn, senderOn } from '../../support/telling';
import { until } from '../../support/waiting';

// Leases and retries by the clock of the database.
describeOnDatabases('the notifier', (kind) => {
  const opened = provideDatabase(kind);
  let database: Database;
  let hook: Receiver;
  let notifier: Notifier;
  const open: Notifier[] = [];
  const begin = (parts?: Parameters<typeof notifierOn>[1]) => {
    const one = notifierOn(database, parts);
    open.push(one);
    return one;
  };
  beforeAll(async () => {
    database = opened();
  });
  beforeEach(async () => {
    hook = await receiver();
    notifier = begin();
  });
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
    await closeServers();
    await database.prisma.notification.deleteMany();
    await database.prisma.notificationTarget.deleteMany();
    await database.prisma.lease.deleteMany();
  });

  const sql = (text: string) => database.prisma.$executeRawUnsafe(text);
  const tell = async (one = notifier) => {
    await one.step();
    await one.waitForDeliveries();
  };
  const happens = (targetId: string, text?: string) =>
    happened({ sql: async (statement) => [await sql(statement)] }, targetId, text);
  const heard = (one = hook) => one.heard.map(({ body }) => JSON.parse(body).data.text);
  const ids = (one = hook) => one.heard.map(({ headers }) => headers['webhook-id']);
  const targetOf = (id: string) => database.prisma.notificationTarget.findUniqueOrThrow({ where: { id } });
  const deliveryOf = (id: string) => database.prisma.notificationDelivery.findUniqueOrThrow({ where: { id } });
  const dueNow = () =>
    sql('update notification_deliveries set next_attempt_at = now() where next_attempt_at is not null');
  /** As if all of it had happened so much earlier. */
  const pass = (time: string) =>
    sql(`update notification_deliveries set waiting_since = waiting_since - interval '${time}',
      last_attempt_at = last_attempt_at - interval '${time}', next_attempt_at = next_attempt_at - interval '${time}'`);

  test('tells what waits when the brokers cannot be told, and says so', async () => {
    const said: string[] = [];
    const one = begin({
      brokers: { step: () => Promise.reject(new Error('no states')), stop: async () => undefined },
      logFailure: (error) => void said.push((error as Error).message),
    });
    const target = await makeTarget(database, hook.url);
    await happens(target.id, 'told');
    await tell(one);
    expect([heard(), said]).toEqual([['told'], ['no states']]);
  });

  test('looks at the alerts of a farm without targets while one is silenced, so that the silence ends', async () => {
    const leases: string[] = [];
    const alerts = {
      async report({ number }: { number: string }) {
        leases.push(number);
        return 0;
      },
    };
    const one = begin({ reporters: { prints: { report: async () => 0 }, alerts } });
    await one.step();
    expect(leases).toEqual([]);
    await sql(`insert into alert_silences (kind, object_id, severity) values ('CAMERA_LOST', 'unknown', 'CRITICAL')`);
    one.wake();
    await one.step();
    expect(leases).toHaveLength(1);
    await sql('delete from alert_silences');
  });

  test('what waits for a broker is told in its order as soon as the broker is there again', async () => {
    const said: string[] = [];
    const send = async (_id: string, { body }: { body: string }) => void said.push(JSON.parse(body).data.text);
    const one = begin({ sender: senderOn({ send }) });
    const { id } = await makeTarget(database, 'mqtt://127.0.0.1', { kind: 'MQTT', secret: null });
    const brokers = new TargetStore(database);
    await brokers.updateConnectionState(id, 'NOT_REACHABLE');
    expect(await targetOf(id)).toMatchObject({ state: 'RETRYING', fault: 'NOT_REACHABLE' });
    for (const text of ['one', 'two', 'three']) await happens(id, text);
    // Parked, the last one first.
    await sql(`update notification_deliveries set attempts = 5,
      next_attempt_at = now() + (100 - notification_id % 100) * interval '1 minute'`);
    await tell(one);
    expect(said).toEqual([]);
    await brokers.updateConnectionState(id, null);
    expect(await targetOf(id)).toMatchObject({ state: 'RETRYING' });
    await tell(one);
    expect(said).toEqual(['one', 'two', 'three']);
    expect(await targetOf(id)).toMatchObject({ state: 'OK', fault: null });
  });

  test('tells each target in order, and none waits for another', async () => {
    const other = await receiver();
    const [slow, quick] = [await makeTarget(database, hook.url), await makeTarget(database, other.url)];
    const answers: (() => void)[] = [];
    hook.answer = (answer) => void answers.push(() => answering(200)(answer));
    const first = await happens(slow.id, 'one');
    await happens(slow.id, 'two');
    for (const text of ['a', 'b', 'c']) await happens(quick.id, text);
    await notifier.step();
    await until(
      'the quick one has heard all',
      () => other.heard,
      ({ length }) => length === 3,
    );
    await until(
      'the slow one has heard the first',
      () => answers,
      ({ length }) => length === 1,
    );
    // One request is on its way to it, and no second one begins.
    await notifier.step();
    expect([heard(), heard(other)]).toEqual([['one'], ['a', 'b', 'c']]);
    answers[0]?.();
    await until(
      'the slow one has heard the second',
      () => answers,
      ({ length }) => length === 2,
    );
    answers[1]?.();
    await notifier.waitForDeliveries();
    expect([heard(), ids()[0]]).toEqual([['one', 'two'], first]);
    expect(
      new Webhook(slow.secret).verify(hook.heard[0]?.body as string, hook.heard[0]?.headers as never),
    ).toMatchObject({
      data: { print: { name: 'cube' }, text: 'one', url: null },
    });
    expect(await deliveryOf(first)).toMatchObject({
      state: 'DELIVERED',
      attempts: 1,
      httpStatus: 200,
      nextAttemptAt: null,
      fault: null,
    });
    expect(notifier.figures().deliveries).toEqual([{ kind: 'WEBHOOK', outcome: 'delivered', count: 5 }]);
  });

  test('tries again after 5 s, 30 s, 2 and 5 minutes while the next ones wait; then it is parked, and they go by', async () => {
    const { id } = await makeTarget(database, hook.url);
    const first = await happens(id, 'one');
    const second = await happens(id, 'two');
    hook.answer = answering(500);
    for (const [attempts, seconds] of [
      [1, 5],
      [2, 30],
      [3, 120],
      [4, 300],
    ] as const) {
      await tell();
      const { lastAttemptAt, nextAttemptAt, ...row } = await deliveryOf(first);
      expect(row).toMatchObject({ state: 'WAITING', attempts, httpStatus: 500, fault: 'REFUSED' });
      expect(Number(nextAttemptAt) - Number(lastAttemptAt)).toBe(seconds * 1000);
      // However slow this machine is, it is not due yet.
      await sql(
        `update notification_deliveries set next_attempt_at = now() + interval '290 seconds' where id = '${first}'`,
      );
      await tell();
      expect(hook.heard).toHaveLength(attempts);
      await sql(`update notification_deliveries set next_attempt_at = now() where id = '${first}'`);
    }
    expect(await targetOf(id)).toMatchObject({ state: 'RETRYING', fault: 'REFUSED' });
    hook.answer = (answer, { headers }) => answering(headers['webhook-id'] === first ? 500 : 200)(answer);
    await tell();
    const parked = await deliveryOf(first);
    const minutes = (Number(parked.nextAttemptAt) - Number(parked.lastAttemptAt)) / 60_000;
    expect([parked.attempts, minutes >= 24 && minutes <= 36]).toEqual([5, true]);
    expect((await deliveryOf(second)).state).toBe('DELIVERED');
    expect(await targetOf(id)).toMatchObject({ state: 'OK', fault: null });
    hook.answer = answering(200);
    await dueNow();
    await tell();
    expect(await deliveryOf(first)).toMatchObject({ state: 'DELIVERED', attempts: 6 });
    expect(ids()).toEqual([first, first, first, first, first, second, first]);
    expect(new Set(hook.heard.filter((_, at) => ids()[at] === first).map(({ body }) => body)).size).toBe(1);
  });

  test('a target that took nothing for 72 hours has failed; the next delivery makes it OK, and says how many were left out', async () => {
    const { id } = await makeTarget(database, hook.url);
    const lost = [await happens(id, 'one'), await happens(id, 'two')];
    hook.answer = answering(500);
    await tell();
    await pass('73 hours');
    const next = begin();
    await notifier.close();
    await tell(next);
    expect(await targetOf(id)).toMatchObject({ state: 'FAILED', enabled: true });
    for (const one of lost)
      expect(await deliveryOf(one)).toMatchObject({ state: 'GIVEN_UP', fault: 'LEFT_OUT', nextAttemptAt: null });
    expect(hook.heard).toHaveLength(1);
    await happens(id, 'three');
    await tell(next);
    expect(await targetOf(id)).toMatchObject({ state: 'FAILED', fault: 'REFUSED' });
    hook.answer = answering(200);
    await dueNow();
    await tell(next);
    expect(await targetOf(id)).toMatchObject({ state: 'OK', fault: null });
    await tell(next);
    await tell(next);
    const [omitted, ...none] = hook.heard.slice(3).map(({ body }) => JSON.parse(body));
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

  test('what became too old while no gateway ran is left out, and one message says so', async () => {
    const { id } = await makeTarget(database, hook.url);
    for (const text of ['one', 'two', 'three']) await happens(id, text);
    await pass('73 hours');
    await happens(id, 'now');
    await tell();
    await tell();
    expect(heard()).toEqual([
      'now',
      '3 notifications could not be delivered within 72 hours and were given up. To get one, open this channel under Notifications and send it again.',
    ]);
    expect(await targetOf(id)).toMatchObject({ state: 'OK' });
    expect(notifier.figures().deliveries).toContainEqual({ kind: 'WEBHOOK', outcome: 'given_up', count: 3 });
  });

  test('a receiver that is gone for good disables its target', async () => {
    const { id } = await makeTarget(database, hook.url);
    const [first, second] = [await happens(id), await happens(id)];
    hook.answer = answering(410);
    await tell();
    await tell();
    expect(hook.heard).toHaveLength(1);
    expect(await targetOf(id)).toMatchObject({ enabled: false, state: 'DISABLED', fault: 'GONE' });
    expect(await deliveryOf(first)).toMatchObject({ state: 'GIVEN_UP', httpStatus: 410, fault: 'GONE' });
    expect(await deliveryOf(second)).toMatchObject({ state: 'GIVEN_UP', attempts: 0, fault: 'GONE' });
  });

  test.each([429, 503])('a receiver that asks for silence with %i is told nothing until then', async (status) => {
    const { id } = await makeTarget(database, hook.url);
    const [first, second] = [await happens(id), await happens(id)];
    hook.answer = answering(status, { 'retry-after': '600' });
    await tell();
    const { silentUntil } = await targetOf(id);
    const { lastAttemptAt } = await deliveryOf(first);
    expect(Number(silentUntil) - Number(lastAttemptAt)).toBe(600_000);
    await dueNow();
    await tell();
    expect(hook.heard).toHaveLength(1);
    // It is really tried then, whatever the wait behind a first try is.
    const shown = async (delivery: string) => (await new DeliveryStore(database).byId(id, delivery))?.nextAttemptAt;
    expect([await shown(first), await shown(second)]).toEqual(Array(2).fill(silentUntil?.toISOString()));
    await sql('update notification_targets set silent_until = now()');
    hook.answer = answering(204);
    await tell();
    expect(ids()).toEqual([first, first, second]);
    expect(await targetOf(id)).toMatchObject({ state: 'OK', silentUntil: null });
  });

  test('the secret before signs beside the new one, until its time is over', async () => {
    const former = generateSigningSecret();
    const { id, secret, sealed } = await makeTarget(database, hook.url);
    const keep = (until: string) =>
      sql(`update notification_targets set former_secret = '${sealed(former)}', former_secret_until = ${until}`);
    const taken = () => {
      const { body, headers } = hook.heard.at(-1) as Receiver['heard'][0];
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
    await tell();
    expect(taken()).toEqual([true, true]);
    await keep('now()');
    await happens(id);
    await tell();
    expect(taken()).toEqual([true, false]);
  });

  test('a secret that cannot be read is said, and nothing is sent', async () => {
    const { id } = await makeTarget(database, hook.url);
    await sql(`update notification_targets set url = url || '/elsewhere'`);
    await happens(id);
    await tell();
    expect([hook.heard, (await targetOf(id)).fault]).toEqual([[], 'SECRET_NOT_READABLE']);
  });

  test('a time that a clock wrote which was ahead holds nothing up', async () => {
    const { id } = await makeTarget(database, hook.url);
    await happens(id);
    await sql(`update notification_deliveries set next_attempt_at = '2099-01-01', attempts = 7`);
    await sql(`update notification_targets set silent_until = '2099-01-01'`);
    await tell();
    expect(hook.heard).toHaveLength(1);
  });

  test.each([
    ['50 minutes', 1],
    ['12 hours', 1],
    ['50 minutes', 0],
    ['12 hours', 6],
  ])('a clock that was %s ahead, and is set right behind %i tries, holds nothing up', async (ahead, attempts) => {
    const { id } = await makeTarget(database, hook.url);
    const [first, second] = [await happens(id, 'one'), await happens(id, 'two')];
    await sql(`update notification_deliveries set attempts = ${attempts}, next_attempt_at = now() + interval '${ahead} 5 seconds',
      last_attempt_at = ${attempts === 0 ? 'null' : `now() + interval '${ahead}'`} where id = '${first}'`);
    if (attempts === 1)
      await sql(`update notification_targets set silent_until = now() + interval '${ahead} 5 seconds'`);
    const { nextAttemptAt = null } = (await new DeliveryStore(database).byId(id, first)) ?? {};
    expect(Date.parse(nextAttemptAt as string)).toBeLessThan(Date.now() + 60_000);
    await tell();
    expect(ids().toSorted()).toEqual([first, second].toSorted());
  });

  test('what cannot be reported is said and counted, and does not hold up what waits', async () => {
    const said: unknown[] = [];
    const one = begin({
      reporters: {
        prints: { report: async () => 0 },
        alerts: { report: () => Promise.reject(new Error('no alerts')) },
      },
      logReportFailure: (part, error) => void said.push(part, (error as Error).message),
    });
    const target = await makeTarget(database, hook.url);
    await happens(target.id, 'told');
    await tell(one);
    expect([heard(), said, one.figures().failures]).toEqual([
      ['told'],
      ['alerts', 'no alerts'],
      { prints: 0, alerts: 1 },
    ]);
  });

  test('one of two processes tells; the other goes on when it ends, or 30 s after it was killed', async () => {
    const { id } = await makeTarget(database, hook.url);
    const other = begin();
    await happens(id, 'one');
    await Promise.all([tell(), tell(other)]);
    expect(heard()).toEqual(['one']);
    const [holder, waiting] = notifier.figures().deliveries.length > 0 ? [notifier, other] : [other, notifier];
    await holder.close();
    await happens(id, 'two');
    waiting.wake();
    await tell(waiting);
    expect(heard()).toEqual(['one', 'two']);
    const third = begin();
    await happens(id, 'three');
    await tell(third);
    expect(heard()).toEqual(['one', 'two']);
    await sql('update leases set until = now()');
    third.wake();
    await tell(third);
    expect(heard()).toEqual(['one', 'two', 'three']);
  });

  test('what is on its way when the process ends is sent again by the next one, with the same id and body', async () => {
    const { id } = await makeTarget(database, hook.url);
    const delivery = await happens(id);
    hook.answer = () => {};
    await notifier.step();
    await until(
      'the receiver has heard it',
      () => hook.heard,
      ({ length }) => length === 1,
    );
    await notifier.close();
    expect(await deliveryOf(delivery)).toMatchObject({ state: 'WAITING', attempts: 0 });
    hook.answer = answering(204);
    await tell(begin());
    expect(ids()).toEqual([delivery, delivery]);
    expect(hook.heard[1]?.body).toBe(hook.heard[0]?.body);
    expect(await deliveryOf(delivery)).toMatchObject({ state: 'DELIVERED', attempts: 1 });
  });

  test('a farm without targets is looked at once in a while, and when a target is added', async () => {
    const store = new NotifierStore(database);
    const [hold, due] = [jest.spyOn(store, 'takeLease'), jest.spyOn(store, 'listDue')];
    const idle = begin({ store });
    for (let second = 0; second < 10; second += 1) await tell(idle);
    expect([hold.mock.calls.length, due.mock.calls.length]).toEqual([1, 0]);
    const { id } = await makeTarget(database, hook.url);
    await happens(id);
    idle.wake();
    await tell(idle);
    expect(hook.heard).toHaveLength(1);
  });

  test('what is older than 30 days is forgotten, unless it waits', async () => {
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
