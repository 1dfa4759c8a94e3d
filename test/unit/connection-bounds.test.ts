// How machines share the memory of the process, and what one connection may send.
import { setImmediate as nextRound } from 'node:timers/promises';
import { GatheredBytes } from '../../src/wire/gathered-bytes';
import { Meter } from '../../src/wire/meter';
import { estimateBytes, WaitingBytes } from '../../src/wire/waiting-bytes';

describe('memory', () => {
  test('of all machines together is bounded, and the machine that holds the most releases its memory', () => {
    const held = new WaitingBytes(100);
    const ended: string[] = [];
    const holder = (name: string) => ({ onTooMuch: () => void ended.push(name) });
    const [one, two, three] = [holder('one'), holder('two'), holder('three')];
    held.set(one, 30);
    held.set(two, 60);
    held.set(one, 40);
    expect(ended).toEqual([]);
    held.set(three, 10);
    expect(ended).toEqual(['two']);
    held.set(two, 50);
    expect(ended).toEqual(['two']);
    held.set(three, 0);
    held.set(one, 60);
    expect(ended).toEqual(['two', 'one']);
  });

  test('of a message is counted without recursion, and no further than the limit', () => {
    let deep: unknown = 'x';
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(estimateBytes(deep)).toBeGreaterThan(100_000 * 32);
    expect(estimateBytes(Array(1000).fill('x'.repeat(1000)), 10_000)).toBeLessThan(20_000);
    expect(estimateBytes({ a: 'x'.repeat(1000), b: 1, c: null })).toBeGreaterThan(2000);
  });

  test('of bytes that arrive one by one equals the bytes', () => {
    const gathered = new GatheredBytes(5000);
    for (let byte = 0; byte < 5000; byte += 1) gathered.append(Buffer.of(byte & 255));
    expect([gathered.toBuffer().length, gathered.toBuffer()[4999]]).toEqual([5000, 4999 & 255]);
    expect(() => gathered.append(Buffer.of(1))).toThrow('TOO_MUCH_DATA');
  });
});

describe('a connection', () => {
  const metered = (limits: Partial<ConstructorParameters<typeof Meter>[0]>) => {
    const ended: string[] = [];
    const all = { floodBytes: 10_000, steadyBytes: 0, maxBytes: 10_000, ...limits };
    const held = new WaitingBytes(1000);
    return { ended, held, meter: new Meter(all, () => void ended.push('TOO_MUCH_DATA'), held) };
  };

  test('may send a limited number of bytes together, and a small message counts more than its bytes', () => {
    const { meter, ended } = metered({});
    for (let n = 0; n < 38; n += 1) {
      meter.countBytes(1);
      meter.endMessage();
    }
    expect(ended).toEqual([]);
    for (let n = 0; n < 3; n += 1) meter.countControlFrame();
    expect(ended).not.toEqual([]);
  });

  test('may not send a message, an answer or a head without an end', () => {
    const { meter, ended } = metered({ maxBytes: 100 });
    for (let n = 0; n < 10; n += 1) {
      meter.countBytes(200);
      meter.endMessage();
    }
    expect(ended).toEqual([]);
    meter.countBytes(201);
    expect(ended).toEqual(['TOO_MUCH_DATA']);
  });

  test('counts what it remembers beside what waits, until it is closed', () => {
    const { meter, held, ended } = metered({});
    const other = { onTooMuch: () => void ended.push('other') };
    meter.setKeptBytes(600);
    meter.setWaitingBytes(300);
    held.set(other, 100);
    expect(ended).toEqual([]);
    held.set(other, 101);
    expect(ended).toEqual(['TOO_MUCH_DATA']);
    meter.close();
    held.set(other, 1000);
    expect(ended).toHaveLength(1);
  });

  test('that is closed holds nothing, and its work is dropped', async () => {
    const { meter, ended } = metered({});
    meter.countBytes(600);
    meter.setWaitingBytes(300);
    meter.close();
    meter.countBytes(900);
    meter.runInTurn(() => ended.push('work'));
    await nextRound();
    expect(ended).toEqual([]);
  });
});
