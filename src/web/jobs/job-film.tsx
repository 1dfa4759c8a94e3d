// The section about the recording of a job: for each camera a bar over the length of the print, and its gaps.
import { useQuery } from '@apollo/client/react';
import { useEffect, useMemo, useRef } from 'react';
import { type JobDetailsFragment, JobFilmDocument, type JobFilmQuery } from '../../generated/web-operations';
import { buildBarSections } from '../films/bar-sections';
import { FilmLegend } from '../films/film-bar';
import { findFilmedSpan } from '../films/recorded-share';
import { Empty, Loaded } from '../parts/loading-states';
import { Section } from '../parts/page';
import { toProblem } from '../parts/problem';
import { CameraFilm } from './camera-film';

/** While a job prints, its film grows, but the gateway sends no changes of films. */
const POLL_MS = 60_000;

/** The values on which a film depends. The film is refetched only when they change, because a film can have many records. */
const getFilmVersion = ({ status, startedAt, completedAt, updatedAt, printer }: JobDetailsFragment) =>
  [status, startedAt, completedAt, updatedAt, printer?.id].join();

export function JobFilm({ job }: { job: JobDetailsFragment }) {
  const query = useQuery(JobFilmDocument, {
    variables: { id: job.id },
    skipPollAttempt: () => document.hidden,
    // A pending answer may be older than the change.
    context: { queryDeduplication: false },
  });
  const isPrinting = job.status === 'PRINTING';
  const { startPolling, stopPolling, refetch } = query;
  const version = getFilmVersion(job);
  const lastVersion = useRef(version);
  useEffect(() => {
    if (lastVersion.current === version) return;
    lastVersion.current = version;
    // The page shows the failure.
    refetch().catch(() => {});
  }, [version, refetch]);
  useEffect(() => {
    if (!isPrinting) return;
    startPolling(POLL_MS);
    return stopPolling;
  }, [isPrinting, startPolling, stopPolling]);
  const isRefused = query.error !== undefined && toProblem(query.error).codes.includes('BAD_USER_INPUT');
  return (
    <Section title="Recording" about="as reported by the cameras">
      {isRefused ? (
        <Empty>The cameras sent too many status records during this print to analyze its recording.</Empty>
      ) : (
        <Loaded query={query} what="the recording" rows={2}>
          {({ printJob }) => printJob && <Films job={printJob} printerId={job.printer?.id} />}
        </Loaded>
      )}
    </Section>
  );
}

type FilmedJob = NonNullable<JobFilmQuery['printJob']>;

function Films({ job, printerId }: { job: FilmedJob; printerId: string | undefined }) {
  const filming = job.filming ?? [];
  // The time at which these films were read.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const readAt = useMemo(() => Date.now(), [job.filming]);
  const print = findFilmedSpan(job, filming, readAt);
  if (print === null || filming.length === 0)
    return <Empty>No camera was assigned to the printer during this print.</Empty>;
  const films = filming.map((film) => ({ film, pieces: buildBarSections(film, print, printerId) }));
  return (
    <>
      <FilmLegend kinds={new Set(films.flatMap(({ pieces }) => pieces.map(({ kind }) => kind)))} />
      {films.map(({ film, pieces }) => (
        <CameraFilm key={film.cameraId} film={film} pieces={pieces} print={print} />
      ))}
    </>
  );
}
