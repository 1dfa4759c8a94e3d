// What a connection may do before it is a request: how much it may say, how slowly, and how many there may be.
import { connect, type Socket } from 'node:net';
import { closed, say } from '../support/raw-socket';
import { type RunningGateway, runGateway } from '../support/running-gateway';

let gateway: RunningGateway;
let sockets: Socket[] = [];
beforeAll(async () => {
  gateway = await runGateway({ HEADER_LIMIT_BYTES: '2048', RECEIVE_TIMEOUT_MS: '500', MAX_CONNECTIONS: '3' });
});
afterEach(async () => {
  await Promise.all(sockets.map((socket) => closed(socket.destroy())));
  sockets = [];
});
afterAll(() => gateway.stop());

const HEAD = 'POST /cameras HTTP/1.1\r\nHost: 127.0.0.1\r\n';

test('headers that are too large: 431', async () => {
  const answer = await say(gateway, `${HEAD}x: ${'y'.repeat(2048)}\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 431 .*\r\n/);
  expect(answer).toContain('{"error":"The headers are too large"}');
});

test.each([
  ['nothing', ''],
  ['half of the headers', HEAD],
  ['half of the body', `${HEAD}Content-Length: 100\r\n\r\n{"camera_id": `],
  ['a chunk of the body', `${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\n{"cam\r\n`],
])('a request of which %s has come when the time is over: 408', async (_what, text) => {
  const answer = await say(gateway, text);
  expect(answer).toMatch(/^HTTP\/1\.1 408 .*\r\n/);
  expect(answer).toContain('{"error":"The request took too long to arrive"}');
});

test('more connections than there may be are closed, and those that are there go on', async () => {
  const { port } = new URL(gateway.url);
  const open = Array.from({ length: 3 }, () => connect(Number(port), '127.0.0.1').on('error', () => {}));
  sockets.push(...open);
  await Promise.all(open.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
  expect(await say(gateway, 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')).toBe('');
  const answer = new Promise((resolve) => open[0]?.once('data', resolve));
  open[0]?.write('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  expect(String(await answer)).toMatch(/^HTTP\/1\.1 200 /);
});

// The last one: the gateway is still busy with these connections when it ends.
test('a thousand clients connect while the process is busy: none has to try again', async () => {
  const { port } = new URL(gateway.url);
  process.kill(gateway.pid, 'SIGSTOP');
  try {
    sockets = Array.from({ length: 1000 }, () => connect(Number(port), '127.0.0.1').on('error', () => {}));
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
  } finally {
    process.kill(gateway.pid, 'SIGCONT');
  }
});
