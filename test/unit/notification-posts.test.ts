// One try to tell a receiver: what it hears, and what is made of its answers, by real receivers on loopback.
import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import type { NotificationMessage, ReadableTarget } from '../../src/notifications/channel-message';
import { Sender } from '../../src/notifications/sender';
import { generateSigningSecret } from '../../src/notifications/webhook';
import { timeoutSignal } from '../../src/values/timers';
import { type ReceiverAnswer, reportDelivered, reportFailed } from '../../src/wire/faults';
import { createNetwork, Reach } from '../../src/wire/networks';
import { closeServers, nobody, tcpServer } from '../support/hostile-machine';
import { answering, answeringAsNtfy, receiver } from '../support/receiving';

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
const reachBy = (resolve?: Parameters<typeof createNetwork>[1], hosts: string[] = []) => {
  const far = createNetwork({ allowed: ['0.0.0.0/0', '::/0'], gatewayPort: null }, resolve);
  return new Reach(createNetwork({ allowed: [], gatewayPort: null }, resolve), far, hosts);
};
const tell = (
  target: ReadableTarget,
  { message = MESSAGE, signal = timeoutSignal(60_000), reach = reachBy() } = {},
): Promise<ReceiverAnswer> =>
  new Sender({
    reach,
    brokers: { send: async () => undefined },
    // Here the secret in the row is in clear.
    secrets: { decrypt: ({ secret }) => secret },
    log: { error: (line: object, text: string) => void logged.push({ ...line, text }) },
  }).send(message, target, signal);
const logged: object[] = [];

afterEach(closeServers);

test('a webhook is signed so that a receiver of Standard Webhooks takes it, with the secret before as well', async () => {
  const hook = await receiver();
  const former = generateSigningSecret();
  const sent = targetAt(`${hook.url}/hook?key=1`, { formerSecret: former });
  expect(await tell(sent)).toEqual(reportDelivered(204, null));
  const [heard] = hook.heard;
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
  expect(hook.heard.map(({ body }) => JSON.parse(body).type)).toEqual(['print.ended', 'notifications.omitted', 'test']);
  expect(Buffer.byteLength(hook.heard[2]?.body as string)).toBeLessThan(20_000);
});

test('each try has the same id and the same body', async () => {
  const hook = await receiver();
  hook.answer = answering(500);
  for (const _ of [1, 2]) await tell(targetAt(hook.url));
  const [first, second] = hook.heard;
  expect(second?.body).toBe(first?.body);
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
});

test('ntfy gets JSON at its root, with the topic, a priority, and its token', async () => {
  const server = await receiver();
  server.answer = answeringAsNtfy;
  const target = targetAt(`${server.url}/my-topic`, { kind: 'NTFY', secret: 'tk_1' });
  const told = async (members: Partial<NotificationMessage>) => {
    expect(await tell(target, { message: { ...MESSAGE, ...members } })).toMatchObject({ fault: null });
    const heard = server.heard.at(-1);
    expect(heard).toMatchObject({ method: 'POST', path: '/', headers: { authorization: 'Bearer tk_1' } });
    return JSON.parse(heard?.body as string);
  };
  expect(await told({})).toEqual({
    topic: 'my-topic',
    title: 'Print ended',
    message: MESSAGE.text,
    priority: 3,
    tags: ['checkered_flag'],
    click: MESSAGE.url,
  });
  expect(await told({ event: 'ALERT_RAISED', severity: 'CRITICAL', url: null })).toEqual({
    topic: 'my-topic',
    title: 'Print ended',
    message: MESSAGE.text,
    priority: 5,
    tags: ['rotating_light'],
  });
  expect((await told({ severity: 'WARNING' })).priority).toBe(4);
  expect((await told({ data: { print: { outcome: 'FAILED' } } })).priority).toBe(4);
  expect((await told({ data: { print: null, job: { status: 'FAILED' } } })).priority).toBe(4);
  for (const letter of ['x', '💡', '\u0001', '"']) {
    const { message } = await told({ text: letter.repeat(9000) });
    expect(Buffer.byteLength(server.heard.at(-1)?.body as string)).toBeLessThanOrEqual(4000);
    expect(message.length).toBeGreaterThan(400);
  }
  for (const letter of ['x', 'ä', '日', '💡']) {
    const { title, message } = await told({ title: `${letter.repeat(900)} is completed` });
    expect(Buffer.byteLength(title)).toBeLessThanOrEqual(250);
    expect(Buffer.byteLength(title)).toBeGreaterThan(250 - Buffer.byteLength(letter));
    expect(title).toMatch(new RegExp(`^(${letter})+…$`));
    expect(message).toBe(MESSAGE.text);
  }
  await tell(targetAt(`${server.url}/t`, { kind: 'NTFY', secret: null }));
  expect(server.heard.at(-1)?.headers).not.toHaveProperty('authorization');
});

test.each([
  ['a login page', '<html><form action="/login">', 'NOT_NTFY'],
  ['a login page longer than any message', `<html>${' '.repeat(100_000)}`, 'NOT_NTFY'],
  ['nothing', '', 'NOT_NTFY'],
  ['another JSON', '{"id": "1", "status": "ok"}', 'NOT_NTFY'],
  ['null', 'null', 'NOT_NTFY'],
  ['an event of ntfy that is no message', '{"id": "1", "event": "open"}', 'NOT_NTFY'],
  ['a message', '{"id":"hwQ2YpKdmg","time":1,"event":"message","topic":"t","message":"x"}', null],
])(
  'a target of ntfy that answers 200 with %s has taken the message only if ntfy says so',
  async (_what, body, fault) => {
    const server = await receiver();
    server.answer = (answer) => void answer.writeHead(200).end(body);
    const answer = await tell(targetAt(`${server.url}/t`, { kind: 'NTFY', secret: null }));
    expect(answer.fault).toBe(fault);
    // To a webhook the status is enough.
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
  const hook = await receiver();
  hook.answer = answering(status, headers);
  expect(await tell(targetAt(hook.url))).toEqual({ ...reportFailed('REFUSED'), httpStatus: status, ...answer });
});

test('a redirect is not followed', async () => {
  const [hook, other] = [await receiver(), await receiver()];
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
      hook.answer = answering(status, { location });
      expect(await tell(targetAt(hook.url))).toEqual({ ...reportFailed(fault), httpStatus: status });
    }
  }
  expect(other.heard).toEqual([]);
});

test('a receiver that takes the message and then says too much, or never ends, has taken it', async () => {
  const hook = await receiver();
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
    // On a slow machine not even the status comes in time.
    let answer = reportFailed('TIMED_OUT');
    for (let ms = part.length > 1 ? 60_000 : 300; answer.fault === 'TIMED_OUT'; ms *= 2) {
      answer = await tell(targetAt(hook.url), { signal: timeoutSignal(ms) });
    }
    expect(answer).toEqual(reportDelivered(200, null));
    while (!closed) await new Promise(setImmediate);
  }
});

test('a receiver that does not answer as one is named by what it does', async () => {
  const fault = async (address: string, signal?: AbortSignal) =>
    expect.objectContaining({ fault: (await tell(targetAt(`http://${address}`), signal && { signal })).fault });
  const silent = await tcpServer(() => {});
  expect(await tell(targetAt(`http://${silent}`), { signal: timeoutSignal(200) })).toEqual(reportFailed('TIMED_OUT'));
  const closing = await tcpServer((socket) => socket.end());
  expect({ fault: 'CLOSED_AT_ONCE' }).toEqual(await fault(closing));
  const garbage = await tcpServer((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'));
  expect({ fault: 'NOT_THIS_KIND' }).toEqual(await fault(garbage));
  const heads = await tcpServer((socket) => {
    const write = () => {
      if (socket.destroyed) return;
      socket.write(`x-${'y'.repeat(9000)}: z\r\n`);
      setTimeout(write, 1);
    };
    socket.write('HTTP/1.1 200 OK\r\n');
    write();
  });
  expect({ fault: 'TOO_MUCH_DATA' }).toEqual(await fault(heads));
  expect({ fault: 'NOT_REACHABLE' }).toEqual(await fault(await nobody()));
});

test('a certificate is trusted that an authority signed, or that is pinned; nothing is sent before it was looked at', async () => {
  const hook = await receiver(CERTIFICATE);
  const refused = { ...reportFailed('CERTIFICATE_NOT_TRUSTED'), certificateFingerprint: FINGERPRINT };
  expect(await tell(targetAt(hook.url))).toEqual(refused);
  const another = createHash('sha256').update('another').digest('hex');
  expect(await tell(targetAt(hook.url, { certificateFingerprint: another }))).toEqual(refused);
  expect(hook.heard).toEqual([]);
  const pinned = targetAt(hook.url, { certificateFingerprint: FINGERPRINT });
  expect(await tell(pinned)).toEqual(reportDelivered(204, FINGERPRINT));
});

test('a name is looked up once, and the address that was checked is dialled', async () => {
  const hook = await receiver();
  const { port } = new URL(hook.url);
  const asked: string[] = [];
  const reach = reachBy(async (host) => {
    asked.push(host);
    // A second look-up would lead elsewhere.
    return [{ address: asked.length === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }];
  });
  expect(await tell(targetAt(`http://printer.test:${port}/`), { reach })).toMatchObject({ fault: null });
  expect([asked, hook.heard[0]?.headers.host]).toEqual([['printer.test'], `printer.test:${port}`]);
});

test('a name that leads where nothing may be told is refused when it is dialled, and nothing is connected', async () => {
  const leadingTo =
    (...addresses: string[]) =>
    async () =>
      addresses.map((address) => ({ address, family: 4 }));
  const fault = async (...[addresses, hosts]: [string[], string[]?]) =>
    (await tell(targetAt('http://receiver.test/'), { reach: reachBy(leadingTo(...addresses), hosts) })).fault;
  expect(await fault(['198.51.100.1'])).toBe('NOT_ALLOWED');
  expect(await fault(['169.254.169.254'], ['receiver.test'])).toBe('NOT_ALLOWED');
  expect(await fault([])).toBe('NOT_RESOLVED');
});

test('what cannot be sent is said', async () => {
  const unreadable = targetAt('http://127.0.0.1/', { secret: 'SECRET_NOT_READABLE' });
  expect(await tell(unreadable)).toEqual(reportFailed('SECRET_NOT_READABLE'));
  expect(await tell(targetAt('nonsense'))).toEqual(reportFailed('NOT_THIS_KIND'));
  expect(await tell(targetAt('http://127.0.0.1/', { kind: 'PIGEON' as never }))).toEqual(reportFailed('NOT_THIS_KIND'));
  const hook = await receiver();
  expect((await tell(targetAt(`${hook.url}/t`, { kind: 'NTFY', secret: 'ü\u{1F4A1}' }))).fault).toBe(
    'CREDENTIALS_REFUSED',
  );
  expect(hook.heard).toEqual([]);
  expect(logged).toEqual([]);
});

test('a mistake of the gateway is logged, without what the error says', async () => {
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
