// The machines of the demonstration survive whatever another program sends them by mistake.
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { generate } from 'mqtt-packet';
import { WebSocket } from 'ws';
import { startFake } from '../../../src/demo/machines/start-machine';
import { MachineTester } from '../../../src/machines/trial';
import { LIMITS } from '../../../src/wire/connection-limits';
import { closeAfterEach, createTarget, LOOPBACK } from '../../support/device-session';
import { waitForClose } from '../../support/raw-socket';
import { inTime } from '../../support/waiting';

const closed = closeAfterEach();
const GARBAGE = [Buffer.from([0xff, 0, 0x16, 3, 1, 0x80]), Buffer.from('{"method": \n'), Buffer.from('null')];

const sent = (socket: ReturnType<typeof connect>, bytes: string | Buffer) => {
  socket.on('error', () => {}).resume();
  socket.end(bytes);
  return waitForClose(socket);
};

/** On a WebSocket that the machine may close. */
const sendTo = (url: string, words: string | Buffer) =>
  inTime(
    `the WebSocket at ${url} is closed`,
    new Promise<void>((done) => {
      const socket = new WebSocket(url);
      socket.on('error', () => {}).once('close', () => done());
      socket.on('open', () => {
        socket.send(words);
        socket.close();
      });
    }),
  );

test.each(['MOONRAKER', 'OCTOPRINT', 'PRUSALINK', 'BAMBU', 'OPEN_GOPRO'] as const)(
  '%s answers as before',
  async (kind) => {
    const secret = '73914206';
    const fake = closed(await startFake(kind, { secret }));
    const { port, serial, certificateFingerprint } = fake;
    for (const bytes of GARBAGE) await sent(connect(port, '127.0.0.1'), bytes);
    for (const path of ['/%', '/api/files/local/%', '//[', '*'])
      await sent(connect(port, '127.0.0.1'), `GET ${path} HTTP/1.0\r\nx-api-key: ${secret}\r\n\r\n`);
    for (const path of ['/websocket', '/sockjs/websocket', '/none'])
      for (const words of GARBAGE) await sendTo(`ws://127.0.0.1:${port}${path}`, words);
    if (kind === 'BAMBU') {
      const login = generate({
        cmd: 'connect',
        protocolId: 'MQTT',
        protocolVersion: 4,
        clean: true,
        clientId: 'x',
        keepalive: 30,
        username: 'bblp',
        password: Buffer.from(secret),
      });
      const topic = `device/${serial}/request`;
      for (const payload of GARBAGE) {
        const publish = generate({ cmd: 'publish', topic, payload, qos: 0, dup: false, retain: false });
        const tls = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
        await sent(tls, Buffer.concat([login, publish]));
      }
    }
    const target = createTarget(`${kind === 'BAMBU' ? '' : 'http://'}127.0.0.1:${port}`, {
      secret,
      serial,
      certificateFingerprint,
    });
    expect(await new MachineTester().test(kind, target, LOOPBACK, LIMITS)).toMatchObject({
      reached: true,
      fault: null,
    });
  },
);
