// What one camera recorded of a job: its share, its bar, and its gaps with their times and reasons.
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
import { duration, exactTime } from '../parts/formats';

type Film = NonNullable<NonNullable<JobFilmQuery['printJob']>['filming']>[number];

const MAX_SHOWN = 5;

const COLUMNS: Column<BarSection>[] = [
  { head: 'From', width: 'minmax(9rem, 1fr)', cell: ({ from }) => <Exact at={from} /> },
  { head: 'To', width: 'minmax(9rem, 1fr)', cell: ({ to }) => <Exact at={to} /> },
  { head: 'Length', width: 'minmax(5rem, 1fr)', cell: (gap) => duration(secondsOf(gap)) },
  { head: 'Reason', width: 'minmax(10rem, 2fr)', cell: ({ kind }) => SECTION_NAMES[kind] },
];

function Exact({ at }: { at: number }) {
  const instant = new Date(at).toISOString();
  return <time dateTime={instant}>{exactTime(instant)}</time>;
}

const secondsOf = ({ from, to }: Span) => (to - from) / 1000;

/** In the order that they have. */
function longestOf(gaps: readonly BarSection[]): readonly BarSection[] {
  const kept = new Set([...gaps].sort((one, other) => secondsOf(other) - secondsOf(one)).slice(0, MAX_SHOWN));
  return gaps.filter((gap) => kept.has(gap));
}

export function CameraFilm({ film, pieces, print }: { film: Film; pieces: readonly BarSection[]; print: Span }) {
  const { cameraId, camera, final } = film;
  const [isWhole, setWhole] = useState(false);
  const name = camera?.friendlyName ?? cameraId;
  const gaps = pieces.filter(({ kind }) => kind !== 'RECORDED').sort((one, other) => one.from - other.from);
  return (
    <div className={styles['film']}>
      <div className={styles['head']}>
        <h3>{camera ? <Link to={cameraAddress(cameraId)}>{name}</Link> : `${name} (removed)`}</h3>
        <span>{`${formatShare(calculateShare(film, print))} of the print recorded`}</span>
        <Badge tone={final ? 'good' : 'muted'}>{final ? 'Final' : 'Preliminary'}</Badge>
      </div>
      <FilmBar sections={pieces} print={print} />
      <p className={styles['quiet']}>{sentencesOf(film, pieces, print).join(' ')}</p>
      {gaps.length > 0 && (
        <DataTable
          label={`Gaps of ${name}`}
          columns={COLUMNS}
          rows={isWhole ? gaps : longestOf(gaps)}
          keyOf={({ kind, from }) => `${kind} ${from}`}
        />
      )}
      {gaps.length > MAX_SHOWN && (
        <Button kind="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show longest only' : `Show all ${gaps.length} gaps`}
        </Button>
      )}
    </div>
  );
}

/** What the bar and the table do not say. */
function sentencesOf(film: Film, pieces: readonly BarSection[], print: Span): string[] {
  const { windowSec, recordedSec, resolutionSec, otherGapsSec } = film;
  const hasGaps = pieces.length > 1;
  const accuracy = resolutionSec === null || !hasGaps ? '' : ` (gap times ±${duration(resolutionSec)})`;
  const sentences = [`Recorded ${duration(recordedSec)} of ${duration(secondsOf(print))}${accuracy}.`];
  const shown = pieces.filter(({ kind }) => kind === 'RECORDED').reduce((sum, one) => sum + secondsOf(one), 0);
  // When a camera was removed is not kept.
  if (shown - windowSec >= 1) sentences.push(`Not assigned to this printer for ${duration(shown - windowSec)}.`);
  if (otherGapsSec > 0)
    sentences.push(
      `Only the ${film.gaps.length} longest gaps are listed. The others add up to ${duration(otherGapsSec)}.`,
    );
  if (!hasGaps) sentences.push('No gaps.');
  return sentences;
}
