// Pages: how a request is clamped, the neighbours of a page, and cursors there and back.

import { pageOf, pageStatement } from '../../src/database/pages';
import { sql } from '../../src/database/sql';
import { BadInput } from '../../src/errors';
import { parseGuid } from '../../src/values/guid';
import { parseInstant } from '../../src/values/instant';
import { cursorsOf, MAX_PAGE_ROWS, pageRange } from '../../src/values/page';
import fc from '../support/generated';

const ROWS_ALONE = { rows: true, total: false };

describe('a range', () => {
  test.each([
    [{}, 20, { first: 20, after: null, offset: 0 }],
    [{ first: null, after: null, offset: null }, 20, { first: 20, after: null, offset: 0 }],
    [{ first: 0 }, 20, { first: 1, after: null, offset: 0 }],
    [{ first: -5, offset: -5 }, 20, { first: 1, after: null, offset: 0 }],
    [{ first: 1000, offset: 7 }, 20, { first: 1000, after: null, offset: 7 }],
    [{ first: 1001 }, 20, { first: MAX_PAGE_ROWS, after: null, offset: 0 }],
    [{ first: 2 ** 31 - 1, after: 'abc' }, 20, { first: MAX_PAGE_ROWS, after: 'abc', offset: 0 }],
    // Where the whole list is offered, there is no default and no upper bound.
    [{}, undefined, { first: undefined, after: null, offset: 0 }],
    [{ first: 0 }, undefined, { first: 1, after: null, offset: 0 }],
    [{ first: 5000 }, undefined, { first: 5000, after: null, offset: 0 }],
  ])('asked for with %j and the default %s is %j', (request, defaultFirst, range) => {
    expect(pageRange(request, ROWS_ALONE, defaultFirst)).toEqual({ ...range, selected: ROWS_ALONE });
  });
});

describe('a page', () => {
  const whole = { first: undefined, after: null, offset: 0, selected: ROWS_ALONE };
  const page = (rows: number[], range: { first?: number; after?: string | null; offset?: number }) =>
    pageOf(rows, null, { ...whole, ...range }, String);

  test('drops the one row too many, which says that there are more', () => {
    expect(page([1, 2, 3], { first: 2 })).toMatchObject({ nodes: [1, 2], hasNextPage: true, hasPreviousPage: false });
    expect(page([1, 2], { first: 2 })).toMatchObject({ nodes: [1, 2], hasNextPage: false });
    expect(page([], { first: 2 })).toMatchObject({ nodes: [], hasNextPage: false });
    expect(page([1, 2, 3], {})).toMatchObject({ nodes: [1, 2, 3], hasNextPage: false });
  });

  test('has one before it when it was asked for with a cursor or an offset', () => {
    expect(page([1], { first: 2, after: 'x' }).hasPreviousPage).toBe(true);
    expect(page([1], { first: 2, offset: 1 }).hasPreviousPage).toBe(true);
    expect(page([1], { first: 2 }).hasPreviousPage).toBe(false);
  });

  test('has its total when that was selected', () => {
    expect(pageOf([1], 42, whole, String).totalCount).toBe(42);
    expect(page([1], {}).totalCount).toBeNull();
  });

  test.each([
    [{ rows: true, total: true }, ['TOTAL', 'ROWS']],
    [{ rows: true, total: false }, ['ROWS']],
    [{ rows: false, total: true }, ['TOTAL']],
    [{ rows: false, total: false }, []],
  ])('reads what is selected, %j, and nothing else', (selected, read) => {
    const { text } = pageStatement({ ...whole, first: 10, selected }, { rows: sql('ROWS'), total: sql('TOTAL') });
    expect(text.match(/[A-Z]{4,}/g) ?? []).toEqual(read);
  });

  test('of all rows is its own total', () => {
    const { text } = pageStatement(
      { ...whole, selected: { rows: true, total: true } },
      { rows: sql('ROWS'), total: sql('TOTAL') },
    );
    expect(text.match(/[A-Z]{4,}/g)).toEqual(['ROWS']);
  });
});

describe('a cursor', () => {
  const printers = cursorsOf('printers', String, parseGuid);
  test('stands for the place that it was made of, whatever its texts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.uuid(), (name, id) => {
        const text = printers.to(name.toWellFormed(), id);
        expect(text).toMatch(/^[\w-]+$/);
        expect(printers.keyOf(text)).toEqual([name.toWellFormed(), id]);
      }),
    );
  });

  const jobs = cursorsOf('printJobs', parseInstant, parseGuid);
  const job = jobs.to('2026-11-20T08:30:00.000Z', '3f2504e0-4f89-41d3-9a0c-0305e82c3301');
  test.each([
    '',
    'x',
    '!!!',
    'null',
    jobs.to(),
    jobs.to('2026-11-20T08:30:00.000Z'),
    jobs.to('yesterday', '3f2504e0-4f89-41d3-9a0c-0305e82c3301'),
    jobs.to('2026-11-20T08:30:00.000Z', '1'),
    jobs.to('2026-11-20T08:30:00.000Z', '3f2504e0-4f89-41d3-9a0c-0305e82c3301', 'more'),
    job.slice(0, -3),
    cursorsOf('printers', parseInstant, parseGuid).to(
      '2026-11-20T08:30:00.000Z',
      '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
    ),
    Buffer.from('{"0":"a"}').toString('base64url'),
  ])('of another list, %p, is refused', (after) => {
    expect(() => jobs.keyOf(after)).toThrow(BadInput);
    expect(() => jobs.keyOf(after)).toThrow('after must be a cursor that this list gave, in the same order');
    expect(jobs.keyOf(job)).toHaveLength(2);
  });
});
