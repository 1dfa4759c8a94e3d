// The prints of the last 24 hours of a printer on a time axis, each in the colour of its outcome.
import { useQuery } from '@apollo/client/react';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { PrinterPrintsDocument } from '../../generated/web-operations';
import { clockTime } from '../parts/formats';
import { useNow } from '../parts/moment';
import { printAddress } from '../parts/object-addresses';
import { Section } from '../parts/page';
import { OUTCOMES } from './print-texts';
import styles from './prints.module.css';

const DAY_MS = 86_400_000;
const MARKS = [0, 6, 12, 18, 24];

export function DayStrip({ printerId }: { printerId: string }) {
  const variables = useMemo(() => ({ filter: { printerId } }), [printerId]);
  // The same query as the list of prints below it. Its first page has the newest prints.
  const prints = useQuery(PrinterPrintsDocument, { variables, context: { isPaged: true } }).data?.observedPrints.nodes;
  const now = useNow();
  const start = now - DAY_MS;
  const bars = (prints ?? []).flatMap(({ id, name, outcome, startedAt, endedAt, createdAt }) => {
    const from = Math.max(start, Date.parse(startedAt ?? createdAt));
    const to = outcome === 'RUNNING' ? now : Date.parse(endedAt ?? startedAt ?? createdAt);
    return to > start && from < now ? [{ id, name, outcome, from, to: Math.max(from, to) }] : [];
  });
  if (bars.length === 0) return null;
  return (
    <Section title="Last 24 hours">
      <ul className={styles['strip']} aria-label="Prints in the last 24 hours">
        {bars.map(({ id, name, outcome, from, to }) => {
          const label = `${name || 'Unnamed'}, ${OUTCOMES[outcome].name}, ${clockTime(from)} – ${clockTime(to)}`;
          return (
            <li
              key={id}
              className={styles['bar']}
              style={{ left: `${((from - start) / DAY_MS) * 100}%`, width: `${((to - from) / DAY_MS) * 100}%` }}
            >
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
