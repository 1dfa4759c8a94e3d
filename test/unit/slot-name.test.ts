// How the dashboard names the slots of printers.
import { slotName } from '../../src/web/parts/slot-name';

test.each([
  ['tool:0', [], 'Extruder'],
  ['tool:0', ['tool:0', 'ams:0:0'], 'Extruder'],
  ['tool:0', ['tool:0', 'tool:1'], 'Extruder 1'],
  ['tool:1', ['tool:0', 'tool:1'], 'Extruder 2'],
  ['ams:0:2', [], 'AMS 1, slot 3'],
  ['mmu:0', [], 'Gate 0'],
  ['ext:0', [], 'External spool'],
  ['ext:1', [], 'External spool 2'],
  ['left', [], 'left'],
])('slot %s among %j is called %j', (slot, among, name) => {
  expect(slotName(slot, among)).toBe(name);
});
