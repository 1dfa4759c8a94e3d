// How much of a print was filmed, in a list: by one camera, or by the one that recorded the most of it.

import { type Film, useFilms } from './film-reader';
import { TOO_MANY_RECORDS } from './film-texts';
import { type Printed, printOf, shareOf, shareText } from './recorded-share';

interface FilmShareProps {
  job: Printed & { id: string };
  cameraId?: string;
}

/** A print has a film when one camera has it: a second one that fails loses nothing. */
export function FilmShare({ job, cameraId }: FilmShareProps) {
  const known = useFilms(job);
  if (job.startedAt === null) return <None why="Not started" />;
  if (known === undefined) return null;
  const { problem, readAt } = known;
  if (problem !== undefined) {
    const isRefused = problem.codes.includes('BAD_USER_INPUT');
    return <span title={isRefused ? TOO_MANY_RECORDS : problem.message}>Unknown</span>;
  }
  const films = (known.films ?? []).filter((film) => cameraId === undefined || film.cameraId === cameraId);
  const print = printOf(job, films, readAt);
  if (print === null || films.length === 0) return <None why="No camera" />;
  const share = Math.max(...films.map((film) => shareOf(film, print)));
  return (
    <span title={films.map((film) => `${nameOf(film)}: ${shareText(shareOf(film, print))}`).join('\n')}>
      {shareText(share)}
    </span>
  );
}

const None = ({ why }: { why: string }) => <span title={why}>–</span>;

const nameOf = ({ camera, cameraId }: Film) => camera?.friendlyName ?? cameraId;
