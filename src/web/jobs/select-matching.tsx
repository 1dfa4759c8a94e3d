// The button that selects all jobs that match the filters. It loads the jobs that are not loaded yet.
import { useEffect, useState } from 'react';
import type { JobRowFragment } from '../../generated/web-operations';
import { Button } from '../parts/button';
import type { RowSelection } from '../parts/row-selection';

/** The most jobs that are loaded for a selection: ten pages. */
const MAX_SELECTED = 500;

interface SelectMatchingProps {
  /** How many jobs match. */
  total: number;
  /** The jobs that are loaded. */
  jobs: readonly JobRowFragment[];
  /** Loads the next page; undefined if all jobs are loaded. */
  more: (() => void) | undefined;
  selection: RowSelection;
}

export function SelectMatching({ total, jobs, more, selection: { selectedIds, selectAll } }: SelectMatchingProps) {
  const [isLoading, setLoading] = useState(false);
  useEffect(() => {
    if (!isLoading) return;
    if (more !== undefined) return more();
    setLoading(false);
    selectAll(
      jobs.map(({ id }) => id),
      true,
    );
  }, [isLoading, more, jobs, selectAll]);
  const areAllSelected = more === undefined && jobs.every(({ id }) => selectedIds.has(id));
  if (total > MAX_SELECTED || areAllSelected) return null;
  return (
    <Button isBusy={isLoading} onClick={() => setLoading(true)}>
      {`Select all ${total.toLocaleString()} jobs`}
    </Button>
  );
}
