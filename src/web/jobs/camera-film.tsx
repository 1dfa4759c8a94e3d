// Shows what one camera recorded of a job: the recorded share, a bar, and the gaps with their times and reasons.
import { useState } from 'react';
import { Link } from 'react-router';
import type { JobFilmQuery } from '../../generated/web-operations';
import { cameraAddress } from '../camera/camera-address';
import type { BarSection } from '../films/bar-sections';
import { FilmBar } from '../films/film-bar';
import { SECTION_NAMES } from '../films/film-texts';
import styles from '../films/films.module.css';
import { calculateShare, formatShare, type Span } from '../films/recorded-share';
import { Badge } from '../parts/badge';
import { Button } from '../parts/button';
import { type Column, DataTable } from '../parts/data-table';
import { exactTime, formatDuration } from '../parts/formats';

type Film = NonNullable<NonNullable<JobFilmQuery['printJob']>['filming']>[number];

const MAX_SHOWN = 5;

const COLUMNS: Column<BarSection>[] = [
  { head: 'From', width: 'minmax(9rem, 1fr)', cell: ({ from }) => <ExactTime at={from} /> },
  { head: 'To', width: 'minmax(9rem, 1fr)', cell: ({ to }) => <ExactTime at={to} /> },
  { head: 'Length', width: 'minmax(5rem, 1fr)', cell: (gap) => formatDuration(getSeconds(gap)) },
  { head: 'Reason', width: 'minmax(10rem, 2fr)', cell: ({ kind }) => SECTION_NAMES[kind] },
];

function ExactTime({ at }: { at: number }) {
  const instant = new Date(at).toISOString();
  return <time dateTime={instant}>{exactTime(instant)}</time>;
}

const getSeconds = ({ from, to }: Span) => (to - from) / 1000;

/** The longest gaps, in their original order. */
function findLongest(gaps: readonly BarSection[]): readonly BarSection[] {
  const longest = new Set([...gaps].sort((a, b) => getSeconds(b) - getSeconds(a)).slice(0, MAX_SHOWN));
  return gaps.filter((gap) => longest.has(gap));
}

export function CameraFilm({ film, pieces, print }: { film: Film; pieces: readonly BarSection[]; print: Span }) {
  const { cameraId, camera, final } = film;
  const [areAllShown, setAllShown] = useState(false);
  const name = camera?.friendlyName ?? cameraId;
  const gaps = pieces.filter(({ kind }) => kind !== 'RECORDED').sort((a, b) => a.from - b.from);
  return (
    <div className={styles['film']}>
      <div className={styles['head']}>
        <h3>{camera ? <Link to={cameraAddress(cameraId)}>{name}</Link> : `${name} (removed)`}</h3>
        <span>{`${formatShare(calculateShare(film, print))} of the print recorded`}</span>
        <Badge tone={final ? 'good' : 'muted'}>{final ? 'Final' : 'Preliminary'}</Badge>
      </div>
      <FilmBar sections={pieces} print={print} />
      <p className={styles['quiet']}>{describeFilm(film, pieces, print).join(' ')}</p>
      {gaps.length > 0 && (
        <DataTable
          label={`Gaps of ${name}`}
          columns={COLUMNS}
          rows={areAllShown ? gaps : findLongest(gaps)}
          getKey={({ kind, from }) => `${kind} ${from}`}
        />
      )}
      {gaps.length > MAX_SHOWN && (
        <Button kind="quiet" aria-expanded={areAllShown} onClick={() => setAllShown(!areAllShown)}>
          {areAllShown ? 'Show longest only' : `Show all ${gaps.length} gaps`}
        </Button>
      )}
    </div>
  );
}

/** Sentences about what the bar and the table do not show. */
function describeFilm(film: Film, pieces: readonly BarSection[], print: Span): string[] {
  const { windowSec, recordedSec, resolutionSec, otherGapsSec } = film;
  const hasGaps = pieces.length > 1;
  const accuracy = resolutionSec === null || !hasGaps ? '' : ` (gap times ±${formatDuration(resolutionSec)})`;
  const sentences = [`Recorded ${formatDuration(recordedSec)} of ${formatDuration(getSeconds(print))}${accuracy}.`];
  const shown = pieces.filter(({ kind }) => kind === 'RECORDED').reduce((sum, piece) => sum + getSeconds(piece), 0);
  // The gateway does not record when a camera was removed from a printer.
  if (shown - windowSec >= 1) sentences.push(`Not assigned to this printer for ${formatDuration(shown - windowSec)}.`);
  if (otherGapsSec > 0)
    sentences.push(
      `Only the ${film.gaps.length} longest gaps are listed. The others add up to ${formatDuration(otherGapsSec)}.`,
    );
  if (!hasGaps) sentences.push('No gaps.');
  return sentences;
}
