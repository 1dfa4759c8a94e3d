// How the dashboard shows a film: its length, its share, and the segments of its bar; and which prints a camera watched.
import type { JobRowFragment } from '../../src/generated/web-operations';
import { createJobsVariables, mayHaveOlder, wasWatched } from '../../src/web/camera/watched-jobs';
import { buildBarSections } from '../../src/web/films/bar-sections';
import { calculateShare, findFilmedSpan, formatShare } from '../../src/web/films/recorded-share';

const T = Date.parse('2026-11-10T08:00:00Z');
const at = (minute: number) => new Date(T + minute * 60_000).toISOString();
const span = (from: number, to: number) => ({ from: T + from * 60_000, to: T + to * 60_000 });
const job = (members = {}) => ({
  status: 'COMPLETED' as const,
  startedAt: at(0),
  completedAt: at(60) as string | null,
  updatedAt: at(90),
  ...members,
});

test('a print has the length of its job, a running print up to the answer, also if all cameras have left', () => {
  const films = [{ to: at(20) }, { to: at(30) }];
  const createFilmedPrint = (members: object, readAt: number) =>
    findFilmedSpan(job(members), films, T + readAt * 60_000);
  expect(createFilmedPrint({}, 500)).toEqual(span(0, 60));
  expect(createFilmedPrint({ completedAt: null }, 500)).toEqual(span(0, 90));
  expect(createFilmedPrint({ status: 'PRINTING', completedAt: null }, 30.5)).toEqual(span(0, 30));
  expect(createFilmedPrint({ status: 'PRINTING', completedAt: null }, 45)).toEqual(span(0, 45));
  expect(createFilmedPrint({ startedAt: null }, 500)).toBeNull();
  expect(createFilmedPrint({ status: 'QUEUED' }, 500)).toBeNull();
});

test.each([
  [3600, '100 %'],
  // A time with microseconds.
  [3599.999, '100 %'],
  [3599, '99 %'],
  [2160, '60 %'],
  [1, '< 1 %'],
  [0, '0 %'],
])('%d of 3600 seconds are %s of the print', (recordedSec, text) => {
  expect(formatShare(calculateShare({ recordedSec }, span(0, 60)))).toBe(text);
});

test('a print without a length is filmed, and a print that the camera watched only at its end is not', () => {
  expect(calculateShare({ recordedSec: 0 }, span(5, 5))).toBe(1);
  expect(calculateShare({ recordedSec: 60 }, span(0, 60))).toBeCloseTo(1 / 60);
});

const film = (from: number, to: number, gaps: [from: number, to: number][] = []) => ({
  from: at(from),
  to: at(to),
  camera: { watches: [] },
  gaps: gaps.map(([begin, end]) => ({ from: at(begin), to: at(end), reason: 'SILENT' as const })),
});
const watch = (from: number, to: number | null, id: string) => ({
  from: at(from),
  to: to === null ? null : at(to),
  printer: { id },
});
const drawn = (...given: Parameters<typeof buildBarSections>) =>
  buildBarSections(...given).map(({ kind, from, to }) => `${kind} ${(from - T) / 60_000}-${(to - T) / 60_000}`);

test('the segments of a bar cover the whole print, with the time before and after the watch', () => {
  expect(drawn(film(0, 60), span(0, 60), 'a')).toEqual(['RECORDED 0-60']);
  expect(drawn(film(10, 40, [[20, 30]]), span(0, 60), 'a')).toEqual([
    'NOT_WATCHED 0-10',
    'NOT_WATCHED 40-60',
    'RECORDED 10-40',
    'SILENT 20-30',
  ]);
  expect(drawn(film(0, 0), span(0, 0), 'a')).toEqual([]);
});

test('a camera that was moved away and back has a hole, whose times only its watches show', () => {
  const watches = [watch(40, null, 'a'), watch(20, 40, 'b'), watch(-500, 20, 'a'), watch(-900, -500, 'b')];
  const moved = { ...film(0, 60, [[50, 60]]), camera: { watches } };
  expect(drawn(moved, span(0, 60), 'a')).toEqual([
    'NOT_WATCHED 20-40',
    'RECORDED 0-20',
    'RECORDED 40-60',
    'SILENT 50-60',
  ]);
  expect(drawn({ ...moved, camera: null }, span(0, 60), 'a')).toEqual(['RECORDED 0-60', 'SILENT 50-60']);
});

test('a camera watched the jobs that printed during its watch, and pages are read until one has none', () => {
  const watched = { from: at(0), to: at(60), printer: { id: 'a', name: 'A' } };
  const row = (members: object) => ({ ...job(), createdAt: at(-5), ...members }) as JobRowFragment;
  const cases: [watched: boolean, members: object][] = [
    [true, {}],
    [true, { startedAt: at(-30), completedAt: at(1) }],
    [true, { status: 'PRINTING', startedAt: at(-30), completedAt: null, updatedAt: at(-20) }],
    [true, { status: 'FAILED', startedAt: at(-30), completedAt: null, updatedAt: at(5) }],
    [false, { startedAt: at(-30), completedAt: at(0) }],
    [false, { startedAt: at(60), completedAt: at(90) }],
    [false, { startedAt: null }],
    [false, { status: 'QUEUED' }],
  ];
  for (const [isWatched, members] of cases)
    expect([members, wasWatched(row(members), watched)]).toEqual([members, isWatched]);
  const before = row({ createdAt: at(-90), startedAt: at(-80), completedAt: at(-70) });
  const waited = row({ createdAt: at(-90) });
  const pages = (last: JobRowFragment) => [row({}), ...Array<JobRowFragment>(49).fill(before), last];
  expect(mayHaveOlder(pages(waited), watched)).toBe(true);
  expect(mayHaveOlder(pages(before), watched)).toBe(false);
  expect(mayHaveOlder(pages(row({ createdAt: at(3), startedAt: null })), watched)).toBe(true);
  // Written down on the day after.
  expect(createJobsVariables(watched)).toEqual({
    filter: { printerId: 'a', createdTo: at(60 + 24 * 60) },
    orderBy: 'CREATED_AT_DESC',
  });
  expect(createJobsVariables({ ...watched, to: null }).filter).toEqual({ printerId: 'a' });
});
