// The warning before a start with little memory.
import { memoryMib, memoryWarning } from '../../src/database/embedded/memory-needs';

test('too little memory causes a warning, and enough memory causes none', () => {
  expect(memoryWarning('new', 512)).toMatch(/up to 1000 MB of memory at the first start.*may use only 512 MB/);
  expect(memoryWarning('existing', 512)).toBeNull();
  expect(memoryWarning('existing', 256)).toMatch(/up to 500 MB of memory at /);
  expect(memoryWarning('new', 1000)).toBeNull();
});

test('the memory of this process is at most that of the machine', () => {
  expect(memoryMib()).toBeGreaterThan(0);
  expect(Number.isFinite(memoryMib())).toBe(true);
});
