// The grams on a spool over time, computed from the present amount back through its jobs.
import { type Adjustment, calculateSpoolPoints, type SpoolJob, sumParts } from '../../src/web/inventory/spool-points';

const [SPOOL, OTHER] = ['a', 'b'];
const NOW = Date.parse('2026-11-10T00:00:00Z');
const createParts = (...parts: [spoolId: string, grams: string][]) =>
  parts.map(([id, gramsDerived]) => ({ spool: { id }, gramsDerived }));
const job = (day: number, members: Partial<SpoolJob> = {}): SpoolJob => ({
  status: 'COMPLETED',
  startedAt: null,
  completedAt: `2026-11-0${day}T00:00:00Z`,
  parts: createParts([SPOOL, '10']),
  ...members,
});

test('each job is a step at its end, with the parts of this spool alone', () => {
  const jobs = [
    job(9, { status: 'QUEUED', completedAt: null }),
    job(8, { parts: createParts([SPOOL, '1.5'], [OTHER, '90'], [SPOOL, '2.5']) }),
    job(7, { status: 'CANCELLED' }),
    job(6, { status: 'CANCELLED', startedAt: '2026-11-05T00:00:00Z' }),
  ];
  const begin = Date.parse('2026-11-01T00:00:00Z');
  const points = calculateSpoolPoints({ id: SPOOL, remainingGrams: '86' }, jobs, [], begin, NOW);
  expect(points.map(({ at, grams }) => [new Date(at).getUTCDate(), grams])).toEqual([
    [1, 100],
    [6, 100],
    [6, 90],
    [8, 90],
    [8, 86],
    [10, 86],
  ]);
});

const adjustment = (at: string, grams: string, members: Partial<Adjustment> = {}): Adjustment => ({
  at: `2026-11-${at}:00Z`,
  netGrams: null,
  grams,
  printingGrams: '0',
  takenBack: null,
  ...members,
});
const shown = (remainingGrams: string, jobs: SpoolJob[], adjustments: Adjustment[]) =>
  calculateSpoolPoints({ id: SPOOL, remainingGrams }, jobs, adjustments, Date.parse('2026-11-01T00:00:00Z'), NOW).map(
    ({ at, grams }) => [new Date(at).getUTCDate(), grams],
  );

test('each row of the ledger that counts is a step, after a job that ended at the same time', () => {
  const adjustments = [
    adjustment('07T00:00', '-3'),
    adjustment('06T00:00', '0', { netGrams: '5', takenBack: {} }),
    adjustment('05T00:00', '-20', { netGrams: '70' }),
  ];
  expect(shown('57', [job(8), job(5)], adjustments)).toEqual([
    [1, 100],
    [5, 100],
    [5, 90],
    [5, 90],
    [5, 70],
    [7, 70],
    [7, 67],
    [8, 67],
    [8, 57],
    [10, 57],
  ]);
});

test('a report of another program that counts is a step at its end, before a weighing at the same time', () => {
  const begin = Date.parse('2026-11-01T00:00:00Z');
  const weighing = adjustment('08T00:00', '-2', { netGrams: '90' });
  const reports = [
    { to: '2026-11-08T00:00:00Z', grams: '8', counts: true },
    { to: '2026-11-07T00:00:00Z', grams: '500', counts: false },
  ];
  const points = calculateSpoolPoints({ id: SPOOL, remainingGrams: '90' }, [], [weighing], begin, NOW, reports);
  expect(points.map(({ at, grams }) => [new Date(at).getUTCDate(), grams])).toEqual([
    [1, 100],
    [8, 100],
    [8, 92],
    [8, 92],
    [8, 90],
    [10, 90],
  ]);
});

test('what a job had used at a weighing is subtracted from then on, and the rest at its end', () => {
  const weighing = adjustment('04T00:00', '-6', { netGrams: '90', printingGrams: '4' });
  const printed = job(6, { startedAt: '2026-11-03T00:00:00Z' });
  expect(shown('84', [printed], [weighing])).toEqual([
    [1, 100],
    [4, 100],
    [4, 90],
    [6, 90],
    [6, 84],
    [10, 84],
  ]);
});

test('jobs from before the spool was added start the plot', () => {
  const [first] = calculateSpoolPoints({ id: SPOOL, remainingGrams: '90' }, [job(2)], [], NOW, NOW);
  expect(first).toEqual({ at: Date.parse('2026-11-02T00:00:00Z'), grams: 100 });
});

test('the amount of one spool is the sum of its parts, with their decimals', () => {
  expect(sumParts({ parts: createParts([SPOOL, '0.1'], [OTHER, '7'], [SPOOL, '0.2']) }, SPOOL, 'gramsDerived')).toBe(
    '0.3',
  );
  expect(sumParts({ parts: createParts([OTHER, '7']) }, SPOOL, 'gramsDerived')).toBe('0');
});
