// The prints of the last 24 hours of a printer on a time axis, each in the colour of its outcome.
import { useQuery } from '@apollo/client/react';
import { useCallback, useMemo, useState } from 'react';
import { Link } from 'react-router';
import { PrinterPrintsDocument } from '../../generated/web-operations';
import { clockTime } from '../parts/formats';
import { useNow } from '../parts/moment';
import { printAddress } from '../parts/object-addresses';
import { Section } from '../parts/page';
import { OUTCOMES } from './print-texts';
import styles from './prints.module.css';
import { MIN_BAR_PX, placeBars } from './strip-lanes';

const DAY_MS = 86_400_000;
const MARKS = [0, 6, 12, 18, 24];
const LANE_PX = MIN_BAR_PX + 2;
/** Until the axis is measured. */
const USUAL_AXIS_PX = 1000;

export function DayStrip({ printerId }: { printerId: string }) {
  const variables = useMemo(() => ({ filter: { printerId } }), [printerId]);
  // The same query as the list of prints below it. Its first page has the newest prints.
  const prints = useQuery(PrinterPrintsDocument, { variables, context: { isPaged: true } }).data?.observedPrints.nodes;
  const now = useNow();
  const start = now - DAY_MS;
  const { axis, axisPx } = useAxisWidth();
  const bars = (prints ?? []).flatMap(({ id, name, outcome, startedAt, endedAt, createdAt }) => {
    const from = Math.max(start, Date.parse(startedAt ?? createdAt));
    const to = outcome === 'RUNNING' ? now : Date.parse(endedAt ?? startedAt ?? createdAt);
    return to > start && from < now ? [{ id, name, outcome, from, to: Math.max(from, to) }] : [];
  });
  if (bars.length === 0) return null;
  bars.sort((a, b) => a.from - b.from);
  const placed = placeBars(
    bars.map(({ from, to }) => ({ start: (from - start) / DAY_MS, length: (to - from) / DAY_MS })),
    axisPx,
  );
  const lanes = Math.max(...placed.map(({ lane }) => lane)) + 1;
  return (
    <Section title="Last 24 hours">
      <ul
        ref={axis}
        className={styles['strip']}
        style={{ height: lanes * LANE_PX }}
        aria-label="Prints in the last 24 hours"
      >
        {bars.map(({ id, name, outcome, from, to }, index) => {
          const { left, width, lane } = placed[index] as (typeof placed)[number];
          const label = `${name || 'Unnamed'}, ${OUTCOMES[outcome].name}, ${clockTime(from)} – ${clockTime(to)}`;
          return (
            <li key={id} className={styles['bar']} style={{ left, width, top: lane * LANE_PX }}>
              <Link to={printAddress(id)} data-tone={OUTCOMES[outcome].tone} aria-label={label} title={label} />
            </li>
          );
        })}
      </ul>
      <p className={styles['hours']} aria-hidden="true">
        {MARKS.map((hours) => (
          <span key={hours}>{hours === 24 ? 'Now' : clockTime(start + hours * 3_600_000 + 1)}</span>
        ))}
      </p>
    </Section>
  );
}

function useAxisWidth() {
  const [axisPx, setAxisPx] = useState(USUAL_AXIS_PX);
  const axis = useCallback((list: HTMLUListElement | null) => {
    if (list === null) return;
    const observer = new ResizeObserver(() => setAxisPx(list.clientWidth));
    observer.observe(list);
    return () => observer.disconnect();
  }, []);
  return { axis, axisPx };
}
