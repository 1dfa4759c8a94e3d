// One attempt to send to a receiver: what the receiver gets, and how its answers are read, with real receivers on loopback.
import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import type { NotificationMessage, ReadableTarget } from '../../src/notifications/channel-message';
import { Sender } from '../../src/notifications/sender';
import { generateSigningSecret } from '../../src/notifications/webhook';
import { createTimeoutSignal } from '../../src/values/timers';
import { type ReceiverAnswer, reportDelivered, reportFailed } from '../../src/wire/faults';
import { createNetwork, Reach } from '../../src/wire/networks';
import { closeServers, findUnusedAddress, startTcpServer } from '../support/hostile-machine';
import { answerAsNtfy, answerWith, startReceiver } from '../support/notification-receivers';

const CERTIFICATES = join(__dirname, '..', 'support', 'certificates');
const read = (name: string) => readFileSync(join(CERTIFICATES, name));
const CERTIFICATE = { key: read('server.key'), cert: read('server.crt') };
const FINGERPRINT = new X509Certificate(CERTIFICATE.cert).fingerprint256.replaceAll(':', '').toLowerCase();

const MESSAGE: NotificationMessage = {
  id: 'f0000000-0000-4000-8000-000000000001',
  event: 'PRINT_ENDED',
  at: '2026-11-26T12:00:00.000Z',
  severity: null,
  title: 'Print ended',
  text: 'Print cube of Voron ended',
  data: { print: { id: '1', outcome: 'COMPLETED' } },
  url: 'https://farm.example/prints/1',
};
const secret = generateSigningSecret();
const targetAt = (url: string, members: Partial<ReadableTarget> = {}): ReadableTarget => ({
  id: 't',
  kind: 'WEBHOOK',
  url,
  username: null,
  secret,
  formerSecret: null,
  certificateFingerprint: null,
  ...members,
});
const createReach = (resolve?: Parameters<typeof createNetwork>[1], hosts: string[] = []) => {
  const far = createNetwork({ allowed: ['0.0.0.0/0', '::/0'], gatewayPort: null }, resolve);
  return new Reach(createNetwork({ allowed: [], gatewayPort: null }, resolve), far, hosts);
};
const tell = (
  target: ReadableTarget,
  { message = MESSAGE, signal = createTimeoutSignal(60_000), reach = createReach() } = {},
): Promise<ReceiverAnswer> =>
  new Sender({
    reach,
    brokers: { send: async () => undefined },
    // In this test the secret in the row is in clear text.
    secrets: { decrypt: ({ secret }) => secret },
    log: { error: (line: object, text: string) => void logged.push({ ...line, text }) },
  }).send(message, target, signal);
const logged: object[] = [];

afterEach(closeServers);

test('a receiver of Standard Webhooks accepts the signature of a webhook, with the previous secret too', async () => {
  const hook = await startReceiver();
  const former = generateSigningSecret();
  const sent = targetAt(`${hook.url}/hook?key=1`, { formerSecret: former });
  expect(await tell(sent)).toEqual(reportDelivered(204, null));
  const [heard] = hook.received;
  expect(heard).toMatchObject({ method: 'POST', path: '/hook?key=1' });
  expect(heard?.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': MESSAGE.id });
  const headers = heard?.headers as Record<string, string>;
  for (const one of [secret, former]) {
    expect(new Webhook(one).verify(heard?.body as string, headers)).toEqual({
      type: 'print.ended',
      timestamp: MESSAGE.at,
      data: { print: { id: '1', outcome: 'COMPLETED' }, text: MESSAGE.text, url: MESSAGE.url },
    });
  }
  expect(() => new Webhook(generateSigningSecret()).verify(heard?.body as string, headers)).toThrow();
  expect(() => new Webhook(secret).verify(`${heard?.body} `, headers)).toThrow();
  await tell(sent, { message: { ...MESSAGE, event: 'OMITTED' } });
  await tell(sent, { message: { ...MESSAGE, event: 'TEST', text: '💡'.repeat(20_000) } });
  expect(hook.received.map(({ body }) => JSON.parse(body).type)).toEqual([
    'print.ended',
    'notifications.omitted',
    'test',
  ]);
  expect(Buffer.byteLength(hook.received[2]?.body as string)).toBeLessThan(20_000);
});

test('each attempt has the same id and the same body', async () => {
  const hook = await startReceiver();
  hook.answer = answerWith(500);
  for (const _ of [1, 2]) await tell(targetAt(hook.url));
  const [first, second] = hook.received;
  expect(second?.body).toBe(first?.body);
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
});

test('ntfy gets JSON at its root, with the topic, a priority, and its token', async () => {
  const server = await startReceiver();
  server.answer = answerAsNtfy;
  const target = targetAt(`${server.url}/my-topic`, { kind: 'NTFY', secret: 'tk_1' });
  const post = async (members: Partial<NotificationMessage>) => {
    expect(await tell(target, { message: { ...MESSAGE, ...members } })).toMatchObject({ fault: null });
    const receivedRequest = server.received.at(-1);
    expect(receivedRequest).toMatchObject({ method: 'POST', path: '/', headers: { authorization: 'Bearer tk_1' } });
    return JSON.parse(receivedRequest?.body as string);
  };
  expect(await post({})).toEqual({
    topic: 'my-topic',
    title: 'Print ended',
    message: MESSAGE.text,
    priority: 3,
    tags: ['checkered_flag'],
    click: MESSAGE.url,
  });
  expect(await post({ event: 'ALERT_RAISED', severity: 'CRITICAL', url: null })).toEqual({
    topic: 'my-topic',
    title: 'Print ended',
    message: MESSAGE.text,
    priority: 5,
    tags: ['rotating_light'],
  });
  expect((await post({ severity: 'WARNING' })).priority).toBe(4);
  expect((await post({ data: { print: { outcome: 'FAILED' } } })).priority).toBe(4);
  expect((await post({ data: { print: null, job: { status: 'FAILED' } } })).priority).toBe(4);
  for (const letter of ['x', '💡', '\u0001', '"']) {
    const { message } = await post({ text: letter.repeat(9000) });
    expect(Buffer.byteLength(server.received.at(-1)?.body as string)).toBeLessThanOrEqual(4000);
    expect(message.length).toBeGreaterThan(400);
  }
  for (const letter of ['x', 'ä', '日', '💡']) {
    const { title, message } = await post({ title: `${letter.repeat(900)} is completed` });
    expect(Buffer.byteLength(title)).toBeLessThanOrEqual(250);
    expect(Buffer.byteLength(title)).toBeGreaterThan(250 - Buffer.byteLength(letter));
    expect(title).toMatch(new RegExp(`^(${letter})+…$`));
    expect(message).toBe(MESSAGE.text);
  }
  await tell(targetAt(`${server.url}/t`, { kind: 'NTFY', secret: null }));
  expect(server.received.at(-1)?.headers).not.toHaveProperty('authorization');
});

test.each([
  ['a login page', '<html><form action="/login">', 'NOT_NTFY'],
  ['a login page longer than any message', `<html>${' '.repeat(100_000)}`, 'NOT_NTFY'],
  ['nothing', '', 'NOT_NTFY'],
  ['another JSON', '{"id": "1", "status": "ok"}', 'NOT_NTFY'],
  ['null', 'null', 'NOT_NTFY'],
  ['an event of ntfy that is not a message', '{"id": "1", "event": "open"}', 'NOT_NTFY'],
  ['a message', '{"id":"hwQ2YpKdmg","time":1,"event":"message","topic":"t","message":"x"}', null],
])(
  'a target of ntfy that answers 200 with %s has accepted the message only if ntfy confirms it',
  async (_what, body, fault) => {
    const server = await startReceiver();
    server.answer = (answer) => void answer.writeHead(200).end(body);
    const answer = await tell(targetAt(`${server.url}/t`, { kind: 'NTFY', secret: null }));
    expect(answer.fault).toBe(fault);
    // A webhook needs only the status.
    expect(await tell(targetAt(server.url))).toEqual(reportDelivered(200, null));
  },
);

test.each([
  [200, {}, { fault: null }],
  [299, {}, { fault: null }],
  [400, {}, { fault: 'REFUSED' }],
  [401, {}, { fault: 'CREDENTIALS_REFUSED' }],
  [403, {}, { fault: 'CREDENTIALS_REFUSED' }],
  [404, {}, { fault: 'REFUSED' }],
  [410, {}, { fault: 'GONE' }],
  [429, {}, { fault: 'BUSY', retryAfterSec: null }],
  [429, { 'retry-after': '120' }, { fault: 'BUSY', retryAfterSec: 120 }],
  [503, { 'retry-after': '99999' }, { fault: 'BUSY', retryAfterSec: 3600 }],
  [429, { 'retry-after': '9'.repeat(20) }, { fault: 'BUSY', retryAfterSec: 3600 }],
  [503, { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }, { fault: 'BUSY', retryAfterSec: 3600 }],
  [503, { 'retry-after': 'Thu, 01 Jan 2015 00:00:00 GMT' }, { fault: 'BUSY', retryAfterSec: null }],
  [500, { 'retry-after': '120' }, { fault: 'REFUSED', retryAfterSec: null }],
])('the status %i with %j is understood', async (status, headers, answer) => {
  const hook = await startReceiver();
  hook.answer = answerWith(status, headers);
  expect(await tell(targetAt(hook.url))).toEqual({ ...reportFailed('REFUSED'), httpStatus: status, ...answer });
});

test('a redirect is not followed', async () => {
  const [hook, other] = [await startReceiver(), await startReceiver()];
  for (const [location, fault] of [
    [other.url, 'REDIRECTED'],
    ['https://127.0.0.1/', 'HTTPS_REQUIRED'],
    ['HTTPS://127.0.0.1:8443/', 'HTTPS_REQUIRED'],
    // A login page of the same host.
    ['https://127.0.0.1/login?rd=/', 'REDIRECTED'],
    ['https://127.0.0.1/?rd=/t', 'REDIRECTED'],
    ['https://login.example/?next=/', 'REDIRECTED'],
    ['https://127.0.0.1.login.example/', 'REDIRECTED'],
    ['/login', 'REDIRECTED'],
  ] as const) {
    for (const status of [301, 302, 307, 308]) {
      hook.answer = answerWith(status, { location });
      expect(await tell(targetAt(hook.url))).toEqual({ ...reportFailed(fault), httpStatus: status });
    }
  }
  expect(other.received).toEqual([]);
});

test('a receiver that accepts the message and then sends too much, or never ends, has accepted it', async () => {
  const hook = await startReceiver();
  for (const part of ['x'.repeat(100_000), 'x']) {
    let closed = false;
    hook.answer = (answer) => {
      closed = false;
      answer.writeHead(200).flushHeaders();
      const write = () => {
        if (answer.destroyed) return;
        answer.write(part);
        setTimeout(write, 1);
      };
      answer.on('close', () => {
        closed = true;
      });
      write();
    };
    // On a slow machine even the status is late.
    let answer = reportFailed('TIMED_OUT');
    for (let ms = part.length > 1 ? 60_000 : 300; answer.fault === 'TIMED_OUT'; ms *= 2) {
      answer = await tell(targetAt(hook.url), { signal: createTimeoutSignal(ms) });
    }
    expect(answer).toEqual(reportDelivered(200, null));
    while (!closed) await new Promise(setImmediate);
  }
});

test('a receiver that does not answer as a webhook is described by what it does', async () => {
  const fault = async (address: string, signal?: AbortSignal) =>
    expect.objectContaining({ fault: (await tell(targetAt(`http://${address}`), signal && { signal })).fault });
  const silent = await startTcpServer(() => {});
  expect(await tell(targetAt(`http://${silent}`), { signal: createTimeoutSignal(200) })).toEqual(
    reportFailed('TIMED_OUT'),
  );
  const closing = await startTcpServer((socket) => socket.end());
  expect({ fault: 'CLOSED_AT_ONCE' }).toEqual(await fault(closing));
  const garbage = await startTcpServer((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'));
  expect({ fault: 'NOT_THIS_KIND' }).toEqual(await fault(garbage));
  const heads = await startTcpServer((socket) => {
    const write = () => {
      if (socket.destroyed) return;
      socket.write(`x-${'y'.repeat(9000)}: z\r\n`);
      setTimeout(write, 1);
    };
    socket.write('HTTP/1.1 200 OK\r\n');
    write();
  });
  expect({ fault: 'TOO_MUCH_DATA' }).toEqual(await fault(heads));
  expect({ fault: 'NOT_REACHABLE' }).toEqual(await fault(await findUnusedAddress()));
});

test('a certificate is trusted if an authority signed it or if it is pinned; nothing is sent before it is checked', async () => {
  const hook = await startReceiver(CERTIFICATE);
  const refused = { ...reportFailed('CERTIFICATE_NOT_TRUSTED'), certificateFingerprint: FINGERPRINT };
  expect(await tell(targetAt(hook.url))).toEqual(refused);
  const another = createHash('sha256').update('another').digest('hex');
  expect(await tell(targetAt(hook.url, { certificateFingerprint: another }))).toEqual(refused);
  expect(hook.received).toEqual([]);
  const pinned = targetAt(hook.url, { certificateFingerprint: FINGERPRINT });
  expect(await tell(pinned)).toEqual(reportDelivered(204, FINGERPRINT));
});

test('a name is looked up once, and the address that was checked is dialled', async () => {
  const hook = await startReceiver();
  const { port } = new URL(hook.url);
  const asked: string[] = [];
  const reach = createReach(async (host) => {
    asked.push(host);
    // A second look-up would give another address.
    return [{ address: asked.length === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }];
  });
  expect(await tell(targetAt(`http://printer.test:${port}/`), { reach })).toMatchObject({ fault: null });
  expect([asked, hook.received[0]?.headers.host]).toEqual([['printer.test'], `printer.test:${port}`]);
});

test('a name that resolves to a forbidden address is refused when it is dialled, and nothing is connected', async () => {
  const leadingTo =
    (...addresses: string[]) =>
    async () =>
      addresses.map((address) => ({ address, family: 4 }));
  const fault = async (...[addresses, hosts]: [string[], string[]?]) =>
    (await tell(targetAt('http://receiver.test/'), { reach: createReach(leadingTo(...addresses), hosts) })).fault;
  expect(await fault(['198.51.100.1'])).toBe('NOT_ALLOWED');
  expect(await fault(['169.254.169.254'], ['receiver.test'])).toBe('NOT_ALLOWED');
  expect(await fault([])).toBe('NOT_RESOLVED');
});

test('a message that cannot be sent is reported', async () => {
  const unreadable = targetAt('http://127.0.0.1/', { secret: 'SECRET_NOT_READABLE' });
  expect(await tell(unreadable)).toEqual(reportFailed('SECRET_NOT_READABLE'));
  expect(await tell(targetAt('nonsense'))).toEqual(reportFailed('NOT_THIS_KIND'));
  expect(await tell(targetAt('http://127.0.0.1/', { kind: 'PIGEON' as never }))).toEqual(reportFailed('NOT_THIS_KIND'));
  const hook = await startReceiver();
  expect((await tell(targetAt(`${hook.url}/t`, { kind: 'NTFY', secret: 'ü\u{1F4A1}' }))).fault).toBe(
    'CREDENTIALS_REFUSED',
  );
  expect(hook.received).toEqual([]);
  expect(logged).toEqual([]);
});

test('a mistake of the gateway is logged, without the text of the error', async () => {
  const message = {
    ...MESSAGE,
    get text(): string {
      throw Object.assign(new TypeError(`${secret} cannot be read`), { input: secret });
    },
  };
  expect(await tell(targetAt('http://127.0.0.1/'), { message })).toEqual(reportFailed('NOT_THIS_KIND'));
  expect(logged.splice(0)).toEqual([
    {
      err: { type: 'TypeError', stack: expect.stringMatching(/^ {4}at (?!.*whsec_).*webhook/s) },
      target: 't',
      text: 'A notification was not sent because of an error in the gateway. The gateway tries again. Please report this error.',
    },
  ]);
});
