// How the REST door reads bodies and query strings: members in any spelling, and the faults of a query string.
import { createPrintJobInput, registerCameraInput, requestedStatus, updatePrintJobInput } from '../../src/rest/bodies';
import { jobListQuery, Query } from '../../src/rest/queries';
import { amount } from '../../src/values/decimal';
import { refusalOf } from '../support/refusal';

const ID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const body = (json: unknown) => Buffer.from(typeof json === 'string' ? json : JSON.stringify(json));

describe('a body', () => {
  test.each(['PrinterId', 'printerId', 'printerid', 'PRINTERID', 'printer_id', 'PRINTER_ID', 'Printer_Id'])(
    'has its member by the name %s',
    (name) => {
      expect(updatePrintJobInput(body({ [name]: ID })).printerId).toBe(ID);
    },
  );

  test.each(['null', '1', '1.50', '"text"', '[]', '[{}]', 'true'])('is no object: %s', (text) => {
    expect(refusal(() => registerCameraInput(body(text)))).toBe('The body must be a JSON object');
  });

  test.each(['', '{', 'printName=x'])('is no JSON: %p', (text) => {
    expect(refusal(() => registerCameraInput(body(text)))).toMatch(/^The body is not JSON/);
  });

  test('that is absent is no JSON', () => {
    expect(refusal(() => requestedStatus(undefined))).toMatch(/^The body is not JSON/);
  });

  test('has the empty value of the type for a member that is absent or null', () => {
    for (const empty of [
      {},
      { printName: null, MmExtruded: null, Notes: null, AutoDeriveGrams: null, StartedAt: null },
    ]) {
      expect(createPrintJobInput(body({ PrinterId: ID, ...empty }))).toEqual({
        printerId: ID,
        spoolId: null,
        printName: '',
        gcodeFilePath: '',
        mmExtruded: 0,
        gramsDerived: 0,
        costPerPrint: 0,
        notes: null,
        autoDeriveGrams: false,
        startedAt: null,
        dataSource: null,
        filamentDiameterAtPrintMm: 0,
        materialDensityAtPrint: 0,
      });
    }
    expect(updatePrintJobInput(body({})).printerId).toBeNull();
  });

  test('has decimals with every digit, from numbers and from texts', () => {
    const text = '123456789012345678.1234567890123456789012345678';
    const millimetres = (json: string) =>
      amount(updatePrintJobInput(body(`{"MmExtruded": ${json}}`)).mmExtruded, 'mmExtruded');
    expect(millimetres(text)).toBe(text);
    expect(millimetres(`"${text}"`)).toBe(text);
    expect(millimetres('1.50')).toBe('1.50');
  });

  test('of which an unknown member is wrong is right', () => {
    expect(
      updatePrintJobInput(body({ PrintName: 'x', prototype: 1, __proto__: 2, other: { deep: [null] } })).printName,
    ).toBe('x');
  });

  test('registers a camera', () => {
    expect(registerCameraInput(body({ camera_id: 'a', friendly_name: 'b' }))).toEqual({
      id: 'a',
      friendlyName: 'b',
      macAddress: null,
    });
  });

  test('has its members as they came, because the services read them', () => {
    const members = { PrinterId: 1, SpoolId: 'x', DataSource: 'mqtt', StartedAt: '2026-11-20', MmExtruded: 'abc' };
    expect(createPrintJobInput(body(members))).toMatchObject({
      printerId: 1,
      spoolId: 'x',
      dataSource: 'mqtt',
      startedAt: '2026-11-20',
      mmExtruded: 'abc',
    });
    expect(requestedStatus(body({ Status: 7 }))).toBe(7);
  });
});

describe('the query string of the job list', () => {
  const none = { printerId: null, spoolId: null, status: null };

  test.each([
    ['', { filter: none, pageNumber: 1, pageSize: 20 }],
    ['PageNumber=3&PageSize=50', { filter: none, pageNumber: 3, pageSize: 50 }],
    ['pagenumber=3&PAGE_SIZE=50', { filter: none, pageNumber: 3, pageSize: 50 }],
    ['PageNumber=0&PageSize=0', { filter: none, pageNumber: 1, pageSize: 1 }],
    ['PageNumber=-7&PageSize=101', { filter: none, pageNumber: 1, pageSize: 100 }],
    [`PageSize=${'9'.repeat(400)}`, { filter: none, pageNumber: 1, pageSize: 100 }],
    [`PageSize=-${'9'.repeat(400)}`, { filter: none, pageNumber: 1, pageSize: 1 }],
    ['Status=printing', { filter: { ...none, status: ['Printing'] }, pageNumber: 1, pageSize: 20 }],
    ['Status=', { filter: none, pageNumber: 1, pageSize: 20 }],
    ['PageNumber=&PageSize=%20&PrinterId=&SpoolId', { filter: none, pageNumber: 1, pageSize: 20 }],
    ['Status=%20', { filter: none, pageNumber: 1, pageSize: 20 }],
    ['Status=Paused', { filter: none, pageNumber: 1, pageSize: 20 }],
    [
      `PrinterId=${ID.toUpperCase()}&SpoolId=${ID}`,
      { filter: { ...none, printerId: ID, spoolId: ID }, pageNumber: 1, pageSize: 20 },
    ],
    ['other=1&&=&a', { filter: none, pageNumber: 1, pageSize: 20 }],
  ])('%s', (search, expected) => {
    expect(jobListQuery(new Query(search))).toEqual(expected);
  });

  test.each([
    ['PageNumber=x', 'pageNumber must be an integer'],
    ['PageNumber=1.5', 'pageNumber must be an integer'],
    ['PageSize=1e2', 'pageSize must be an integer'],
    ['PageSize=0x10', 'pageSize must be an integer'],
    ['PageSize=5&pagesize=6', 'pageSize must be given once'],
    ['PrinterId=1', 'printerId must be a GUID'],
    ['SpoolId=x', 'spoolId must be a GUID'],
    [
      'PageNumber=x&PageSize=y&SpoolId=1&spool_id=2',
      'spoolId must be given once; pageNumber must be an integer; pageSize must be an integer',
    ],
    ['Status=%', 'The query string has a broken percent-encoding'],
    ['%E0%A4%A=1', 'The query string has a broken percent-encoding'],
  ])('%s is refused', (search, message) => {
    expect(refusal(() => jobListQuery(new Query(search)))).toContain(message);
  });

  test('has + for a space and decodes names as well as values', () => {
    const query = new Query('a=x+y&%62=c%3Dd=e');
    expect([query.all('a'), query.all('b'), query.all('c')]).toEqual([['x y'], ['c=d=e'], []]);
  });
});

function refusal(run: () => unknown): string {
  return refusalOf(run).message;
}
