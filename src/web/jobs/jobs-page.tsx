// The page of all print jobs. The filters are in the address, and further jobs are loaded when the end of the list comes into view.
import { useApolloClient, useQuery } from '@apollo/client/react';
import { useEffect, useMemo } from 'react';
import {
  type JobRowFragment,
  JobsDocument,
  type JobsQueryVariables,
  type PrintJobOrder,
} from '../../generated/web-operations';
import { CsvLinks } from '../parts/csv-links';
import { DataTable } from '../parts/data-table';
import { useFilters } from '../parts/filters';
import { useFurtherPages } from '../parts/further-pages';
import { LinkButton } from '../parts/link-button';
import { Empty, Loaded, ProblemBox } from '../parts/loading-states';
import { Page } from '../parts/page';
import { SelectAll, useRowSelection } from '../parts/row-selection';
import { useDebounced } from '../parts/use-debounced';
import { useMayWrite } from '../parts/use-viewer';
import { createJobColumns } from './job-columns';
import { matchesFilter, toJobFilter, toRecording } from './job-filter';
import { JobFilters } from './job-filter-fields';
import { createJobSorting } from './job-sorting';
import { SelectMatching } from './select-matching';
import { SelectedJobs } from './selected-jobs';

export function JobsPage() {
  const [getFilter, setFilter] = useFilters();
  const mayWrite = useMayWrite();
  const { filter, ...list } = useDebounced({
    filter: toJobFilter(getFilter),
    ...toRecording(getFilter),
    orderBy: (getFilter('order') || 'CREATED_AT_DESC') as PrintJobOrder,
  });
  const variables = { filter, ...list };
  const jobs = useQuery(JobsDocument, { variables, context: { isPaged: true } });
  useRemoveUnmatchedJobs(variables);
  // While another list loads, the previous list is shown, which must not be marked.
  const isShown = jobs.data !== undefined;
  const noteFor = (job: JobRowFragment) => (isShown && !matchesFilter(job, filter) ? 'No longer matches' : undefined);
  const { more, retry, problem } = useFurtherPages(jobs, jobs.data?.printJobs.pageInfo);
  const shown = jobs.data?.printJobs.nodes ?? [];
  const ids = shown.map(({ id }) => id);
  const selection = useRowSelection(ids);
  const columns = useMemo(() => createJobColumns(mayWrite ? selection : undefined), [selection, mayWrite]);
  const selected = shown.filter(({ id }) => selection.selectedIds.has(id));
  const sorting = createJobSorting(getFilter('order'), (order) => setFilter('order', order));
  return (
    <Page
      title="Jobs"
      about={jobs.data && formatCount(Math.max(jobs.data.printJobs.totalCount, jobs.data.printJobs.nodes.length))}
      actions={
        <>
          <CsvLinks path="reports/print-jobs.csv" parameters={{ ...filter, recording: list.recording }} />
          {mayWrite && (
            <LinkButton to="/jobs/new" kind="main">
              Add a job
            </LinkButton>
          )}
        </>
      }
    >
      <JobFilters />
      <Loaded query={jobs} what="the jobs" rows={12}>
        {({ printJobs: { nodes, totalCount } }) =>
          nodes.length === 0 ? (
            Object.keys(filter).length > 0 || list.recording !== undefined ? (
              <Empty>No jobs match these filters.</Empty>
            ) : (
              <Empty action={mayWrite && <LinkButton to="/jobs/new">Add your first job</LinkButton>}>
                Jobs appear here: what was printed, from which spool, and what it cost. Prints of connected printers
                become jobs by themselves.
              </Empty>
            )
          ) : (
            <>
              {selected.length > 0 && (
                <SelectedJobs selected={selected} selection={selection}>
                  <SelectMatching total={totalCount} jobs={nodes} more={more} selection={selection} />
                </SelectedJobs>
              )}
              <DataTable
                label="Jobs"
                columns={columns}
                sorting={sorting}
                rows={nodes}
                getKey={({ id }) => id}
                total={Math.max(totalCount, nodes.length)}
                noteFor={noteFor}
                onEnd={more}
                isDense
                headControl={mayWrite && <SelectAll ids={ids} what="loaded jobs" selection={selection} />}
              />
            </>
          )
        }
      </Loaded>
      {problem !== undefined && <ProblemBox title="Could not load more jobs" error={problem} onRetry={retry} />}
    </Page>
  );
}

const formatCount = (count: number) => `${count.toLocaleString()} ${count === 1 ? 'job' : 'jobs'}`;

/**
 * Removes jobs that no longer match when a list is opened. Until then they keep their rows, so that nothing moves under the
 * pointer.
 */
function useRemoveUnmatchedJobs(listVariables: JobsQueryVariables): void {
  const { cache } = useApolloClient();
  const variables = JSON.stringify(listVariables);
  useEffect(() => {
    const list = { query: JobsDocument, variables: JSON.parse(variables), overwrite: true };
    cache.updateQuery(list, (data) => {
      if (data === null) return undefined;
      const nodes = data.printJobs.nodes.filter((job) => matchesFilter(job, list.variables.filter));
      return { ...data, printJobs: { ...data.printJobs, nodes } };
    });
  }, [cache, variables]);
}
