// The cells and lines of CSV: RFC 4180, exact numbers, and no text that a spreadsheet computes.
import { LosslessNumber } from 'lossless-json';
import { type Cell, defineCsv, hasCellText, PLAIN_FORM, readCellText, SEPARATORS } from '../../src/values/csv';
import { readCsv } from '../../src/values/read-csv';
import fc from '../support/generated';

const inForm = defineCsv<{ cell: Cell; other?: Cell }>({ cell: ({ cell }) => cell, other: ({ other }) => other });
const sheet = inForm(PLAIN_FORM, null);

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
  ['a formula after a semicolon', 'x;=1+1;@y', `"x;'=1+1;'@y"`],
  ['a formula after a semicolon and a quotation mark', 'x;"=1+1;y', `"x;""'=1+1;y"`],
  ['a formula after a tab and quotation marks', 'x\t""@y', `"x\t""""'@y"`],
  ['a formula after a line break', 'a\r\n-1', `"a\r\n'-1"`],
  ['nothing special', ' ä b ', ' ä b '],
  ['a formula', '=1+1', "'=1+1"],
  ['a formula with quotes', '=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
  ['-', '-1', "'-1"],
  ['a tab', '\t=1', `"'\t'=1"`],
  ['a wide formula', '＝1', "'＝1"],
  ['CR at its start', '\r=1', `"'\r'=1"`],
  ['a formula after a semicolon and a space', 'x; \u00a0=1', `"x;' \u00a0=1"`],
  ['a minus after its own separator', 'clip, -v2', '"clip, -v2"'],
  ['a sign that is not at the start', 'a=b', 'a=b'],
  ['a negative number of the gateway', new LosslessNumber('-0.25'), '-0.25'],
  [
    'every digit',
    new LosslessNumber('123456789012345678.1234567890123456789012345678'),
    '123456789012345678.1234567890123456789012345678',
  ],
])('a cell with %s', (_, cell, text) => {
  expect(sheet.lines([{ cell, other: 0 }])).toBe(`${text},0\r\n`);
});

const UNSEEN = ['', ...' \u00a0\ufeff\u200b\u3000\v\f\u0085\u2028\u2029\u180e\u2060\u00ad\0', ' \u200b\u3000 '];
const SIGNS = [...'=+-@＝＋－＠﹦﹢﹣﹫⁼⁺⁻₌₊₋−–—‐'];

test.each(UNSEEN)('a text that starts with %j and a sign is harmless, whichever sign', (unseen) => {
  for (const sign of SIGNS) {
    const text = `${unseen}${sign}1`;
    expect(sheet.lines([{ cell: text, other: 0 }])).toBe(`'${text},0\r\n`);
    expect(sheet.lines([{ cell: `x;${text}`, other: 0 }])).toBe(`"x;'${text}",0\r\n`);
  }
});

test('for each separator the other separators start no formula', () => {
  const line = (separator: string) =>
    inForm({ ...PLAIN_FORM, separator }, null).lines([{ cell: 'a,=1;+1\t-1', other: -2 }]);
  expect(line(',')).toBe(`"a,=1;'+1\t'-1",-2\r\n`);
  expect(line(';')).toBe(`"a,'=1;+1\t'-1";-2\r\n`);
  expect(line('\t')).toBe(`"a,'=1;'+1\t'-1"\t-2\r\n`);
});

test('a byte order mark and a decimal comma', () => {
  const german = inForm({ bom: true, separator: ';', decimalMark: ',' }, null);
  expect(german.header).toBe('\ufeffcell;other\r\n');
  expect(german.lines([{ cell: new LosslessNumber('-1234.50'), other: 'a.b' }])).toBe('-1234,50;a.b\r\n');
  const quoted = inForm({ ...PLAIN_FORM, decimalMark: ',' }, null);
  expect(quoted.lines([{ cell: new LosslessNumber('0.5'), other: 1.5 }])).toBe('"0,5","1,5"\r\n');
});

describe('a file that is read', () => {
  const readRows = (text: string) => readCsv(text, 'csv', 100).rows;

  test('has rows with the lines in which they start, and no row without a text', () => {
    expect(readRows('\ufeffa,b\r\n\r\n"x\r\n""y""\n",ä\r , \n\n3,')).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 3, cells: ['x\r\n"y"\n', 'ä'] },
      { line: 8, cells: ['3', ''] },
    ]);
    expect(readCsv('a\nb\nc\n', 'csv', 2)).toMatchObject({ rows: { length: 2 }, isWhole: false });
    expect(readCsv('a\n,\n,\nb\n', 'csv', 3)).toMatchObject({ rows: { length: 1 }, isWhole: false });
    expect(readCsv(`a,b\n1,\n${',\n'.repeat(100_000)}`, 'csv', 2)).toMatchObject({
      rows: { length: 2 },
      isWhole: true,
    });
    expect(readRows('')).toEqual([]);
  });

  test('uses the separator that occurs most often in its first line', () => {
    for (const separator of Object.values(SEPARATORS))
      expect(readCsv(`a${separator}b${separator}c\n1,2;3\t4`, 'csv', 9).separator).toBe(separator);
    expect(readCsv('a\n1;2', 'csv', 9).separator).toBe(',');
  });

  test('may name its separator in a first line for Excel', () => {
    for (const line of ['sep=;', '"sep=;"', 'SEP=;;;'])
      expect(readCsv(`\ufeff${line}\r\na,b;c\r\n1;2\r\n`, 'csv', 9)).toEqual({
        separator: ';',
        isWhole: true,
        rows: [
          { line: 2, cells: ['a,b', 'c'] },
          { line: 3, cells: ['1', '2'] },
        ],
      });
  });

  test('may have cells such as ="0012", which Excel reads as texts', () => {
    expect(readRows('a,b\n="0012",2\n"=""7""",="x,y"')).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['="0012"', '2'] },
      { line: 3, cells: ['="7"', '="x,y"'] },
    ]);
    expect(readRows('a\n"x,="",y",="1"')).toEqual([
      { line: 1, cells: ['a'] },
      { line: 2, cells: ['x,=",y', '="1"'] },
    ]);
  });

  test('may have one cell with hundreds of thousands of quotation marks', () => {
    const escaped = '""'.repeat(300_000);
    expect(readRows(`a\n"${escaped}"`)[1]?.cells[0]).toHaveLength(300_000);
    expect(() => readRows(`a\n"${escaped}`)).toThrow('Line 2 has a cell that starts');
  });

  test.each([
    ['a\n"x\ny"\n\n"z', 'Line 5 has a cell that starts with a quotation mark and does not end with one'],
    ['a\n"x"y\n"z', 'Line 2 has a quotation mark inside a cell'],
    ['a\r\n"x\r\ny"\r\nx"y', 'Line 4 has a quotation mark inside a cell'],
    ['a\n"x"y', 'Line 2 has a quotation mark inside a cell'],
    ['a\n"x\r\n","y\r\n"\n="1"="2"', 'Line 5 has a quotation mark inside a cell'],
  ])('with broken quotation marks is refused: %j', (text, reason) => {
    expect(() => readRows(text)).toThrow(reason);
  });

  test('returns each text unchanged, in every form', () => {
    const signs = [...'"\',;\t\r\n=+-@ \u00a0\u200b＝🧵a0'];
    const text = fc.array(fc.constantFrom(...signs), { minLength: 1, maxLength: 20 }).map((all) => all.join(''));
    fc.assert(
      fc.property(text, fc.constantFrom(...Object.values(SEPARATORS)), (cell, separator) => {
        const { header, lines } = inForm({ ...PLAIN_FORM, separator }, null);
        const [, row] = readCsv(header + lines([{ cell, other: 'x' }]), 'csv', 9).rows;
        const [read = ''] = row?.cells ?? [];
        expect(hasCellText(cell, read)).toBe(true);
        // Where the text has no apostrophes itself, nobody must ask what is stored.
        const plain = cell.replaceAll("'", '');
        const [, same] = readCsv(header + lines([{ cell: plain, other: 'x' }]), 'csv', 9).rows;
        expect(readCellText(same?.cells[0] ?? '', separator)).toBe(plain);
      }),
      { numRuns: 2000 },
    );
  });
});
