// Room for so much at a time: who finds none waits, and the clients among them come in turns.
import { setImmediate as round } from 'node:timers/promises';
import { type Leave, Room } from '../../src/sharing/room';
import { turns } from '../../src/sharing/turns';

const LONG_MS = 60_000;
const late = () => new Error('late');

/** Enters for a client, and notes when it is inside. */
function visitors(room: Room) {
  const inside: string[] = [];
  const leaves: Leave[] = [];
  const enter = async (client: string, amount: number) => {
    const leave = await room.enter(client, amount, LONG_MS, late);
    inside.push(client);
    leaves.push(leave);
  };
  return { inside, leaves, enter };
}

test('so much is inside and no more; the clients of those who wait come in turns', async () => {
  const room = new Room(10);
  const { inside, leaves, enter } = visitors(room);
  for (const client of ['a', 'a', 'a', 'a', 'b', 'c']) void enter(client, 5);
  await round();
  expect(inside).toEqual(['a', 'a']);
  expect([room.crowds('a'), room.crowds('b')]).toEqual([true, false]);
  for (const expected of ['a', 'b', 'c', 'a']) {
    const leave = leaves.shift() as Leave;
    leave();
    leave();
    await round();
    expect(inside.at(-1)).toBe(expected);
  }
  expect(inside).toHaveLength(6);
});

test('what is larger than the room is inside alone, and nobody overtakes it', async () => {
  const { inside, leaves, enter } = visitors(new Room(10));
  for (const [client, amount] of [
    ['a', 1],
    ['b', 20],
    ['c', 1],
  ] as const)
    void enter(client, amount);
  await round();
  expect(inside).toEqual(['a']);
  leaves.shift()?.();
  await round();
  expect(inside).toEqual(['a', 'b']);
  leaves.shift()?.();
  await round();
  expect(inside).toEqual(['a', 'b', 'c']);
});

test('who has waited too long is refused, and those behind come', async () => {
  const room = new Room(10);
  await room.enter('a', 5, LONG_MS, late);
  const large = room.enter('b', 10, 1, late);
  const small = room.enter('c', 5, LONG_MS, late);
  await expect(large).rejects.toThrow('late');
  expect(await small).toEqual(expect.any(Function));
});

test('between two turns that hold the event loop, it has rounds for others', async () => {
  const turn = turns();
  const order: string[] = [];
  const long = async (name: string) => {
    await turn(name, LONG_MS);
    order.push(name);
    for (const end = performance.now() + 30; performance.now() < end; );
  };
  const [first, second] = [long('first'), long('second')];
  await first;
  for (let count = 0; count < 3; count += 1) {
    await round();
    order.push('other');
  }
  await second;
  expect(order).toEqual(['first', 'other', 'other', 'other', 'second']);
});
