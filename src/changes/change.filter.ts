// Which changes a filter keeps. Pure.
import { parseGuid } from '../values/guid';
import type { ChangeFilter, JobChangesArguments, StatusChangesArguments } from './change.inputs';
import type { ChangeRow, ChangeType } from './change.types';

export type Keeps = (change: ChangeRow) => boolean;

/** The members of a filter that hold ids, with the kinds of changes that have such an id. */
const KINDS = {
  cameraIds: ['CAMERA', 'CAMERA_STATUS'],
  printJobIds: ['PRINT_JOB'],
  printerIds: ['PRINTER'],
  spoolIds: ['SPOOL'],
} as const satisfies Record<string, readonly ChangeType[]>;

export function keptBy(filter: ChangeFilter): Keeps {
  const { types } = filter;
  const named = Object.entries(KINDS).flatMap(([name, kinds]: [string, readonly ChangeType[]]) => {
    const ids = filter[name as keyof typeof KINDS];
    if (ids == null) return [];
    return [{ kinds, ids: new Set(name === 'cameraIds' ? ids : ids.map((id) => parseGuid(id, 'filter', name))) }];
  });
  return ({ type, entity }) =>
    (types == null || types.includes(type)) &&
    named.every(({ kinds, ids }) => (kinds.includes(type) ? ids.has(entity) : types != null));
}

export function statusesKeptBy({ cameraIds }: StatusChangesArguments): Keeps {
  return keptBy({ types: ['CAMERA_STATUS'], cameraIds });
}

/** The same conditions as those of the list of jobs (print-job.store.ts), held against the job after the change. */
export function jobsKeptBy({ ids, filter }: JobChangesArguments): Keeps {
  const isKept = keptBy({ types: ['PRINT_JOB'], printJobIds: ids?.map((id) => parseGuid(id, 'ids')) });
  if (filter == null) return isKept;
  const { status, dataSource, createdFrom, createdTo } = filter;
  const printerId = filter.printerId == null ? null : parseGuid(filter.printerId, 'filter', 'printerId');
  const spoolId = filter.spoolId == null ? null : parseGuid(filter.spoolId, 'filter', 'spoolId');
  const search = filter.search?.toLowerCase();
  return (change) => {
    const { job } = change;
    if (!isKept(change) || job === null) return false;
    return (
      (printerId === null || job.printerId === printerId) &&
      (spoolId === null || job.spoolId === spoolId) &&
      (status == null || status.some((one) => one === (job.status ?? job.previousStatus))) &&
      (dataSource == null || job.dataSource === dataSource) &&
      (createdFrom == null || job.createdAt >= createdFrom) &&
      (createdTo == null || job.createdAt <= createdTo) &&
      (!search || job.printName.toLowerCase().includes(search))
    );
  };
}
