// How REST reads names and query strings: members in any spelling, and the faults of a query string.

import { Query, readJobListQuery } from '../../src/doors/rest/queries';
import { readUpdatePrintJobInput } from '../../src/doors/rest/rest-bodies';
import { catchRefusal } from '../support/catch-refusal';

const ID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

test.each(['PrinterId', 'printerid', 'PRINTERID', 'printer_id', 'PRINTER_ID'])(
  'a member of a body by the name %s',
  (name) => {
    expect(readUpdatePrintJobInput(Buffer.from(JSON.stringify({ [name]: ID }))).printerId).toBe(ID);
  },
);

const none = { printerId: null, ownSpoolId: null, status: null };

test.each([
  ['', { filter: none, pageNumber: 1, pageSize: 20 }],
  ['pagenumber=3&PAGE_SIZE=50', { filter: none, pageNumber: 3, pageSize: 50 }],
  ['PageNumber=-7&PageSize=101', { filter: none, pageNumber: 1, pageSize: 100 }],
  [`PageSize=${'9'.repeat(400)}`, { filter: none, pageNumber: 1, pageSize: 100 }],
  [`PageSize=-${'9'.repeat(400)}`, { filter: none, pageNumber: 1, pageSize: 1 }],
  ['Status=printing', { filter: { ...none, status: ['Printing'] }, pageNumber: 1, pageSize: 20 }],
  ['PageNumber=&PageSize=%20&PrinterId=&SpoolId&Status=+', { filter: none, pageNumber: 1, pageSize: 20 }],
  ['Status=Paused', { filter: none, pageNumber: 1, pageSize: 20 }],
  [`PrinterId=${ID.toUpperCase()}`, { filter: { ...none, printerId: ID }, pageNumber: 1, pageSize: 20 }],
  ['other=1&&=&a', { filter: none, pageNumber: 1, pageSize: 20 }],
])('the query string of jobs: %s', (search, expected) => {
  expect(readJobListQuery(new Query(search))).toEqual(expected);
});

test.each([
  ['PageNumber=1.5', 'pageNumber must be an integer'],
  ['PageSize=1e2', 'pageSize must be an integer'],
  ['PageSize=5&pagesize=6', 'pageSize must appear only once'],
  ['PrinterId=1', 'printerId must be a GUID'],
  ['PageNumber=x&spoolId=1&spool_id=2', 'spoolId must appear only once; pageNumber must be an integer'],
  ['Status=%', 'The query string has an invalid percent-encoding. Encode a percent sign as %25'],
  ['%E0%A4%A=1', 'The query string has an invalid percent-encoding. Encode a percent sign as %25'],
])('%s is refused', (search, message) => {
  expect(catchRefusal(() => readJobListQuery(new Query(search))).message).toContain(message);
});

test('a + is a space, and names are decoded as well as values', () => {
  const query = new Query('a=x+y&%62=c%3Dd=e');
  expect([query.valuesOf('a'), query.valuesOf('b'), query.valuesOf('c')]).toEqual([['x y'], ['c=d=e'], []]);
});
