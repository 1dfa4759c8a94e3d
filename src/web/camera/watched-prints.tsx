// Lists the prints that a camera watched during one assignment to a printer, each with the share that the camera recorded.
import { useQuery } from '@apollo/client/react';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import {
  CameraWatchesDocument,
  type CameraWatchesQuery,
  type JobRowFragment,
  JobsDocument,
} from '../../generated/web-operations';
import { FilmShare } from '../films/film-share';
import { Badge } from '../parts/badge';
import { Button } from '../parts/button';
import { type Column, DataTable } from '../parts/data-table';
import { exactTime } from '../parts/formats';
import { useFurtherPages } from '../parts/further-pages';
import { JOB_STATUSES } from '../parts/job-statuses';
import { Empty, Loaded, ProblemBox } from '../parts/loading-states';
import { Section } from '../parts/page';
import styles from './camera.module.css';
import { createJobsVariables, mayHaveOlder, type Watch, wasWatched } from './watched-jobs';

type Camera = NonNullable<CameraWatchesQuery['camera']>;

const MAX_SHOWN = 5;

const createColumns = (cameraId: string): Column<JobRowFragment>[] => [
  {
    head: 'Print',
    width: 'minmax(9rem, 3fr)',
    cell: ({ id, printName }) => <Link to={`/jobs/${id}`}>{printName || 'Unnamed'}</Link>,
  },
  {
    head: 'Status',
    width: 'minmax(6rem, 1fr)',
    cell: ({ status }) => <Badge tone={JOB_STATUSES[status].tone}>{JOB_STATUSES[status].name}</Badge>,
  },
  { head: 'Started', width: 'minmax(9rem, 1fr)', cell: ({ startedAt }) => startedAt && <ExactTime at={startedAt} /> },
  {
    head: 'Ended',
    width: 'minmax(9rem, 1fr)',
    cell: ({ completedAt }) => completedAt && <ExactTime at={completedAt} />,
  },
  {
    head: 'Recorded',
    width: 'minmax(4.5rem, 1fr)',
    isNumber: true,
    cell: (job) => <FilmShare job={job} cameraId={cameraId} />,
  },
];

const ExactTime = ({ at }: { at: string }) => <time dateTime={at}>{exactTime(at)}</time>;

export function WatchedPrints({ id }: { id: string }) {
  const query = useQuery(CameraWatchesDocument, { variables: { id } });
  const recordsPrints = query.data?.camera?.recordsPrints;
  const about = recordsPrints ? 'should record every print' : 'does not have to record prints';
  return (
    <Section title="Watched prints" about={recordsPrints === undefined ? '' : about}>
      <Loaded query={query} what="the watched prints" rows={3}>
        {({ camera }) =>
          camera === null || camera.watches.length === 0 ? (
            <Empty>Prints appear here once you assign the camera to a printer. Use “Edit camera” above.</Empty>
          ) : (
            <Watches camera={camera} />
          )
        }
      </Loaded>
    </Section>
  );
}

function Watches({ camera: { id, watches } }: { camera: Camera }) {
  const [chosenStart, setChosenStart] = useState<string>();
  const [showsAll, setShowsAll] = useState(false);
  const shown = watches.find(({ from }) => from === chosenStart) ?? watches[0];
  return (
    <>
      <ul className={styles['gaps']} aria-label="Watched printers, newest first">
        {(showsAll ? watches : watches.slice(0, MAX_SHOWN)).map((watch) => (
          <li key={watch.from}>
            <span>
              {watch.printer === null ? (
                <span>Removed printer</span>
              ) : (
                <Link to={`/printers/${watch.printer.id}`}>{watch.printer.name}</Link>
              )}
              <span className={styles['length']}>
                {` ${exactTime(watch.from)} – ${watch.to === null ? 'now' : exactTime(watch.to)}`}
              </span>
            </span>
            {watches.length > 1 && watch.printer !== null && (
              <Button
                kind="quiet"
                aria-pressed={watch === shown}
                aria-label={`Show prints of ${watch.printer.name} from ${exactTime(watch.from)} on`}
                onClick={() => setChosenStart(watch.from)}
              >
                Show prints
              </Button>
            )}
          </li>
        ))}
      </ul>
      {watches.length > MAX_SHOWN && (
        <Button kind="quiet" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Show newest only' : `Show all ${watches.length}`}
        </Button>
      )}
      {shown && shown.printer !== null && <Prints key={shown.from} cameraId={id} watch={shown} />}
    </>
  );
}

function Prints({ cameraId, watch }: { cameraId: string; watch: Watch }) {
  const columns = useMemo(() => createColumns(cameraId), [cameraId]);
  const variables = useMemo(() => createJobsVariables(watch), [watch]);
  const jobs = useQuery(JobsDocument, { variables, context: { isPaged: true } });
  const { more, retry, problem } = useFurtherPages(jobs, jobs.data?.printJobs.pageInfo);
  return (
    <div className={styles['prints']}>
      <Loaded query={jobs} what="the watched prints" rows={3}>
        {({ printJobs: { nodes } }) => {
          const rows = nodes.filter((job) => wasWatched(job, watch));
          return rows.length === 0 ? (
            <Empty>No prints in this time.</Empty>
          ) : (
            <DataTable label="Watched prints" columns={columns} rows={rows} getKey={({ id }) => id} isDense />
          );
        }}
      </Loaded>
      {problem !== undefined && <ProblemBox title="Could not load older prints" error={problem} onRetry={retry} />}
      {more && mayHaveOlder(jobs.data?.printJobs.nodes ?? [], watch) && (
        <Button onClick={more}>Show older prints</Button>
      )}
    </div>
  );
}
