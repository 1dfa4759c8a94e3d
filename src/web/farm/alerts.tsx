// What needs attention now, the most urgent first.
import { useState } from 'react';
import { Link } from 'react-router';
import type { AlertRowFragment } from '../../generated/web-operations';
import { Badge } from '../parts/badge';
import { Button } from '../parts/button';
import { Moment } from '../parts/moment';
import { Section } from '../parts/page';
import { Empty } from '../parts/states';
import styles from './farm.module.css';

/** The printers stay in view, however many cameras are lost. */
const MAX_SHOWN = 5;

const SEVERITIES = {
  CRITICAL: { name: 'Critical', tone: 'bad' },
  WARNING: { name: 'Warning', tone: 'warn' },
} as const;

export function Alerts({ alerts }: { alerts: readonly AlertRowFragment[] }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? alerts : alerts.slice(0, MAX_SHOWN);
  return (
    <Section title="Needs attention" about={alerts.length === 0 ? '' : alerts.length}>
      {alerts.length === 0 ? (
        <Empty>Nothing needs attention.</Empty>
      ) : (
        <ul className={styles['alerts']} aria-label="Alerts">
          {shown.map((alert) => (
            <li key={keyOf(alert)} className={styles['alert']} data-severity={alert.severity}>
              <Badge tone={SEVERITIES[alert.severity].tone}>{SEVERITIES[alert.severity].name}</Badge>
              <p>
                {alert.message} <About alert={alert} />
              </p>
              <span className={styles['since']}>
                <Moment at={alert.since} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {alerts.length > MAX_SHOWN && (
        <Button kind="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show the most urgent alone' : `Show all ${alerts.length}`}
        </Button>
      )}
    </Section>
  );
}

const keyOf = ({ kind, camera, printJob, spool }: AlertRowFragment) =>
  `${kind} ${camera?.id ?? printJob?.id ?? spool?.id ?? ''}`;

/** The page of the alert's camera, job or spool. */
function About({ alert: { camera, printJob, spool } }: { alert: AlertRowFragment }) {
  if (camera) return <Link to={`/camera/${encodeURIComponent(camera.id)}`}>See the camera</Link>;
  if (printJob) return <Link to={`/jobs/${printJob.id}`}>See the job</Link>;
  return spool && <Link to={`/filament?search=${encodeURIComponent(spool.spoolSerial)}`}>See the spool</Link>;
}
