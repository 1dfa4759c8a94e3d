// The bars of the usage plots: each row of the report is in one bar, and the number of bars is limited.

import { addDays, startOfDay } from '../../src/web/parts/days';
import { groupIntoBars, type ReportRange } from '../../src/web/reports/report-periods';

const createRows = (...days: string[]) => days.map((day) => ({ from: startOfDay(day) ?? null, day }));
const listBars = ({ bars }: ReturnType<typeof groupIntoBars<{ from: string | null; day: string }>>) =>
  [...bars.values()].flat().map(({ day }) => day);

test('a short range has each of its days', () => {
  const { step, bars } = groupIntoBars(
    { first: '2026-02-27', last: '2026-03-02', step: 'DAY' },
    createRows('2026-03-01'),
  );
  expect(step).toBe('DAY');
  expect([...bars.keys()]).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']);
  expect(bars.get('2026-03-01')).toHaveLength(1);
});

test('a long range starts with its first row and ends with its last one', () => {
  const rows = createRows('2026-10-05', '2026-10-07');
  const { step, bars } = groupIntoBars({ first: '2020-01-01', last: '9999-12-31', step: 'DAY' }, rows);
  expect(step).toBe('DAY');
  expect([...bars.keys()]).toEqual(['2026-10-05', '2026-10-06', '2026-10-07']);
});

test.each<[string, ReportRange, string]>([
  ['2023-01-02', { first: '2020-01-01', last: '2026-11-24', step: 'DAY' }, 'WEEK'],
  ['2011-05-01', { first: '2011-05-01', last: '2026-11-24', step: 'DAY' }, 'MONTH'],
  ['2011-05-02', { first: '0001-01-01', last: '2026-11-24', step: 'WEEK' }, 'MONTH'],
  ['2011-05-01', { first: 'none', last: '202666-01-01', step: 'DAY' }, 'MONTH'],
  ['2011-05-01', { first: '202666-01-01', last: '2026-11-24', step: 'DAY' }, 'MONTH'],
])('rows from %s on in %j are shown by %s', (first, range, wider) => {
  const days = [first, ...Array.from({ length: 30 }, (_, at) => addDays('2026-09-07', at * 7 - 350))];
  const shown = groupIntoBars(range, createRows(...days));
  expect(shown.step).toBe(wider);
  expect(shown.bars.size).toBeLessThanOrEqual(400);
  expect(listBars(shown)).toEqual(days);
});
