// How machines share the process: turns, memory, and what one connection may send.
import { GatheredBytes } from '../../src/wire/gathered-bytes';
import { MessageTurns } from '../../src/wire/message-turns';
import { Meter } from '../../src/wire/meter';
import { WaitingBytes, weightOf } from '../../src/wire/waiting-bytes';

/** Time goes on only while a test works or waits. */
function turning() {
  let now = 0;
  const due: { at: number; work: () => void }[] = [];
  const turns = new MessageTurns({
    now: () => now,
    cpuMs: () => now,
    schedule: (ms, work) => void due.push({ at: now + ms, work }),
    afterCurrentTurn: (work) => work(),
  });
  const order: string[] = [];
  return {
    turns,
    order,
    work: (name: string, ms: number) => () => {
      order.push(`${name} at ${Math.floor(now)}`);
      now += ms;
    },
    run() {
      for (let next = due.shift(); next !== undefined; next = due.shift()) {
        now = Math.max(now, next.at);
        next.work();
      }
      return now;
    },
  };
}

describe('turns', () => {
  test('go to the machine that cost least, and not to the one that came first', () => {
    const { turns, order, work, run } = turning();
    const [hostile, honest] = [{ spentMs: 0 }, { spentMs: 0 }];
    for (let n = 0; n < 3; n += 1) turns.enqueue(hostile, work('hostile', 4));
    for (let n = 0; n < 3; n += 1) turns.enqueue(honest, work('honest', 1));
    run();
    expect(order.map((turn) => turn.split(' ')[0])).toEqual('hostile honest honest honest hostile hostile'.split(' '));
  });

  test('a machine that was silent for long has saved up nothing', () => {
    const { turns, order, work, run } = turning();
    const [busy, late] = [{ spentMs: 0 }, { spentMs: 0 }];
    turns.enqueue(busy, work('busy', 500));
    turns.enqueue(busy, work('busy', 1));
    run();
    for (let n = 0; n < 3; n += 1) turns.enqueue(late, work('late', 4));
    turns.enqueue(busy, work('busy', 4));
    run();
    expect(order.slice(2).map((turn) => turn.split(' ')[0])).toEqual('late busy late late'.split(' '));
  });

  test('take half of the time', () => {
    const { turns, work, run } = turning();
    const [one, other] = [{ spentMs: 0 }, { spentMs: 0 }];
    for (let n = 0; n < 100; n += 1) turns.enqueue(n % 2 === 0 ? one : other, work('x', 10));
    expect(run()).toBeGreaterThan(1900);
  });

  test('work outside of turns counts, and a turn that fails stops nobody', () => {
    const { turns, order, work, run } = turning();
    const [one, other] = [{ spentMs: 0 }, { spentMs: 0 }];
    turns.runCharged(one, () => turns.runCharged(one, work('one', 30)));
    expect(Math.floor(one.spentMs)).toBe(30);
    turns.enqueue(one, () => {
      throw new Error('failed');
    });
    turns.enqueue(other, work('other', 1));
    expect(run).toThrow('failed');
    run();
    expect(order.at(-1)).toMatch(/^other/);
  });
});

describe('memory', () => {
  test('of all machines together is bounded, and the one that holds most gives it back', () => {
    const held = new WaitingBytes(100);
    const told: string[] = [];
    const holder = (name: string) => ({ onTooMuch: () => void told.push(name) });
    const [one, two, three] = [holder('one'), holder('two'), holder('three')];
    held.set(one, 30);
    held.set(two, 60);
    held.set(one, 40);
    expect(told).toEqual([]);
    held.set(three, 10);
    expect(told).toEqual(['two']);
    held.set(two, 50);
    expect(told).toEqual(['two']);
    held.set(three, 0);
    held.set(one, 60);
    expect(told).toEqual(['two', 'one']);
  });

  test('of a message is counted without recursion, and no further than to the bound', () => {
    let deep: unknown = 'x';
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(weightOf(deep)).toBeGreaterThan(100_000 * 32);
    expect(weightOf(Array(1000).fill('x'.repeat(1000)), 10_000)).toBeLessThan(20_000);
    expect(weightOf({ a: 'x'.repeat(1000), b: 1, c: null })).toBeGreaterThan(2000);
  });

  test('of bytes that come one by one is that of the bytes', () => {
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
    return { ended, held, meter: new Meter(all, () => void ended.push('TOO_MUCH_DATA'), new MessageTurns(), held) };
  };

  test('may send so many bytes at once, and a small message is dearer than its bytes', () => {
    const { meter, ended } = metered({});
    for (let n = 0; n < 38; n += 1) {
      meter.countBytes(1);
      meter.endMessage();
    }
    expect(ended).toEqual([]);
    for (let n = 0; n < 3; n += 1) meter.countControlFrame();
    expect(ended).not.toEqual([]);
  });

  test('may send no message, answer or head without an end', () => {
    const { meter, ended } = metered({ maxBytes: 100 });
    for (let n = 0; n < 10; n += 1) {
      meter.countBytes(200);
      meter.endMessage();
    }
    expect(ended).toEqual([]);
    meter.countBytes(201);
    expect(ended).toEqual(['TOO_MUCH_DATA']);
  });

  test('what it remembers counts beside what waits, until it is over', () => {
    const { meter, held, ended } = metered({});
    const other = { onTooMuch: () => void ended.push('other') };
    meter.keeps(600);
    meter.setWaitingBytes(300);
    held.set(other, 100);
    expect(ended).toEqual([]);
    held.set(other, 101);
    expect(ended).toEqual(['TOO_MUCH_DATA']);
    meter.close();
    held.set(other, 1000);
    expect(ended).toHaveLength(1);
  });

  test('that is over holds nothing, and its turn is left out', () => {
    const { meter, ended } = metered({});
    meter.countBytes(600);
    meter.setWaitingBytes(300);
    meter.close();
    meter.countBytes(900);
    meter.runInTurn(() => ended.push('turn'));
    expect(ended).toEqual([]);
  });
});
