// When the dashboard reports that a job no longer matches its list: never for a job that the gateway would list.
import type { JobRowFragment, PrintJobFilter } from '../../src/generated/web-operations';
import { matchesFilter } from '../../src/web/jobs/job-filter';

const GUID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

const job = (printName: string) =>
  ({ printName, status: 'QUEUED', printer: { id: GUID }, parts: [{ spool: { id: GUID } }] }) as JobRowFragment;

test.each([
  ['istanbul', 'İstanbul vase'],
  ['σίσυφοσ', 'ΣΊΣΥΦΟΣ'],
  ['σίσυφος', 'ΣΊΣΥΦΟΣ'],
  ['bracket ', 'Bracket 1'],
  ['Ä', 'ä'],
])('a search for %s does not report that %s left', (search, printName) => {
  expect(matchesFilter(job(printName), { search })).toBe(true);
});

test('a search in plain letters reports that a renamed job left', () => {
  expect(matchesFilter(job('Hook'), { search: 'bolt' })).toBe(false);
  expect(matchesFilter(job('Bolt 7'), { search: 'bOLT' })).toBe(true);
});

test('a job matches the spool of any of its parts', () => {
  const parts = ['', GUID].map((id) => ({ spool: { id } }));
  expect(matchesFilter({ ...job('Hook'), parts } as JobRowFragment, { spoolId: GUID })).toBe(true);
});

test.each<keyof PrintJobFilter>(['printerId', 'spoolId'])(
  '%s is compared without regard to upper and lower case',
  (member) => {
    expect(matchesFilter(job('Hook'), { [member]: GUID.toUpperCase() })).toBe(true);
    expect(matchesFilter(job('Hook'), { [member]: GUID.replace('3', '4') })).toBe(false);
  },
);
