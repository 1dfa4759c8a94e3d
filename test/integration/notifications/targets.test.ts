// Tests notification targets in GraphQL: adding, changing and removing them, and their secrets, which nobody can read again.
import { createHash, randomUUID } from 'node:crypto';
import { readConfig } from '../../../src/config';
import { Secrets } from '../../../src/wire/secrets';
import { readChangesUntilNow, readCurrentCursor } from '../../support/changes';
import {
  anyDatabase,
  describeOnce,
  describeOnDatabases,
  describeOnServer,
  isTestedAlready,
} from '../../support/databases';
import { makeFarm } from '../../support/farm';
import {
  expectCode,
  expectData,
  expectStatus,
  type Gateway,
  type Parsed,
  test,
  useGateway,
} from '../../support/gateway';
import {
  ADD_TARGET,
  addTarget,
  readTarget,
  storeDelivery,
  TARGET,
  UPDATE_TARGET,
  updateTarget,
} from '../../support/notification-targets';
import { takeLease } from '../../support/notifications';
import { atLeast, until, WAITING_FOR_LOCKS } from '../../support/waiting';

const KEY = Buffer.alloc(32, 0xd1);
const { devices } = readConfig({ DEVICE_KEY: KEY.toString('hex') });
const FINGERPRINT = 'ab'.repeat(32);
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;
const createSecret = (fill: number) => `whsec_${Buffer.alloc(24, fill).toString('base64')}`;

const readStored = async (gateway: Gateway, id: string): Promise<Parsed> =>
  (await gateway.sql(`select *, events_after::text as events_after from notification_targets where id = '${id}'`))[0];
/** The secret with which the sender of the gateway signs. */
const decryptSecret = async (gateway: Gateway, id: string) => {
  const row = await readStored(gateway, id);
  const { kind, url: address, certificate_fingerprint: certificateFingerprint } = row;
  const clear = (secret: string | null) =>
    new Secrets(KEY, { kind: 'server' }).decrypt({ id, kind, address, certificateFingerprint, secret });
  return [clear(row.secret), clear(row.former_secret)];
};

// No other process can have the embedded database open.
describeOnDatabases('notification targets', (kind) => {
  const gateway = useGateway(kind, { devices });
  const newPrinter = async () => (await makeFarm(gateway)).printerId;
  const refused = async (document: string, variables: object, code: string, naming: RegExp) =>
    expect(expectCode(await gateway.graphql(document, variables), code)).toMatch(naming);

  test('a start clears the lease of a killed process if no other process can hold it', async () => {
    await takeLease(gateway, 'killed');
    await gateway.restart();
    const [{ holder }] = await gateway.sql('select holder from leases');
    expect(holder).toBe(kind === 'embedded' ? null : 'killed');
    await gateway.sql('delete from leases');
  });

  test('the answer that is stored for an idempotency key lacks the secret', async () => {
    const query =
      'mutation ($input: AddNotificationTargetInput!) { made: addNotificationTarget(input: $input) { target { id name } shown: secret } }';
    const variables = { input: { name: 'Keyed', kind: 'WEBHOOK', url: 'http://10.0.0.9/keyed' } };
    const send = () => gateway.rest('POST', '/graphql', { query, variables }, { 'idempotency-key': `target-${kind}` });
    const both = await Promise.all([send(), send()]);
    const answers = [...both, await send()].map((answer) => expectStatus(answer, 200).body.data.made);
    const shown = answers.filter(({ shown }) => shown !== null);
    expect([new Set(answers.map(({ target }) => target.id)).size, shown.length]).toEqual([1, 1]);
    expect(shown[0].shown).toMatch(SECRET);
    const kept = await gateway.sql(`select answer::text from idempotency_keys where key = 'target-${kind}'`);
    expect(JSON.stringify(kept)).toContain('Keyed');
    expect(JSON.stringify(kept)).not.toContain('whsec_');
  });

  test('a delivery that was given up is sent again with the same id, unless it waits or its target is disabled', async () => {
    const { target } = await addTarget(gateway, { url: 'http://10.0.0.9/' });
    const deliveryId = await storeDelivery(gateway, target.id);
    const document =
      'mutation ($targetId: ID!, $deliveryId: ID!) { resendNotification(targetId: $targetId, deliveryId: $deliveryId) { id state attempts nextAttemptAt } }';
    const ids = { targetId: target.id, deliveryId };
    await refused(document, ids, 'CONFLICT', /^deliveryId is already waiting/);
    await gateway.sql(`update notification_deliveries set state = 'DELIVERED', attempts = 3, next_attempt_at = null,
      waiting_since = now() - interval '10 days' where id = '${deliveryId}'`);
    const { resendNotification } = expectData(await gateway.graphql(document, ids));
    expect(resendNotification).toEqual({
      id: deliveryId,
      state: 'WAITING',
      attempts: 0,
      nextAttemptAt: expect.any(String),
    });
    const [{ young }] = await gateway.sql(
      `select waiting_since > now() - interval '1 hour' as young from notification_deliveries where id = '${deliveryId}'`,
    );
    expect(young).toBe(true);
    await updateTarget(gateway, target.id, { enabled: false });
    await refused(document, ids, 'CONFLICT', /^targetId is a disabled channel/);
    await refused(document, { ...ids, deliveryId: randomUUID() }, 'NOT_FOUND', /^There is no delivery/);
    await refused(document, { ...ids, targetId: randomUUID() }, 'NOT_FOUND', /^There is no delivery/);
  });

  test('deliveries are paged, newest first', async () => {
    const { target } = await addTarget(gateway, { url: 'http://10.0.0.9/' });
    const ids: string[] = [];
    for (const text of ['one', 'two', 'three']) ids.unshift(await storeDelivery(gateway, target.id, text));
    const page = async (after?: string) =>
      expectData(
        await gateway.graphql(
          'query ($id: ID!, $after: String) { notificationTarget(id: $id) { deliveries(first: 2, after: $after) { nodes { id text } edges { cursor } pageInfo { hasNextPage endCursor } } } }',
          { id: target.id, after },
        ),
      ).notificationTarget.deliveries;
    const first = await page();
    expect([first.nodes, first.pageInfo.hasNextPage]).toEqual([
      [
        { id: ids[0], text: 'three' },
        { id: ids[1], text: 'two' },
      ],
      true,
    ]);
    const second = await page(first.pageInfo.endCursor);
    expect([second.nodes, second.pageInfo.hasNextPage]).toEqual([[{ id: ids[2], text: 'one' }], false]);
  });

  if (isTestedAlready(kind)) return;

  test('a target is added with its defaults, and found by id, list and node; it is not in the feed', async () => {
    const cursor = await readCurrentCursor(gateway);
    const { target, secret } = await addTarget(gateway, { name: ' Home ', url: ' http://10.0.0.9/hook?key=1 ' });
    expect(secret).toMatch(SECRET);
    expect(target).toEqual({
      id: expect.any(String),
      nodeId: expect.any(String),
      name: 'Home',
      kind: 'WEBHOOK',
      url: 'http://10.0.0.9/hook?key=1',
      hasSecret: true,
      certificateFingerprint: null,
      minimumSeverity: 'WARNING',
      events: ['PRINT_ENDED', 'PRINT_WAITS', 'ALERT_RAISED', 'ALERT_CLEARED'],
      enabled: true,
      state: 'OK',
      stateSince: target.createdAt,
      message: null,
      waiting: 0,
      createdAt: target.createdAt,
      updatedAt: target.createdAt,
      printers: [],
      deliveries: { nodes: [] },
    });
    expect(await readTarget(gateway, target.id.toUpperCase())).toEqual(target);
    const found = expectData(
      await gateway.graphql(
        `query ($nodeId: ID!) { notificationTargets ${TARGET} node(nodeId: $nodeId) { ... on NotificationTarget ${TARGET} } }`,
        {
          nodeId: target.nodeId,
        },
      ),
    );
    expect(found.notificationTargets).toContainEqual(target);
    expect(found.node).toEqual(target);
    expect(await readTarget(gateway, randomUUID())).toBeNull();
    const remove = await gateway.graphql('mutation ($id: ID!) { removeNotificationTarget(id: $id) }', {
      id: target.id,
    });
    expect(expectData(remove).removeNotificationTarget).toBe(target.id);
    await refused(
      'mutation ($id: ID!) { removeNotificationTarget(id: $id) }',
      { id: target.id },
      'NOT_FOUND',
      /^There is no notification channel/,
    );
    expect((await readChangesUntilNow(gateway, cursor)).changes).toEqual([]);
  });

  test('the secret of a webhook is generated or entered, is shown once, and is stored encrypted', async () => {
    const made = await addTarget(gateway, { url: 'http://10.0.0.9/' });
    expect(await decryptSecret(gateway, made.target.id)).toEqual([made.secret, null]);
    const given = await addTarget(gateway, { url: 'http://10.0.0.9/', secret: ` ${createSecret(1)}\n` });
    expect([given.secret, ...(await decryptSecret(gateway, given.target.id))]).toEqual([null, createSecret(1), null]);
    for (const [target, secret] of [
      [made.target, made.secret],
      [given.target, createSecret(1)],
    ]) {
      expect(JSON.stringify(await readStored(gateway, target.id))).not.toContain(secret.slice(6));
    }
    for (const wrong of [
      'secret',
      'whsec_',
      `whsec_${Buffer.alloc(23).toString('base64')}`,
      `whsec_${Buffer.alloc(65).toString('base64')}`,
      `${createSecret(2)}!`,
    ]) {
      const input = { name: 'x', kind: 'WEBHOOK', url: 'http://10.0.0.9/', secret: wrong };
      await refused(
        ADD_TARGET,
        { input },
        'BAD_USER_INPUT',
        /^secret must be whsec_ followed by 24 to 64 bytes in base64/,
      );
    }
  });

  test('after a new secret the previous one signs for a day; a new URL or certificate deletes it immediately', async () => {
    const { target, secret: first } = await addTarget(gateway, { url: 'https://10.0.0.9/' });
    const { id } = target;
    for (const input of [{}, { name: 'Other' }, { url: null, events: null }, { url: target.url }]) {
      expect((await updateTarget(gateway, id, input)).secret).toBeNull();
      expect(await decryptSecret(gateway, id)).toEqual([first, null]);
    }
    const { secret: second } = await updateTarget(gateway, id, { newSecret: true });
    expect(second).toMatch(SECRET);
    expect(await decryptSecret(gateway, id)).toEqual([second, first]);
    const [{ hours }] =
      await gateway.sql(`select round(extract(epoch from former_secret_until - updated_at) / 3600)::int as hours
      from notification_targets where id = '${id}'`);
    expect(hours).toBe(24);
    expect((await updateTarget(gateway, id, { secret: createSecret(3) })).secret).toBeNull();
    expect(await decryptSecret(gateway, id)).toEqual([createSecret(3), second]);
    const moved = await updateTarget(gateway, id, { url: 'https://10.0.0.10/' });
    expect(await decryptSecret(gateway, id)).toEqual([moved.secret, null]);
    const pinned = await updateTarget(gateway, id, { certificateFingerprint: FINGERPRINT.match(/../g)?.join(':') });
    expect(pinned.target).toMatchObject({ certificateFingerprint: FINGERPRINT, hasSecret: true });
    expect(await decryptSecret(gateway, id)).toEqual([pinned.secret, null]);
    await updateTarget(gateway, id, { url: 'https://10.0.0.11/', secret: createSecret(4) });
    expect(await decryptSecret(gateway, id)).toEqual([createSecret(4), null]);
    await refused(UPDATE_TARGET, { id, input: { secret: '' } }, 'BAD_USER_INPUT', /^secret must not be removed/);
    await refused(
      UPDATE_TARGET,
      { id, input: { secret: createSecret(1), newSecret: true } },
      'BAD_USER_INPUT',
      /^newSecret must not/,
    );
  });

  test('the token of ntfy is deleted with a new URL, and none is generated', async () => {
    const { target, secret } = await addTarget(gateway, { kind: 'NTFY', url: 'http://10.0.0.9/topic', secret: 'tk_1' });
    expect([secret, target.hasSecret, (await decryptSecret(gateway, target.id))[0]]).toEqual([null, true, 'tk_1']);
    const moved = await updateTarget(gateway, target.id, { url: 'http://10.0.0.9/other' });
    expect([moved.secret, moved.target.hasSecret]).toEqual([null, false]);
    await refused(
      UPDATE_TARGET,
      { id: target.id, input: { newSecret: true } },
      'BAD_USER_INPUT',
      /^newSecret must not be given for NTFY/,
    );
    // As users paste it from an example.
    for (const secret of ['Bearer tk_1', 'bearer tk_1', 'Basic dTpw'])
      await refused(
        UPDATE_TARGET,
        { id: target.id, input: { secret } },
        'BAD_USER_INPUT',
        /^secret must be the access token alone, such as tk_/,
      );
  });

  test('members that are wrong, alone or together, are refused by name', async () => {
    const wrong: [object, RegExp][] = [
      [{ name: ' ' }, /^name must not be empty$/],
      [{ name: 'x'.repeat(101) }, /^name must have at most 100 characters$/],
      [{ url: 'http://8.8.8.8/' }, /^url must have a host in a private network, in DEVICE_NETWORKS or in NOTIFY_HOSTS/],
      [{ username: 'me' }, /^username must not be given for WEBHOOK/],
      [{ certificateFingerprint: FINGERPRINT }, /^certificateFingerprint must not be given for a URL without TLS/],
      [{ certificateFingerprint: 'ab' }, /^certificateFingerprint must be 64 hexadecimal digits/],
      [{ events: [] }, /^events must have at least one event$/],
      [{ events: ['OMITTED'] }, /^events must not contain OMITTED/],
      [{ printerIds: ['x'] }, /^printerIds must be a GUID/],
      [{ printerIds: [randomUUID()] }, /^printerIds must be the id of a printer$/],
      [{ printerIds: Array(251).fill(randomUUID()) }, /^printerIds must have at most 250 printers/],
    ];
    const before = await gateway.sql('select * from notification_targets order by id');
    for (const [members, naming] of wrong) {
      const input = { name: 'Home', kind: 'WEBHOOK', url: 'http://10.0.0.9/', ...members };
      await refused(ADD_TARGET, { input }, 'BAD_USER_INPUT', naming);
    }
    expect(await gateway.sql('select * from notification_targets order by id')).toEqual(before);
    const { target } = await addTarget(gateway, { url: 'http://10.0.0.9/' });
    for (const [input, naming] of wrong) {
      await refused(UPDATE_TARGET, { id: target.id, input }, 'BAD_USER_INPUT', naming);
    }
    expect(await readTarget(gateway, target.id)).toEqual(target);
  });

  test('two MQTT targets cannot have the same broker and prefix', async () => {
    const mqtt = { kind: 'MQTT', events: [], username: 'me', secret: 'password' };
    const { target } = await addTarget(gateway, { ...mqtt, name: 'Broker', url: 'mqtt://10.0.0.9' });
    expect(target).toMatchObject({ events: [], hasSecret: true });
    const naming = /^url has the same broker and prefix as the channel Broker. Enter another prefix$/;
    await refused(
      ADD_TARGET,
      { input: { name: 'x', kind: 'MQTT', url: 'mqtt://10.0.0.9:1883/print-farm/' } },
      'CONFLICT',
      naming,
    );
    const other = await addTarget(gateway, { ...mqtt, url: 'mqtt://10.0.0.9/other' });
    await refused(UPDATE_TARGET, { id: other.target.id, input: { url: 'mqtt://10.0.0.9' } }, 'CONFLICT', naming);
    await addTarget(gateway, { ...mqtt, name: 'Near', url: 'mqtt://localhost/print-farm' });
    const near = { name: 'x', kind: 'MQTT', url: 'mqtt://127.0.0.1:1883/print-farm' };
    await refused(ADD_TARGET, { input: near }, 'CONFLICT', /^url has the same broker and prefix as the channel Near/);
    expect((await updateTarget(gateway, target.id, { url: 'mqtt://10.0.0.9/print-farm' })).target.hasSecret).toBe(
      false,
    );
  });

  test('a target of chosen printers is disabled when the last of them is removed, and gives the reason', async () => {
    const [first, second] = [await newPrinter(), await newPrinter()];
    const { target } = await addTarget(gateway, {
      url: 'http://10.0.0.9/',
      printerIds: [second, first.toUpperCase(), first],
    });
    const ids = (one: Parsed) => one.printers.map(({ id }: Parsed) => id).sort();
    expect(ids(target)).toEqual([first, second].sort());
    const remove = async (id: string) =>
      expectData(await gateway.graphql('mutation ($id: ID!) { removePrinter(id: $id) }', { id }));
    const third = await newPrinter();
    expect(ids((await updateTarget(gateway, target.id, { printerIds: [third] })).target)).toEqual([third]);
    expect(ids((await updateTarget(gateway, target.id, { printerIds: [] })).target)).toEqual([]);
    await updateTarget(gateway, target.id, { printerIds: [first, second] });
    await remove(first);
    expect(await readTarget(gateway, target.id)).toMatchObject({ enabled: true, state: 'OK' });
    await storeDelivery(gateway, target.id);
    await remove(second);
    const gone = await readTarget(gateway, target.id);
    expect(gone).toMatchObject({
      enabled: false,
      state: 'DISABLED',
      waiting: 0,
      deliveries: { nodes: [{ state: 'GIVEN_UP' }] },
    });
    expect(gone.message).toMatch(/^All printers of this channel were removed/);
    await refused(
      UPDATE_TARGET,
      { id: target.id, input: { enabled: true } },
      'BAD_USER_INPUT',
      /^printerIds must be given, because all printers of this channel were removed$/,
    );
    const again = await updateTarget(gateway, target.id, { enabled: true, printerIds: [third] });
    expect(again.target).toMatchObject({ enabled: true, state: 'OK', message: null });
  });

  test('a target of chosen printers is disabled when another program truncates the printers', async () => {
    const { target } = await addTarget(gateway, { url: 'http://10.0.0.9/', printerIds: [await newPrinter()] });
    const other = await addTarget(gateway, { url: 'http://10.0.0.9/', printerIds: [] });
    await gateway.sql('truncate printers cascade');
    const gone = await readTarget(gateway, target.id);
    expect(gone).toMatchObject({ enabled: false, state: 'DISABLED', printers: [] });
    expect(gone.message).toMatch(/^All printers of this channel were removed/);
    expect(await readTarget(gateway, other.target.id)).toMatchObject({ enabled: true });
  });

  test('a disabled target gives up its waiting deliveries, and says that it gets no notifications', async () => {
    const { target } = await addTarget(gateway, { url: 'http://10.0.0.9/' });
    await storeDelivery(gateway, target.id);
    expect(await readTarget(gateway, target.id)).toMatchObject({
      waiting: 1,
      deliveries: { nodes: [{ state: 'WAITING' }] },
    });
    const off = (await updateTarget(gateway, target.id, { enabled: false })).target;
    expect(off).toMatchObject({ enabled: false, state: 'DISABLED', waiting: 0 });
    expect(off.message).toMatch(/^The channel is disabled and gets no notifications\./);
    expect(off.deliveries.nodes).toMatchObject([
      { event: 'PRINT_ENDED', state: 'GIVEN_UP', attempts: 0, message: off.message },
    ]);
    const born = await addTarget(gateway, { url: 'http://10.0.0.9/', enabled: false });
    expect(born.target).toMatchObject({ state: 'DISABLED', message: off.message });
  });

  test('a failing target is an alert that names it', async () => {
    const { target } = await addTarget(gateway, { url: 'http://10.0.0.9/', name: 'Attic' });
    await gateway.sql(
      `update notification_targets set state = 'FAILED', fault = 'TIMED_OUT', state_since = '2026-01-01T00:00:00Z' where id = '${target.id}'`,
    );
    const { alerts } = expectData(
      await gateway.graphql(
        '{ alerts { kind severity message since notificationTarget { id message } camera { id } } }',
      ),
    );
    expect(alerts.filter((alert: Parsed) => alert.kind === 'NOTIFICATION_FAILS')).toEqual([
      {
        kind: 'NOTIFICATION_FAILS',
        severity: 'WARNING',
        since: '2026-01-01T00:00:00.000Z',
        camera: null,
        message:
          'Notifications to Attic were given up, because none could be delivered. Open the channel under Notifications to see why.',
        notificationTarget: {
          id: target.id,
          message: expect.stringMatching(/^Nothing was delivered for 72 hours\. The receiver did not answer in time/),
        },
      },
    ]);
  });

  test('a farm has at most 100 targets, also if many are added at the same moment', async () => {
    const { notificationTargets } = expectData(await gateway.graphql('{ notificationTargets { id } }'));
    await gateway.sql(`insert into notification_targets (id, kind, name, url, events, minimum_severity)
      select gen_random_uuid(), 'NTFY', 'n', 'http://10.0.0.9/t', '{}', 'WARNING' from generate_series(1, ${98 - notificationTargets.length})`);
    const input = { name: 'Home', kind: 'NTFY', url: 'http://10.0.0.9/t' };
    const answers = await Promise.all([1, 2, 3, 4].map(() => gateway.graphql(ADD_TARGET, { input })));
    const refusals = answers.filter(({ errors }) => errors.length > 0);
    expect(refusals).toHaveLength(2);
    for (const refusal of refusals) {
      expect(expectCode(refusal, 'CONFLICT')).toBe(
        'The farm already has 100 notification channels. Remove one before you add another',
      );
    }
    await gateway.sql('delete from notification_targets');
  });
});

describeOnce('the right to configure devices', () => {
  const createKey = (name: string, scopes: ('read' | 'write' | 'devices')[]) => ({
    name,
    scopes,
    cameraId: null,
    hash: createHash('sha256').update(`key-of-${name}`).digest('hex'),
  });
  const gateway = useGateway(anyDatabase, {
    devices,
    auth: {
      apiKeys: [createKey('all', ['read', 'write', 'devices']), createKey('some', ['read', 'write'])],
      tokens: null,
    },
  });
  const authenticate = (name: string) => ({
    graphql: async (query: string, variables: unknown = {}) => {
      const answer = await gateway.rest(
        'POST',
        '/graphql',
        { query, variables },
        { authorization: `Bearer key-of-${name}` },
      );
      return { ...answer, data: answer.body?.data, errors: answer.body?.errors ?? [] };
    },
  });

  test('the scope "devices" is needed for every target operation, also for a target behind a key or an alert', async () => {
    const { target } = await addTarget(authenticate('all'), { url: 'http://10.0.0.9/' });
    await gateway.sql(`update notification_targets set state = 'FAILED' where id = '${target.id}'`);
    for (const call of [
      '{ notificationTargets { id } }',
      `{ notificationTarget(id: "${target.id}") { id } }`,
      `mutation { testNotificationTarget(id: "${target.id}") { delivered } }`,
      `mutation { removeNotificationTarget(id: "${target.id}") }`,
    ]) {
      expect(expectCode(await authenticate('some').graphql(call), 'FORBIDDEN')).toMatch(/"devices"/);
    }
    const keys = ['id', 'nodeId'].map((key) => `{ __typename: "NotificationTarget", ${key}: "${target[key]}" }`);
    const query = `{
      node(nodeId: "${target.nodeId}") { nodeId }
      _entities(representations: [${keys.join(' ')}]) { ... on NotificationTarget { id } }
      alerts { kind notificationTarget { id } }
    }`;
    const answers = await Promise.all(['all', 'some', 'all', 'some'].map((name) => authenticate(name).graphql(query)));
    for (const [at, answer] of answers.entries()) {
      const isShown = at % 2 === 0;
      expect(expectData(answer)).toEqual({
        node: isShown ? { nodeId: target.nodeId } : null,
        _entities: keys.map(() => (isShown ? { id: target.id } : null)),
        alerts: [{ kind: 'NOTIFICATION_FAILS', notificationTarget: isShown ? { id: target.id } : null }],
      });
    }
  });
});

describeOnServer('a server without a key', () => {
  const gateway = useGateway('server', {});
  test('a gateway that cannot store secrets refuses a webhook, and says what to set', async () => {
    const input = { name: 'x', kind: 'WEBHOOK', url: 'http://10.0.0.9/' };
    expect(expectCode(await gateway.graphql(ADD_TARGET, { input }), 'BAD_USER_INPUT')).toMatch(
      /^secret cannot be stored, because this gateway has no encryption key. Set DEVICE_KEY/,
    );
    expect((await addTarget(gateway, { kind: 'NTFY', url: 'http://10.0.0.9/topic' })).target.hasSecret).toBe(false);
  });
});

describeOnServer('two programs that remove the last two chosen printers at once', () => {
  const gateway = useGateway('server', { devices });
  test('disable the target', async () => {
    const printers = [(await makeFarm(gateway)).printerId, (await makeFarm(gateway)).printerId] as const;
    const { target } = await addTarget(gateway, { url: 'http://10.0.0.9/', printerIds: [...printers] });
    const remove = (id: string) => `delete from printers where id = '${id}'`;
    let other: Promise<unknown> | undefined;
    await gateway.database().transaction(async ({ prisma }) => {
      await prisma.$executeRawUnsafe(remove(printers[0]));
      other = gateway.sql(remove(printers[1]));
      await until(
        'the other request waits',
        () => gateway.database().prisma.$queryRawUnsafe<unknown[]>(WAITING_FOR_LOCKS),
        atLeast(1),
      );
    });
    await other;
    expect(await readTarget(gateway, target.id)).toMatchObject({ enabled: false, state: 'DISABLED', printers: [] });
  });
});
