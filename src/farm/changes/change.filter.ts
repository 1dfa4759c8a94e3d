// Decides which changes match the filter of a query or a subscription.
import { BadInput } from '../../errors';
import { parseGuid } from '../../values/guid';
import { parseJobFilter } from '../print-jobs/print-job.filter';
import {
  type ChangeFilter,
  type JobChangesArguments,
  MAX_FILTER_ITEMS,
  type StatusChangesArguments,
} from './change.inputs';
import type { ChangeRow, ChangeType } from './change.types';

export type ChangePredicate = (change: ChangeRow) => boolean;

/** The members of a filter that contain ids, and the types of changes whose objects have such ids. */
const TYPES_BY_MEMBER = {
  cameraIds: ['CAMERA', 'CAMERA_STATUS'],
  printJobIds: ['PRINT_JOB'],
  printerIds: ['PRINTER'],
  spoolIds: ['SPOOL'],
} as const satisfies Record<string, readonly ChangeType[]>;

/** @param position the path to the filter in the arguments, for errors */
export function createChangeMatcher(filter: ChangeFilter, ...position: string[]): ChangePredicate {
  const types = readSet(filter.types, [...position, 'types']);
  const idConditions = Object.entries(TYPES_BY_MEMBER).flatMap(
    ([name, typesOfIds]: [string, readonly ChangeType[]]) => {
      const path = [...position, name];
      const ids = readSet(filter[name as keyof typeof TYPES_BY_MEMBER], path, (id) =>
        name === 'cameraIds' ? id : parseGuid(id, ...path),
      );
      return ids ? [{ typesOfIds, ids }] : [];
    },
  );
  return ({ type, entity }) =>
    (types?.has(type) ?? true) &&
    idConditions.every(({ typesOfIds, ids }) => (typesOfIds.includes(type) ? ids.has(entity) : types !== undefined));
}

/** Undefined if the list is left out. A set, because every change is compared with the list. */
function readSet<Item>(
  items: readonly Item[] | null | undefined,
  path: readonly string[],
  read = (item: Item) => item,
) {
  if (items == null) return undefined;
  if (items.length > MAX_FILTER_ITEMS) throw new BadInput(`must have at most ${MAX_FILTER_ITEMS} items`, ...path);
  return new Set(items.map(read));
}

export function createStatusMatcher({ cameraIds }: StatusChangesArguments): ChangePredicate {
  return createChangeMatcher({ types: ['CAMERA_STATUS'], cameraIds });
}

/** Applies the conditions of the list of jobs (print-job.filter.ts) to the job after the change. */
export function createJobMatcher({ ids, filter }: JobChangesArguments): ChangePredicate {
  const wanted = readSet(ids, ['ids'], (id) => parseGuid(id, 'ids'));
  const { printerId, spoolId, status, dataSource, createdFrom, createdTo, search } = parseJobFilter(filter ?? {});
  const statuses = readSet<string>(status, ['filter', 'status']);
  const part = search?.toLowerCase();
  return ({ type, entity, job }) => {
    if (type !== 'PRINT_JOB' || wanted?.has(entity) === false) return false;
    if (filter == null) return true;
    return (
      job !== null &&
      (printerId == null || job.printerId === printerId) &&
      (spoolId == null || job.spoolId === spoolId || job.partSpoolIds.includes(spoolId)) &&
      (statuses?.has(job.toStatus ?? job.fromStatus ?? '') ?? true) &&
      (dataSource == null || job.dataSource === dataSource) &&
      (createdFrom == null || job.createdAt >= createdFrom) &&
      (createdTo == null || job.createdAt <= createdTo) &&
      (!part || job.printName.toLowerCase().includes(part))
    );
  };
}
