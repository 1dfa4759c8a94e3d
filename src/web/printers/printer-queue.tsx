// Lists the jobs that a printer prints and will print, oldest first, with a button that marks the next one as started.
import { useQuery } from '@apollo/client/react';
import { useRef } from 'react';
import { Link } from 'react-router';
import { ChangeJobStatusDocument, type JobRowFragment, PrinterQueueDocument } from '../../generated/web-operations';
import { StatusButtons } from '../jobs/status-buttons';
import { announce } from '../parts/announcer';
import { Badge } from '../parts/badge';
import { Button } from '../parts/button';
import { type Column, DataTable } from '../parts/data-table';
import { JOB_STATUSES } from '../parts/job-statuses';
import { Empty, Loaded, Outcome } from '../parts/loading-states';
import { Moment } from '../parts/moment';
import { Section } from '../parts/page';
import { useSaving } from '../parts/saving';
import { useMayWrite } from '../parts/use-viewer';
import { formatJobWeight } from '../prints/amount-bases';
import { spoolCount } from '../prints/print-texts';
import { SpoolName } from '../prints/spool-name';
import styles from './printers.module.css';

/** Limits the height of the list, so that the prints below it stay near. */
const MAX_SHOWN = 5;

const COLUMNS: Column<JobRowFragment>[] = [
  {
    head: 'Job',
    width: 'minmax(10rem, 3fr)',
    cell: ({ id, printName }) => <Link to={`/jobs/${id}`}>{printName || 'Unnamed'}</Link>,
  },
  {
    head: 'Status',
    width: 'minmax(6rem, 1fr)',
    cell: ({ status }) => <Badge tone={JOB_STATUSES[status].tone}>{JOB_STATUSES[status].name}</Badge>,
  },
  {
    head: 'Spool',
    width: 'minmax(8rem, 2fr)',
    cell: (job) => {
      if (spoolCount(job) > 1) return `${spoolCount(job)} spools`;
      return job.spool && <SpoolName spool={job.spool} />;
    },
  },
  { head: 'Weight', width: 'minmax(5rem, 1fr)', cell: formatJobWeight },
  { head: 'Added', width: 'minmax(7rem, 1fr)', cell: ({ createdAt }) => <Moment at={createdAt} /> },
];
const ACTIONS: Column<JobRowFragment> = {
  head: 'Actions',
  width: 'minmax(11rem, 2fr)',
  isFullWidth: true,
  cell: (job) => <StatusButtons job={job} />,
};

interface PrinterQueueProps {
  printerId: string;
  /** Whether a machine is connected that reports its prints. */
  isConnected: boolean;
  isPrinting: boolean;
}

export function PrinterQueue({ printerId, isConnected, isPrinting }: PrinterQueueProps) {
  const query = useQuery(PrinterQueueDocument, { variables: { id: printerId } });
  const mayWrite = useMayWrite();
  const list = useRef<HTMLDivElement>(null);
  const { printing, queued } = query.data?.printer ?? {};
  // A job whose status has changed leaves its list immediately. The lists are refetched later.
  const running = printing?.nodes.filter(({ status }) => status === 'PRINTING') ?? [];
  const waiting = queued?.nodes.filter(({ status }) => status === 'QUEUED') ?? [];
  const total = Math.max(waiting.length, queued?.totalCount ?? 0);
  const [next] = waiting;
  return (
    <Section
      title="Queue"
      about={total > 0 && total}
      actions={
        <>
          {mayWrite && next !== undefined && (
            <StartNext
              job={next}
              kind={isConnected ? 'plain' : 'main'}
              onStarted={() => document.activeElement === document.body && list.current?.focus()}
            />
          )}
          {total > MAX_SHOWN && <Link to={`/jobs?printer=${printerId}&status=QUEUED`}>{`Show all ${total}`}</Link>}
        </>
      }
    >
      <div ref={list} className={styles['queue']} tabIndex={-1}>
        <Loaded query={query} what="the queue" rows={2}>
          {() =>
            running.length + waiting.length === 0 ? (
              <Empty>Queued jobs of this printer appear here.</Empty>
            ) : (
              <>
                {mayWrite && next !== undefined && (
                  <p className={styles['hint']}>{describeStart(isConnected, isPrinting)}</p>
                )}
                <DataTable
                  label="Jobs of this printer"
                  columns={mayWrite ? [...COLUMNS, ACTIONS] : COLUMNS}
                  rows={[...running, ...waiting.slice(0, MAX_SHOWN)]}
                  getKey={({ id }) => id}
                />
              </>
            )
          }
        </Loaded>
      </div>
    </Section>
  );
}

/** The gateway starts no print, and a print that a machine reports finds its queued job by itself. */
function describeStart(isConnected: boolean, isPrinting: boolean): string {
  if (!isConnected) return '“Start next” only marks the job as Printing. Start the print on the printer.';
  const claim = isPrinting
    ? 'The printer is printing already: its print claims a queued job with the same file name.'
    : 'Start the file on the printer: the print claims the queued job with the same file name.';
  return `${claim} “Start next” only marks a job as Printing, for a print that the gateway does not see.`;
}

interface StartNextProps {
  job: JobRowFragment;
  kind: 'plain' | 'main';
  onStarted: () => void;
}

function StartNext({ job, kind, onStarted }: StartNextProps) {
  const { save, isBusy, faults } = useSaving();
  const printName = job.printName || 'Unnamed';
  const start = async () => {
    const saved = await save(ChangeJobStatusDocument, { id: job.id, status: 'PRINTING' });
    if (saved === undefined) return;
    announce(`${printName} is marked as Printing.`);
    onStarted();
  };
  return (
    <>
      <Outcome isBad>{Object.values(faults).join(' ')}</Outcome>
      <Button kind={kind} isBusy={isBusy} aria-label={`Start next: ${printName}`} onClick={() => void start()}>
        Start next
      </Button>
    </>
  );
}
