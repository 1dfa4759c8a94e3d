// All print jobs, with the filters of the graph in the address; further pages arrive as the end comes into view.
import { useApolloClient, useQuery } from '@apollo/client/react';
import { useEffect, useMemo } from 'react';
import {
  type JobRowFragment,
  JobsDocument,
  type PrintJobFilter,
  type PrintJobOrder,
} from '../../generated/web-operations';
import { CsvLinks } from '../parts/csv-links';
import { DataTable } from '../parts/data-table';
import { useDebounced } from '../parts/debounced';
import { useFilters } from '../parts/filters';
import { useFurtherPages } from '../parts/further-pages';
import { LinkButton } from '../parts/link-button';
import { Empty, Loaded, ProblemBox } from '../parts/loading-states';
import { Page } from '../parts/page';
import { useRowSelection } from '../parts/row-selection';
import { useMayWrite } from '../parts/use-viewer';
import { ChosenJobs } from './chosen-jobs';
import { jobColumns } from './job-columns';
import { filterOf, fits } from './job-filter';
import { JobFilters } from './job-filter-fields';

const LATEST: PrintJobOrder = 'COMPLETED_AT_DESC';

export function JobsPage() {
  const [of, set] = useFilters();
  const ticks = useRowSelection();
  const mayWrite = useMayWrite();
  const { orderBy, ...filter } = useDebounced({
    ...filterOf(of),
    orderBy: (of('order') || 'CREATED_AT_DESC') as PrintJobOrder,
  });
  const jobs = useQuery(JobsDocument, { variables: { filter, orderBy }, context: { isPaged: true } });
  useWithoutLeft(filter, orderBy);
  // While another list loads, the one before is shown.
  const isShown = jobs.data !== undefined;
  const markOf = (job: JobRowFragment) => (isShown && !fits(job, filter) ? 'No longer matches' : undefined);
  const { more, retry, problem } = useFurtherPages(jobs, jobs.data?.printJobs.pageInfo);
  const columns = useMemo(() => jobColumns(mayWrite ? ticks : undefined), [ticks, mayWrite]);
  const chosen = jobs.data?.printJobs.nodes.filter(({ id }) => ticks.ticked.has(id)) ?? [];
  const sorting = {
    heads: ['Ended'],
    head: of('order') === LATEST ? 'Ended' : undefined,
    isDescending: true,
    turn: () => set('order', of('order') === LATEST ? '' : LATEST),
  };
  return (
    <Page
      title="Jobs"
      about={jobs.data && countOf(Math.max(jobs.data.printJobs.totalCount, jobs.data.printJobs.nodes.length))}
      actions={
        <>
          <CsvLinks path="reports/print-jobs.csv" members={filter} />
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
            Object.keys(filter).length > 0 ? (
              <Empty>No jobs match these filters.</Empty>
            ) : (
              <Empty action={mayWrite && <LinkButton to="/jobs/new">Add your first job</LinkButton>}>
                Jobs appear here: what was printed, from which spool, and what it cost. Prints of connected printers
                become jobs by themselves.
              </Empty>
            )
          ) : (
            <DataTable
              label="Jobs"
              columns={columns}
              sorting={sorting}
              rows={nodes}
              keyOf={({ id }) => id}
              total={Math.max(totalCount, nodes.length)}
              markOf={markOf}
              onEnd={more}
            />
          )
        }
      </Loaded>
      {chosen.length > 0 && <ChosenJobs chosen={chosen} onClear={ticks.clear} />}
      {problem !== undefined && <ProblemBox title="Could not load more jobs" error={problem} onRetry={retry} />}
    </Page>
  );
}

const countOf = (count: number) => `${count.toLocaleString()} ${count === 1 ? 'job' : 'jobs'}`;

/** Jobs that leave a list keep their rows, so that nothing moves under the pointer. The list that is opened next is without them. */
function useWithoutLeft(filter: PrintJobFilter, orderBy: PrintJobOrder): void {
  const { cache } = useApolloClient();
  const variables = JSON.stringify({ filter, orderBy });
  useEffect(() => {
    const list = { query: JobsDocument, variables: JSON.parse(variables), overwrite: true };
    cache.updateQuery(list, (data) => {
      if (data === null) return undefined;
      const nodes = data.printJobs.nodes.filter((job) => fits(job, list.variables.filter));
      return { ...data, printJobs: { ...data.printJobs, nodes } };
    });
  }, [cache, variables]);
}
