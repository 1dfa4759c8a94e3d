// The cells and lines of CSV: RFC 4180, exact numbers, and no text that a spreadsheet computes.
import { LosslessNumber } from 'lossless-json';
import { type Cell, csvOf } from '../../src/rest/csv';

const sheet = csvOf<{ cell: Cell; other?: Cell }>({ cell: ({ cell }) => cell, other: ({ other }) => other });

test('the header has the names of the columns, and lines end with CR and LF', () => {
  expect(sheet.header).toBe('cell,other\r\n');
  expect(
    sheet.lines([
      { cell: 'a', other: 1 },
      { cell: null, other: undefined },
    ]),
  ).toBe('a,1\r\n,\r\n');
  expect(sheet.lines([])).toBe('');
});

test.each<[string, Cell, string]>([
  ['a comma', 'a,b', '"a,b"'],
  ['quotes', 'say "hi"', '"say ""hi"""'],
  ['a line break', 'a\nb', '"a\nb"'],
  ['CR', 'a\rb', '"a\rb"'],
  ['a semicolon', 'x; 1+1;', '"x; 1+1;"'],
  ['a formula behind a semicolon', 'x;=1+1;@y', `"x;'=1+1;'@y"`],
  ['a tab inside', 'a\t1', '"a\t1"'],
  ['a formula behind a semicolon and a quotation mark', 'x;"=1+1;y', `"x;""'=1+1;y"`],
  ['a formula behind a tab and quotation marks', 'x\t""@y', `"x\t""""'@y"`],
  ['a formula behind a tab', 'a\t=1', `"a\t'=1"`],
  ['a formula behind a line break', 'a\r\n-1', `"a\r\n'-1"`],
  ['nothing special', ' ä b ', ' ä b '],
  ['a formula', '=1+1', "'=1+1"],
  ['a formula with quotes', '=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
  ['+', '+1', "'+1"],
  ['-', '-1', "'-1"],
  ['@', '@SUM(A1)', "'@SUM(A1)"],
  ['a tab', '\t=1', `"'\t'=1"`],
  ['LF at its begin', '\n=1', `"'\n'=1"`],
  ['a wide formula', '＝1', "'＝1"],
  ['CR at its begin', '\r=1', `"'\r'=1"`],
  ['a negative number of the gateway', new LosslessNumber('-0.25'), '-0.25'],
  [
    'every digit',
    new LosslessNumber('123456789012345678.1234567890123456789012345678'),
    '123456789012345678.1234567890123456789012345678',
  ],
])('a cell with %s', (_, cell, text) => {
  expect(sheet.lines([{ cell, other: 0 }])).toBe(`${text},0\r\n`);
});
