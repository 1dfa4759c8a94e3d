// Shows in a list how much of a print was recorded: by one camera, or by the camera that recorded the most.

import { type Film, useFilms } from './film-reader';
import { TOO_MANY_RECORDS } from './film-texts';
import { calculateShare, findFilmedSpan, formatShare, type PrintedJob } from './recorded-share';

interface FilmShareProps {
  job: PrintedJob & { id: string };
  cameraId?: string;
}

/** Without a `cameraId` the greatest share counts: if one of two cameras fails, the recording of the second camera is still there. */
export function FilmShare({ job, cameraId }: FilmShareProps) {
  const result = useFilms(job);
  if (job.startedAt === null) return <NoShare why="Not started" />;
  if (result === undefined) return null;
  const { problem, readAt } = result;
  if (problem !== undefined) {
    const hasTooManyRecords = problem.codes.includes('BAD_USER_INPUT');
    return <span title={hasTooManyRecords ? TOO_MANY_RECORDS : problem.message}>Unknown</span>;
  }
  const films = (result.films ?? []).filter((film) => cameraId === undefined || film.cameraId === cameraId);
  const print = findFilmedSpan(job, films, readAt);
  if (print === null || films.length === 0) return <NoShare why="No camera" />;
  const share = Math.max(...films.map((film) => calculateShare(film, print)));
  return (
    <span title={films.map((film) => `${getCameraName(film)}: ${formatShare(calculateShare(film, print))}`).join('\n')}>
      {formatShare(share)}
    </span>
  );
}

const NoShare = ({ why }: { why: string }) => <span title={why}>–</span>;

const getCameraName = ({ camera, cameraId }: Film) => camera?.friendlyName ?? cameraId;
