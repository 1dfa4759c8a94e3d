// Which changes a filter matches.
import { createChangeMatcher, createJobMatcher, createStatusMatcher } from '../../src/farm/changes/change.filter';
import type { ChangeRow, ChangeType } from '../../src/farm/changes/change.types';
import { catchRefusal } from '../support/catch-refusal';

const GUID = '0a000000-0000-4000-8000-00000000000b';
const OTHER = '0c000000-0000-4000-8000-00000000000d';
const PART = '7f2504e0-4f89-41d3-9a0c-0305e82c3301';

const change = (type: ChangeType, entity: string, members: Partial<ChangeRow> = {}): ChangeRow => ({
  position: [1, 1],
  cursor: 'c',
  at: '2026-11-20T00:00:00.000Z',
  type,
  kind: 'UPDATED',
  entity,
  status: null,
  job: null,
  ...members,
});

const CHANGES = [
  change('CAMERA', 'cam'),
  change('CAMERA_STATUS', 'cam'),
  change('PRINT_JOB', GUID),
  change('PRINTER', GUID),
  change('SPOOL', GUID),
  change('MATERIAL', GUID),
];
const kept = (matches: (change: ChangeRow) => boolean) => CHANGES.filter(matches).map(({ type }) => type);
const ALL = CHANGES.map(({ type }) => type);

test.each([
  [{}, ALL],
  [{ types: null, cameraIds: null, printJobIds: null, printerIds: null, spoolIds: null }, ALL],
  [{ types: [] }, []],
  [{ types: ['MATERIAL', 'CAMERA'] }, ['CAMERA', 'MATERIAL']],
  [{ cameraIds: ['cam'] }, ['CAMERA', 'CAMERA_STATUS']],
  [{ cameraIds: ['CAM'] }, []],
  [{ cameraIds: [] }, []],
  [{ printJobIds: [GUID.toUpperCase()] }, ['PRINT_JOB']],
  [{ printerIds: [GUID, OTHER] }, ['PRINTER']],
  [{ spoolIds: [OTHER] }, []],
  // With `types`, ids of one kind do not affect other kinds.
  [{ types: ['CAMERA', 'PRINTER', 'MATERIAL'], cameraIds: ['cam'] }, ['CAMERA', 'PRINTER', 'MATERIAL']],
  [{ types: ['CAMERA', 'PRINTER'], cameraIds: ['other'] }, ['PRINTER']],
  [{ types: ['CAMERA', 'PRINTER'], cameraIds: ['cam'], printerIds: [OTHER] }, ['CAMERA']],
  // Without `types`, no change has ids of two kinds.
  [{ cameraIds: ['cam'], printerIds: [GUID] }, []],
] as [object, ChangeType[]][])('%j matches %j', (filter, types) => {
  expect(kept(createChangeMatcher(filter, 'filter'))).toEqual(types);
});

test('status records are kept by their camera', () => {
  expect(kept(createStatusMatcher({}))).toEqual(['CAMERA_STATUS']);
  expect(kept(createStatusMatcher({ cameraIds: ['cam'] }))).toEqual(['CAMERA_STATUS']);
  expect(kept(createStatusMatcher({ cameraIds: ['x'] }))).toEqual([]);
});

test('ids that are not GUIDs are refused by the name of their member', () => {
  const readPath = (work: () => unknown) => catchRefusal(work).issues[0]?.path.join(' ');
  expect(readPath(() => createChangeMatcher({ printJobIds: ['x'] }, 'filter'))).toBe('filter printJobIds');
  expect(readPath(() => createChangeMatcher({ spoolIds: ['x'] }, 'filter'))).toBe('filter spoolIds');
  expect(readPath(() => createJobMatcher({ filter: { printerId: 'x' } }))).toBe('filter printerId');
  expect(readPath(() => createJobMatcher({ ids: ['x'] }))).toBe('ids');
});

test('a list that is too long is refused with its path', () => {
  const many = Array(1001).fill(GUID);
  const readFault = (work: () => unknown) => catchRefusal(work).issues[0];
  const message = 'must have at most 1000 items';
  for (const name of ['types', 'cameraIds', 'printJobIds', 'printerIds', 'spoolIds'])
    expect(readFault(() => createChangeMatcher({ [name]: many }, 'filter'))).toEqual({
      path: ['filter', name],
      message,
    });
  expect(readFault(() => createStatusMatcher({ cameraIds: many }))).toEqual({ path: ['cameraIds'], message });
  expect(readFault(() => createJobMatcher({ ids: many }))).toEqual({ path: ['ids'], message });
  expect(readFault(() => createJobMatcher({ filter: { status: many } }))).toEqual({
    path: ['filter', 'status'],
    message,
  });
});

test('a job is matched as it is after the change, a removed job as it was last', () => {
  const job = {
    fromStatus: 'Queued',
    toStatus: 'Printing' as string | null,
    printerId: GUID,
    spoolId: OTHER,
    dataSource: 'Mqtt',
    createdAt: '2026-11-20T08:00:00.000Z',
    printName: 'Benchy 100%',
    partSpoolIds: [PART],
  };
  const matches = (filter: object, members = {}) =>
    createJobMatcher({ filter })(change('PRINT_JOB', GUID, { job: { ...job, ...members } }));
  expect(matches({ status: ['Printing'] })).toBe(true);
  expect(matches({ status: ['Queued'] })).toBe(false);
  expect(matches({ status: [] })).toBe(false);
  expect(matches({ status: ['Queued'] }, { toStatus: null })).toBe(true);
  expect(matches({ search: 'bENCHY 100%', dataSource: 'Mqtt', spoolId: OTHER.toUpperCase() })).toBe(true);
  expect(matches({ spoolId: PART })).toBe(true);
  expect(matches({ spoolId: GUID })).toBe(false);
  expect(matches({ createdFrom: job.createdAt, createdTo: job.createdAt })).toBe(true);
  expect(matches({ createdTo: '2026-11-20T07:59:59.999Z' })).toBe(false);
  expect(createJobMatcher({ ids: [OTHER], filter: {} })(change('PRINT_JOB', GUID, { job }))).toBe(false);
});
