// Pages: how a request is clamped, what a page knows of its neighbours, and cursors there and back.
import fc from 'fast-check';
import { cursorsOf, MOST_ROWS, pageOf, pageRange } from '../../src/database/paging';
import { BadInput } from '../../src/errors';
import { parseGuid } from '../../src/values/guid';
import { parseInstant } from '../../src/values/instant';

describe('a range', () => {
  test.each([
    [{}, 20, { first: 20, after: null, offset: 0 }],
    [{ first: null, after: null, offset: null }, 20, { first: 20, after: null, offset: 0 }],
    [{ first: 0 }, 20, { first: 1, after: null, offset: 0 }],
    [{ first: -5, offset: -5 }, 20, { first: 1, after: null, offset: 0 }],
    [{ first: 1000, offset: 7 }, 20, { first: 1000, after: null, offset: 7 }],
    [{ first: 1001 }, 20, { first: MOST_ROWS, after: null, offset: 0 }],
    [{ first: 2 ** 31 - 1, after: 'abc' }, 20, { first: MOST_ROWS, after: 'abc', offset: 0 }],
    // Where the whole list is offered, there is no default and no upper bound.
    [{}, undefined, { first: undefined, after: null, offset: 0 }],
    [{ first: 0 }, undefined, { first: 1, after: null, offset: 0 }],
    [{ first: 5000 }, undefined, { first: 5000, after: null, offset: 0 }],
  ])('asked for with %j and the default %s is %j', (request, defaultFirst, range) => {
    expect(pageRange(request, defaultFirst)).toEqual(range);
  });
});

describe('a page', () => {
  const page = (rows: number[], range: { first?: number; after?: string | null; offset?: number }) =>
    pageOf(rows, { first: undefined, after: null, offset: 0, ...range }, String, async () => 42);

  test('drops the one row too many, which says that there are more', () => {
    expect(page([1, 2, 3], { first: 2 })).toMatchObject({ rows: [1, 2], hasNextPage: true, hasPreviousPage: false });
    expect(page([1, 2], { first: 2 })).toMatchObject({ rows: [1, 2], hasNextPage: false });
    expect(page([], { first: 2 })).toMatchObject({ rows: [], hasNextPage: false });
    expect(page([1, 2, 3], {})).toMatchObject({ rows: [1, 2, 3], hasNextPage: false });
  });

  test('has one before it when it was asked for with a cursor or an offset', () => {
    expect(page([1], { first: 2, after: 'x' }).hasPreviousPage).toBe(true);
    expect(page([1], { first: 2, offset: 1 }).hasPreviousPage).toBe(true);
    expect(page([1], { first: 2 }).hasPreviousPage).toBe(false);
  });

  test('counts only when it is asked', async () => {
    let counts = 0;
    const counted = pageOf([1], { first: 1, after: null, offset: 0 }, String, async () => ++counts);
    expect(counts).toBe(0);
    expect(await counted.totalCount()).toBe(1);
  });
});

describe('a cursor', () => {
  const printers = cursorsOf('printers', String, parseGuid);
  test('stands for the place that it was made of, whatever its texts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.uuid(), (name, id) => {
        const text = printers.to(name.toWellFormed(), id);
        expect(text).toMatch(/^[\w-]+$/);
        expect(printers.placeOf(text)).toEqual([name.toWellFormed(), id]);
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
    expect(() => jobs.placeOf(after)).toThrow(BadInput);
    expect(() => jobs.placeOf(after)).toThrow('after must be a cursor that this list gave');
    expect(jobs.placeOf(job)).toHaveLength(2);
  });
});
