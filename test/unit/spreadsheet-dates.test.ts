// Texts that a spreadsheet turned into a date or a time, in the forms that Excel, LibreOffice and Numbers write.
import { isShownAsDate, listTextsShownAsDate } from '../../src/farm/stock/spreadsheet-dates';

test.each([
  [
    '3-12',
    ['03.12.2026', '03.12.26', '12-Mar', '03-Dec', '2026-12-03', '2026-03-12', '12/3/2026', '3. Dez', '12. Mrz'],
  ],
  [
    '3/12',
    ['12-Mar', '3/12/26', '03/12/26', '03-déc', '3 dic', '03.gru', '3月12日', '12월 3일', '2026-12-03 00:00:00'],
  ],
  ['03.12', ['03.12.2026', '2026-12-03T00:00:00', '12 mars', '3.12.2026']],
  ['10-11', ['10-Nov', '11-Oct', '10. lis', '2026. 10. 11.']],
  ['3-45', ['Mar-45', '01.03.1945', '1945-03-01']],
  ['12-2026', ['Dec-26', '2026-12-01', '01/12/2026']],
  ['2026-3-12', ['12.03.2026', '3/12/2026', '12-Mar-26']],
  ['3/12/26', ['03/12/2026', '03/12/26', '03.12.2026']],
  ['MAR3', ['3-Mar', '03.03.2026', '2026-03-03']],
  ['12:30', ['12:30:00', '12:30:00 PM', '12:30 p.m.', '12:30:00.000']],
  ['0:05', ['00:05:00', '12:05:00 AM', '12:05 AM']],
  ['30:15', ['30:15:00']],
])('%s is shown as %s', (stored, cells) => {
  for (const cell of cells) expect([cell, isShownAsDate(stored, cell)]).toEqual([cell, true]);
});

test.each([
  ['3-12', ['12-3', '3/12', '04.12.2026', '3-12b', '3-13', '12', 'Shelf', 'Mar', '13-Mar', '12-Foo', '', '46359']],
  ['2026-3-12', ['12.03.2025', '12-Mar', '2026']],
  // A person has changed the date.
  ['3/12/2026', ['12/3/2026', '3/13/2026', '3/12/2027']],
  ['03.12.2026', ['12.03.2026']],
  ['12:30', ['12:31:00', '12:30:01', '0:30:00', '12.30', '12:30:00 AM']],
  ['Shelf 3', ['03.03.2026', 'Mar-03']],
  ['0012', ['12.01.2026', '2026-12-01']],
  ['40-50', ['40.50.2026']],
  ['1-2-3-4', ['01.02.2026']],
  // Serials and places that are no dates in any spreadsheet.
  ['3-12', ['DE-12', 'DE 12', 'THG 12', 'thg 12', 'd-12', 'AG-12', 'ag-12', 'MAR-12', 'Set-3.12', '3.12.1', '1-3-12']],
  ['12-9', ['SET-12', 'SEP 12']],
])('%s is not shown as %s', (stored, cells) => {
  for (const cell of cells) expect([cell, isShownAsDate(stored, cell)]).toEqual([cell, false]);
});

test('the texts of a cell are those without a year that it may show', () => {
  expect(listTextsShownAsDate('03.12.2026')).toEqual(expect.arrayContaining(['3-12', '12/3', '03.12', '12-03']));
  expect(listTextsShownAsDate('13-Mar')).toEqual(expect.arrayContaining(['13-3', '3/13', '03-13']));
  expect(listTextsShownAsDate('9:05:00 PM')).toEqual(['21:05']);
  expect(listTextsShownAsDate('09:05:00')).toEqual(['9:05', '09:05']);
  for (const cell of [
    '12-3',
    '9:05',
    '09:05:07',
    'Shelf',
    '007',
    '',
    'DE-12',
    'thg 5',
    'AG-12',
    'SET-12',
    '1.2.3',
    '1-12-5',
  ])
    expect(listTextsShownAsDate(cell)).toEqual([]);
});

test('each text that is looked up for a cell is shown as this cell', () => {
  for (const cell of ['03.12.2026', '2026-10-11', '12-Mar', '12:30:00', '1:30 PM'])
    for (const text of listTextsShownAsDate(cell)) expect([text, isShownAsDate(text, cell)]).toEqual([text, true]);
});
