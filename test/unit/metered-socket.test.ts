// Tests the metered socket to a machine, as libraries use it.
import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Meter } from '../../src/wire/meter';
import { MeteredSocket } from '../../src/wire/metered-socket';
import { closeServers, startTcpServer } from '../support/hostile-machine';
import { inTime } from '../support/waiting';

test('what a machine sends before it closes the connection is read, however late its turn comes', async () => {
  const words = 'x'.repeat(20_000);
  const address = await startTcpServer((socket) => socket.end(words));
  const raw = connect(Number(address.split(':')[1]), '127.0.0.1');
  const turns: (() => void)[] = [];
  const meter = { runInTurn: (work: () => void) => turns.push(work), countBytes: () => {}, onTooMuch: () => {} };
  const metered = new MeteredSocket(raw, meter as unknown as Meter);
  const receivedTexts: string[] = [];
  metered.on('data', (bytes) => receivedTexts.push(String(bytes))).on('end', () => receivedTexts.push('the end'));
  await inTime('the machine closes the connection', once(raw, 'close'));
  for (let turn = turns.shift(); turn; turn = turns.shift()) {
    turn();
    await nextTurn();
  }
  expect(receivedTexts.join('')).toBe(`${words}the end`);
  expect(metered.destroyed).toBe(true);
  await closeServers();
});
