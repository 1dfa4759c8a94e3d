// How the REST door reads bodies and query strings: member by member, in any spelling, each fault naming its member.
import {
  Body,
  CreatePrintJobBody,
  jobListQuery,
  Query,
  registerCameraInput,
  UpdatePrintJobBody,
} from '../../src/rest/requests';
import { refusalOf } from '../support/refusal';

const ID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const body = (json: unknown) => new Body(Buffer.from(typeof json === 'string' ? json : JSON.stringify(json)));

describe('a body', () => {
  test.each(['PrinterId', 'printerId', 'printerid', 'PRINTERID', 'printer_id', 'PRINTER_ID', 'Printer_Id'])(
    'has its member by the name %s',
    (name) => {
      expect(body({ [name]: ID.toUpperCase() }).guid('printerId')).toBe(ID);
    },
  );

  test.each(['null', '1', '1.50', '"text"', '[]', '[{}]', 'true'])('is no object: %s', (text) => {
    expect(refusal(() => body(text).text('a'))).toBe('The body must be a JSON object');
  });

  test.each(['', '{', 'printName=x'])('is no JSON: %p', (text) => {
    expect(refusal(() => body(text).value('a'))).toMatch(/^The body is not JSON/);
  });

  test('that is absent is no JSON', () => {
    expect(refusal(() => new Body(undefined).value('a'))).toMatch(/^The body is not JSON/);
  });

  test('has the empty value of the type for what is absent or null', () => {
    for (const empty of [body({}), body({ a: null, A: null })]) {
      expect(empty.text('a')).toBe('');
      expect(empty.optionalText('a')).toBeNull();
      expect(empty.decimal('a')).toBe('0');
      expect(empty.boolean('a')).toBe(false);
      expect(empty.optionalInstant('a')).toBeNull();
      expect(refusal(() => empty.guid('a'))).toMatch(/^a must be a GUID/);
    }
  });

  test('has decimals with every digit, from numbers and from texts', () => {
    const text = '123456789012345678.1234567890123456789012345678';
    expect(body(`{"a": ${text}}`).decimal('a')).toBe(text);
    expect(body(`{"a": "${text}"}`).decimal('a')).toBe(text);
    expect(body('{"a": 1.50}').decimal('a')).toBe('1.50');
  });

  test.each([
    ['text', 1],
    ['text', true],
    ['text', {}],
    ['text', ['x']],
    ['decimal', 'abc'],
    ['decimal', true],
    ['decimal', {}],
    ['boolean', 1],
    ['boolean', 'true'],
    ['guid', 1],
    ['guid', ''],
    ['optionalInstant', 0],
    ['optionalInstant', '2026-11-20'],
    ['text', 'a\0b'],
    ['text', '\uD83D'],
  ] as const)('names the member of a wrong %s: %j', (kind, value) => {
    expect(refusal(() => body({ someMember: value })[kind]('someMember'))).toMatch(/^someMember must /);
  });

  test('of which an unknown member is wrong is right', () => {
    expect(body({ a: 'x', prototype: 1, __proto__: 2, other: { deep: [null] } }).text('a')).toBe('x');
  });

  test('registers a camera', () => {
    expect(registerCameraInput(body({ camera_id: 'a', friendly_name: 'b' }))).toEqual({
      id: 'a',
      friendlyName: 'b',
      macAddress: null,
    });
  });

  test('is read when a member is asked for, so that faults come to light in the documented order', () => {
    const update = new UpdatePrintJobBody(body({ PrinterId: 'x', SpoolId: ID, PrintName: 1 }));
    expect(update.spoolId).toBe(ID);
    expect(refusal(() => update.printerId)).toMatch(/^printerId /);
    expect(refusal(() => update.printName)).toMatch(/^printName /);
  });

  test('creates a job, its data source left to the service', () => {
    const create = new CreatePrintJobBody(
      body({ DataSource: 'mqtt', StartedAt: '2026-11-20T09:30:00+01:00', AutoDeriveGrams: true, Notes: '' }),
    );
    expect(create.dataSource).toBe('mqtt');
    expect(create.startedAt).toBe('2026-11-20T08:30:00.000Z');
    expect(create.autoDeriveGrams).toBe(true);
    expect(create.notes).toBe('');
    expect([create.printName, create.gcodeFilePath, create.mmExtruded, create.materialDensityAtPrint]).toEqual([
      '',
      '',
      '0',
      '0',
    ]);
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
