// Pages: how a request is clamped, and how cursors are written and read.
import { BadInput } from '../../src/errors';
import { parseGuid } from '../../src/values/guid';
import { parseInstant } from '../../src/values/instant';
import { defineCursors, MAX_PAGE_ROWS, readPageRange } from '../../src/values/page';
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
  ])('requested with %j and the default %s is %j', (request, defaultFirst, range) => {
    expect(readPageRange(request, ROWS_ALONE, defaultFirst)).toEqual({ ...range, selected: ROWS_ALONE });
  });
});

describe('a cursor', () => {
  const printers = defineCursors('printers', String, parseGuid);
  test('identifies the position that it was created for, whatever its texts', () => {
    // fc.string({ unit: 'binary' }) makes a table of all characters first, which takes a second.
    const names = fc.array(fc.nat(0x10ffff)).map((codes) => String.fromCodePoint(...codes).toWellFormed());
    fc.assert(
      fc.property(names, fc.uuid(), (name, id) => {
        const text = printers.to(name, id);
        expect(text).toMatch(/^[\w-]+$/);
        expect(printers.keyOf(text)).toEqual([name, id]);
      }),
    );
  });

  const jobs = defineCursors('printJobs', parseInstant, parseGuid);
  const [at, id] = ['2026-11-20T08:30:00.000Z', '3f2504e0-4f89-41d3-9a0c-0305e82c3301'];
  const job = jobs.to(at, id);
  test.each([
    '',
    'x',
    '!!!',
    'null',
    jobs.to(),
    jobs.to(at),
    jobs.to('yesterday', id),
    jobs.to(at, '1'),
    jobs.to(at, id, 'x'),
    job.slice(0, -3),
    defineCursors('printers', parseInstant, parseGuid).to(at, id),
    Buffer.from('{"0":"a"}').toString('base64url'),
  ])('of another list, %p, is refused', (after) => {
    expect(() => jobs.keyOf(after)).toThrow(BadInput);
    expect(() => jobs.keyOf(after)).toThrow(
      'after must be a cursor from an earlier page of this list, in the same order',
    );
    expect(jobs.keyOf(job)).toHaveLength(2);
  });
});
