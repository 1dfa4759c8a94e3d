// The test of a target sends one message within the time limit of the request, and its answer contains no byte of the receiver.
import { randomUUID, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { readConfig } from '../../../src/config';
import { anyDatabase } from '../../support/databases';
import {
  expectCode,
  expectData,
  expectStatus,
  type Gateway,
  type Parsed,
  test,
  useGateway,
} from '../../support/gateway';
import { closeServers } from '../../support/hostile-machine';
import { startAedes, watchBroker } from '../../support/mqtt-brokers';
import { answerWith, startReceiver } from '../../support/notification-receivers';
import { addTarget, readTarget, storeDelivery, TEST_TARGET, updateTarget } from '../../support/notification-targets';
import { atLeast, until } from '../../support/waiting';

const file = (name: string) => readFileSync(join(__dirname, '..', '..', 'support', 'certificates', name));
const CERTIFICATE = { key: file('server.key'), cert: file('server.crt') };
const FINGERPRINT = new X509Certificate(CERTIFICATE.cert).fingerprint256.replaceAll(':', '').toLowerCase();
const { budget, devices } = readConfig({ DEVICE_KEY: 'd1'.repeat(32) });

const testTarget = async (gateway: Gateway, id: string): Promise<Parsed> =>
  expectData(await gateway.graphql(TEST_TARGET, { id })).testNotificationTarget;

afterEach(closeServers);

describe('the test of a target', () => {
  const gateway = useGateway(anyDatabase, { devices });
  const tested = (id: string) => testTarget(gateway, id);
  const NOTHING = { delivered: false, message: expect.any(String), httpStatus: null, certificateFingerprint: null };

  test('sends one signed message, also to a disabled target, and changes nothing of it', async () => {
    const hook = await startReceiver();
    const { target, secret } = await addTarget(gateway, { url: `${hook.url}/hook`, enabled: false });
    expect(await tested(target.id)).toEqual({ ...NOTHING, delivered: true, message: null, httpStatus: 204 });
    const [heard] = hook.received;
    expect(new Webhook(secret).verify(heard?.body as string, heard?.headers as never)).toEqual({
      type: 'test',
      timestamp: expect.any(String),
      data: { text: 'This is a test of the notifications of the print farm.', url: null },
    });
    hook.answer = answerWith(500);
    const { message, ...answer } = await tested(target.id);
    expect(answer).toEqual({ delivered: false, httpStatus: 500, certificateFingerprint: null });
    expect(message).toMatch(/^The receiver answers with an error/);
    expect(message).not.toContain('words of the receiver');
    expect(await readTarget(gateway, target.id)).toEqual(target);
    expect(hook.received).toHaveLength(2);
  });

  test('overtakes the deliveries that wait', async () => {
    const hook = await startReceiver();
    const { target } = await addTarget(gateway, { url: hook.url });
    await storeDelivery(gateway, target.id);
    await tested(target.id);
    expect(hook.received.map(({ body }) => JSON.parse(body).type)).toEqual(['test']);
    expect((await readTarget(gateway, target.id)).waiting).toBe(1);
  });

  test('shows the fingerprint of an untrusted certificate and sends nothing; once pinned, the message is sent', async () => {
    const hook = await startReceiver(CERTIFICATE);
    const { target } = await addTarget(gateway, { url: hook.url });
    const found = await tested(target.id);
    expect(found).toEqual({
      ...NOTHING,
      message: expect.stringMatching(/^The certificate of the receiver is not trusted/),
      certificateFingerprint: FINGERPRINT,
    });
    expect(hook.received).toEqual([]);
    await updateTarget(gateway, target.id, { certificateFingerprint: found.certificateFingerprint });
    expect(await tested(target.id)).toEqual({
      ...NOTHING,
      delivered: true,
      message: null,
      httpStatus: 204,
      certificateFingerprint: FINGERPRINT,
    });
  });

  test('publishes to a broker, and reports a wrong password or a missing broker', async () => {
    const broker = await startAedes(undefined, 'right');
    const url = `mqtt://127.0.0.1:${broker.port}`;
    const { target } = await addTarget(gateway, { kind: 'MQTT', url, username: 'farm', secret: 'wrong', events: [] });
    expect((await tested(target.id)).message).toBe(
      "The broker rejects the gateway's credentials. Enter a user name and a password that the broker accepts.",
    );
    await updateTarget(gateway, target.id, { secret: 'right' });
    const watcher = await watchBroker(broker.port, { username: 'farm', password: 'right' });
    expect(await tested(target.id)).toEqual({ ...NOTHING, delivered: true, message: null });
    await until('the test arrives', () => watcher.heard, atLeast(1));
    const [heard] = watcher.heard;
    expect(heard).toMatchObject({ topic: 'print-farm/events/test', retain: false });
    expect(JSON.parse(heard?.text as string)).toMatchObject({ type: 'test', data: { text: expect.any(String) } });
    await watcher.stop();
    await broker.stop();
    expectCode(await gateway.graphql(TEST_TARGET, { id: randomUUID() }), 'NOT_FOUND');
    const both = TEST_TARGET.replace('{ test', '{ again: test').replace(
      /\}\s*$/,
      `testNotificationTarget(id: $id) { delivered } }`,
    );
    expectCode(await gateway.graphql(both, { id: target.id }), 'BAD_REQUEST');
  });

  test('cannot be used to scan ports: at most ten run at a time, and a key stores no answer', async () => {
    const hook = await startReceiver();
    const answers: (() => void)[] = [];
    hook.answer = (answer) => void answers.push(() => answerWith(204)(answer));
    const { target } = await addTarget(gateway, { url: hook.url });
    const ten = Array.from({ length: 10 }, () => tested(target.id));
    await until(
      'ten are received',
      () => hook.received,
      ({ length }) => length === 10,
    );
    expectCode(await gateway.graphql(TEST_TARGET, { id: target.id }), 'TOO_MANY_REQUESTS');
    for (const answer of answers) answer();
    await Promise.all(ten);
    hook.answer = answerWith(204);
    const keyed = () =>
      gateway.rest(
        'POST',
        '/graphql',
        { query: TEST_TARGET, variables: { id: target.id } },
        { 'idempotency-key': 'test-1' },
      );
    expectStatus(await keyed(), 200);
    expectStatus(await keyed(), 200);
    expect(hook.received).toHaveLength(12);
  });
});

describe('the test of a target, with the request time limit that users have,', () => {
  const gateway = useGateway(anyDatabase, { budget, devices });
  test('ends within the time limit when the receiver sends nothing', async () => {
    const hook = await startReceiver();
    hook.answer = () => {};
    const { target } = await addTarget(gateway, { url: hook.url });
    const { message, ...answer } = await testTarget(gateway, target.id);
    expect(answer).toEqual({ delivered: false, httpStatus: null, certificateFingerprint: null });
    expect(message).toMatch(/^The receiver did not answer in time/);
  });
});
