// The limits of the division among the spools of a slot: however often a program changes them, a job has at most 64 parts.

import Decimal from 'decimal.js';

import { findSpoolChanges } from '../../src/farm/print-rules/loaded-spools';
import { NO_FIGURES } from '../../src/farm/print-rules/print.model';
import { divideBySpools } from '../../src/farm/print-rules/spool-division';
import { PRINTER_KINDS } from '../../src/kind-facts';
import { instant } from '../recordings/recording';
import { segment } from '../support/courses';

test.each([
  [1, 16],
  [5, 60],
  [40, 40],
])('if %i slots are changed 50 times, at most %i parts are left, and their sum is the whole', (count, most) => {
  const slots = Array.from({ length: count }, (_, at) => `tool:${at}`);
  const course = { stretches: [segment(null, [0, 1000], [0, 1000])], measure: null };
  const print = {
    startedAt: instant(0),
    createdAt: instant(0),
    endedAt: instant(1000),
    seenAt: instant(1000),
    paused: false,
    ...NO_FIGURES,
    layer: 1000,
    layers: 1000,
    plan: null,
    course,
    measured: [],
    machine: PRINTER_KINDS.MOONRAKER,
    outcome: 'COMPLETED' as const,
  };
  const first = Object.fromEntries(slots.map((slot) => [slot, `${slot} first`]));
  const spans = slots.flatMap((slot) =>
    Array.from({ length: 50 }, (_, at) => ({
      slot,
      spoolId: `${slot} ${at}`,
      from: instant(at * at * 0.3 + 1),
      to: instant((at + 1) ** 2 * 0.3 + 1),
    })),
  );
  const filament = slots.map((slot) => ({ slot, mm: '987.65', grams: null, basis: 'PLANNED' as const }));
  const parts = divideBySpools(filament, print, first, findSpoolChanges(print, first, spans), null);
  expect(parts).toHaveLength(most);
  for (const slot of slots) {
    const own = parts.filter((part) => part.slot === slot);
    expect(Decimal.sum(...own.map(({ mm }) => mm as string)).toFixed()).toBe('987.65');
  }
});
