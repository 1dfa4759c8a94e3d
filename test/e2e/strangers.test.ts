// Callers without credentials, with the settings that users have: they are refused before their bodies come, and others are served beside them.
import { connect, type Socket } from 'node:net';
import { newApiKey } from '../../src/doors/auth/api-keys';
import { ask } from '../support/asking';
import { closed, say } from '../support/raw-socket';
import { type RunningGateway, runGateway } from '../support/running-gateway';
import { is, until } from '../support/waiting';

const MEGABYTE = 1024 * 1024;
const { key, entry } = newApiKey('app', 'read+write');
const KEYED = `X-API-Key: ${key}\r\n`;
const CAMERA = '{"camera_id":"cam","friendly_name":"Door"}';
const LONG = `Content-Length: ${MEGABYTE}\r\n`;

let gateway: RunningGateway;
const sockets: Socket[] = [];
beforeAll(async () => {
  gateway = await runGateway({ API_KEYS: entry, REQUEST_TIMEOUT_MS: '4500' });
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => gateway?.stop());

const head = (line: string, headers: string) => `${line} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;
const statusesOf = (answer: string) => answer.match(/(?<=HTTP\/1\.1 )\d+/g);

test.each([
  ['no credentials', head('POST /cameras', LONG), '401'],
  ['wrong ones', head('POST /cameras', `X-API-Key: pfg_x\r\n${LONG}`), '401'],
  ['no credentials for GraphQL', head('POST /graphql', `Content-Type: application/json\r\n${LONG}`), '401'],
  ['a body without end', head('POST /cameras', 'Transfer-Encoding: chunked\r\n'), '401'],
  ['a client that waits with its body', head('POST /cameras', `Expect: 100-continue\r\n${LONG}`), '401'],
  ['another protocol', head('POST /cameras', `Connection: Upgrade\r\nUpgrade: h2c\r\n${LONG}`), '401'],
  ['a WebSocket by POST', head('POST /graphql', `Connection: Upgrade\r\nUpgrade: websocket\r\n${LONG}`), '401'],
  ['an unknown path', head('POST /nothing', LONG), '404'],
  ['a wrong method', head('PUT /healthz', LONG), '405'],
  ['an unknown path for a client that waits', head('POST /nothing', `Expect: 100-continue\r\n${LONG}`), '404'],
  ['a wrong method of one that waits', head('PUT /healthz', `Expect: 100-continue\r\n${LONG}`), '405'],
  ['a path that cannot be read', head('POST /%', LONG), '400'],
  ['a probe with a body', head('GET /healthz', LONG), '200'],
  ['a page with a body', head('GET /', LONG), '200'],
  ['a body that is too long', head('POST /cameras', `${KEYED}Content-Length: ${MEGABYTE + 1}\r\n`), '413'],
  ['the same that waits', head('POST /cameras', `${KEYED}Expect: 100-continue\r\nContent-Length: 9999999\r\n`), '413'],
])('%s: answered before the body is sent, and the connection ends', async (_what, text, status) => {
  const answer = await say(gateway, text);
  expect(statusesOf(answer)).toEqual([status]);
  expect(answer).toMatch(/^connection: close\r$/im);
});

test('a short body that comes with its head does not end the connection', async () => {
  const refused = `${head('POST /cameras', `Content-Length: ${CAMERA.length}\r\n`)}${CAMERA}`;
  const answer = await say(gateway, refused + refused + head('GET /healthz', 'Connection: close\r\n'));
  expect(statusesOf(answer)).toEqual(['401', '401', '200']);
});

test('who is admitted is asked for the body', async () => {
  const waits = `${KEYED}Expect: 100-continue\r\nConnection: close\r\nContent-Length: ${CAMERA.length}\r\n`;
  const answer = await say(gateway, [head('POST /cameras', waits), CAMERA]);
  expect(statusesOf(answer)).toEqual(['100', '201']);
});

test('requests with 150 headers are answered in their order', async () => {
  const many = (headers: string) => head('GET /healthz', 'a:b\r\n'.repeat(150) + headers);
  const answer = await say(gateway, many('').repeat(30) + many('Connection: close\r\n'));
  expect(statusesOf(answer)).toEqual(Array(31).fill('200'));
});

test('a request with more than 200 headers is answered, and is the last of its connection', async () => {
  const many = 'a:b\r\n'.repeat(600);
  const get = await say(gateway, head('GET /healthz', '') + head('GET /healthz', many));
  expect(statusesOf(get)).toEqual(['200', '200']);
  expect(get.match(/^connection: close\r$/gim)).toHaveLength(1);
  const post = head('POST /cameras', `${KEYED}Content-Length: ${CAMERA.length}\r\n${many}`);
  const posted = await say(gateway, [post, CAMERA.replace('"cam"', '"two"')]);
  expect(statusesOf(posted)).toEqual(['201']);
});

test('a WebSocket may send little before it is admitted', async () => {
  const shake =
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n';
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').on('error', () => {});
  sockets.push(socket);
  let answer = '';
  socket.once('data', (data) => (answer = String(data)));
  socket.write(head('GET /graphql', shake));
  await until(
    'the WebSocket is open',
    () => answer,
    (text) => text.startsWith('HTTP/1.1 101 '),
  );
  // A text of a megabyte, of which the first tenth comes; the mask is 0.
  socket.write(Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0x0f, 0x42, 0x40, 0, 0, 0, 0]));
  socket.write(Buffer.alloc(100_000, ' '));
  await closed(socket);
});

test('200 strangers who send bodies of a megabyte without reading keep nobody from the probe and from a read with a key', async () => {
  const body = Buffer.alloc(MEGABYTE, ' ');
  const { port } = new URL(gateway.url);
  let answered = 0;
  for (let n = 0; n < 200; n += 1) {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
    sockets.push(socket);
    socket.once('data', () => (answered += 1));
    socket.write(head('POST /cameras', LONG));
    socket.write(body);
  }
  for (let n = 0; n < 5; n += 1) {
    expect(await ask(gateway, '/healthz')).toMatchObject({ status: 200 });
    expect(await ask(gateway, '/api/printjobs', undefined, 'GET', { 'x-api-key': key })).toMatchObject({ status: 200 });
  }
  await until('each stranger is answered', () => answered, is(200));
});

test('a body with more values than it may have bytes for is refused; its limit is by the length of bodies', async () => {
  const lists = { extra: Array(150_000).fill([]) };
  const answer = await ask(gateway, '/cameras', lists, 'POST', { 'x-api-key': key });
  expect(answer).toMatchObject({ status: 400, body: { error: 'The body has more than 209715 values' } });
});
