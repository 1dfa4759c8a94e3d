// Connections of a running gateway: refusals in the order of the requests, clients that never close, and the stop.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { WebSocket } from 'ws';
import { say } from '../support/raw-socket';
import { type RunningGateway, runGateway } from '../support/running-gateway';
import { until } from '../support/waiting';

let gateway: RunningGateway;
const sockets: Socket[] = [];
beforeAll(async () => {
  gateway = await runGateway();
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => gateway?.stop());

const HOST = 'Host: 127.0.0.1\r\n';
const LIST = `GET /cameras HTTP/1.1\r\n${HOST}\r\n`;
const LAST = `GET /healthz HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`;
const H2C = `GET /healthz HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`;
const CONNECT = `CONNECT a:1 HTTP/1.1\r\n${HOST}\r\n`;
const shake = (key: string) =>
  `GET /graphql HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n${key}\r\n`;
const BAD_SHAKE = shake('');
const body = '{"camera_id":"first","friendly_name":"y"}';
const WRITE = `POST /cameras HTTP/1.1\r\n${HOST}Content-Length: ${body.length}\r\n\r\n${body}`;
const expecting = `POST /cameras HTTP/1.1\r\n${HOST}Expect: x\r\nContent-Length: 2\r\n\r\n{}`;

const statusesOf = (answer: string) => answer.match(/(?<=HTTP\/1\.1 )\d+/g);

/** A connection of which the client never closes its half. */
async function open({ url }: RunningGateway, text = ''): Promise<Socket> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
  sockets.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

describe('behind a request that is not answered yet, in the same packet', () => {
  test.each([
    ['an expectation', WRITE + expecting, ['201', '417']],
    ['CONNECT', LIST + CONNECT, ['200', '405']],
    ['CONNECT behind two', LIST + LIST + CONNECT, ['200', '200', '405']],
    ['a request that asks for another protocol', LIST + H2C + LAST, ['200', '200', '200']],
    // Its connection closes behind the second one.
    ['two such requests', LIST + H2C + LIST + H2C + LAST, ['200', '200', '200', '200']],
    ['a WebSocket without a key', LIST + BAD_SHAKE, ['200', '400']],
  ])('%s gets its answer in its turn', async (_what, text, statuses) => {
    expect(statusesOf(await say(gateway, text))).toEqual(statuses);
  });

  test('a WebSocket is opened in its turn', async () => {
    const socket = await open(gateway, LIST + shake('Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'));
    let answer = '';
    socket.on('data', (data) => (answer += data));
    await until(
      () => statusesOf(answer)?.length === 2,
      () => answer,
    );
    expect(statusesOf(answer)).toEqual(['200', '101']);
  });
});

describe('requests of one connection that have no answer yet', () => {
  const STREAM = `GET /graphql?query=subscription{changes{cursor}} HTTP/1.1\r\n${HOST}Accept: text/event-stream\r\n\r\n`;

  test('may be 32', async () => {
    expect(statusesOf(await say(gateway, LIST.repeat(31) + LAST))).toEqual(Array(32).fill('200'));
  });

  // A stream does not end, so all that comes behind it waits.
  test.each([
    ['a list', LIST],
    ['an unknown path', `GET /nothing HTTP/1.1\r\n${HOST}\r\n`],
    ['a URL that cannot be read', `GET /% HTTP/1.1\r\n${HOST}\r\n`],
  ])('end it when they are more, each for %s', async (_what, text) => {
    await say(gateway, STREAM + text.repeat(32));
    expect(statusesOf(await say(gateway, LAST))).toEqual(['200']);
  });
});

/** Texts after which the gateway closes its half of the connection, or waits for more. */
const UNFINISHED = {
  CONNECT,
  'a WebSocket without a key': BAD_SHAKE,
  junk: 'junk\r\n\r\n',
  nothing: '',
  'half a head': 'GET /cam',
  'half a body': `POST /cameras HTTP/1.1\r\n${HOST}Content-Length: 30\r\n\r\n{`,
  'a request and CONNECT': LIST + CONNECT,
  'a request and a WebSocket without a key': LIST + BAD_SHAKE,
};

test('clients that never close their half of a connection are let go', async () => {
  const count = Object.keys(UNFINISHED).length;
  const small = await runGateway({ MAX_CONNECTIONS: `${count}`, RECEIVE_TIMEOUT_MS: '500' });
  try {
    await Promise.all(Object.values(UNFINISHED).map((text) => open(small, text)));
    const all = () => Promise.all(Array.from({ length: count }, () => say(small, LAST)));
    await until(
      async () => (await all()).every((answer) => answer.startsWith('HTTP/1.1 200 ')),
      () => small.output,
    );
  } finally {
    await small.stop('SIGKILL');
  }
});

describe('a stop', () => {
  test('ends all connections', async () => {
    const own = await runGateway({ SHUTDOWN_TIMEOUT_MS: '1000' });
    await Promise.all(Object.values(UNFINISHED).map((text) => open(own, text)));
    await say(own, LAST);
    expect(await own.stop()).toBe(0);
  });

  test('closes a WebSocket whose handshake comes while it lasts', async () => {
    const own = await runGateway({ SHUTDOWN_TIMEOUT_MS: '4000' });
    const socket = await open(own);
    // The stop takes as long as this request: its second half comes later.
    const slow = await open(own, WRITE.slice(0, -1));
    await say(own, LAST);
    const ended = own.stop();
    await until(() => say(own, LAST).then((answer) => answer === ''));
    const late = new WebSocket(`${own.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
      createConnection: () => socket,
    });
    expect(await once(late, 'close')).toEqual([1001, Buffer.from('The gateway stops')]);
    slow.write(WRITE.slice(-1));
    expect(String((await once(slow, 'data'))[0])).toMatch(/^HTTP\/1\.1 201 /);
    expect(await ended).toBe(0);
  });
});
