// The alerts of now, the most urgent first.
import { useState } from 'react';
import { Link } from 'react-router';
import type { AlertRowFragment } from '../../generated/web-operations';
import { cameraAddress } from '../camera/address';
import { targetAddress } from '../notifications/notification-words';
import { Badge } from '../parts/badge';
import { Button } from '../parts/button';
import { Moment } from '../parts/moment';
import { Section } from '../parts/page';
import { Empty } from '../parts/states';
import { printAddress, printerAddress, spoolAddress } from '../prints/print-words';
import styles from './farm.module.css';

/** The printers stay in view, however many cameras are lost. */
const MAX_SHOWN = 5;
/** One less than the page asks for. */
const MAX_LISTED = 100;

const SEVERITIES = {
  CRITICAL: { name: 'Critical', tone: 'bad' },
  WARNING: { name: 'Warning', tone: 'warn' },
} as const;

export function Alerts({ alerts }: { alerts: readonly AlertRowFragment[] }) {
  const [isWhole, setWhole] = useState(false);
  const listed = alerts.slice(0, isWhole ? MAX_LISTED : MAX_SHOWN);
  const hasMore = alerts.length > MAX_LISTED;
  return (
    <Section
      title="Needs attention"
      about={hasMore ? `more than ${MAX_LISTED}` : alerts.length || ''}
      actions={
        alerts.length > MAX_SHOWN && (
          <Button kind="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole
              ? 'Show the most urgent alone'
              : `Show ${hasMore ? `the first ${MAX_LISTED}` : `all ${alerts.length}`}`}
          </Button>
        )
      }
    >
      {alerts.length === 0 ? (
        <Empty>Nothing needs attention.</Empty>
      ) : (
        <ul className={styles['alerts']} data-whole={isWhole} aria-label="Alerts">
          {listed.map((alert) => (
            <li key={keyOf(alert)} className={styles['alert']} data-severity={alert.severity}>
              <Badge tone={SEVERITIES[alert.severity].tone}>{SEVERITIES[alert.severity].name}</Badge>
              <p>
                <span>{`${alert.message} `}</span>
                <About alert={alert} />
              </p>
              <span className={styles['since']}>
                <Moment at={alert.since} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

const keyOf = ({ kind, camera, print, printJob, spool, printer, notificationTarget }: AlertRowFragment) =>
  `${kind} ${(camera ?? print ?? printJob ?? spool ?? printer ?? notificationTarget)?.id ?? ''}`;

/** The page on which the user can do something about it. */
function About({ alert }: { alert: AlertRowFragment }) {
  const { camera, print, printJob, spool, printer, notificationTarget } = alert;
  if (camera) return <Link to={cameraAddress(camera.id)}>See the camera</Link>;
  if (print) return <Link to={printAddress(print.id)}>See the print</Link>;
  if (printJob) return <Link to={`/jobs/${printJob.id}`}>See the job</Link>;
  if (spool) return <Link to={spoolAddress(spool.id)}>See the spool</Link>;
  if (printer) return <Link to={printerAddress(printer.id)}>See the printer</Link>;
  return notificationTarget && <Link to={targetAddress(notificationTarget.id)}>See the target</Link>;
}
