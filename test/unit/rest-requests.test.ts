// How the REST door reads bodies and query strings: in any spelling, each fault naming its member.
import {
  createPrintJobInput,
  jobListQuery,
  Query,
  registerCameraInput,
  requestedStatus,
  updatePrintJobInput,
} from '../../src/rest/requests';
import { refusalOf } from '../support/refusal';

const ID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const body = (json: unknown) => Buffer.from(typeof json === 'string' ? json : JSON.stringify(json));
/** An update of which the test says one member; the printer is there, because nothing is read without it. */
const update = (members: object) => updatePrintJobInput(body({ PrinterId: ID, ...members }));

describe('a body', () => {
  test.each(['PrinterId', 'printerId', 'printerid', 'PRINTERID', 'printer_id', 'PRINTER_ID', 'Printer_Id'])(
    'has its member by the name %s',
    (name) => {
      expect(updatePrintJobInput(body({ [name]: ID.toUpperCase() })).printerId).toBe(ID);
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
        mmExtruded: '0',
        gramsDerived: '0',
        costPerPrint: '0',
        notes: null,
        autoDeriveGrams: false,
        startedAt: null,
        dataSource: null,
        filamentDiameterAtPrintMm: '0',
        materialDensityAtPrint: '0',
      });
    }
    expect(refusal(() => updatePrintJobInput(body({})))).toMatch(/^printerId must be a GUID/);
  });

  test('has decimals with every digit, from numbers and from texts', () => {
    const text = '123456789012345678.1234567890123456789012345678';
    const millimetres = (json: string) =>
      updatePrintJobInput(body(`{"PrinterId": "${ID}", "MmExtruded": ${json}}`)).mmExtruded;
    expect(millimetres(text)).toBe(text);
    expect(millimetres(`"${text}"`)).toBe(text);
    expect(millimetres('1.50')).toBe('1.50');
  });

  test.each([
    ['printName', 1],
    ['printName', true],
    ['printName', {}],
    ['gcodeFilePath', ['x']],
    ['notes', 'a\0b'],
    ['notes', '\uD83D'],
    ['mmExtruded', 'abc'],
    ['gramsDerived', true],
    ['costPerPrint', {}],
    ['autoDeriveGrams', 1],
    ['autoDeriveGrams', 'true'],
    ['printerId', 1],
    ['printerId', ''],
  ])('names the member of a wrong %s: %j', (member, value) => {
    expect(refusal(() => update({ [member]: value }))).toMatch(new RegExp(`^${member} must `));
  });

  test.each([0, '2026-11-20'])('names the member of a wrong startedAt: %j', (value) => {
    expect(refusal(() => createPrintJobInput(body({ PrinterId: ID, StartedAt: value })))).toMatch(/^startedAt must /);
  });

  test('of which an unknown member is wrong is right', () => {
    expect(update({ PrintName: 'x', prototype: 1, __proto__: 2, other: { deep: [null] } }).printName).toBe('x');
  });

  test('registers a camera', () => {
    expect(registerCameraInput(body({ camera_id: 'a', friendly_name: 'b' }))).toEqual({
      id: 'a',
      friendlyName: 'b',
      macAddress: null,
    });
  });

  test('leaves the spool, the data source and the status to the service, which judges them at their rules', () => {
    const create = createPrintJobInput(
      body({ PrinterId: ID, SpoolId: 'x', DataSource: 'mqtt', StartedAt: '2026-11-20T09:30:00+01:00' }),
    );
    expect(create).toMatchObject({ spoolId: 'x', dataSource: 'mqtt', startedAt: '2026-11-20T08:30:00.000Z' });
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
    ['PageNumber=', 'pageNumber must be an integer'],
    ['PageNumber=1.5', 'pageNumber must be an integer'],
    ['PageSize=1e2', 'pageSize must be an integer'],
    ['PageSize=0x10', 'pageSize must be an integer'],
    ['PageSize=5&pagesize=6', 'pageSize must be given once'],
    ['PrinterId=1', 'printerId must be a GUID'],
    ['PrinterId=', 'printerId must be a GUID'],
    ['SpoolId=x', 'spoolId must be a GUID'],
    ['Status=%', 'The query string has a broken percent-encoding'],
    ['%E0%A4%A=1', 'The query string has a broken percent-encoding'],
  ])('%s is refused', (search, message) => {
    expect(refusal(() => jobListQuery(new Query(search)))).toContain(message);
  });

  test('has + for a space and decodes names as well as values', () => {
    const query = new Query('a=x+y&%62=c%3Dd=e');
    expect(query.text('a')).toBe('x y');
    expect(query.text('b')).toBe('c=d=e');
    expect(query.text('c')).toBeUndefined();
  });
});

function refusal(run: () => unknown): string {
  return refusalOf(run).message;
}
