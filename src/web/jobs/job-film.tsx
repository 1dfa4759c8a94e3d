// What cameras recorded of a job: a bar for each over the length of the print, and its gaps.
import { useQuery } from '@apollo/client/react';
import { useEffect, useMemo, useRef } from 'react';
import { type JobDetailsFragment, JobFilmDocument, type JobFilmQuery } from '../../generated/web-operations';
import { buildBarSections } from '../films/bar-sections';
import { FilmLegend } from '../films/film-bar';
import { findFilmedSpan } from '../films/recorded-share';
import { Empty, Loaded } from '../parts/loading-states';
import { Section } from '../parts/page';
import { problemOf } from '../parts/problem';
import { CameraFilm } from './camera-film';

/** While a job prints, its film grows without a word of the feed. */
const POLL_MS = 60_000;

/** What a film depends on: a farm has many changes, and a film may have many records. */
const markOf = ({ status, startedAt, completedAt, updatedAt, printer }: JobDetailsFragment) =>
  [status, startedAt, completedAt, updatedAt, printer?.id].join();

export function JobFilm({ job }: { job: JobDetailsFragment }) {
  const query = useQuery(JobFilmDocument, {
    variables: { id: job.id },
    skipPollAttempt: () => document.hidden,
    // An answer on its way may be older than the change.
    context: { queryDeduplication: false },
  });
  const isPrinting = job.status === 'PRINTING';
  const { startPolling, stopPolling, refetch } = query;
  const mark = markOf(job);
  const read = useRef(mark);
  useEffect(() => {
    if (read.current === mark) return;
    read.current = mark;
    // The page shows its failure.
    refetch().catch(() => {});
  }, [mark, refetch]);
  useEffect(() => {
    if (!isPrinting) return;
    startPolling(POLL_MS);
    return stopPolling;
  }, [isPrinting, startPolling, stopPolling]);
  const isRefused = query.error !== undefined && problemOf(query.error).codes.includes('BAD_USER_INPUT');
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

type Filmed = NonNullable<JobFilmQuery['printJob']>;

function Films({ job, printerId }: { job: Filmed; printerId: string | undefined }) {
  const filming = job.filming ?? [];
  // Read at this moment, as long as nothing of it changes.
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
