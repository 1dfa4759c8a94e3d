// The alerts of now: one line with their numbers and the most urgent of them, that unfolds.
import { useState } from 'react';
import { Link } from 'react-router';
import type { AlertRowFragment } from '../../generated/web-operations';
import { cameraAddress } from '../camera/address';
import { targetAddress } from '../notifications/notification-words';
import { Badge } from '../parts/badge';
import { Button } from '../parts/button';
import { Moment } from '../parts/moment';
import { printAddress, printerAddress, spoolAddress } from '../prints/print-words';
import styles from './alerts.module.css';

/** One less than the page asks for. */
const MAX_LISTED = 100;

const SEVERITIES = {
  CRITICAL: { name: 'Critical', tone: 'bad' },
  WARNING: { name: 'Warning', tone: 'warn' },
} as const;

type Alert = AlertRowFragment;

export function Alerts({ alerts }: { alerts: readonly Alert[] }) {
  const [isOpen, setOpen] = useState(false);
  const [first] = alerts;
  const listed = alerts.slice(0, MAX_LISTED);
  const hasMore = alerts.length > MAX_LISTED;
  return (
    <section className={styles['frame']} aria-label="Needs attention" data-severity={first?.severity}>
      <h2 className={styles['hidden']}>Needs attention</h2>
      {first === undefined ? (
        <p className={styles['line']}>Nothing needs attention.</p>
      ) : (
        <div className={styles['line']}>
          <Counts alerts={listed} hasMore={hasMore} />
          {!isOpen && (
            <p className={styles['first']} title={first.message}>
              {first.message}
            </p>
          )}
          <Button kind="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen
              ? 'Fold'
              : hasMore
                ? `Show the first ${MAX_LISTED}`
                : `Show ${alerts.length === 1 ? 'it' : `all ${alerts.length}`}`}
          </Button>
        </div>
      )}
      {isOpen && first !== undefined && (
        <ul className={styles['alerts']} aria-label="Alerts">
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
    </section>
  );
}

function Counts({ alerts, hasMore }: { alerts: readonly Alert[]; hasMore: boolean }) {
  const critical = alerts.filter(({ severity }) => severity === 'CRITICAL').length;
  const warnings = alerts.length - critical;
  const more = hasMore ? ' or more' : '';
  // The most urgent come first: all that are left out are of the last kind.
  return (
    <span className={styles['counts']}>
      {critical > 0 && <Badge tone="bad">{`${critical}${warnings === 0 ? more : ''} critical`}</Badge>}
      {warnings > 0 && <Badge tone="warn">{`${warnings}${more} ${warnings === 1 ? 'warning' : 'warnings'}`}</Badge>}
    </span>
  );
}

const keyOf = ({ kind, camera, print, printJob, spool, printer, notificationTarget }: Alert) =>
  `${kind} ${(camera ?? print ?? printJob ?? spool ?? printer ?? notificationTarget)?.id ?? ''}`;

/** The page on which the user can do something about it. */
function About({ alert }: { alert: Alert }) {
  const { camera, print, printJob, spool, printer, notificationTarget } = alert;
  if (camera) return <Link to={cameraAddress(camera.id)}>See the camera</Link>;
  if (print) return <Link to={printAddress(print.id)}>See the print</Link>;
  if (printJob) return <Link to={`/jobs/${printJob.id}`}>See the job</Link>;
  if (spool) return <Link to={spoolAddress(spool.id)}>See the spool</Link>;
  if (printer) return <Link to={printerAddress(printer.id)}>See the printer</Link>;
  return notificationTarget && <Link to={targetAddress(notificationTarget.id)}>See the target</Link>;
}
