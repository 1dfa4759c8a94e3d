// Shows the share of the time in which a camera was live, and the gaps, the longest first.
import { useState } from 'react';
import type { CameraHistoryQuery } from '../../generated/web-operations';
import { Button } from '../parts/button';
import { exactTime, formatDuration } from '../parts/formats';
import { Empty } from '../parts/loading-states';
import { Section } from '../parts/page';
import styles from './camera.module.css';

const MAX_SHOWN = 5;

interface GapsProps {
  availability: NonNullable<CameraHistoryQuery['camera']>['availability'];
}

export function Gaps({ availability: { fraction, gaps } }: GapsProps) {
  const [showsAll, setShowsAll] = useState(false);
  return (
    <Section title="Availability" about={fraction === null ? 'unknown' : formatFraction(fraction)}>
      {gaps.length === 0 ? (
        <Empty>
          {fraction === null ? 'The camera was not added yet at this time.' : 'The camera was live all the time.'}
        </Empty>
      ) : (
        <ul className={styles['gaps']} aria-label="Gaps, the longest first">
          {(showsAll ? gaps : gaps.slice(0, MAX_SHOWN)).map(({ from, to }) => (
            <li key={from}>
              <span>{`${exactTime(from)} – ${exactTime(to)}`}</span>
              <span className={styles['length']}>{formatDuration((Date.parse(to) - Date.parse(from)) / 1000)}</span>
            </li>
          ))}
        </ul>
      )}
      {gaps.length > MAX_SHOWN && (
        <Button kind="quiet" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Show longest only' : `Show all ${gaps.length} gaps`}
        </Button>
      )}
    </Section>
  );
}

const percentFormat = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** Writes a fraction such as "99.9 %". It is 100 % only if nothing is missing. */
const formatFraction = (fraction: number) =>
  `${percentFormat.format(Math.floor(fraction * 1000) / 10)} % of the time live`;
