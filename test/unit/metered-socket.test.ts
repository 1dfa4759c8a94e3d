// The socket to a machine as libraries get it.
import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Meter } from '../../src/wire/meter';
import { MeteredSocket } from '../../src/wire/metered-socket';
import { closeServers, tcpServer } from '../support/hostile-machine';
import { inTime } from '../support/waiting';

test('what a machine says before it closes the connection is heard, however late the turn of the machine comes', async () => {
  const words = 'x'.repeat(20_000);
  const address = await tcpServer((socket) => socket.end(words));
  const raw = connect(Number(address.split(':')[1]), '127.0.0.1');
  const turns: (() => void)[] = [];
  const meter = { runInTurn: (work: () => void) => turns.push(work), countBytes: () => {}, onTooMuch: () => {} };
  const metered = new MeteredSocket(raw, meter as unknown as Meter);
  const heard: string[] = [];
  metered.on('data', (bytes) => heard.push(String(bytes))).on('end', () => heard.push('the end'));
  await inTime('the machine closes the connection', once(raw, 'close'));
  for (let turn = turns.shift(); turn; turn = turns.shift()) {
    turn();
    await nextTurn();
  }
  expect(heard.join('')).toBe(`${words}the end`);
  expect(metered.destroyed).toBe(true);
  await closeServers();
});
