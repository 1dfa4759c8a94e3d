// Parts beyond the limit of a job are merged with their neighbours, and none of their filament is lost.
import Decimal from 'decimal.js';
import { limitParts } from '../../src/farm/print-rules/division';
import type { ObservedFilament } from '../../src/farm/print-rules/print.model';

const part = (slot: string, mm: string | null, members: Partial<ObservedFilament> = {}): ObservedFilament => ({
  slot,
  mm,
  grams: null,
  basis: 'ESTIMATED',
  fromLayer: null,
  toLayer: null,
  ...members,
});
const shown = (parts: ObservedFilament[]) =>
  parts.map(({ slot, mm, basis, fromLayer, toLayer }) => `${slot} ${mm} ${basis} ${fromLayer}-${toLayer}`);

test('parts within the limit stay unchanged', () => {
  const parts = [part('ams:0:0', '1'), part('ams:0:1', null, { basis: 'UNKNOWN' })];
  expect(limitParts(parts, 2)).toEqual(parts);
});

test('the smallest neighbours are merged into the larger part, from the first layer of both to the last', () => {
  const lengths = [30, 5, 4, 40, 2, 9];
  const parts = lengths.map((mm, at) =>
    part(`ams:0:${at}`, String(mm), { fromLayer: at * 10 + 1, toLayer: at * 10 + 10 }),
  );
  expect(shown(limitParts(parts, 4))).toEqual([
    'ams:0:0 30 ESTIMATED 1-10',
    'ams:0:1 9 ESTIMATED 11-30',
    'ams:0:3 40 ESTIMATED 31-40',
    'ams:0:5 11 ESTIMATED 41-60',
  ]);
});

test('a part is merged with a neighbour of its filament before one of another filament', () => {
  const parts = [part('tool:0', '50'), part('tool:0', '60'), part('tool:1', '1'), part('tool:2', '1')];
  expect(limitParts(parts, 3).map(({ slot, mm }) => [slot, mm])).toEqual([
    ['tool:0', '110'],
    ['tool:1', '1'],
    ['tool:2', '1'],
  ]);
});

test('the merged part has the spool of the larger part and the less certain basis of both', () => {
  const [small, great] = [part('tool:0', '1', { basis: 'MEASURED' }), part('tool:0', '2', { spoolId: 'second' })];
  expect(limitParts([small, great], 1)).toMatchObject([{ mm: '3', spoolId: 'second', basis: 'ESTIMATED' }]);
  const unknown = part('tool:0', null, { basis: 'UNKNOWN' });
  expect(limitParts([small, unknown], 1)).toMatchObject([{ mm: '1', basis: 'UNKNOWN' }]);
});

test('two hundred parts become 64, and none of their filament is lost', () => {
  const parts = Array.from({ length: 200 }, (_, at) => part(`tool:${at % 3}`, `${at}.0001`));
  const joined = limitParts(parts, 64);
  const sum = (all: ObservedFilament[]) => Decimal.sum(...all.map(({ mm }) => mm as string)).toFixed();
  expect([joined.length, sum(joined)]).toEqual([64, sum(parts)]);
});
