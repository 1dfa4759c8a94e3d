// The last 24 hours of a printer as a strip: each print in the colour of its outcome.
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
  // The query of the list of prints below: its first page has the newest.
  const prints = useQuery(PrinterPrintsDocument, { variables, context: { isPaged: true } }).data?.observedPrints.nodes;
  const now = useNow();
  const begin = now - DAY_MS;
  const pieces = (prints ?? []).flatMap(({ id, name, outcome, startedAt, endedAt, createdAt }) => {
    const from = Math.max(begin, Date.parse(startedAt ?? createdAt));
    const to = outcome === 'RUNNING' ? now : Date.parse(endedAt ?? startedAt ?? createdAt);
    return to > begin && from < now ? [{ id, name, outcome, from, to: Math.max(from, to) }] : [];
  });
  if (pieces.length === 0) return null;
  return (
    <Section title="Last 24 hours">
      <ul className={styles['strip']} aria-label="Prints in the last 24 hours">
        {pieces.map(({ id, name, outcome, from, to }) => {
          const said = `${name || 'Unnamed'}, ${OUTCOMES[outcome].name}, ${clockTime(from)} – ${clockTime(to)}`;
          return (
            <li
              key={id}
              className={styles['piece']}
              style={{ left: `${((from - begin) / DAY_MS) * 100}%`, width: `${((to - from) / DAY_MS) * 100}%` }}
            >
              <Link to={printAddress(id)} data-tone={OUTCOMES[outcome].tone} aria-label={said} title={said} />
            </li>
          );
        })}
      </ul>
      <p className={styles['hours']} aria-hidden="true">
        {MARKS.map((hours) => (
          <span key={hours}>{hours === 24 ? 'Now' : clockTime(begin + hours * 3_600_000 + 1)}</span>
        ))}
      </p>
    </Section>
  );
}
