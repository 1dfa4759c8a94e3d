// The page of a job: its data, its parts and recording, how its weight and cost are calculated, and its status history.
import { useQuery } from '@apollo/client/react';
import { Link, useParams } from 'react-router';
import { type JobDetailsFragment, JobDocument } from '../../generated/web-operations';
import { Badge } from '../parts/badge';
import { Facts } from '../parts/facts';
import { exactTime } from '../parts/formats';
import { JOB_STATUSES } from '../parts/job-statuses';
import { LinkButton } from '../parts/link-button';
import { Loaded } from '../parts/loading-states';
import { Moment } from '../parts/moment';
import { useExactMoney } from '../parts/money';
import { formatDecimal } from '../parts/numbers';
import { printAddress, printerAddress } from '../parts/object-addresses';
import { Page, Section } from '../parts/page';
import { slotName } from '../parts/slot-name';
import { useMayWrite } from '../parts/use-viewer';
import { BASES, formatJobWeight, isWeightUnknown } from '../prints/amount-bases';
import { spoolCount } from '../prints/print-texts';
import { SpoolName } from '../prints/spool-name';
import { Thumbnail } from '../prints/thumbnail';
import { CorrectWeight } from './correct-weight';
import { JobDerivation } from './derivation-steps';
import { JobFilm } from './job-film';
import { SOURCES } from './job-filter';
import { JobNotFound } from './job-not-found';
import { JobParts } from './job-parts';
import styles from './jobs.module.css';
import { StatusButtons } from './status-buttons';

export function JobPage() {
  const { id = '' } = useParams();
  return <JobView key={id} id={id} />;
}

function JobView({ id }: { id: string }) {
  const job = useQuery(JobDocument, { variables: { id } });
  return (
    <>
      <p>
        <Link to="/jobs">All jobs</Link>
      </p>
      <Loaded query={job} what="the job">
        {({ printJob }) => (printJob === null ? <JobNotFound /> : <JobDetails job={printJob} />)}
      </Loaded>
    </>
  );
}

function JobDetails({ job }: { job: JobDetailsFragment }) {
  const mayWrite = useMayWrite();
  const money = useExactMoney();
  const { tone, name } = JOB_STATUSES[job.status];
  const { spool, parts } = job;
  const isDivided = parts.length > 1;
  return (
    <Page
      title={job.printName || 'Unnamed'}
      about={<Badge tone={tone}>{name}</Badge>}
      actions={
        <>
          <StatusButtons job={job} />
          {mayWrite && <LinkButton to={`/jobs/${job.id}/divide`}>Split job</LinkButton>}
          {mayWrite && <LinkButton to={`/jobs/${job.id}/edit`}>Edit job</LinkButton>}
        </>
      }
    >
      {job.observedPrint && (
        <Thumbnail printId={job.observedPrint.id} name={job.printName} isRunning={job.status === 'PRINTING'} />
      )}
      <Facts
        facts={{
          Printer: job.printer && <Link to={printerAddress(job.printer.id)}>{job.printer.name}</Link>,
          Spool: spoolCount(job) === 1 && spool && <SpoolName spool={spool} />,
          Spools: spoolCount(job) > 1 && `${spoolCount(job)} spools`,
          Slot: !isDivided && parts[0]?.slot && slotName(parts[0].slot),
          'Filament length': `${formatDecimal(job.mmExtruded)} mm`,
          Weight:
            isDivided || isWeightUnknown(job)
              ? formatJobWeight(job)
              : `${formatJobWeight(job)}, ${BASES[job.filamentBasis]}`,
          Cost: money(job.costPerPrint),
          'Data source': SOURCES[job.dataSource],
          'Print as reported': job.observedPrint && <Link to={printAddress(job.observedPrint.id)}>View print</Link>,
          'G-code file': job.gcodeFilePath,
          Created: <Moment at={job.createdAt} />,
          Started: job.startedAt && <Moment at={job.startedAt} />,
          Ended: job.completedAt && <Moment at={job.completedAt} />,
          'Last change': <Moment at={job.updatedAt} />,
          Notes: job.notes,
        }}
      />
      {mayWrite && <CorrectWeight job={job} />}
      {isDivided && <JobParts parts={parts} />}
      {job.startedAt !== null && <JobFilm job={job} />}
      <div className={styles['columns']}>
        <JobDerivation job={job} />
        <Section title="History">
          <ol className={styles['card']} aria-label="Statuses">
            {job.statusHistory.map(({ to, at }) => (
              <li key={at + to}>
                <span>
                  <Badge tone={JOB_STATUSES[to].tone}>{JOB_STATUSES[to].name}</Badge>
                </span>
                <time dateTime={at}>{exactTime(at)}</time>
              </li>
            ))}
          </ol>
        </Section>
      </div>
    </Page>
  );
}
