// The names of slots, as clients write them.
import { readSlot } from '../../src/values/slot';

test.each([
  ['tool:1', 'tool:1'],
  ['tool:01', 'tool:1'],
  ['ams:00:010', 'ams:0:10'],
  ['ext:000', 'ext:0'],
])('%s is %s', (text, slot) => {
  expect(readSlot(text, 'slot')).toBe(slot);
});
